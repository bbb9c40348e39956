package client

import (
	"context"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/internal/order"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Trace is one explanation: the decisions of a search in the order in which it made them. It belongs to the goroutine
// that ranges over it.
type Trace struct {
	stream
	call    explain
	request *zermelov1.ExplainRequest
	asked   *zermelov1.ExplainRequest // by the current call
	summary *zermelov1.Summary
}

// explain is the RPC.
type explain func(
	context.Context, *zermelov1.ExplainRequest, ...grpc.CallOption,
) (grpc.ServerStreamingClient[zermelov1.ExplainResponse], error)

// Explain asks how a position is decided. The call is made, and req read, when the events are ranged over; until then
// nothing happens, and nothing has to be given back. ctx holds for the whole trace, interruptions included. It should
// have a deadline, or be cancelled by someone, unless waiting for ever for a server that is not there is all right.
//
// A request with a `resume_token` goes on with a trace of which another call, perhaps of another process, has received
// the beginning.
func (c *Client) Explain(ctx context.Context, req *zermelov1.ExplainRequest) *Trace {
	return &Trace{stream: c.stream(ctx, "Explain", "event"), call: c.service.Explain, request: req}
}

// Events ranges over the events, once; a second time yields [ErrRanged]. Their sequence numbers are 1, 2, 3, …, or go on
// after the request's `resume_after_sequence`; where the request has a filter, `max_depth`, `kinds` or `sample_every`,
// some are left out. None comes twice.
//
// When a server becomes UNAVAILABLE, because it is restarted or the connection breaks, the trace goes on after the last
// event, on another server or on the same when it is back; see the package comment. The loop does not notice, except
// that it waits. Resumed and OnResume tell.
//
// An error comes once, last, with a nil event: a status (see [Reason]) when the call failed, a [*ProtocolError] when
// the stream was not what the contract says. When the loop ends by itself and without an error, all events were
// received, and [Trace.Summary] tells whether these were all there are or a limit was reached. Leaving the loop
// cancels the call.
func (t *Trace) Events() iter.Seq2[*zermelov1.Event, error] {
	return items(&t.stream, t)
}

// Opening says what is being explained, with every default filled in: nil until it arrived, there from the first
// event on.
func (t *Trace) Opening() *zermelov1.Opening {
	opening, _ := t.opening.(*zermelov1.Opening)
	return opening
}

// Summary says how the trace ended: nil until its loop ended by itself and without an error. It speaks of the whole trace,
// however many calls it took: the number of its events is that of all that were yielded. Its statistics are those of the
// last search, which was the whole search again, and not the work of those that were interrupted.
func (t *Trace) Summary() *zermelov1.Summary { return t.summary }

func (t *Trace) begin() (after, most int64) {
	t.request = proto.CloneOf(t.request) // what is asked later has to be what was asked first
	return t.request.GetResumeAfterSequence(), t.request.GetMaxEvents()
}

func (t *Trace) ask(token string, after, most int64) order.Order {
	t.asked = proto.CloneOf(t.request)
	t.asked.ResumeAfterSequence, t.asked.MaxEvents = after, most
	if token != "" {
		t.asked.ResumeToken = token
	}
	return order.OfTrace(t.asked)
}

func (t *Trace) open(ctx context.Context) (grpc.ServerStreamingClient[zermelov1.ExplainResponse], error) {
	return t.call(ctx, t.asked)
}

func (t *Trace) read(m *zermelov1.ExplainResponse) (opening, []*zermelov1.Event, *zermelov1.Progress) {
	if o := m.GetOpening(); o != nil {
		return o, nil, nil
	}
	return nil, m.GetEvents().GetEvents(), m.GetProgress()
}

func (t *Trace) sequence(event *zermelov1.Event, _ int64) int64 { return event.GetSequence() }

func (t *Trace) took(*zermelov1.Event) {}

func (t *Trace) check(*zermelov1.ExplainResponse) error { return nil }

func (t *Trace) end(summary *zermelov1.ExplainResponse) {
	t.summary = summary.GetSummary()
	t.summary.EventCount, t.summary.LastSequence = t.received, t.last
}
