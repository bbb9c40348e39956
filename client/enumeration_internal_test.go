package client

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// listed plays servers that enumerate so many positions, in batches of any size, and whose calls break off now and then.
type listed struct {
	count  int64
	random *rand.Rand
	breaks int // how many calls break off
	calls  int
}

// outcomeAt is the outcome of a position, by its place.
func outcomeAt(place int64) zermelov1.Outcome { return zermelov1.Outcome(place%3 + 1) }

func (l *listed) open(
	ctx context.Context, r *zermelov1.EnumeratePositionsRequest, _ ...grpc.CallOption,
) (grpc.ServerStreamingClient[zermelov1.EnumeratePositionsResponse], error) {
	l.calls++
	messages := []*zermelov1.EnumeratePositionsResponse{{Payload: &zermelov1.EnumeratePositionsResponse_Opening{
		Opening: &zermelov1.EnumerationOpening{Position: r.GetPosition(), EngineVersion: "7", ResumeToken: token},
	}}}
	summary := &zermelov1.EnumerationSummary{
		LastSequence: r.GetResumeAfterSequence(), Completion: zermelov1.Completion_COMPLETION_COMPLETE,
	}
	var batch []*zermelov1.EnumeratedPosition
	for place := r.GetResumeAfterSequence() + 1; place <= l.count; place++ {
		if summary.GetPositionCount() == r.GetMaxPositions() && r.GetMaxPositions() > 0 {
			summary.Completion = zermelov1.Completion_COMPLETION_LIMIT_REACHED
			break
		}
		batch = append(batch, &zermelov1.EnumeratedPosition{Notation: fmt.Sprint(place), Outcome: outcomeAt(place)})
		count(summary, outcomeAt(place))
		summary.LastSequence = place
		if l.random.IntN(3) == 0 {
			messages, batch = append(messages, batchOf(batch)), nil
		}
	}
	if batch != nil {
		messages = append(messages, batchOf(batch))
	}
	messages = append(messages, &zermelov1.EnumeratePositionsResponse{
		Payload: &zermelov1.EnumeratePositionsResponse_Summary{Summary: summary},
	})
	stream := &playedEnumeration{ctx: ctx, messages: messages, end: io.EOF}
	if l.calls <= l.breaks {
		stream.messages, stream.end = messages[:l.random.IntN(len(messages)+1)], errGone
	}
	return stream, nil
}

func batchOf(batch []*zermelov1.EnumeratedPosition) *zermelov1.EnumeratePositionsResponse {
	return &zermelov1.EnumeratePositionsResponse{Payload: &zermelov1.EnumeratePositionsResponse_Positions{
		Positions: &zermelov1.EnumeratedPositions{Positions: batch},
	}}
}

func count(summary *zermelov1.EnumerationSummary, outcome zermelov1.Outcome) {
	summary.PositionCount++
	switch outcome {
	case zermelov1.Outcome_OUTCOME_WIN:
		summary.Wins++
	case zermelov1.Outcome_OUTCOME_LOSS:
		summary.Losses++
	default:
		summary.Draws++
	}
}

// playedEnumeration is one call.
type playedEnumeration struct {
	grpc.ClientStream
	ctx      context.Context
	messages []*zermelov1.EnumeratePositionsResponse
	end      error
}

func (p *playedEnumeration) Recv() (*zermelov1.EnumeratePositionsResponse, error) {
	if len(p.messages) == 0 {
		return nil, p.end
	}
	message := p.messages[0]
	p.messages = p.messages[1:]
	return message, nil
}

// However often an enumeration breaks off, each position comes once and in order, up to the limit, and the summary is
// that of an enumeration that did not break off.
func TestEnumerationsGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for trial := range 2000 {
			random := rand.New(rand.NewPCG(20, uint64(trial)))
			l := &listed{count: random.Int64N(30), random: random, breaks: random.IntN(6)}
			request := &zermelov1.EnumeratePositionsRequest{Position: &zermelov1.Position{}, MaxPositions: random.Int64N(20)}
			if random.IntN(2) == 0 {
				request.ResumeToken, request.ResumeAfterSequence = token, random.Int64N(l.count+1)
			}
			want := &zermelov1.EnumerationSummary{
				LastSequence: request.GetResumeAfterSequence(), Completion: zermelov1.Completion_COMPLETION_COMPLETE,
			}
			e := &Enumeration{
				stream: stream{ctx: t.Context(), method: "EnumeratePositions", item: "position", resumes: true},
				call:   l.open, request: request, counts: outcomes{},
			}
			for position, err := range e.Positions() {
				if err != nil {
					t.Fatalf("trial %d: after %d positions: %v", trial, want.GetPositionCount(), err)
				}
				want.LastSequence++
				if position.GetNotation() != fmt.Sprint(want.GetLastSequence()) {
					t.Fatalf("trial %d: position %s comes as number %d", trial, position.GetNotation(), want.GetLastSequence())
				}
				count(want, position.GetOutcome())
			}
			if want.GetLastSequence() < l.count {
				if want.GetPositionCount() != request.GetMaxPositions() {
					t.Fatalf("trial %d: %d positions of %d", trial, want.GetPositionCount(), l.count)
				}
				want.Completion = zermelov1.Completion_COMPLETION_LIMIT_REACHED
			}
			if !proto.Equal(e.Summary(), want) {
				t.Fatalf("trial %d: summary %v, want %v", trial, e.Summary(), want)
			}
			if e.Resumed() != l.breaks || e.Opening().GetEngineVersion() != "7" {
				t.Fatalf("trial %d: resumed %d times of %d, opening %v", trial, e.Resumed(), l.breaks, e.Opening())
			}
		}
	})
}
