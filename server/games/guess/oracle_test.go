package guess_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/games/guess"
)

func TestSearchGivesTheKnownCosts(t *testing.T) {
	known := gametest.Known().Guess
	solve := answers()
	for i, cost := range known.CostOneTo {
		if answer := solve(guess.Position{Low: 1, High: uint32(i) + 1}); answer.Value != cost {
			t.Errorf("1..%d costs %d; the oracle says %d", i+1, cost, answer.Value)
		}
	}
	for n, guesses := range known.FirstGuesses {
		gametest.Against(t, guess.New(1, uint32(n)), oracle.Answer{Value: known.CostOneTo[n-1], Best: guesses})
	}
	for _, n := range []int{94, 109, 120} {
		answer := solve(guess.Position{Low: 1, High: uint32(n)})
		if answer.Value != known.More[n] {
			t.Errorf("1..%d costs %d; the oracle says %d", n, known.More[n], answer.Value)
		}
		gametest.Against(t, guess.New(1, uint32(n)), answer)
	}
}
