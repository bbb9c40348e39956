package client

import (
	"context"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Trace is one explanation: the decisions of a search in the order in which it made them. It belongs to the goroutine
// that ranges over it.
type Trace struct {
	open     func(context.Context, *zermelov1.ExplainRequest) (grpc.ServerStreamingClient[zermelov1.ExplainResponse], error)
	ctx      context.Context
	request  *zermelov1.ExplainRequest
	resumes  bool
	progress progressFunc
	onResume func(error)

	busyAttempts int // of each call while there is no message

	ranged   bool
	opening  *zermelov1.Opening
	summary  *zermelov1.Summary
	received int64 // events that were in order
	last     int64 // sequence number of the last of them; before the first, where the request wants to go on
	resumed  int
}

// Explain asks how a position is decided. The call is made, and req read, when the events are ranged over; until then
// nothing happens, and nothing has to be given back. ctx holds for the whole trace, interruptions included. It should
// have a deadline, or be cancelled by someone, unless waiting for ever for a server that is not there is all right.
//
// A request with a `resume_token` goes on with a trace of which another call, perhaps of another process, has received
// the beginning.
func (c *Client) Explain(ctx context.Context, req *zermelov1.ExplainRequest) *Trace {
	open := func(
		ctx context.Context, req *zermelov1.ExplainRequest,
	) (grpc.ServerStreamingClient[zermelov1.ExplainResponse], error) {
		return c.service.Explain(ctx, req)
	}
	return &Trace{open: open, ctx: ctx, request: req, resumes: c.resumes, busyAttempts: c.busyAttempts}
}

// Events ranges over the events, once; a second time yields [ErrRanged]. Their sequence numbers are 1, 2, 3, …, or go on
// after the request's `resume_after_sequence`; where the request has a filter, `max_depth`, `kinds` or `sample_every`,
// some are left out. None comes twice.
//
// When a server becomes UNAVAILABLE, because it is restarted or the connection breaks, the trace goes on after the last
// event, on another server or on the same when it is back; see the package comment. The loop does not notice, except
// that it waits. [Trace.Resumed] and [Trace.OnResume] tell.
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
		if t.resumes {
			// What is asked later has to be what was asked first.
			t.request = proto.CloneOf(t.request)
		}
		t.last = t.request.GetResumeAfterSequence()
		failed := 0 // attempts in a row that have brought no event
		for {
			before := t.received
			summary, err := newLeg(t).run(yield)
			if err == nil {
				t.summary = summary // nil when the loop was left
				return
			}
			failed++
			if t.received > before {
				failed = 0
			}
			if err = t.interrupted(err, failed); err != nil {
				yield(nil, err)
				return
			}
			t.resumed++
		}
	}
}

// broken is the error of a stream that is not as it has to be.
func (t *Trace) broken(err error) error {
	return &ProtocolError{Method: "Explain", LastSequence: t.last, Err: err}
}

// Opening says what is being explained, with every default filled in: nil until it arrived, there from the first
// event on. Its position makes the positions of events whole; see [PositionAt].
func (t *Trace) Opening() *zermelov1.Opening { return t.opening }

// Summary says how the trace ended: nil until its loop ended by itself and without an error. It speaks of the whole trace,
// however many calls it took: the number of its events is that of all that were yielded. Its statistics are those of the
// last search, which was the whole search again, and not the work of those that were interrupted.
func (t *Trace) Summary() *zermelov1.Summary { return t.summary }

// OnProgress has f told the work done so far whenever the server gives a sign of life, which it does at least once a
// second while it has no event to send. f runs within the loop, between two events; it is never given nil. To be set
// before ranging; nil for nobody.
func (t *Trace) OnProgress(f func(*zermelov1.Statistics)) { t.progress = f }

// Resumed is how often the call was made again after it had failed. Calls that a busy server refuses before the first
// message are not counted, nor told of.
func (t *Trace) Resumed() int { return t.resumed }

// OnResume has f told why the call failed whenever it is going to be made again, before the pause that comes first. f
// runs within the loop, between two events. To be set before ranging; nil for nobody.
func (t *Trace) OnResume(f func(error)) { t.onResume = f }
