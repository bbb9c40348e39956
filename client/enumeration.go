package client

import (
	"context"
	"fmt"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/internal/order"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Enumeration is one list of the positions that can be reached from a position. It belongs to the goroutine that
// ranges over it.
type Enumeration struct {
	stream
	call    enumerate
	request *zermelov1.EnumeratePositionsRequest
	asked   *zermelov1.EnumeratePositionsRequest // by the current call
	summary *zermelov1.EnumerationSummary
	counts  outcomes // of all positions
	came    outcomes // of those of the current call
}

// enumerate is the RPC.
type enumerate func(
	context.Context, *zermelov1.EnumeratePositionsRequest, ...grpc.CallOption,
) (grpc.ServerStreamingClient[zermelov1.EnumeratePositionsResponse], error)

// outcomes counts positions by their outcome.
type outcomes map[zermelov1.Outcome]int64

// EnumeratePositions asks for every position that can be reached. The call is made, and req read, when the positions
// are ranged over; until then nothing happens, and nothing has to be given back. ctx holds for the whole enumeration,
// interruptions included. It should have a deadline, or be cancelled by someone, unless waiting for ever for a server
// that is not there is all right.
//
// A request with a `resume_token` goes on with an enumeration of which another call, perhaps of another process, has
// received the beginning.
func (c *Client) EnumeratePositions(ctx context.Context, req *zermelov1.EnumeratePositionsRequest) *Enumeration {
	return &Enumeration{
		stream: c.stream(ctx, "EnumeratePositions", "position"), call: c.service.EnumeratePositions, request: req, counts: outcomes{},
	}
}

// Positions ranges over the positions, once; a second time yields [ErrRanged]. None comes twice, also when a server
// becomes UNAVAILABLE in the middle: the enumeration goes on as a trace does; see [Trace.Events].
//
// An error comes once, last, with a nil position: a status (see [Reason]) when the call failed, a [*ProtocolError]
// when the stream was not what the contract says. When the loop ends by itself and without an error, all positions
// were received, and [Enumeration.Summary] tells whether these were all there are or a limit was reached. Leaving the
// loop cancels the call.
func (e *Enumeration) Positions() iter.Seq2[*zermelov1.EnumeratedPosition, error] {
	return items(&e.stream, e)
}

// Opening says what is being enumerated: nil until it arrived, there from the first position on.
func (e *Enumeration) Opening() *zermelov1.EnumerationOpening {
	opening, _ := e.opening.(*zermelov1.EnumerationOpening)
	return opening
}

// Summary says how the enumeration ended: nil until its loop ended by itself and without an error. It counts all
// positions that were yielded, however many calls it took.
func (e *Enumeration) Summary() *zermelov1.EnumerationSummary { return e.summary }

func (e *Enumeration) begin() (after, most int64) {
	e.request = proto.CloneOf(e.request) // what is asked later has to be what was asked first
	return e.request.GetResumeAfterSequence(), e.request.GetMaxPositions()
}

func (e *Enumeration) ask(token string, after, most int64) order.Order {
	e.asked = proto.CloneOf(e.request)
	e.asked.ResumeAfterSequence, e.asked.MaxPositions = after, most
	if token != "" {
		e.asked.ResumeToken = token
	}
	e.came = outcomes{}
	return order.OfEnumeration(e.asked)
}

func (e *Enumeration) open(ctx context.Context) (grpc.ServerStreamingClient[zermelov1.EnumeratePositionsResponse], error) {
	return e.call(ctx, e.asked)
}

func (e *Enumeration) read(
	m *zermelov1.EnumeratePositionsResponse,
) (opening, []*zermelov1.EnumeratedPosition, *zermelov1.Progress) {
	if o := m.GetOpening(); o != nil {
		return o, nil, nil
	}
	for _, position := range m.GetPositions().GetPositions() {
		e.came[position.GetOutcome()]++
	}
	return nil, m.GetPositions().GetPositions(), m.GetProgress()
}

func (e *Enumeration) sequence(_ *zermelov1.EnumeratedPosition, before int64) int64 {
	return before + 1
}

func (e *Enumeration) took(position *zermelov1.EnumeratedPosition) { e.counts[position.GetOutcome()]++ }

func (e *Enumeration) check(m *zermelov1.EnumeratePositionsResponse) error {
	summary := m.GetSummary()
	for _, count := range []struct {
		what       string
		said, came int64
	}{
		{"wins", summary.GetWins(), e.came[zermelov1.Outcome_OUTCOME_WIN]},
		{"losses", summary.GetLosses(), e.came[zermelov1.Outcome_OUTCOME_LOSS]},
		{"draws", summary.GetDraws(), e.came[zermelov1.Outcome_OUTCOME_DRAW]},
	} {
		if count.said != count.came {
			return fmt.Errorf("the summary says %s %d where %d came", count.what, count.said, count.came)
		}
	}
	return nil
}

func (e *Enumeration) end(m *zermelov1.EnumeratePositionsResponse) {
	e.summary = m.GetSummary()
	e.summary.PositionCount, e.summary.LastSequence = e.received, e.last
	e.summary.Wins = e.counts[zermelov1.Outcome_OUTCOME_WIN]
	e.summary.Losses = e.counts[zermelov1.Outcome_OUTCOME_LOSS]
	e.summary.Draws = e.counts[zermelov1.Outcome_OUTCOME_DRAW]
}
