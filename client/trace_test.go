package client_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Messages of a trace.

func opening(position *zermelov1.Position) *zermelov1.ExplainResponse {
	return &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Opening{
		Opening: &zermelov1.Opening{Position: position, Detail: zermelov1.Detail_DETAIL_DECISIONS},
	}}
}

func events(sequences ...int64) *zermelov1.ExplainResponse {
	batch := &zermelov1.Events{}
	for _, sequence := range sequences {
		batch.Events = append(batch.Events, &zermelov1.Event{Sequence: sequence, Position: "1-0"})
	}
	return &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Events{Events: batch}}
}

func progress(expanded int64) *zermelov1.ExplainResponse {
	return &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Progress{
		Progress: &zermelov1.Progress{Statistics: &zermelov1.Statistics{PositionsExpanded: expanded}},
	}}
}

func summary(count, last int64) *zermelov1.ExplainResponse {
	return &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{Summary: &zermelov1.Summary{
		EventCount:   count,
		LastSequence: last,
		Completion:   zermelov1.Completion_COMPLETION_COMPLETE,
	}}}
}

// unknown is a message whose payload this version of the contract does not have: field 15, empty.
func unknown() *zermelov1.ExplainResponse {
	frame := &zermelov1.ExplainResponse{}
	frame.ProtoReflect().SetUnknown([]byte{15<<3 | 2, 0})
	return frame
}

// explains is a server that answers Explain with these messages and then with this error.
func explains(end error, frames ...*zermelov1.ExplainResponse) *fake {
	return &fake{explain: func(_ *zermelov1.ExplainRequest, stream explainStream) error {
		for _, frame := range frames {
			if err := stream.Send(frame); err != nil {
				return err
			}
		}
		return end
	}}
}

// longText makes a message as large as a batch of a real server.
var longText = strings.Repeat("x", 32<<10)

// endless is a server that explains until the client leaves. running counts the calls that have not ended.
func endless(running *atomic.Int64) *fake {
	return &fake{explain: func(req *zermelov1.ExplainRequest, stream explainStream) error {
		running.Add(1)
		defer running.Add(-1)
		if err := stream.Send(opening(req.GetPosition())); err != nil {
			return err
		}
		for sequence := int64(1); ; sequence++ {
			// A long text, or filling the window of a stream takes thousands of events.
			batch := events(sequence)
			batch.GetEvents().Events[0].Position = longText
			if err := stream.Send(batch); err != nil {
				return err
			}
		}
	}}
}

// drain ranges to the end and returns how many items came before the error.
func drain[T any](t *testing.T, items iter.Seq2[*T, error]) (count int64, failure error) {
	t.Helper()
	for item, err := range items {
		switch {
		case failure != nil:
			t.Fatalf("something follows the error %v: %v, %v", failure, item, err)
		case err != nil && item != nil:
			t.Fatalf("an error with an item: %v, %v", item, err)
		case err != nil:
			failure = err
		default:
			count++
		}
	}
	return count, failure
}

func TestTraceYieldsEventsInOrder(t *testing.T) {
	c := serve(t, explains(nil, opening(nim(1, 0)), events(1, 2), progress(7), progress(8), events(3), summary(3, 3)))
	trace := c.Explain(within(t), &zermelov1.ExplainRequest{Position: nim(1, 0)})
	var told []int64
	trace.OnProgress(func(s *zermelov1.Statistics) { told = append(told, s.GetPositionsExpanded()) })
	if trace.Opening() != nil || trace.Summary() != nil {
		t.Error("an opening or a summary before ranging")
	}
	var next int64 = 1
	for event, err := range trace.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if event.GetSequence() != next {
			t.Errorf("event %d, want %d", event.GetSequence(), next)
		}
		if got := trace.Opening().GetPosition().GetNim().GetPiles(); len(got) != 2 {
			t.Errorf("at event %d the opening has piles %v", next, got)
		}
		if trace.Summary() != nil {
			t.Errorf("at event %d there is a summary", next)
		}
		next++
	}
	if next != 4 {
		t.Errorf("%d events, want 3", next-1)
	}
	if got := trace.Summary().GetEventCount(); got != 3 {
		t.Errorf("the summary counts %d, want 3", got)
	}
	if len(told) != 2 || told[0] != 7 || told[1] != 8 {
		t.Errorf("progress %v, want 7 and 8", told)
	}
	count, err := drain(t, trace.Events())
	if count != 0 || !errors.Is(err, client.ErrRanged) {
		t.Errorf("ranging again gives %d events and %v", count, err)
	}
	if trace.Summary() == nil {
		t.Error("ranging again lost the summary")
	}
}

