package client

import (
	"context"
	"iter"

	"google.golang.org/grpc"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Enumeration is one list of the positions that can be reached from a position. It belongs to the goroutine that
// ranges over it.
type Enumeration struct {
	frames   iter.Seq2[*zermelov1.EnumeratePositionsResponse, error]
	progress progressFunc

	ranged   bool
	summary  *zermelov1.EnumerationSummary
	received int64
	outcomes map[zermelov1.Outcome]int64
}

// EnumeratePositions asks for every position that can be reached. The call is made, and req read, when the positions
// are ranged over; until then nothing happens, and nothing has to be given back. ctx holds for the whole stream. It
// should have a deadline, or be cancelled by someone, unless waiting for ever for a server that is not there is all
// right.
func (c *Client) EnumeratePositions(ctx context.Context, req *zermelov1.EnumeratePositionsRequest) *Enumeration {
	open := func(ctx context.Context) (grpc.ServerStreamingClient[zermelov1.EnumeratePositionsResponse], error) {
		return c.service.EnumeratePositions(ctx, req)
	}
	return &Enumeration{frames: frames(ctx, c.busyAttempts, open), outcomes: make(map[zermelov1.Outcome]int64)}
}

// Positions ranges over the positions, once; a second time yields [ErrRanged]. [PositionAt], with the position of the
// request, makes one of them into a position that can be sent again.
//
// An error comes once, last, with a nil position: a status (see [Reason]) when the call failed, a [*ProtocolError]
// when the stream was not what the contract says. When the loop ends by itself and without an error, all positions
// were received, and [Enumeration.Summary] tells whether these were all there are or a limit was reached. Leaving the
// loop cancels the call.
func (e *Enumeration) Positions() iter.Seq2[*zermelov1.EnumeratedPosition, error] {
	return func(yield func(*zermelov1.EnumeratedPosition, error) bool) {
		if e.ranged {
			yield(nil, ErrRanged)
			return
		}
		e.ranged = true
		// The summary counts only once the status OK has followed it.
		var summary *zermelov1.EnumerationSummary
		for frame, err := range e.frames {
			if err != nil {
				yield(nil, err)
				return
			}
			if summary != nil {
				yield(nil, e.broken(errAfterSummary))
				return
			}
			if summary, err = e.take(frame); err != nil {
				yield(nil, e.broken(err))
				return
			}
			for _, position := range frame.GetPositions().GetPositions() {
				e.received++
				e.outcomes[position.GetOutcome()]++
				if !yield(position, nil) {
					return
				}
			}
		}
		if summary == nil {
			yield(nil, e.broken(ErrTruncated))
			return
		}
		e.summary = summary
	}
}

// take checks that a message may come now. It returns the summary when the message is that.
func (e *Enumeration) take(frame *zermelov1.EnumeratePositionsResponse) (*zermelov1.EnumerationSummary, error) {
	switch payload := frame.GetPayload().(type) {
	case *zermelov1.EnumeratePositionsResponse_Opening:
	case *zermelov1.EnumeratePositionsResponse_Positions:
		if len(payload.Positions.GetPositions()) == 0 {
			return nil, errEmptyBatch
		}
	case *zermelov1.EnumeratePositionsResponse_Progress:
		e.progress.report(payload.Progress)
	case *zermelov1.EnumeratePositionsResponse_Summary:
		return payload.Summary, e.check(payload.Summary)
	default:
		// As in a trace: newer kinds of message are left to newer clients.
		if len(frame.ProtoReflect().GetUnknown()) == 0 {
			return nil, errEmptyMessage
		}
	}
	return nil, nil
}

// check compares a summary with what was received.
func (e *Enumeration) check(summary *zermelov1.EnumerationSummary) error {
	for _, count := range []struct {
		what           string
		said, received int64
	}{
		{"position_count", summary.GetPositionCount(), e.received},
		{"wins", summary.GetWins(), e.outcomes[zermelov1.Outcome_OUTCOME_WIN]},
		{"losses", summary.GetLosses(), e.outcomes[zermelov1.Outcome_OUTCOME_LOSS]},
		{"draws", summary.GetDraws(), e.outcomes[zermelov1.Outcome_OUTCOME_DRAW]},
	} {
		if count.said != count.received {
			return differs(count.what, count.said, count.received)
		}
	}
	return nil
}

// broken is the error of a stream that is not as it has to be.
func (e *Enumeration) broken(err error) error {
	return &ProtocolError{Method: "EnumeratePositions", LastSequence: e.received, Err: err}
}

// Summary says how the enumeration ended: nil until its loop ended by itself and without an error.
func (e *Enumeration) Summary() *zermelov1.EnumerationSummary { return e.summary }

// OnProgress has f told the work done so far whenever the server gives a sign of life, which it does at least once a
// second while it has no position to send. f runs within the loop, between two positions; it is never given nil. To
// be set before ranging; nil for nobody.
func (e *Enumeration) OnProgress(f func(*zermelov1.Statistics)) { e.progress = f }
