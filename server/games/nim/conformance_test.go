package nim_test

import (
	"fmt"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

var conventions = map[string]nim.Convention{"normal": nim.Normal, "misere": nim.Misere}

// legal lists the moves pile by pile as given, taking most first.
func legal(p nim.Position) []nim.Move {
	var moves []nim.Move
	for i, pile := range p {
		for left := range pile {
			moves = append(moves, nim.Move{Pile: i, Before: pile, After: left})
		}
	}
	return moves
}

// identity tells moves apart by pile and remainder: equal piles are walked one after the other.
func identity(m nim.Move) string { return fmt.Sprintf("pile %d to %d", m.Pile, m.After) }

func TestConformance(t *testing.T) {
	options := gametest.Options[nim.Position, nim.Move]{Legal: legal, Identity: identity}
	for name, convention := range conventions {
		for _, piles := range [][]uint64{
			nil, {}, {0}, {0, 0}, {1}, {3}, {0, 2, 0}, {1, 1, 1, 1}, {2, 2}, {3, 5}, {5, 3}, {2, 1, 2}, {7, 5, 3}, {3, 3, 3},
			{1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
		} {
			t.Run(fmt.Sprintf("%s%v", name, piles), func(t *testing.T) {
				gametest.Run(t, nim.New(piles, convention), options)
			})
		}
	}
	t.Run("too many to walk", func(t *testing.T) {
		gametest.Run(t, nim.New([]uint64{40, 30, 50}, nim.Normal), options)
		gametest.Run(t, nim.New([]uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, nim.Misere), options)
	})
	t.Run("two bytes a pile in the key", func(t *testing.T) {
		gametest.Run(t, nim.New([]uint64{1, 256}, nim.Misere), options)
	})
}
