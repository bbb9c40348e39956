package caniwin_test

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
)

// requireSame compares the algorithm with a search of all moves at the root.
func requireSame(t *testing.T, g *caniwin.Game) {
	t.Helper()
	s := search.New(g, search.Options{Budget: 1 << 30, AllRootMoves: true, MaxBest: math.MaxInt})
	for _, err := range s.Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := s.Result()
	got, err := g.Solve(t.Context(), math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	if got.Value != want.Value || !slices.Equal(got.Best, want.Best) || got.BestCount != want.BestCount ||
		!got.BestKnown || !want.BestKnown {
		t.Fatalf("%s: the algorithm says %+v, the search %+v", g.AppendPosition(nil, g.Root()), got, want)
	}
}

func TestAlgorithmAgreesWithTheSearchFromTheBeginningUpTo14Integers(t *testing.T) {
	most := 14
	if testing.Short() {
		most = 12
	}
	for n := 1; n <= most; n++ {
		for total := 0; total <= n*(n+1)/2+1; total++ {
			requireSame(t, caniwin.New(n, int64(total), 0))
		}
	}
}

func TestAlgorithmAgreesWithTheSearchFromAnywhereWith9Integers(t *testing.T) {
	for total := 1; total <= 45; total++ {
		for chosen := range caniwin.Position(1 << 9) {
			if chosen.Sum() < int64(total) {
				requireSame(t, caniwin.New(9, int64(total), chosen))
			}
		}
	}
}

func TestAlgorithmAgreesWithTheSearchWithSomeOf64IntegersLeft(t *testing.T) {
	random := rand.New(rand.NewPCG(64, 464))
	for left := 1; left <= 15; left++ {
		for range 12 {
			n := left + random.IntN(caniwin.MaxInteger-left+1)
			chosen := caniwin.Position(1<<n - 1)
			for _, i := range random.Perm(n)[:left] {
				chosen &^= choose(i + 1)
			}
			free := caniwin.Position(1<<n-1) &^ chosen
			requireSame(t, caniwin.New(n, chosen.Sum()+1+random.Int64N(free.Sum()), chosen))
		}
	}
}

// wins is a plain table: whether the player to move wins, one byte for each subset of the integers that are left.
func wins(free []int, missing int) []bool {
	won := make([]bool, 1<<len(free))
	sums := make([]int16, len(won))
	for s := 1; s < len(won); s++ {
		sums[s] = sums[s&(s-1)] + int16(free[bits.TrailingZeros(uint(s))])
	}
	for s := len(won) - 1; s >= 0; s-- {
		if int(sums[s]) >= missing {
			continue
		}
		for rest := (len(won) - 1) &^ s; rest != 0 && !won[s]; rest &= rest - 1 {
			won[s] = !won[s|rest&-rest]
		}
	}
	return won
}

func TestAlgorithmAgreesWithAPlainTableWithManyOf64IntegersLeft(t *testing.T) {
	lefts := []int{18, 20}
	if gametest.Long() {
		lefts = append(lefts, 22, 24, 25)
	}
	random := rand.New(rand.NewPCG(24, 464))
	for _, left := range lefts {
		integers := random.Perm(caniwin.MaxInteger)[:left]
		slices.Sort(integers)
		var free caniwin.Position
		for i := range integers {
			integers[i]++
			free = free.With(caniwin.Move(integers[i]))
		}
		missing := free.Sum() * int64(50+random.IntN(40)) / 100
		won := wins(integers, int(missing))
		want := engine.Solution[caniwin.Move]{Value: engine.Loss, BestKnown: true}
		if won[0] {
			want.Value = engine.Win
		}
		for i, integer := range integers {
			if won[1<<i] != won[0] {
				want.Best = append(want.Best, caniwin.Move(integer))
				want.BestCount++
			}
		}
		got, err := caniwin.New(caniwin.MaxInteger, (^free).Sum()+missing, ^free).Solve(t.Context(), math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		if got.Value != want.Value || !slices.Equal(got.Best, want.Best) || got.BestCount != want.BestCount {
			t.Errorf("%v left, %d missing: %+v instead of %+v", integers, missing, got, want)
		}
	}
}

func TestAlgorithmListsAsManyMovesAsAskedAndCountsAll(t *testing.T) {
	for maxMoves, want := range map[int][]caniwin.Move{0: nil, 2: {2, 3}} {
		s, err := caniwin.New(10, 40, choose(1, 4)).Solve(t.Context(), maxMoves)
		if err != nil || s.Value != engine.Loss || !slices.Equal(s.Best, want) || s.BestCount != 8 || !s.BestKnown {
			t.Errorf("with %d moves at most: %+v, %v", maxMoves, s, err)
		}
	}
}

func TestAlgorithmStaysOutOfWhatItCannotHold(t *testing.T) {
	_, err := caniwin.New(caniwin.MaxInteger, 1_000, 0).Solve(t.Context(), 1)
	if !errors.Is(err, engine.ErrNoAlgorithm) {
		t.Errorf("64 integers: %v", err)
	}
}
