package main_test

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/games"
)

// TestJudge: a right solution of any game is accepted, and one of another value or without a best move is not.
func TestJudge(t *testing.T) {
	j, random := newJudge(), rand.New(rand.NewPCG(1, 1913))
	all := catalog.New(games.All(), catalog.DefaultLimits())
	for range 500 {
		p := j.Small(random)
		instance, err := all.Open(p, "position")
		if err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		s, err := instance.Solve(t.Context(), 1_000, nil)
		if err != nil || !j.Agrees(p, s) {
			t.Fatalf("%v: %v, %v", p, s, err)
		}
		other := proto.CloneOf(s)
		switch {
		case s.Margin != nil:
			*other.Margin++
		case s.Cost != nil:
			*other.Cost++
		default:
			other.Outcome = s.GetOutcome()%zermelov1.Outcome_OUTCOME_DRAW + 1
		}
		if j.Agrees(p, other) {
			t.Errorf("%v: %v is accepted", p, other)
		}
		if other = proto.CloneOf(s); len(other.GetBestMoves()) > 0 {
			other.BestMoves = other.GetBestMoves()[1:]
			if j.Agrees(p, other) {
				t.Errorf("%v: %v is accepted", p, other)
			}
		}
	}
}

// TestDraw: positions of each size are of several games, and no bad one can be opened.
func TestDraw(t *testing.T) {
	j, random := newJudge(), rand.New(rand.NewPCG(2, 1913))
	all := catalog.New(games.All(), catalog.DefaultLimits())
	for name, test := range map[string]struct {
		draw func(*rand.Rand) *zermelov1.Position
		good bool
	}{
		"small": {j.Small, true}, "middling": {j.Middling, true}, "large": {j.Large, true}, "long": {j.Long, true}, "bad": {j.Bad, false},
	} {
		t.Run(name, func(t *testing.T) {
			drawn := make(map[string]int)
			for range 20 {
				p := test.draw(random)
				drawn[catalog.GameOf(p)]++
				if _, err := all.Open(p, "position"); (err == nil) != test.good {
					t.Errorf("%v: %v", p, err)
				}
			}
			if len(drawn) < 3 {
				t.Errorf("only these are drawn: %v", drawn)
			}
		})
	}
}
