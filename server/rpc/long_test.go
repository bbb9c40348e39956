package rpc_test

import (
	"errors"
	"io"
	"runtime"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

// TestTenMillionEventsInFlatMemory streams a trace without memo and looks at the heap of both sides, which are one
// process here, after every million events.
func TestTenMillionEventsInFlatMemory(t *testing.T) {
	if !gametest.Long() {
		t.Skip("takes most of a minute; make test-long")
	}
	const events, step, flat = 10_000_000, 1_000_000, 32 << 20
	c := start(t)
	stream, err := c.Explain(t.Context(), &zermelov1.ExplainRequest{
		Position: endless.GetPosition(), MemoPolicy: policyNone, MaxEvents: events,
	})
	if err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	count, first, most := 0, uint64(0), uint64(0)
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		before := count
		count += len(m.GetEvents().GetEvents())
		if before/step == count/step {
			continue
		}
		if h := heap(); first == 0 {
			first = h
		} else {
			most = max(most, h)
		}
	}
	t.Logf("%d events; heap of %d KiB after the first million, %d KiB at most", count, first>>10, most>>10)
	if count != events || most > first+flat {
		t.Errorf("%d events, the heap grew from %d to %d bytes", count, first, most)
	}
}
