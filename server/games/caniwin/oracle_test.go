package caniwin_test

import (
	"math"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
)

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
		if got := caniwin.New(test.n, test.total, 0).Reachable(math.MaxUint64); got != test.want {
			t.Errorf("1..%d to %d: %d positions instead of %d", test.n, test.total, got, test.want)
		}
	}
}
