package games_test

import (
	"slices"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
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
	answers := make(map[string]func(p *zermelov1.Position) oracle.Answer)
	for _, game := range games.All() {
		answers[game.Name] = game.Oracle()
	}
	answer := func(p *zermelov1.Position) oracle.Answer { return answers[catalog.GameOf(p)](p) }
	check := func(p *zermelov1.Position, value int64, moves gametest.KnownMoves) {
		got := answer(p)
		if got.Value != value {
			t.Errorf("%v: %d instead of %d", p, got.Value, value)
		}
		if moves != nil && !slices.Equal(got.Best, moves) {
			t.Errorf("%v: the best moves are %v instead of %v", p, got.Best, moves)
		}
	}
	conventions := map[string]zermelov1.PlayConvention{"NORMAL": positions.Normal, "MISERE": positions.Misere}
	for _, k := range known.Nim {
		check(positions.Nim(conventions[k.Convention], k.Piles...), k.Outcome.Value(), k.BestMoves)
	}
	for _, convention := range conventions {
		check(positions.Nim(convention, 7, 5, 3), 1, known.Nim753.WinningMoves)
	}
	known.NimMovesToEnd = append(known.NimMovesToEnd,
		gametest.KnownNimMovesToEnd{Piles: []uint64{7, 5, 3}, ByConvention: known.Nim753.MovesToEnd})
	for _, k := range known.NimMovesToEnd {
		for convention, want := range map[zermelov1.PlayConvention]int64{positions.Normal: k.Normal, positions.Misere: k.Misere} {
			if got := answer(positions.Nim(convention, k.Piles...)).Distance; got != want {
				t.Errorf("nim %v, %v: %d moves to the end instead of %d", k.Piles, convention, got, want)
			}
		}
	}
	for _, k := range known.CanIWin {
		if k.N <= 10 {
			chosen := make([]uint32, len(k.Chosen))
			for i, integer := range k.Chosen {
				chosen[i] = uint32(integer)
			}
			check(positions.CanIWin(uint32(k.N), uint32(k.Total), chosen...), k.Outcome.Value(), k.BestMoves)
		}
	}
	for n := 1; n <= 9; n++ {
		var lost []int64
		for total := 1; total <= n*(n+1)/2; total++ {
			if answer(positions.CanIWin(uint32(n), uint32(total))).Value == -1 {
				lost = append(lost, int64(total))
			}
		}
		if !slices.Equal(lost, known.CanIWinLosingTotals[n]) {
			t.Errorf("1..%d: the totals %v are lost instead of %v", n, lost, known.CanIWinLosingTotals[n])
		}
	}
	for _, k := range known.Hundred {
		if k.Total <= 1000 {
			check(positions.Hundred(k.N, k.Total, k.Current), k.Outcome.Value(), nil)
		}
	}
	for _, k := range known.Ends {
		if len(k.Scores) <= 12 {
			check(positions.Predict(0, k.Scores...), k.Margin, k.BestMoves)
		}
	}
	for i, cost := range known.Guess.CostOneTo {
		check(positions.Guess(1, uint32(i)+1), cost, known.Guess.FirstGuesses[i+1])
	}
	var sum int64
	for n := uint32(1); n <= 100; n++ {
		sum += answer(positions.Guess(1, n)).Value
	}
	if sum != known.Guess.SumOneTo100 {
		t.Errorf("the costs of 1..1 to 1..100 add up to %d instead of %d", sum, known.Guess.SumOneTo100)
	}
}
