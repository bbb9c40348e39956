package caniwin_test

import (
	"math"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
)

// TestSearchAndKernelAgreeWithTheOracleUpTo8Integers asks about every set of chosen integers, reachable or not: a
// request may name any.
func TestSearchAndKernelAgreeWithTheOracleUpTo8Integers(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for total := 0; total <= n*(n+1)/2+2; total++ {
			oracle := gametest.CanIWin{N: n, Total: total}
			for set := range 1 << n {
				var chosen []int
				for i := 1; i <= n; i++ {
					if set>>(i-1)%2 == 1 {
						chosen = append(chosen, i)
					}
				}
				gametest.Against(t, caniwin.New(n, int64(total), choose(chosen...)), oracle.Solve(chosen...))
			}
		}
	}
}

func TestADrawListsAsManyMovesAsAskedAndCountsAll(t *testing.T) {
	g := caniwin.New(64, 3_000, choose(1, 3))
	for maxMoves, want := range map[int][]caniwin.Move{0: nil, 1: {2}, 3: {2, 4, 5}} {
		s, ok := g.Decide(maxMoves)
		if !ok || s.Value != engine.Draw || !slices.Equal(s.Best, want) || s.BestCount != 62 || !s.BestKnown {
			t.Errorf("with %d moves at most: %+v, %t", maxMoves, s, ok)
		}
	}
}

func TestSumOfAllIntegers(t *testing.T) {
	if got := caniwin.Position(math.MaxUint64).Sum(); got != 64*65/2 {
		t.Errorf("1 to 64 add up to %d", got)
	}
}

func TestReachableSaturates(t *testing.T) {
	for _, test := range []struct {
		n     int
		total int64
		want  uint64
	}{
		{64, math.MaxInt64, math.MaxUint64}, // 2^64 sets
		{63, math.MaxInt64, 1 << 63},
		{64, 1, 65},
		{33, 33*34/2 + 1, 1 << 33},
	} {
		if got := caniwin.New(test.n, test.total, 0).Reachable(); got != test.want {
			t.Errorf("1..%d to %d: %d positions instead of %d", test.n, test.total, got, test.want)
		}
	}
}
