package client

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const token = "the token"

var errGone = status.Error(codes.Unavailable, "the server is gone")

// script plays servers that keep the contract, except that their calls break off where cut says. It has no transport, so
// that thousands of breaks, and pauses of a virtual clock, take no time.
type script struct {
	sequences []int64 // of the events that the filters let through
	random    *rand.Rand
	// cut is after how many messages of a call it fails, and how; no error: it does not.
	cut func(call int) (after int, err error)
	// edit changes the messages of a call, when it is not nil.
	edit  func(call int, frames []*zermelov1.ExplainResponse) []*zermelov1.ExplainResponse
	calls []*zermelov1.ExplainRequest
}

func (s *script) open(ctx context.Context, r *zermelov1.ExplainRequest, _ ...grpc.CallOption) (grpc.ServerStreamingClient[zermelov1.ExplainResponse], error) {
	s.calls = append(s.calls, proto.CloneOf(r))
	if r.GetResumeToken() != "" && r.GetResumeToken() != token {
		return nil, status.Error(codes.FailedPrecondition, "another token")
	}
	frames := s.frames(r)
	if s.edit != nil {
		frames = s.edit(len(s.calls), frames)
	}
	stream := &played{ctx: ctx, frames: frames, end: io.EOF}
	if s.cut != nil {
		if after, err := s.cut(len(s.calls)); err != nil {
			if after < 0 {
				return nil, err
			}
			stream.frames, stream.end = frames[:min(after, len(frames))], err
		}
	}
	return stream, nil
}

// frames is what a server answers: batches of any size, with progress between them.
func (s *script) frames(r *zermelov1.ExplainRequest) []*zermelov1.ExplainResponse {
	frames := []*zermelov1.ExplainResponse{{Payload: &zermelov1.ExplainResponse_Opening{Opening: &zermelov1.Opening{
		Position: r.GetPosition(), EngineVersion: "7", ResumeToken: token,
	}}}}
	end := &zermelov1.Summary{
		Completion:   zermelov1.Completion_COMPLETION_COMPLETE,
		Solution:     &zermelov1.Solution{Outcome: zermelov1.Outcome_OUTCOME_WIN},
		LastSequence: r.GetResumeAfterSequence(),
	}
	var batch []*zermelov1.Event
	flush := func() {
		if len(batch) > 0 {
			frames = append(frames, &zermelov1.ExplainResponse{
				Payload: &zermelov1.ExplainResponse_Events{Events: &zermelov1.Events{Events: batch}},
			})
			batch = nil
		}
	}
	for _, sequence := range s.sequences {
		if sequence <= r.GetResumeAfterSequence() {
			continue
		}
		if r.GetMaxEvents() > 0 && end.EventCount == r.GetMaxEvents() {
			end.Completion, end.Solution = zermelov1.Completion_COMPLETION_LIMIT_REACHED, nil
			break
		}
		batch = append(batch, &zermelov1.Event{Sequence: sequence})
		end.EventCount++
		end.LastSequence = sequence
		if s.random.IntN(3) == 0 {
			flush()
		}
		if s.random.IntN(5) == 0 {
			flush()
			frames = append(frames, &zermelov1.ExplainResponse{
				Payload: &zermelov1.ExplainResponse_Progress{Progress: &zermelov1.Progress{}},
			})
		}
	}
	flush()
	return append(frames, &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{Summary: end}})
}

// played is one call of a script.
type played struct {
	grpc.ClientStream
	ctx    context.Context
	frames []*zermelov1.ExplainResponse
	end    error
}

func (p *played) Recv() (*zermelov1.ExplainResponse, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	if len(p.frames) == 0 {
		return nil, p.end
	}
	frame := p.frames[0]
	p.frames = p.frames[1:]
	return frame, nil
}

func (s *script) trace(ctx context.Context, r *zermelov1.ExplainRequest) *Trace {
	return &Trace{stream: stream{ctx: ctx, method: "Explain", item: "event", resumes: true}, call: s.open, request: r}
}

