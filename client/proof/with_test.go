package proof_test

import (
	"errors"
	"testing"

	"github.com/zermelo-games/zermelo/client/games"
	nimroom "github.com/zermelo-games/zermelo/client/games/nim"
	"github.com/zermelo-games/zermelo/client/proof"
	"github.com/zermelo-games/zermelo/client/rules"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// A checker knows the games that it is given, and no others: here one that takes any number from a heap, of what is
// missing to the total.
func TestWith(t *testing.T) {
	toy := games.List{{
		Game: words.Game{Field: "hundred_game"},
		Rules: func(p *zermelov1.Position) (rules.Game, error) {
			heap := p.GetHundredGame().GetDesiredTotal() - p.GetHundredGame().GetCurrentTotal()
			return nimroom.Rules(nim(normal, heap))
		},
	}}
	root := hundredGame(1, 7, 2)
	event := decision("5", "5>0", win, 0)
	event.Sequence = 1
	verdict, err := proof.Check(root, stream([]*zermelov1.Event{event}), proof.With(toy))
	if err != nil || verdict.Outcome != win || verdict.Move != "5>0" {
		t.Errorf("%v, %v", verdict, err)
	}
	if _, err := proof.Check(root, stream([]*zermelov1.Event{event})); !errors.As(err, new(*proof.WrongError)) {
		t.Errorf("by the rules of the 100 game: %v", err)
	}
	if _, err := proof.NewChecker(nim(normal, 1), proof.With(toy)); !errors.Is(err, proof.ErrPosition) {
		t.Errorf("a game that is not in the list: %v", err)
	}
}