func TestTraceWithoutEvents(t *testing.T) {
	c := serve(t, explains(nil, opening(nim()), summary(0, 0)))
	trace := c.Explain(within(t), &zermelov1.ExplainRequest{Position: nim()})
	count, err := drain(t, trace.Events())
	if count != 0 || err != nil {
		t.Errorf("%d events and %v", count, err)
	}
	if trace.Opening() == nil || trace.Summary() == nil {
		t.Error("no opening or no summary")
	}
}

func TestTraceProgressNeedsNoStatistics(t *testing.T) {
	bare := &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Progress{Progress: &zermelov1.Progress{}}}
	c := serve(t, explains(nil, opening(nim()), bare, summary(0, 0)))
	trace := c.Explain(within(t), &zermelov1.ExplainRequest{})
	called := 0
	trace.OnProgress(func(s *zermelov1.Statistics) {
		called++
		if s == nil {
			t.Error("no statistics")
		}
	})
	if _, err := drain(t, trace.Events()); err != nil || called != 1 {
		t.Errorf("%d calls and %v", called, err)
	}
}

func TestTraceLetsNewerMessagesPass(t *testing.T) {
	c := serve(t, explains(nil, opening(nim(1)), unknown(), events(1), unknown(), summary(1, 1)))
	trace := c.Explain(within(t), &zermelov1.ExplainRequest{})
	if count, err := drain(t, trace.Events()); count != 1 || err != nil {
		t.Errorf("%d events and %v", count, err)
	}
}

