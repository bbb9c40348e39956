package rpc_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

// The known answers, each by a call to a server.

func outcomeNamed(name gametest.KnownOutcome) zermelov1.Outcome {
	return zermelov1.Outcome(zermelov1.Outcome_value[string(name)])
}

func wantSolution(t *testing.T, s *zermelov1.Solution, outcome gametest.KnownOutcome, moves gametest.KnownMoves) {
	t.Helper()
	if s.GetOutcome() != outcomeNamed(outcome) {
		t.Errorf("%v, want %v", s.GetOutcome(), outcome)
	}
	wantMoves(t, s, moves)
}

// wantMoves compares the best moves as sets; nil means that they are not known.
func wantMoves(t *testing.T, s *zermelov1.Solution, moves gametest.KnownMoves) {
	t.Helper()
	if moves == nil {
		return
	}
	got, want := notations(s.GetBestMoves()), slices.Clone([]string(moves))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || s.GetBestMoveCount() != int64(len(want)) {
		t.Errorf("best moves %v, counted %d, want %v", got, s.GetBestMoveCount(), want)
	}
}

func TestKnownNim(t *testing.T) {
	c := start(t)
	conventions := map[string]zermelov1.PlayConvention{"NORMAL": normal, "MISERE": misere}
	for _, known := range gametest.Known().Nim {
		t.Run(fmt.Sprint(known.Convention, known.Piles), func(t *testing.T) {
			wantSolution(t, solve(t, c, nim(conventions[known.Convention], known.Piles...)), known.Outcome, known.BestMoves)
		})
	}
	for _, convention := range conventions {
		wantMoves(t, solve(t, c, nim(convention, 7, 5, 3)), gametest.Known().Nim753.WinningMoves)
	}
}

func TestKnownCanIWin(t *testing.T) {
	c := start(t)
	for _, known := range gametest.Known().CanIWin {
		t.Run(fmt.Sprint(known.N, known.Total, known.Chosen), func(t *testing.T) {
			chosen := make([]uint32, len(known.Chosen))
			for i, integer := range known.Chosen {
				chosen[i] = uint32(integer)
			}
			p := canIWin(uint32(known.N), uint32(known.Total), chosen...)
			wantSolution(t, solve(t, c, p), known.Outcome, known.BestMoves)
		})
	}
	for n, losing := range gametest.Known().CanIWinLosingTotals {
		for total := int64(1); total <= int64(n*(n+1)/2); total++ {
			want := win
			if slices.Contains(losing, total) {
				want = loss
			}
			if s := solve(t, c, canIWin(uint32(n), uint32(total))); s.GetOutcome() != want {
				t.Errorf("1..%d to %d: %v, want %v", n, total, s.GetOutcome(), want)
			}
		}
	}
}

func TestKnownHundredGame(t *testing.T) {
	c := start(t)
	for _, known := range gametest.Known().Hundred {
		t.Run(fmt.Sprint(known.N, known.Total, known.Current), func(t *testing.T) {
			wantSolution(t, solve(t, c, hundred(known.N, known.Total, known.Current)), known.Outcome, nil)
		})
	}
}

// TestKnownRows asks about each row twice: as scores, and, where the rules allow it, as piles.
func TestKnownRows(t *testing.T) {
	c := start(t)
	for _, known := range gametest.Known().Ends {
		positions := []*zermelov1.Position{predict(0, known.Scores...)}
		if !slices.ContainsFunc(known.Scores, func(score int64) bool { return score < 1 }) {
			piles := make([]uint64, len(known.Scores))
			for i, score := range known.Scores {
				piles[i] = uint64(score)
			}
			positions = append(positions, stones(0, piles...))
		}
		for _, p := range positions {
			t.Run(fmt.Sprintf("%d scores/%T", len(known.Scores), p.GetGame()), func(t *testing.T) {
				s := solve(t, c, p)
				wantSolution(t, s, known.Outcome, known.BestMoves)
				if s.Margin == nil || s.GetMargin() != known.Margin {
					t.Errorf("margin %v, want %d", s.Margin, known.Margin)
				}
			})
		}
	}
}

