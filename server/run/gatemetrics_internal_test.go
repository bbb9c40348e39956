package run

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/admission"
)

// TestTheGateIsInTheMetrics, with what it holds now and every cause of refusal from the start.
func TestTheGateIsInTheMetrics(t *testing.T) {
	o := observe(t)
	limits := o.server.gate.Limits()
	expect := func(name string, labels map[string]string, want float64) {
		t.Helper()
		if got := o.metric(t, "zermelo_admission_"+name, labels); got != want {
			t.Errorf("%s%v is %v, want %v", name, labels, got, want)
		}
	}
	for _, cause := range admission.Causes() {
		expect("refused_total", map[string]string{"cause": cause.String()}, 0)
	}
	expect("memory_limit_bytes", nil, float64(limits.MemoryBytes))
	expect("slots", map[string]string{"kind": "solve"}, float64(limits.Solves))
	expect("slots", map[string]string{"kind": "stream"}, float64(limits.Streams))

	const bytes = 64 << 20
	stream, err := o.server.gate.Admit(t.Context(), admission.KindStream, admission.Price{Bytes: bytes, Positions: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	small, err := o.server.gate.Admit(t.Context(), admission.KindSolve, admission.Price{Positions: 1})
	if err != nil {
		t.Fatal(err)
	}
	expect("memory_bytes", map[string]string{"kind": "stream"}, bytes)
	expect("memory_bytes", map[string]string{"kind": "solve"}, 0)
	expect("running", map[string]string{"kind": "stream"}, 1)
	expect("running", map[string]string{"kind": "solve"}, 0)
	expect("small_running", nil, 1)
	expect("admitted_total", map[string]string{"size": "slot"}, 1)
	expect("admitted_total", map[string]string{"size": "small"}, 1)
	stream.Release()
	small.Release()
	if _, err := o.server.gate.Admit(t.Context(), admission.KindSolve, admission.Price{Bytes: 1 << 62}); err == nil {
		t.Error("a solve of 4 EiB is admitted")
	}
	expect("memory_bytes", map[string]string{"kind": "stream"}, 0)
	expect("running", map[string]string{"kind": "stream"}, 0)
	expect("refused_total", map[string]string{"cause": "too_large"}, 1)
	expect("queued", map[string]string{"kind": "solve"}, 0)
	expect("waited_total", nil, 0)
}