// play ranges to the end.
func play(t *testing.T, trace *Trace) (sequences []int64, failure error) {
	t.Helper()
	for event, err := range trace.Events() {
		switch {
		case failure != nil:
			t.Fatalf("something follows the error %v", failure)
		case err != nil:
			failure = err
		default:
			sequences = append(sequences, event.GetSequence())
		}
	}
	return sequences, failure
}

// gapless are the numbers from 1 to n.
func gapless(n int) []int64 {
	sequences := make([]int64, n)
	for i := range sequences {
		sequences[i] = int64(i + 1)
	}
	return sequences
}

// Wherever the calls break off, and however often, a trace is the one that it would have been: with filters, limits, and
// when it is itself the rest of another.
func TestResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(3, 9))
		for range 3000 {
			request := &zermelov1.ExplainRequest{MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_NONE}
			sequences := gapless(random.IntN(25))
			if random.IntN(2) == 0 {
				request.Kinds = []zermelov1.EventKind{zermelov1.EventKind_EVENT_KIND_DECIDED}
				sequences = slices.DeleteFunc(sequences, func(int64) bool { return random.IntN(3) > 0 })
			}
			if random.IntN(2) == 0 {
				request.MaxEvents = 1 + random.Int64N(int64(len(sequences))+2)
			}
			if random.IntN(3) == 0 {
				request.ResumeToken, request.ResumeAfterSequence = token, random.Int64N(int64(len(sequences))+1)
			}
			calm := (&script{sequences: sequences, random: random}).trace(t.Context(), request)
			want, err := play(t, calm)
			if err != nil {
				t.Fatal(err)
			}
			s := &script{sequences: sequences, random: random}
			breaks := random.IntN(resumeAttempts) // fewer than would be too many even without any event
			s.cut = func(call int) (int, error) {
				if call > breaks {
					return 0, nil
				}
				return random.IntN(8) - 1, errGone
			}
			before := proto.CloneOf(request)
			trace := s.trace(t.Context(), request)
			told := 0
			trace.OnResume(func(err error) {
				told++
				if !errors.Is(err, errGone) {
					t.Errorf("told %v", err)
				}
			})
			got, err := play(t, trace)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%v after %d breaks: %v, %v, want %v", request, breaks, got, err, want)
			}
			if !proto.Equal(trace.Summary(), calm.Summary()) {
				t.Fatalf("%v: summary %v, want %v", request, trace.Summary(), calm.Summary())
			}
			if trace.Resumed() != breaks || told != breaks || len(s.calls) != breaks+1 {
				t.Fatalf("resumed %d times, told %d times, in %d calls, want %d", trace.Resumed(), told, len(s.calls), breaks)
			}
			if !proto.Equal(request, before) {
				t.Fatalf("the request is %v, was %v", request, before)
			}
			for _, call := range s.calls {
				if (call.GetMaxEvents() == 0) != (request.GetMaxEvents() == 0) || call.GetMaxEvents() > request.GetMaxEvents() {
					t.Fatalf("%v asks for too many events, where %v was asked", call, request)
				}
				call.MaxEvents, call.ResumeToken, call.ResumeAfterSequence = request.MaxEvents, request.ResumeToken, request.ResumeAfterSequence
				if !proto.Equal(call, request) {
					t.Fatalf("%v is not what was asked, %v", call, request)
				}
			}
		}
	})
}