func TestKnownCosts(t *testing.T) {
	c := start(t)
	known := gametest.Known().Guess
	cost := func(n int) int64 {
		t.Helper()
		s := solve(t, c, guess(1, uint32(n)))
		if s.Cost == nil || s.GetOutcome() != zermelov1.Outcome_OUTCOME_UNSPECIFIED {
			t.Errorf("1..%d: %v", n, s)
		}
		if moves := known.FirstGuesses[n]; moves != nil {
			wantMoves(t, s, moves)
		}
		return s.GetCost()
	}
	var sum int64
	for n := 1; n <= 100; n++ {
		got := cost(n)
		sum += got
		if n <= len(known.CostOneTo) && got != known.CostOneTo[n-1] {
			t.Errorf("1..%d costs %d, want %d", n, got, known.CostOneTo[n-1])
		}
	}
	if sum != known.SumOneTo100 {
		t.Errorf("the costs of 1..1 to 1..100 add up to %d, want %d", sum, known.SumOneTo100)
	}
	for n, want := range known.More {
		if got := cost(n); got != want {
			t.Errorf("1..%d costs %d, want %d", n, got, want)
		}
	}
}

// TestKnownWork compares the work of Explain with the counts of source 002 and of others, by game and memo policy.
func TestKnownWork(t *testing.T) {
	c := start(t)
	expanded := func(p *zermelov1.Position, policy zermelov1.MemoPolicy) *zermelov1.Statistics {
		t.Helper()
		return explain(t, c, &zermelov1.ExplainRequest{Position: p, MemoPolicy: policy}).summary.GetStatistics()
	}
	known := gametest.Known()
	nims := append(slices.Clone(known.Expanded.Nim), gametest.KnownExpandedNim{
		Piles: []uint64{7, 5, 3}, ByConvention: known.Nim753.Expanded,
	})
	for _, k := range nims {
		for convention, want := range map[zermelov1.PlayConvention]gametest.ByPolicy{misere: k.Misere, normal: k.Normal} {
			for policy, count := range map[zermelov1.MemoPolicy]int64{
				policyNone: want.None, policyLosses: want.Losses, policyAll: want.All,
			} {
				got := expanded(nim(convention, k.Piles...), policy).GetPositionsExpanded()
				if got != count {
					t.Errorf("%v, %v, %v: %d positions expanded, want %d", k.Piles, convention, policy, got, count)
				}
			}
		}
	}
	for _, k := range known.Expanded.CanIWin {
		got := expanded(canIWin(uint32(k.N), uint32(k.Total)), policyAll)
		if got.GetPositionsExpanded() != k.All || got.GetMemoHits() != k.MemoHits {
			t.Errorf("1..%d to %d: %v, want %+v", k.N, k.Total, got, k)
		}
	}
}

// TestKnownLosingPositions: with lost positions remembered, the search decides the lost positions that source 002
// lists, and the enumeration has all of them.
func TestKnownLosingPositions(t *testing.T) {
	c := start(t)
	known := gametest.Known().Nim753
	for _, test := range []struct {
		convention zermelov1.PlayConvention
		found, all []string
	}{{misere, known.FoundLostMisere, known.LosingMisere}, {normal, known.FoundLostNormal, known.LosingNormal}} {
		p := nim(test.convention, 7, 5, 3)
		found := map[string]bool{}
		for _, e := range explain(t, c, &zermelov1.ExplainRequest{Position: p, MemoPolicy: policyLosses}).events {
			if e.GetOutcome() == loss {
				found[e.GetPosition()] = true
			}
		}
		wantPositions(t, found, test.found)
		positions, _ := enumerate(t, c, &zermelov1.EnumeratePositionsRequest{Position: p, Outcome: loss})
		all := map[string]bool{}
		for _, e := range positions {
			all[e.GetNotation()] = true
		}
		wantPositions(t, all, test.all)
	}
}

func wantPositions(t *testing.T, got map[string]bool, want []string) {
	t.Helper()
	for _, position := range want {
		if !got[position] {
			t.Errorf("%s is missing", position)
		}
		delete(got, position)
	}
	for position := range got {
		t.Errorf("%s is one too many", strconv.Quote(position))
	}
}
