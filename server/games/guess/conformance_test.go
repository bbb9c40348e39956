package guess_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/guess"
)

// legal lists the numbers of the range.
func legal(p guess.Position) []guess.Move {
	var moves []guess.Move
	for number := p.Low; number <= p.High; number++ {
		moves = append(moves, guess.Move(number))
	}
	return moves
}

func TestConformance(t *testing.T) {
	for _, p := range []guess.Position{
		{1, 1}, {7, 7}, {1, 2}, {8, 10}, {1, 10}, {5, 30}, {guess.MaxHigh, guess.MaxHigh}, {guess.MaxHigh - 20, guess.MaxHigh},
		{1, 100}, // too many to walk
	} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			gametest.Run(t, guess.New(p.Low, p.High), gametest.Options[guess.Position, guess.Move]{Legal: legal})
		})
	}
}

func TestAWrongGuessLeavesTheLowerNumbersOrTheHigherOnes(t *testing.T) {
	g := guess.New(3, 7)
	for _, test := range []struct {
		guess guess.Move
		next  []guess.Position
	}{
		{3, []guess.Position{{4, 7}}},
		{4, []guess.Position{{3, 3}, {5, 7}}},
		{7, []guess.Position{{3, 6}}},
	} {
		for branch, want := range test.next {
			if next, ok := g.After(g.Root(), test.guess, branch); !ok || next != want {
				t.Errorf("3..7, guess %d, branch %d: %v, %t", test.guess, branch, next, ok)
			}
		}
		if next, ok := g.After(g.Root(), test.guess, len(test.next)); ok {
			t.Errorf("3..7, guess %d: one branch more, %v", test.guess, next)
		}
	}
}

func TestReachableOfTheWidestRange(t *testing.T) {
	const w = uint64(guess.MaxHigh)
	if got := guess.New(1, guess.MaxHigh).Reachable(math.MaxUint64); got != w*(w+1)/2 {
		t.Errorf("1..2^31 has %d positions", got)
	}
}
