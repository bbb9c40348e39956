package search_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

func requireExpanded(t *testing.T, piles []uint64, convention nim.Convention, want gametest.ByPolicy) {
	t.Helper()
	for policy, want := range map[search.Policy]int64{
		search.RememberNone: want.None, search.RememberLosses: want.Losses, search.RememberAll: want.All,
	} {
		s := search.New(nim.New(piles, convention), search.Options{Budget: budget, Policy: policy})
		for range events(t, s) {
		}
		if got := s.Statistics().PositionsExpanded; got != want {
			t.Errorf("%v, convention %d, policy %d: %d positions expanded instead of %d", piles, convention, policy, got, want)
		}
	}
}

func TestNimExpandsAsManyPositionsAsItsSourceCounts(t *testing.T) {
	known := gametest.Known()
	requireExpanded(t, []uint64{7, 5, 3}, nim.Misere, known.Nim753.Expanded.Misere)
	requireExpanded(t, []uint64{7, 5, 3}, nim.Normal, known.Nim753.Expanded.Normal)
	for _, k := range known.Expanded.Nim {
		requireExpanded(t, k.Piles, nim.Misere, k.Misere)
		requireExpanded(t, k.Piles, nim.Normal, k.Normal)
	}
}

func TestCanIWinExpandsAndRemembersAsManyPositionsAsAreKnown(t *testing.T) {
	for _, k := range gametest.Known().Expanded.CanIWin {
		s := search.New(caniwin.New(k.N, k.Total, 0), search.Options{Budget: budget})
		for range events(t, s) {
		}
		got := s.Statistics()
		if got.PositionsExpanded != k.All || got.MemoHits != k.MemoHits || got.MemoEntries != k.All {
			t.Errorf("1..%d to %d: %+v instead of %+v", k.N, k.Total, got, k)
		}
	}
}

// lost lists the positions that a search decides to be lost, as often as it does.
func lost(t *testing.T, g *nim.Game, options search.Options) []string {
	t.Helper()
	options.Budget = budget
	var texts []string
	for e := range events(t, search.New(g, options)) {
		if (e.Kind == search.Decided || e.Kind == search.Terminal) && e.Value == engine.Loss {
			texts = append(texts, string(g.AppendPosition(nil, e.Position)))
		}
	}
	slices.Sort(texts)
	return texts
}

func TestWithLossesRememberedNimMeetsTheLostPositionsOfItsSource(t *testing.T) {
	known := gametest.Known().Nim753
	for convention, want := range map[nim.Convention][]string{
		nim.Misere: known.FoundLostMisere, nim.Normal: known.FoundLostNormal,
	} {
		got := lost(t, nim.New([]uint64{7, 5, 3}, convention),
			search.Options{Detail: search.Decisions, Policy: search.RememberLosses})
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("convention %d: %v instead of %v", convention, got, want)
		}
	}
}

func TestAnExhaustiveSearchOfNimFindsAllTwelveLostPositions(t *testing.T) {
	known := gametest.Known().Nim753
	for convention, want := range map[nim.Convention][]string{
		nim.Misere: known.LosingMisere, nim.Normal: known.LosingNormal,
	} {
		got := lost(t, nim.New([]uint64{7, 5, 3}, convention), search.Options{Detail: search.Decisions, Exhaustive: true})
		if slices.Sort(want); !slices.Equal(got, want) || len(got) != 12 {
			t.Errorf("convention %d: %v instead of %v", convention, got, want)
		}
	}
}

// TestNimWalksThePilesInTheirGivenOrder shows that the order of the piles counts for the search, not for the answer.
func TestNimWalksThePilesInTheirGivenOrder(t *testing.T) {
	expanded := make(map[int64]bool)
	for _, piles := range [][]uint64{{7, 5, 3}, {7, 3, 5}, {5, 7, 3}, {5, 3, 7}, {3, 5, 7}, {3, 7, 5}} {
		s := search.New(nim.New(piles, nim.Misere), search.Options{Budget: budget, Policy: search.RememberNone})
		for range events(t, s) {
		}
		expanded[s.Statistics().PositionsExpanded] = true
		if s.Result().Value != engine.Win {
			t.Errorf("%v: %+v", piles, s.Result())
		}
	}
	if len(expanded) < 4 {
		t.Error(fmt.Sprint("the orders of 7, 5, 3 expand as many positions: ", expanded))
	}
}