// When a limit is reached and only the summary is missing, it is still the right one.
func TestResumeAtTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for limit, want := range map[int64]zermelov1.Completion{
			4: zermelov1.Completion_COMPLETION_LIMIT_REACHED,
			5: zermelov1.Completion_COMPLETION_COMPLETE, // there are no more than these
		} {
			s := &script{sequences: gapless(5), random: rand.New(rand.NewPCG(1, 1))}
			s.edit = func(call int, frames []*zermelov1.ExplainResponse) []*zermelov1.ExplainResponse {
				if call == 1 {
					return frames[:len(frames)-1] // all events, and no summary
				}
				return frames
			}
			s.cut = func(call int) (int, error) {
				if call == 1 {
					return 100, errGone
				}
				return 0, nil
			}
			trace := s.trace(t.Context(), &zermelov1.ExplainRequest{MaxEvents: limit})
			got, err := play(t, trace)
			if err != nil || !slices.Equal(got, gapless(int(limit))) {
				t.Errorf("events %v, %v", got, err)
			}
			end := trace.Summary()
			if end.GetCompletion() != want || end.GetEventCount() != limit || end.GetLastSequence() != limit {
				t.Errorf("summary %v, want %v after %d", end, want, limit)
			}
			if again := s.calls[1]; again.GetMaxEvents() != 1 || again.GetResumeAfterSequence() != limit-1 {
				t.Errorf("asked %v", again)
			}
		}
	})
}

// A server that ends every call is left alone after a while, and the error says so; events begin the count again.
func TestResumeWithoutProgressEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lastGood = 4 // calls up to this one bring an event each
		for name, after := range map[string]func(call int) int{
			"at once":           func(int) int { return -1 },
			"after the opening": func(int) int { return 1 },
			"after some events": func(call int) int { return 1 + max(0, lastGood+1-call) },
		} {
			s := &script{sequences: gapless(50), random: rand.New(rand.NewPCG(1, 1))}
			s.cut = func(call int) (int, error) { return after(call), errGone }
			s.edit = func(call int, frames []*zermelov1.ExplainResponse) []*zermelov1.ExplainResponse {
				frames = frames[:1]
				if call <= lastGood {
					frames = append(frames, &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Events{
						Events: &zermelov1.Events{Events: []*zermelov1.Event{{Sequence: int64(call)}}},
					}})
				}
				return frames
			}
			begun := time.Now()
			trace := s.trace(t.Context(), &zermelov1.ExplainRequest{})
			got, err := play(t, trace)
			good := 0
			if name == "after some events" {
				good = lastGood
			}
			if status.Code(err) != codes.Unavailable || !errors.Is(err, errGone) || !strings.Contains(err.Error(), "10 attempts") {
				t.Errorf("%s: error %v", name, err)
			}
			if len(got) != good || len(s.calls) != good+resumeAttempts {
				t.Errorf("%s: %d events of %d calls", name, len(got), len(s.calls))
			}
			if took := time.Since(begun); took < time.Second || took > resumeAttempts*resumeMostPause {
				t.Errorf("%s: given up after %v", name, took)
			}
			if trace.Summary() != nil || trace.Resumed() != len(s.calls)-1 {
				t.Errorf("%s: summary %v, resumed %d times", name, trace.Summary(), trace.Resumed())
			}
		}
	})
}

func TestPauses(t *testing.T) {
	for failed, want := range []int64{100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000} {
		if got := longestPause(failed); got.Milliseconds() != want {
			t.Errorf("after %d attempts a pause of %v at most, want %d ms", failed, got, want)
		}
	}
}

// The caller's context ends a pause at once.
func TestResumeEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 20 {
			ctx, cancel := context.WithCancel(t.Context())
			s := &script{sequences: gapless(3), random: rand.New(rand.NewPCG(1, 1))}
			s.cut = func(int) (int, error) { return 1, errGone }
			trace := s.trace(ctx, &zermelov1.ExplainRequest{})
			var cancelled time.Time
			trace.OnResume(func(error) {
				if trace.Resumed() == 5 {
					time.AfterFunc(time.Microsecond, func() {
						cancelled = time.Now()
						cancel()
					})
				}
			})
			_, err := play(t, trace)
			if status.Code(err) != codes.Canceled || !strings.Contains(err.Error(), "the server is gone") {
				t.Errorf("error %v, want one that is cancelled and says after what", err)
			}
			if late := time.Since(cancelled); late != 0 {
				t.Errorf("%v after the context", late)
			}
			cancel()

			ctx, cancel = context.WithTimeout(t.Context(), 3*time.Second)
			begun := time.Now()
			_, err = play(t, s.trace(ctx, &zermelov1.ExplainRequest{}))
			if took := time.Since(begun); status.Code(err) != codes.DeadlineExceeded || took > 3*time.Second {
				t.Errorf("after %v: %v", took, err)
			}
			cancel()
		}
	})
}

