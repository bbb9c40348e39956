package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

func TestMovesRangesOverTheLegalMovesAndMayBeLeft(t *testing.T) {
	end := []string{"end"}
	g := &gametest.Graph{
		Values: engine.WinLoss, Start: "top", Ends: map[string]int64{"end": engine.Loss},
		Moves: map[string][]gametest.Edge{"top": {{Text: "a", To: end}, {Text: "b", To: end}, {Text: "c", To: end}}},
	}
	for most, want := range map[int]string{1: "a", 2: "ab", 9: "abc"} {
		got := ""
		for m := range engine.Moves(g, "top") {
			if got += m.Text; len(got) == most {
				break
			}
		}
		if got != want {
			t.Errorf("the moves, left after %d, are %s", most, got)
		}
	}
	for m := range engine.Moves(g, "end") {
		t.Errorf("the move %s where the game is over", m.Text)
	}
}

func TestABudgetErrorIsOfItsClass(t *testing.T) {
	err := fmt.Errorf("solving: %w", &engine.BudgetError{Budget: 1 << 20, Expanded: 77})
	if !errors.Is(err, engine.ErrMemoBudget) || errors.Is(err, engine.ErrNoAlgorithm) {
		t.Errorf("the class of %v", err)
	}
	if got := err.Error(); got != "solving: the memo budget of 1048576 bytes was spent after 77 positions" {
		t.Error(got)
	}
}