func TestTraceRefusesBrokenStreams(t *testing.T) {
	start := opening(nim(1))
	for _, test := range []struct {
		name   string
		frames []*zermelov1.ExplainResponse
		last   int64  // the last event that is right
		text   string // in the error
	}{
		{"nothing at all", nil, 0, "without a summary"},
		{"no summary", []*zermelov1.ExplainResponse{start, events(1, 2), events(3)}, 3, "without a summary"},
		{"no summary, no events", []*zermelov1.ExplainResponse{start}, 0, "without a summary"},
		{"no opening", []*zermelov1.ExplainResponse{events(1), summary(1, 1)}, 0, "opening"},
		{"progress before the opening", []*zermelov1.ExplainResponse{progress(1), start, summary(0, 0)}, 0, "opening"},
		{"only a summary", []*zermelov1.ExplainResponse{summary(0, 0)}, 0, "opening"},
		{"two openings", []*zermelov1.ExplainResponse{start, start, summary(0, 0)}, 0, "second opening"},
		{"an opening later", []*zermelov1.ExplainResponse{start, events(1), start, summary(1, 1)}, 1, "second opening"},
		{"begins at 0", []*zermelov1.ExplainResponse{start, events(0, 1), summary(2, 1)}, 0, "event 0 follows"},
		{"begins at 2", []*zermelov1.ExplainResponse{start, events(2), summary(1, 2)}, 0, "event 2 follows"},
		{"skips within a batch", []*zermelov1.ExplainResponse{start, events(1, 3), summary(2, 3)}, 1, "event 3 follows"},
		{"skips a batch", []*zermelov1.ExplainResponse{start, events(1, 2), events(5), summary(3, 5)}, 2, "event 5 follows"},
		{"repeats", []*zermelov1.ExplainResponse{start, events(1, 2), events(2, 3), summary(4, 3)}, 2, "event 2 follows"},
		{"an empty batch", []*zermelov1.ExplainResponse{start, events(), summary(0, 0)}, 0, "batch is empty"},
		{"an empty message", []*zermelov1.ExplainResponse{start, {}, summary(0, 0)}, 0, "carries nothing"},
		{"counts too many", []*zermelov1.ExplainResponse{start, events(1), summary(2, 1)}, 1, "event_count 2 where 1"},
		{"counts too few", []*zermelov1.ExplainResponse{start, events(1, 2), summary(1, 2)}, 2, "event_count 1 where 2"},
		{"another last", []*zermelov1.ExplainResponse{start, events(1), summary(1, 2)}, 1, "last_sequence 2 where 1"},
		{"two summaries", []*zermelov1.ExplainResponse{start, summary(0, 0), summary(0, 0)}, 0, "follows the summary"},
		{"events after it", []*zermelov1.ExplainResponse{start, summary(0, 0), events(1)}, 0, "follows the summary"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, explains(nil, test.frames...))
			trace := c.Explain(within(t), &zermelov1.ExplainRequest{Position: nim(1)})
			count, err := drain(t, trace.Events())
			if count != test.last {
				t.Errorf("%d events before the error, want %d", count, test.last)
			}
			var broken *client.ProtocolError
			if !errors.As(err, &broken) {
				t.Fatalf("error %v, want a ProtocolError", err)
			}
			if broken.LastSequence != test.last || broken.Method != "Explain" {
				t.Errorf("%s after %d, want Explain after %d", broken.Method, broken.LastSequence, test.last)
			}
			if !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %q does not say %q", err, test.text)
			}
			if got, want := errors.Is(err, client.ErrTruncated), strings.Contains(test.text, "without a summary"); got != want {
				t.Errorf("truncated: %v, want %v", got, want)
			}
			if trace.Summary() != nil {
				t.Error("a broken trace has a summary")
			}
		})
	}
}

func TestTraceEndsWithTheStatus(t *testing.T) {
	lost := status.Error(codes.ResourceExhausted, "spent")
	for _, test := range []struct {
		name   string
		frames []*zermelov1.ExplainResponse
		count  int64
	}{
		{"at once", nil, 0},
		{"after the opening", []*zermelov1.ExplainResponse{opening(nim(1))}, 0},
		{"between events", []*zermelov1.ExplainResponse{opening(nim(1)), events(1, 2, 3)}, 3},
		{"after the summary", []*zermelov1.ExplainResponse{opening(nim(1)), events(1), summary(1, 1)}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, explains(lost, test.frames...))
			trace := c.Explain(within(t), &zermelov1.ExplainRequest{Position: nim(1)})
			count, err := drain(t, trace.Events())
			if count != test.count {
				t.Errorf("%d events, want %d", count, test.count)
			}
			if status.Code(err) != codes.ResourceExhausted {
				t.Errorf("error %v, want ResourceExhausted", err)
			}
			if trace.Summary() != nil {
				t.Error("a failed trace has a summary")
			}
		})
	}
}

func TestTraceIsNotCalledBeforeRanging(t *testing.T) {
	f := explains(nil, opening(nim()), summary(0, 0))
	c := serve(t, f)
	trace := c.Explain(within(t), &zermelov1.ExplainRequest{})
	sequence := trace.Events()
	if err := c.Close(); err != nil { // had there been a call, it would have reached the server
		t.Fatal(err)
	}
	if f.calls.Load() != 0 {
		t.Error("called before ranging")
	}
	if _, err := drain(t, sequence); status.Code(err) != codes.Canceled {
		t.Errorf("ranging after Close: %v, want Canceled", err)
	}
}

