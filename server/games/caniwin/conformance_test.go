package caniwin_test

import (
	"fmt"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
)

// legal lists the integers from 1 to n that are not chosen, ascending.
func legal(n int) func(p caniwin.Position) []caniwin.Move {
	return func(p caniwin.Position) []caniwin.Move {
		var moves []caniwin.Move
		for i := 1; i <= n; i++ {
			if p>>(i-1)%2 == 0 {
				moves = append(moves, caniwin.Move(i))
			}
		}
		return moves
	}
}

// choose makes a position of integers.
func choose(integers ...int) caniwin.Position {
	var p caniwin.Position
	for _, i := range integers {
		p |= 1 << (i - 1)
	}
	return p
}

func TestConformance(t *testing.T) {
	for _, test := range []struct {
		n      int
		total  int64
		chosen []int
	}{
		{1, 0, nil}, {1, 0, []int{1}}, {1, 1, nil}, {1, 2, nil}, {1, 2, []int{1}}, {3, 4, nil}, {4, 9, nil},
		{5, 12, []int{2, 4}}, {6, 21, nil}, {6, 22, nil}, {7, 15, nil}, {8, 36, nil}, {10, 11, nil}, {10, 40, []int{1, 4}},
		{10, 40, []int{10, 9, 8, 7, 6}}, {10, 200, []int{3}},
		{20, 152, nil}, {64, 300, nil}, {64, 2080, nil}, {64, 1 << 62, nil}, // too many to walk
		{64, 2080, []int{64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40}},
	} {
		t.Run(fmt.Sprint(test.n, test.total, test.chosen), func(t *testing.T) {
			gametest.Run(t, caniwin.New(test.n, test.total, choose(test.chosen...)),
				gametest.Options[caniwin.Position, caniwin.Move]{Legal: legal(test.n)})
		})
	}
}
