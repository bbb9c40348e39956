package nim_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

// sequences yields all sequences of up to n numbers from 0 to most.
func sequences(n, most int, yield func([]int)) {
	var extend func(s []int)
	extend = func(s []int) {
		yield(s)
		for v := 0; len(s) < n && v <= most; v++ {
			extend(append(s, v))
		}
	}
	extend(nil)
}

func newGame(piles []int, convention nim.Convention) *nim.Game {
	given := make([]uint64, len(piles))
	for i, pile := range piles {
		given[i] = uint64(pile)
	}
	return nim.New(given, convention)
}

// bouton is the closed form's answer; the game has one for every position.
func bouton(t *testing.T, g *nim.Game, maxMoves int) engine.Solution[nim.Move] {
	t.Helper()
	s, ok := g.Decide(maxMoves)
	if !ok {
		t.Fatal("the theorem decides every position")
	}
	return s
}

func TestBoutonListsAsManyMovesAsAskedAndCountsAll(t *testing.T) {
	for _, convention := range conventions {
		sequences(3, 4, func(piles []int) {
			g := newGame(piles, convention)
			all := bouton(t, g, math.MaxInt)
			for n := range len(all.Best) + 2 {
				s := bouton(t, g, n)
				if !slices.Equal(s.Best, all.Best[:min(n, len(all.Best))]) || s.BestCount != all.BestCount ||
					!s.BestKnown || s.Value != all.Value {
					t.Fatalf("%v: with %d moves at most %+v, otherwise %+v", piles, n, s, all)
				}
			}
		})
	}
}

func TestBoutonOnPilesTooLargeToSearch(t *testing.T) {
	const most = math.MaxInt64
	for _, test := range []struct {
		name  string
		piles []uint64
		// by convention
		value [2]int64
		best  [2][]string
		count [2]int64
		known bool
	}{
		{"one pile", []uint64{most}, [2]int64{1, 1}, [2][]string{{"9223372036854775807>0"}, {"9223372036854775807>1"}},
			[2]int64{1, 1}, true},
		{"two that differ", []uint64{most, most - 1}, [2]int64{1, 1},
			[2][]string{{"9223372036854775807>9223372036854775806"}, {"9223372036854775807>9223372036854775806"}},
			[2]int64{1, 1}, true},
		{"two equal: as many moves as one has", []uint64{most, most}, [2]int64{-1, -1},
			[2][]string{{"9223372036854775807>0", "9223372036854775807>1"}, {"9223372036854775807>0", "9223372036854775807>1"}},
			[2]int64{most, most}, true},
		{"two pairs: more moves than can be counted", []uint64{most, most, 1 << 62, 1 << 62}, [2]int64{-1, -1},
			[2][]string{{"9223372036854775807>0", "9223372036854775807>1"}, {"9223372036854775807>0", "9223372036854775807>1"}},
			[2]int64{most, most}, false},
		{"ones beside a large one", []uint64{1, most, 1}, [2]int64{1, 1},
			[2][]string{{"9223372036854775807>0"}, {"9223372036854775807>1"}}, [2]int64{1, 1}, true},
	} {
		for i, convention := range []nim.Convention{nim.Normal, nim.Misere} {
			g := nim.New(test.piles, convention)
			s := bouton(t, g, 2)
			var best []string
			for _, m := range s.Best {
				best = append(best, string(g.AppendMove(nil, m)))
			}
			if s.Value != test.value[i] || !slices.Equal(best, test.best[i]) || s.BestKnown != test.known ||
				test.known && s.BestCount != test.count[i] {
				t.Errorf("%s, convention %d: %+v (%v)", test.name, convention, s, best)
			}
		}
	}
}

func TestReachableSaturates(t *testing.T) {
	for _, test := range []struct {
		piles []uint64
		want  uint64
	}{
		{[]uint64{math.MaxInt64}, 1 << 63},
		{[]uint64{0, math.MaxInt64, 0}, 1 << 63},
		{[]uint64{math.MaxInt64, math.MaxInt64}, math.MaxUint64},
		{[]uint64{3, math.MaxInt64}, math.MaxUint64},
		{[]uint64{3, 1 << 36}, 1<<38 - 2}, // 0..2^36 beside 0, 1.. beside 1, 2.. beside 2, 3.. beside 3
		{[]uint64{1, 1 << 20}, 1<<21 + 1},
		{slices.Repeat([]uint64{1}, 100_000), 100_001},
		{slices.Repeat([]uint64{math.MaxInt64}, 100_000), math.MaxUint64},
	} {
		if got := nim.New(test.piles, nim.Normal).Reachable(math.MaxUint64); got != test.want {
			t.Errorf("%d piles from %d: %d positions instead of %d", len(test.piles), test.piles[0], got, test.want)
		}
	}
	if got := nim.New(slices.Repeat([]uint64{math.MaxInt64}, 3), nim.Normal).Plies(); got != math.MaxUint64 {
		t.Errorf("three piles of 2^63-1: %d plies", got)
	}
}

// TestCountingIsBounded: how large piles are makes no difference to what it takes to count up to a limit.
func TestCountingIsBounded(t *testing.T) {
	const limit = 1 << 23
	for _, piles := range [][]uint64{
		{1 << 20, 1 << 20, 1 << 21, 1 << 21}, {4_000, 4_000, 4_000}, {math.MaxInt64, math.MaxInt64, 1},
		slices.Repeat([]uint64{math.MaxInt64}, 5), slices.Repeat([]uint64{2}, 4), {4_000, 2_000},
	} {
		g := nim.New(piles, nim.Normal)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g.Reachable(limit)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 64<<10 { // √(2·limit) words are 32 KiB
			t.Errorf("%v: %d bytes to count up to %d", piles, got, limit)
		}
	}
}