func TestTraceWithCancelledContext(t *testing.T) {
	var running atomic.Int64
	c := serve(t, endless(&running))
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	count, failure := int64(0), error(nil)
	for event, err := range c.Explain(ctx, &zermelov1.ExplainRequest{}).Events() {
		if err != nil {
			failure = err
			continue
		}
		count = event.GetSequence()
		cancel()
	}
	if status.Code(failure) != codes.Canceled {
		t.Errorf("after event %d: %v, want Canceled", count, failure)
	}
	eventually(t, "the server's handler ends", func() bool { return running.Load() == 0 })
}

func TestTracePulled(t *testing.T) {
	var running atomic.Int64
	c := serve(t, endless(&running))
	next, stop := iter.Pull2(c.Explain(within(t), &zermelov1.ExplainRequest{}).Events())
	for want := int64(1); want <= 5; want++ {
		event, err, ok := next()
		if !ok || err != nil || event.GetSequence() != want {
			t.Fatalf("%v, %v, %v, want event %d", event, err, ok, want)
		}
	}
	stop()
	eventually(t, "the server's handler ends", func() bool { return running.Load() == 0 })
}

func TestTraceCancelsWhenTheLoopPanics(t *testing.T) {
	var running atomic.Int64
	c := serve(t, endless(&running))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was lost")
			}
		}()
		for event, err := range c.Explain(within(t), &zermelov1.ExplainRequest{}).Events() {
			panic(fmt.Sprint(event, err))
		}
	}()
	eventually(t, "the server's handler ends", func() bool { return running.Load() == 0 })
}

// Leaving the loop gives back everything, on the open connection, on both sides; and the same goes for a loop that ends
// because the stream is broken.
func TestLeavingTheLoopLeaksNothing(t *testing.T) {
	const times = 1000
	ignored := goleak.IgnoreCurrent()
	t.Run("streams", func(t *testing.T) {
		var running atomic.Int64
		f := endless(&running)
		f.enumerate = func(_ *zermelov1.EnumeratePositionsRequest, stream enumerateStream) error {
			running.Add(1)
			defer running.Add(-1)
			if err := stream.Send(enumerationOpening()); err != nil {
				return err
			}
			batch := positions(win, loss)
			batch.GetPositions().Positions[1].Notation = longText
			for {
				if err := stream.Send(batch); err != nil {
					return err
				}
			}
		}
		c := serve(t, f)
		leaveTrace := func() {
			for event, err := range c.Explain(t.Context(), &zermelov1.ExplainRequest{Position: nim(7, 5, 3)}).Events() {
				if err != nil || event.GetSequence() != 1 {
					t.Fatalf("%v, %v", event, err)
				}
				break
			}
		}
		leaveEnumeration := func() {
			request := &zermelov1.EnumeratePositionsRequest{Position: nim(7, 5, 3)}
			for _, err := range c.EnumeratePositions(t.Context(), request).Positions() {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		settled := func() bool { return running.Load() == 0 }
		// The first call makes the connection, whose goroutines stay.
		leaveTrace()
		eventually(t, "the first handler ends", settled)
		before := runtime.NumGoroutine()
		for i := range times {
			leaveTrace()
			if i%10 == 0 {
				leaveEnumeration() // which is the same code
			}
		}
		eventually(t, "all handlers end", settled)
		eventually(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
	})
	// With client and server closed as well, nothing at all is left.
	goleak.VerifyNone(t, ignored)
}

// The same with the real server, whose search is still running when the loop is left.
func TestLeavingASearchLeaksNothing(t *testing.T) {
	const times = 1000
	ignored := goleak.IgnoreCurrent()
	t.Run("searches", func(t *testing.T) {
		c := realServer(t)
		leave := func() {
			request := &zermelov1.ExplainRequest{Position: canIWin(20, 152), Detail: zermelov1.Detail_DETAIL_SEARCH}
			for event, err := range c.Explain(t.Context(), request).Events() {
				if err != nil || event.GetSequence() != 1 {
					t.Fatalf("%v, %v", event, err)
				}
				break
			}
		}
		for range times {
			leave()
		}
	})
	goleak.VerifyNone(t, ignored)
}
