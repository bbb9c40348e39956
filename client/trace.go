package client

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"google.golang.org/grpc"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Trace is one explanation: the decisions of a search in the order in which it made them. It belongs to the goroutine
// that ranges over it.
type Trace struct {
	frames   iter.Seq2[*zermelov1.ExplainResponse, error]
	progress progressFunc

	ranged  bool
	opening *zermelov1.Opening
	summary *zermelov1.Summary
	last    int64 // sequence number of the last event that was in order
}

// Explain asks how a position is decided. The call is made, and req read, when the events are ranged over; until then
// nothing happens, and nothing has to be given back. ctx holds for the whole stream. It should have a deadline, or be
// cancelled by someone, unless waiting for ever for a server that is not there is all right.
func (c *Client) Explain(ctx context.Context, req *zermelov1.ExplainRequest) *Trace {
	open := func(ctx context.Context) (grpc.ServerStreamingClient[zermelov1.ExplainResponse], error) {
		return c.service.Explain(ctx, req)
	}
	return &Trace{frames: frames(ctx, open)}
}

// Events ranges over the events, once; a second time yields [ErrRanged]. Their sequence numbers are 1, 2, 3, …
//
// An error comes once, last, with a nil event: a status (see [Reason]) when the call failed, a [*ProtocolError] when
// the stream was not what the contract says. When the loop ends by itself and without an error, all events were
// received, and [Trace.Summary] tells whether these were all there are or a limit was reached. Leaving the loop
// cancels the call.
func (t *Trace) Events() iter.Seq2[*zermelov1.Event, error] {
	return func(yield func(*zermelov1.Event, error) bool) {
		if t.ranged {
			yield(nil, ErrRanged)
			return
		}
		t.ranged = true
		// The summary counts only once the status OK has followed it.
		var summary *zermelov1.Summary
		for frame, err := range t.frames {
			if err != nil {
				yield(nil, err)
				return
			}
			if summary != nil {
				yield(nil, t.broken(errAfterSummary))
				return
			}
			if summary, err = t.take(frame); err != nil {
				yield(nil, t.broken(err))
				return
			}
			for _, event := range frame.GetEvents().GetEvents() {
				if event.GetSequence() != t.last+1 {
					yield(nil, t.broken(fmt.Errorf("event %d follows", event.GetSequence())))
					return
				}
				t.last++
				if !yield(event, nil) {
					return
				}
			}
		}
		if summary == nil {
			yield(nil, t.broken(ErrTruncated))
			return
		}
		t.summary = summary
	}
}

// take checks that a message may come now, and keeps the opening. It returns the summary when the message is that.
func (t *Trace) take(frame *zermelov1.ExplainResponse) (*zermelov1.Summary, error) {
	if opening := frame.GetOpening(); opening != nil {
		if t.opening != nil {
			return nil, errors.New("a second opening")
		}
		t.opening = opening
		return nil, nil
	}
	if t.opening == nil {
		return nil, errors.New("the stream does not begin with an opening")
	}
	switch payload := frame.GetPayload().(type) {
	case *zermelov1.ExplainResponse_Events:
		if len(payload.Events.GetEvents()) == 0 {
			return nil, errEmptyBatch
		}
	case *zermelov1.ExplainResponse_Progress:
		t.progress.report(payload.Progress)
	case *zermelov1.ExplainResponse_Summary:
		return payload.Summary, t.check(payload.Summary)
	default:
		// A kind of message that is newer than this client is left to newer clients: what this one promises, the
		// summary still proves.
		if len(frame.ProtoReflect().GetUnknown()) == 0 {
			return nil, errEmptyMessage
		}
	}
	return nil, nil
}

// check compares a summary with what was received. The trace began at event 1, so the number of events and the number
// of the last one are the same.
func (t *Trace) check(summary *zermelov1.Summary) error {
	if said := summary.GetEventCount(); said != t.last {
		return differs("event_count", said, t.last)
	}
	if said := summary.GetLastSequence(); said != t.last {
		return differs("last_sequence", said, t.last)
	}
	return nil
}

// broken is the error of a stream that is not as it has to be.
func (t *Trace) broken(err error) error {
	return &ProtocolError{Method: "Explain", LastSequence: t.last, Err: err}
}

// Opening says what is being explained, with every default filled in: nil until it arrived, there from the first
// event on. Its position makes the positions of events whole; see [PositionAt].
func (t *Trace) Opening() *zermelov1.Opening { return t.opening }

// Summary says how the trace ended: nil until its loop ended by itself and without an error.
func (t *Trace) Summary() *zermelov1.Summary { return t.summary }

// OnProgress has f told the work done so far whenever the server gives a sign of life, which it does at least once a
// second while it has no event to send. f runs within the loop, between two events; it is never given nil. To be set
// before ranging; nil for nobody.
func (t *Trace) OnProgress(f func(*zermelov1.Statistics)) { t.progress = f }
