package gametest_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

func TestKnownAnswersHoldEveryEntry(t *testing.T) {
	known := gametest.Known()
	for what, n := range map[string][2]int{
		"can_i_win_losing_totals": {len(known.CanIWinLosingTotals), 20},
		"can_i_win_cases":         {len(known.CanIWin), 14},
		"ends_cases":              {len(known.Ends), 12},
		"cost_1_to_n":             {len(known.Guess.CostOneTo), 60},
		"more":                    {len(known.Guess.More), 10},
		"first_guesses":           {len(known.Guess.FirstGuesses), 7},
		"losing, misère":          {len(known.Nim753.LosingMisere), 12},
		"losing, normal":          {len(known.Nim753.LosingNormal), 12},
		"found lost, misère":      {len(known.Nim753.FoundLostMisere), 10},
		"found lost, normal":      {len(known.Nim753.FoundLostNormal), 9},
		"nim_moves_to_end":        {len(known.NimMovesToEnd), 4},
		"expanded, nim":           {len(known.Expanded.Nim), 1},
		"expanded, can_i_win":     {len(known.Expanded.CanIWin), 4},
		"nim_cases":               {len(known.Nim), 22},
		"hundred_game_cases":      {len(known.Hundred), 8},
		"a repeated score":        {len(known.Ends[10].Scores), 501},
	} {
		if n[0] != n[1] {
			t.Errorf("%s: %d entries instead of %d", what, n[0], n[1])
		}
	}
	if got := known.Expanded.Nim[0].Misere.Losses; got != 592 {
		t.Errorf("5-4-3 misère with losses remembered: %d", got)
	}
	if known.CanIWin[0].BestMoves != nil {
		t.Error("best moves that are not known are there")
	}
	if known.Nim[0].BestMoves == nil {
		t.Error("best moves that are known to be none are not there")
	}
}

func TestOraclesGiveTheKnownAnswers(t *testing.T) {
	known := gametest.Known()
	check := func(what string, got gametest.Answer, value int64, moves gametest.KnownMoves) {
		if got.Value != value {
			t.Errorf("%s: %d instead of %d", what, got.Value, value)
		}
		if moves != nil && !slices.Equal(got.Best, moves) {
			t.Errorf("%s: the best moves are %v instead of %v", what, got.Best, moves)
		}
	}
	for _, k := range known.Nim {
		piles := make([]int, len(k.Piles))
		for i, pile := range k.Piles {
			piles[i] = int(pile)
		}
		o := gametest.Nim{Misere: k.Convention == "MISERE"}
		check(fmt.Sprint("nim ", k.Piles, k.Convention), o.Solve(piles...), k.Outcome.Value(), k.BestMoves)
	}
	for _, misere := range []bool{false, true} {
		o := gametest.Nim{Misere: misere}
		check("nim 7 5 3", o.Solve(7, 5, 3), 1, known.Nim753.WinningMoves)
	}
	known.NimMovesToEnd = append(known.NimMovesToEnd,
		gametest.KnownNimMovesToEnd{Piles: []uint64{7, 5, 3}, ByConvention: known.Nim753.MovesToEnd})
	for _, k := range known.NimMovesToEnd {
		piles := make([]int, len(k.Piles))
		for i, pile := range k.Piles {
			piles[i] = int(pile)
		}
		normal, misere := gametest.Nim{}, gametest.Nim{Misere: true}
		if got := [2]int64{normal.Solve(piles...).Distance, misere.Solve(piles...).Distance}; got != [2]int64{k.Normal, k.Misere} {
			t.Errorf("nim %v: %v moves to the end instead of %v", piles, got, k)
		}
	}
	for _, k := range known.CanIWin {
		if k.N <= 10 {
			o := gametest.CanIWin{N: k.N, Total: int(k.Total)}
			check(fmt.Sprint("can i win ", k.N, k.Total, k.Chosen), o.Solve(k.Chosen...), k.Outcome.Value(), k.BestMoves)
		}
	}
	for n := 1; n <= 9; n++ {
		var lost []int64
		for total := 1; total <= n*(n+1)/2; total++ {
			o := gametest.CanIWin{N: n, Total: total}
			if o.Solve().Value == -1 {
				lost = append(lost, int64(total))
			}
		}
		if !slices.Equal(lost, known.CanIWinLosingTotals[n]) {
			t.Errorf("1..%d: the totals %v are lost instead of %v", n, lost, known.CanIWinLosingTotals[n])
		}
	}
	for _, k := range known.Hundred {
		if k.Total <= 1000 {
			o := gametest.Hundred{N: int(k.N), Total: int(k.Total)}
			check(fmt.Sprint("hundred ", k), o.Solve(int(k.Current)), k.Outcome.Value(), nil)
		}
	}
	for _, k := range known.Ends {
		if len(k.Scores) <= 12 {
			check(fmt.Sprint("ends ", k.Scores), gametest.Ends(k.Scores), k.Margin, k.BestMoves)
		}
	}
	var o gametest.Guess
	for i, cost := range known.Guess.CostOneTo {
		check(fmt.Sprint("guess 1..", i+1), o.Solve(1, i+1), cost, nil)
	}
	for n, guesses := range known.Guess.FirstGuesses {
		check(fmt.Sprint("guess 1..", n), o.Solve(1, n), known.Guess.CostOneTo[n-1], guesses)
	}
	var sum int64
	for n := 1; n <= 100; n++ {
		sum += o.Solve(1, n).Value
	}
	if sum != known.Guess.SumOneTo100 {
		t.Errorf("the costs of 1..1 to 1..100 add up to %d instead of %d", sum, known.Guess.SumOneTo100)
	}
}
