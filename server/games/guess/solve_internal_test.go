package guess

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// searched is what the engine's search finds for a range: the oracle.
func searched(t *testing.T, low, high uint32) engine.Solution[Move] {
	t.Helper()
	s := search.New(New(low, high), search.Options{Budget: 1 << 30, AllRootMoves: true, MaxBest: math.MaxInt32})
	for _, err := range s.Events(t.Context()) {
		if err != nil {
			t.Fatalf("search of %d..%d: %v", low, high, err)
		}
	}
	return s.Result()
}

// solved is what Solve says about a range.
func solved(t *testing.T, low, high uint32, maxMoves int) engine.Solution[Move] {
	t.Helper()
	s, err := New(low, high).Solve(t.Context(), maxMoves)
	if err != nil {
		t.Fatalf("Solve of %d..%d: %v", low, high, err)
	}
	return s
}

func requireSame(t *testing.T, low, high uint32, got, want engine.Solution[Move]) {
	t.Helper()
	if got.Value != want.Value || got.BestCount != want.BestCount || got.BestKnown != want.BestKnown ||
		!slices.Equal(got.Best, want.Best) {
		t.Fatalf("%d..%d: %+v; expected was %+v", low, high, got, want)
	}
}

func TestTableAndRowEqualSearchOnEveryIntervalTo60(t *testing.T) {
	for high := uint32(1); high <= 60; high++ {
		for low := uint32(1); low <= high; low++ {
			want := searched(t, low, high)
			requireSame(t, low, high, tableOf(t, low, high).solution(low, high), want)
			requireSame(t, low, high, solved(t, low, high, math.MaxInt), want)
		}
	}
}

func TestTableAndRowEqualSearchOnIntervalsFarFromOne(t *testing.T) {
	random := rand.New(rand.NewPCG(328, 375))
	check := func(low uint64, width uint64) {
		low = min(low, MaxHigh-width+1)
		high := low + width - 1
		want := searched(t, uint32(low), uint32(high))
		requireSame(t, uint32(low), uint32(high), tableOf(t, uint32(low), uint32(high)).solution(uint32(low), uint32(high)), want)
		requireSame(t, uint32(low), uint32(high), solved(t, uint32(low), uint32(high), math.MaxInt), want)
	}
	for range 60 {
		// Offsets of all sizes: as many between 100 and 200 as between 10^9 and 2·10^9.
		low := uint64(math.Exp2(random.Float64() * 31))
		check(max(low, 1), 1+random.Uint64N(80))
	}
	for _, width := range []uint64{1, 2, 3, 4, 7, 8, 31, 32, 63, 64, 80} {
		check(MaxHigh, width) // ends at 2^31
		check(MaxHigh/2, width)
	}
}

// textbook is the cubic recurrence, written as it is read, over low..high. costs[i][j] is C(low+i, low+j).
func textbook(low, high int64) [][]int64 {
	w := int(high-low) + 1
	costs := make([][]int64, w+1)
	for i := range costs {
		costs[i] = make([]int64, w)
	}
	for j := range w {
		for i := j - 1; i >= 0; i-- {
			best := int64(math.MaxInt64)
			for k := i; k <= j; k++ {
				worse := int64(0)
				if k > i {
					worse = costs[i][k-1]
				}
				if k < j {
					worse = max(worse, costs[k+1][j])
				}
				best = min(best, low+int64(k)+worse)
			}
			costs[i][j] = best
		}
	}
	return costs
}

// published are values of C(1, n); see OEIS A276128.
var published = map[uint32]int64{
	94: 365, 109: 454, 120: 529, 200: 952, 1_000: 6_753, 1_500: 11_146, 5_000: 43_987, 10_000: 97_452, 12_000: 118_606,
	20_000: 213_853,
}

// publishedFirst are C(1, 1), C(1, 2), ...
var publishedFirst = []int64{
	0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 21, 24, 27, 30, 34, 38, 42, 46, 49, 52, 55, 58, 61, 64, 67, 70, 73, 76, 79,
	82, 86, 90, 94, 98, 102, 106, 110, 114, 119, 124, 129, 134, 139, 144, 149, 154, 160, 166, 172, 178, 182, 186, 190,
	194, 198, 202, 206, 210, 214,
}

// long is whether tests that take hundreds of megabytes were asked for.
func long() bool { return os.Getenv("ZERMELO_LONG") == "1" }

func TestSolveGivesThePublishedFirstGuesses(t *testing.T) {
	for high, want := range map[uint32][]Move{2: {1}, 3: {2}, 4: {1, 3}, 5: {2, 4}, 8: {5}, 10: {7}, 20: {13}} {
		s := solved(t, 1, high, 100)
		if !slices.Equal(s.Best, want) || s.BestCount != int64(len(want)) || !s.BestKnown {
			t.Errorf("1..%d: best guesses %v, %d of them (known: %v); published are %v", high, s.Best, s.BestCount,
				s.BestKnown, want)
		}
	}
}

func TestSolveListsAsManyBestGuessesAsAskedAndCountsAll(t *testing.T) {
	const low, high = 1, 51 // 36, 40 and 44
	all := solved(t, low, high, math.MaxInt)
	if all.BestCount < 3 || int64(len(all.Best)) != all.BestCount || !slices.IsSorted(all.Best) {
		t.Fatalf("%d best guesses, listed %v", all.BestCount, all.Best)
	}
	for ask := range len(all.Best) + 2 {
		s := solved(t, low, high, ask)
		if s.Value != all.Value || s.BestCount != all.BestCount || !slices.Equal(s.Best, all.Best[:min(ask, len(all.Best))]) {
			t.Errorf("asked for %d of %d: %+v", ask, all.BestCount, s)
		}
	}
}

func TestOneNumberIsOver(t *testing.T) {
	for _, low := range []uint32{1, 77, MaxHigh} {
		s := solved(t, low, low, 100)
		if s.Value != 0 || len(s.Best) != 0 || s.BestCount != 0 || !s.BestKnown {
			t.Errorf("%d..%d: %+v", low, low, s)
		}
	}
}

func TestWiderRangesHaveNoKernel(t *testing.T) {
	for _, r := range []Position{{1, MaxRowWidth + 1}, {1, MaxHigh}, {MaxHigh - MaxRowWidth, MaxHigh}} {
		if _, err := New(r.Low, r.High).Solve(t.Context(), 1); !errors.Is(err, engine.ErrNoAlgorithm) {
			t.Errorf("%d..%d: %v", r.Low, r.High, err)
		}
	}
}

func TestSolveReturnsTheCauseOfItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gametest.ErrEnough)
	if _, err := New(1, 100).Solve(ctx, 1); !errors.Is(err, gametest.ErrEnough) {
		t.Errorf("got %v", err)
	}
}
