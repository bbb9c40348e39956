package main

import (
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// middling is a position whose search has some thousand events, or some hundred thousand.
func (c *caller) middling() *zermelov1.Position {
	r := c.random
	switch r.IntN(4) {
	case 0:
		return positions.Nim(positions.Normal+zermelov1.PlayConvention(r.IntN(2)), r.Uint64N(12), r.Uint64N(12), r.Uint64N(12))
	case 1:
		n := 10 + r.Uint32N(7)
		return positions.CanIWin(n, n+1+r.Uint32N(n*n/2))
	case 2:
		scores := make([]int64, r.IntN(200))
		for i := range scores {
			scores[i] = r.Int64N(2001) - 1000
		}
		return positions.Predict(0, scores...)
	default:
		low := 1 + r.Uint32N(1000)
		return positions.Guess(low, low+r.Uint32N(60))
	}
}

// large is a position that takes milliseconds to a second.
func (c *caller) large() *zermelov1.Position {
	r := c.random
	switch r.IntN(4) {
	case 0:
		n := 22 + r.Uint32N(7)
		return positions.CanIWin(n, n*n/4+r.Uint32N(n*n/4))
	case 1:
		return positions.Guess(1, 10_000+r.Uint32N(100_000))
	case 2:
		scores := make([]int64, 10_000+r.IntN(40_000)) // so few that the position after a move is in the answer
		for i := range scores {
			scores[i] = r.Int64N(2001) - 1000
		}
		return positions.Predict(0, scores...)
	default:
		n := 18 + r.Uint32N(3)
		return positions.CanIWin(n, n*n/4+r.Uint32N(n*n/4))
	}
}
