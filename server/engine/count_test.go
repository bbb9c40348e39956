package engine_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
)

func TestCountsSaturate(t *testing.T) {
	saturated := func(n *big.Int) uint64 {
		if n.IsUint64() {
			return n.Uint64()
		}
		return math.MaxUint64
	}
	random := rand.New(rand.NewPCG(7, 8))
	counts := []uint64{0, 1, 2, 3, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1 << 63, math.MaxInt64, math.MaxUint64 - 1, math.MaxUint64}
	for range 100 {
		counts = append(counts, random.Uint64()>>random.IntN(64))
	}
	for _, a := range counts {
		for _, b := range counts {
			x, y := new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)
			if got, want := engine.AddSaturating(a, b), saturated(new(big.Int).Add(x, y)); got != want {
				t.Errorf("%d + %d = %d instead of %d", a, b, got, want)
			}
			if got, want := engine.MulSaturating(a, b), saturated(new(big.Int).Mul(x, y)); got != want {
				t.Errorf("%d × %d = %d instead of %d", a, b, got, want)
			}
		}
	}
}
