package admission_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/admission"
)

// BenchmarkAdmit measures a call that fits: Admit and Release.
func BenchmarkAdmit(b *testing.B) {
	for _, bench := range []struct {
		name  string
		price admission.Price
	}{
		{"small", admission.Price{Bytes: 4 << 10, Positions: 100}},
		{"large", admission.Price{Bytes: 64 << 20, Positions: 1 << 20}},
	} {
		gate, err := admission.New(admission.DefaultLimits(1<<30, 2))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(bench.name, func(b *testing.B) {
			ctx := b.Context()
			b.ReportAllocs()
			for b.Loop() {
				ticket, err := gate.Admit(ctx, admission.KindSolve, bench.price)
				if err != nil {
					b.Fatal(err)
				}
				ticket.Release()
			}
		})
	}
}

// BenchmarkAdmitParallel measures small calls on all cores at once, with every slot taken.
func BenchmarkAdmitParallel(b *testing.B) {
	gate, err := admission.New(admission.DefaultLimits(1<<30, 2))
	if err != nil {
		b.Fatal(err)
	}
	for range 2 {
		if _, err := gate.Admit(b.Context(), admission.KindSolve, admission.Price{Bytes: 64 << 20, Positions: 1 << 20}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			ticket, err := gate.Admit(b.Context(), admission.KindSolve, admission.Price{Bytes: 4 << 10, Positions: 100})
			if err != nil {
				b.Error(err)
				return
			}
			ticket.Release()
		}
	})
}

// BenchmarkBusy measures a refusal: what an overloaded server does most.
func BenchmarkBusy(b *testing.B) {
	limits := admission.DefaultLimits(1<<30, 1)
	limits.Queue = 0
	gate, err := admission.New(limits)
	if err != nil {
		b.Fatal(err)
	}
	price := admission.Price{Bytes: 64 << 20, Positions: 1 << 20}
	if _, err := gate.Admit(b.Context(), admission.KindSolve, price); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gate.Admit(b.Context(), admission.KindSolve, price); err == nil {
			b.Fatal("a second call was admitted")
		}
	}
}