// Only UNAVAILABLE is resumed, and only when there is something to resume with, and nobody has forbidden it.
func TestResumeNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, code := range []codes.Code{
			codes.Canceled, codes.Unknown, codes.InvalidArgument, codes.DeadlineExceeded, codes.ResourceExhausted,
			codes.FailedPrecondition, codes.Aborted, codes.Internal, codes.DataLoss, codes.Unauthenticated,
		} {
			for after := range 3 {
				s := &script{sequences: gapless(9), random: rand.New(rand.NewPCG(1, 1))}
				s.cut = func(int) (int, error) { return after - 1, status.Error(code, "no") }
				if _, err := play(t, s.trace(t.Context(), &zermelov1.ExplainRequest{})); status.Code(err) != code || len(s.calls) != 1 {
					t.Errorf("%v: %d calls, %v", code, len(s.calls), err)
				}
			}
		}

		s := &script{sequences: gapless(9), random: rand.New(rand.NewPCG(1, 1))}
		s.cut = func(int) (int, error) { return 3, errGone }
		trace := s.trace(t.Context(), &zermelov1.ExplainRequest{})
		trace.resumes = false
		if got, err := play(t, trace); !errors.Is(err, errGone) || len(got) == 0 || len(s.calls) != 1 || trace.Resumed() != 0 {
			t.Errorf("WithoutResume: %v, %v, %d calls", got, err, len(s.calls))
		}

		// The server that is there now is another version.
		s.calls = nil
		other := status.Error(codes.FailedPrecondition, "another version")
		s.cut = func(call int) (int, error) {
			if call == 1 {
				return 3, errGone
			}
			return -1, other
		}
		if got, err := play(t, s.trace(t.Context(), &zermelov1.ExplainRequest{})); !errors.Is(err, other) || len(got) == 0 || len(s.calls) != 2 {
			t.Errorf("another version: %v, %v, %d calls", got, err, len(s.calls))
		}
	})
}

