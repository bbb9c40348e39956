package caniwin_test

import (
	"math"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
)

// solve asks the closed form and, where it has no answer, the search.
func solve(t *testing.T, g *caniwin.Game) engine.Solution[caniwin.Move] {
	t.Helper()
	if solved, ok := g.Decide(math.MaxInt); ok {
		return solved
	}
	s := search.New(g, search.Options{Budget: 1 << 30, AllRootMoves: true, MaxBest: math.MaxInt})
	for _, err := range s.Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return s.Result()
}

func TestKnownAnswers(t *testing.T) {
	for _, k := range gametest.Known().CanIWin {
		g := caniwin.New(k.N, k.Total, choose(k.Chosen...))
		s := solve(t, g)
		if s.Value != k.Outcome.Value() {
			t.Errorf("%+v: the value is %d", k, s.Value)
		}
		if k.BestMoves == nil {
			continue
		}
		var best []string
		for _, m := range s.Best {
			best = append(best, string(g.AppendMove(nil, m)))
		}
		if !slices.Equal(best, k.BestMoves) {
			t.Errorf("%+v: the best moves are %v", k, best)
		}
	}
}

func TestKnownAnswersByTheAlgorithm(t *testing.T) {
	for _, k := range gametest.Known().CanIWin {
		g := caniwin.New(k.N, k.Total, choose(k.Chosen...))
		s, err := g.Solve(t.Context(), math.MaxInt)
		if err != nil {
			t.Fatalf("%+v: %v", k, err)
		}
		if s.Value != k.Outcome.Value() {
			t.Errorf("%+v: the value is %d", k, s.Value)
		}
		var best []string
		for _, m := range s.Best {
			best = append(best, string(g.AppendMove(nil, m)))
		}
		if k.BestMoves != nil && !slices.Equal(best, k.BestMoves) {
			t.Errorf("%+v: the best moves are %v", k, best)
		}
	}
}

func TestKnownLosingTotals(t *testing.T) {
	most := 13
	if gametest.Long() {
		most = 20
	}
	for n, totals := range gametest.Known().CanIWinLosingTotals {
		if n > most {
			continue
		}
		var lost []int64
		for total := int64(1); total <= int64(n*(n+1)/2); total++ {
			if solve(t, caniwin.New(n, total, 0)).Value == engine.Loss {
				lost = append(lost, total)
			}
		}
		if !slices.Equal(lost, totals) {
			t.Errorf("1..%d: the totals %v are lost instead of %v", n, lost, totals)
		}
	}
}

func TestKnownLosingTotalsByTheAlgorithm(t *testing.T) {
	for n, totals := range gametest.Known().CanIWinLosingTotals {
		var lost []int64
		for total := int64(1); total <= int64(n*(n+1)/2); total++ {
			s, err := caniwin.New(n, total, 0).Solve(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if s.Value == engine.Loss {
				lost = append(lost, total)
			}
		}
		if !slices.Equal(lost, totals) {
			t.Errorf("1..%d: the totals %v are lost instead of %v", n, lost, totals)
		}
	}
}
