package rpc_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// explained is a trace as it came over the wire, checked for its order.
type explained struct {
	opening *zermelov1.Opening
	events  []*zermelov1.Event
	summary *zermelov1.Summary
	// largest is the size of the largest frame.
	largest int
}

// explain reads a trace to its end, which must be a good one.
func explain(t testing.TB, c zermelov1.SolverServiceClient, r *zermelov1.ExplainRequest) *explained {
	t.Helper()
	x, err := tryExplain(t.Context(), t, c, r)
	if err != nil {
		t.Fatalf("%v: %v", r, err)
	}
	return x
}

// tryExplain reads a trace until it ends. Frames out of order fail the test.
func tryExplain(
	ctx context.Context, t testing.TB, c zermelov1.SolverServiceClient, r *zermelov1.ExplainRequest,
) (*explained, error) {
	t.Helper()
	stream, err := c.Explain(ctx, r)
	if err != nil {
		return nil, err
	}
	x := &explained{}
	last := r.GetResumeAfterSequence()
	gaps := r.MaxDepth != nil || len(r.GetKinds()) > 0 || r.GetSampleEvery() > 1
	for {
		m, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			if x.summary == nil {
				t.Fatal("the stream ended OK without a summary")
			}
			if n := x.summary.GetEventCount(); n != int64(len(x.events)) {
				t.Fatalf("the summary counts %d events, and %d came", n, len(x.events))
			}
			return x, nil
		case err != nil:
			return x, err
		case x.summary != nil:
			t.Fatalf("after the summary came %v", m)
		}
		x.largest = max(x.largest, proto.Size(m))
		switch p := m.GetPayload().(type) {
		case *zermelov1.ExplainResponse_Opening:
			if x.opening != nil {
				t.Fatal("two openings")
			}
			x.opening = p.Opening
		case *zermelov1.ExplainResponse_Events:
			if x.opening == nil || len(p.Events.GetEvents()) == 0 {
				t.Fatal("events before the opening, or none in a batch")
			}
			for _, e := range p.Events.GetEvents() {
				if e.GetSequence() != last+1 && (!gaps || e.GetSequence() <= last) {
					t.Fatalf("event %d came after %d", e.GetSequence(), last)
				}
				last = e.GetSequence()
				x.events = append(x.events, e)
			}
		case *zermelov1.ExplainResponse_Progress:
		case *zermelov1.ExplainResponse_Summary:
			x.summary = p.Summary
		default:
			t.Fatalf("unknown frame %v", m)
		}
	}
}

// enumerate reads an enumeration to its end, which must be a good one.
func enumerate(
	t testing.TB, c zermelov1.SolverServiceClient, r *zermelov1.EnumeratePositionsRequest,
) ([]*zermelov1.EnumeratedPosition, *zermelov1.EnumerationSummary) {
	t.Helper()
	stream, err := c.EnumeratePositions(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var positions []*zermelov1.EnumeratedPosition
	var summary *zermelov1.EnumerationSummary
	for {
		m, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			if summary == nil || summary.GetPositionCount() != int64(len(positions)) {
				t.Fatalf("%d positions came, and the summary is %v", len(positions), summary)
			}
			return positions, summary
		case err != nil:
			t.Fatalf("%v: %v", r, err)
		case summary != nil:
			t.Fatalf("after the summary came %v", m)
		}
		positions = append(positions, m.GetPositions().GetPositions()...)
		summary = m.GetSummary()
	}
}
