package guess_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/guess"
)

func TestSearchAndTableAgreeWithTheOracleOnAllRangesTo60(t *testing.T) {
	var oracle gametest.Guess
	for high := 1; high <= 60; high++ {
		for low := 1; low <= high; low++ {
			gametest.Against(t, guess.New(uint32(low), uint32(high)), oracle.Solve(low, high))
		}
	}
}

func TestSearchGivesTheKnownCosts(t *testing.T) {
	known := gametest.Known().Guess
	var oracle gametest.Guess
	for i, cost := range known.CostOneTo {
		if answer := oracle.Solve(1, i+1); answer.Value != cost {
			t.Errorf("1..%d costs %d; the oracle says %d", i+1, cost, answer.Value)
		}
	}
	for n, guesses := range known.FirstGuesses {
		gametest.Against(t, guess.New(1, uint32(n)), gametest.Answer{Value: known.CostOneTo[n-1], Best: guesses})
	}
	for _, n := range []int{94, 109, 120} {
		answer := oracle.Solve(1, n)
		if answer.Value != known.More[n] {
			t.Errorf("1..%d costs %d; the oracle says %d", n, known.More[n], answer.Value)
		}
		gametest.Against(t, guess.New(1, uint32(n)), answer)
	}
}
