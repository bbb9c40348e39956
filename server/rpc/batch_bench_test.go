package rpc_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// BenchmarkBatch solves a thousand positions by one BatchSolve and by a thousand calls in sequence, in turn.
func BenchmarkBatch(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	c := zermelov1.NewSolverServiceClient(startProcess(b, serviceProcess, 1).connections[0])
	positions := randomPositions(rand.New(rand.NewPCG(5, 1913)), 170)[:1000]
	var rates, ratios []float64
	rate := func(solve func() error) float64 {
		start := time.Now()
		if err := solve(); err != nil {
			b.Fatal(err)
		}
		return float64(len(positions)) / time.Since(start).Seconds()
	}
	for b.Loop() {
		single := rate(func() error {
			for _, p := range positions {
				if _, err := c.Solve(b.Context(), &zermelov1.SolveRequest{Position: p, MaxMoves: 1}); err != nil {
					return err
				}
			}
			return nil
		})
		batch := rate(func() error {
			_, err := c.BatchSolve(b.Context(), &zermelov1.BatchSolveRequest{Positions: positions})
			return err
		})
		rates = append(rates, batch)
		ratios = append(ratios, batch/single)
	}
	b.ReportMetric(median(rates), "positions/s")
	b.ReportMetric(median(ratios), "x-single-calls")
}
