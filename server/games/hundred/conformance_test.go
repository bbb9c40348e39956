package hundred_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/hundred"
)

// legal lists 1..n.
func legal(n uint64) func(hundred.Position) []hundred.Move {
	return func(hundred.Position) []hundred.Move {
		moves := make([]hundred.Move, n)
		for i := range moves {
			moves[i] = hundred.Move(i + 1)
		}
		return moves
	}
}

func TestConformance(t *testing.T) {
	for _, test := range []struct{ n, total, current uint64 }{
		{1, 1, 0}, {1, 1, 1}, {1, 1, 9}, {1, 30, 0}, {2, 30, 7}, {10, 100, 0}, {10, 100, 99}, {10, 100, 100}, {50, 20, 0},
		{3, 500, 0},
		{4, 10_000, 0}, {5, math.MaxInt64, math.MaxInt64 - 30}, // the first is too large to walk
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			gametest.Run(t, hundred.New(test.n, test.total, test.current),
				gametest.Options[hundred.Position, hundred.Move]{Legal: legal(test.n)})
		})
	}
}

func TestOvershootingLeadsToTheTotal(t *testing.T) {
	g := hundred.New(math.MaxInt64, math.MaxInt64, math.MaxInt64-2)
	if p, ok := g.After(g.Root(), math.MaxInt64, 0); !ok || p != math.MaxInt64 {
		t.Errorf("2^63-3 and 2^63-1 make %d", p)
	}
	if p := hundred.New(10, 100, 250).Root(); p != 100 {
		t.Errorf("250 of 100 stands as %d", p)
	}
}