// A second call whose stream does not fit the first is not a trace.
func TestResumeRefusesAnotherTrace(t *testing.T) {
	type frames = []*zermelov1.ExplainResponse
	batch := func(sequences ...int64) *zermelov1.ExplainResponse {
		events := &zermelov1.Events{}
		for _, sequence := range sequences {
			events.Events = append(events.Events, &zermelov1.Event{Sequence: sequence})
		}
		return &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Events{Events: events}}
	}
	end := func(count, last int64) *zermelov1.ExplainResponse {
		return &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{
			Summary: &zermelov1.Summary{EventCount: count, LastSequence: last},
		}}
	}
	another := func(change func(*zermelov1.Opening)) func(frames) frames {
		return func(f frames) frames {
			change(f[0].GetOpening())
			return f
		}
	}
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			name   string
			limit  int64
			every  int64
			second func(frames) frames // whose first message is the opening
			text   string
		}{
			{"position", 0, 0, another(func(o *zermelov1.Opening) { o.Position = &zermelov1.Position{} }), "another position"},
			{"detail", 0, 0, another(func(o *zermelov1.Opening) { o.Detail = zermelov1.Detail_DETAIL_PROOF }), "another detail"},
			{"policy", 0, 0, another(func(o *zermelov1.Opening) { o.MemoPolicy = zermelov1.MemoPolicy_MEMO_POLICY_NONE }), "another memo_policy"},
			{"version", 0, 0, another(func(o *zermelov1.Opening) { o.EngineVersion = "8" }), "another engine_version"},
			{"token", 0, 0, another(func(o *zermelov1.Opening) { o.ResumeToken = "x" }), "another resume_token"},
			{"no opening", 0, 0, func(f frames) frames { return f[1:] }, "begin with an opening"},
			{"from the beginning", 0, 0, func(f frames) frames { return frames{f[0], batch(1, 2), end(2, 2)} }, "event 1 follows"},
			{"the last one again", 0, 0, func(f frames) frames { return frames{f[0], batch(3), end(1, 3)} }, "event 3 follows"},
			{"with a gap", 0, 0, func(f frames) frames { return frames{f[0], batch(5), end(1, 5)} }, "event 5 follows"},
			{"counts those before", 0, 0, func(f frames) frames { return frames{f[0], batch(4), end(4, 4)} }, "event_count 4 where 1"},
			{"begins its count again", 0, 0, func(f frames) frames { return frames{f[0], end(0, 0)} }, "last_sequence 0 where 3"},
			{"above the limit", 5, 0, func(f frames) frames { return frames{f[0], batch(4, 5, 6), end(3, 6)} }, "event 6 follows, and 2 were"},
			{"at the limit, others", 3, 0, func(f frames) frames { return frames{f[0], batch(4), end(1, 4)} }, "event 4 follows"},
			{"filtered, backwards", 0, 2, func(f frames) frames { return frames{f[0], batch(7, 5), end(2, 5)} }, "event 5 follows"},
			{"at the limit, filtered", 3, 2, func(f frames) frames { return frames{f[0], batch(5), end(1, 5)} }, "event 5 follows"},
			{"at the limit, more", 3, 0, func(f frames) frames { return frames{f[0], batch(3, 4), end(2, 4)} }, "event 4 follows, and 1 were"},
			{"at the limit, none", 3, 0, func(f frames) frames { return frames{f[0], end(0, 2)} }, "event 3 does not come again"},
		} {
			s := &script{sequences: gapless(9), random: rand.New(rand.NewPCG(1, 1))}
			s.edit = func(call int, f []*zermelov1.ExplainResponse) []*zermelov1.ExplainResponse {
				if call == 1 {
					return frames{f[0], batch(1, 2, 3)}
				}
				return test.second(f)
			}
			s.cut = func(call int) (int, error) {
				if call == 1 {
					return 2, errGone
				}
				return 0, nil
			}
			trace := s.trace(t.Context(), &zermelov1.ExplainRequest{MaxEvents: test.limit, SampleEvery: test.every})
			_, err := play(t, trace)
			var broken *ProtocolError
			if !errors.As(err, &broken) || !strings.Contains(err.Error(), test.text) || trace.Summary() != nil {
				t.Errorf("%s: error %v, want a ProtocolError that says %q", test.name, err, test.text)
			}
		}
	})
}

// Without an event there is nothing that could come twice, token or not.
func TestResumeBeforeTheFirstEventNeedsNoToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{sequences: gapless(3), random: rand.New(rand.NewPCG(1, 1))}
		s.edit = func(_ int, frames []*zermelov1.ExplainResponse) []*zermelov1.ExplainResponse {
			frames[0].GetOpening().ResumeToken = ""
			return frames
		}
		s.cut = func(call int) (int, error) {
			if call < 3 {
				return 1, errGone
			}
			return 0, nil
		}
		got, err := play(t, s.trace(t.Context(), &zermelov1.ExplainRequest{MaxEvents: 3}))
		if err != nil || !slices.Equal(got, gapless(3)) {
			t.Errorf("%v, %v", got, err)
		}
	})
}

// Leaving the loop after a break ends the call that is running then.
func TestResumeAndLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{sequences: gapless(9), random: rand.New(rand.NewPCG(1, 1))}
		s.cut = func(call int) (int, error) {
			if call == 1 {
				return 1, errGone
			}
			return 0, nil
		}
		trace := s.trace(t.Context(), &zermelov1.ExplainRequest{})
		for _, err := range trace.Events() {
			if err != nil {
				t.Error(err)
			}
			break
		}
		if trace.Summary() != nil || trace.Resumed() != 1 || len(s.calls) != 2 {
			t.Errorf("summary %v, %d calls", trace.Summary(), len(s.calls))
		}
	})
}
