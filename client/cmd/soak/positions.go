package main

import zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"

func nim(piles []uint64, misere bool) *zermelov1.Position {
	convention := zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
	if misere {
		convention = zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
	}
	return &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{Piles: piles, Convention: convention}}}
}

func canIWin(n, total uint32, chosen ...uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: n, DesiredTotal: total, Chosen: chosen,
	}}}
}

func predict(scores []int64, lead int64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
		PredictTheWinner: &zermelov1.PredictTheWinner{Scores: scores, Lead: lead},
	}}
}

func guess(low, high uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{GuessNumber: &zermelov1.GuessNumber{Low: low, High: high}}}
}

// middling is a position whose search has some thousand events, or some hundred thousand.
func (c *caller) middling() *zermelov1.Position {
	r := c.random
	switch r.IntN(4) {
	case 0:
		return nim([]uint64{r.Uint64N(12), r.Uint64N(12), r.Uint64N(12)}, r.IntN(2) == 0)
	case 1:
		n := 10 + r.Uint32N(7)
		return canIWin(n, n+1+r.Uint32N(n*n/2))
	case 2:
		scores := make([]int64, r.IntN(200))
		for i := range scores {
			scores[i] = r.Int64N(2001) - 1000
		}
		return predict(scores, 0)
	default:
		low := 1 + r.Uint32N(1000)
		return guess(low, low+r.Uint32N(60))
	}
}

// large is a position that takes milliseconds to a second.
func (c *caller) large() *zermelov1.Position {
	r := c.random
	switch r.IntN(4) {
	case 0:
		n := 22 + r.Uint32N(7)
		return canIWin(n, n*n/4+r.Uint32N(n*n/4))
	case 1:
		return guess(1, 10_000+r.Uint32N(100_000))
	case 2:
		scores := make([]int64, 10_000+r.IntN(40_000)) // so few that the position after a move is in the answer
		for i := range scores {
			scores[i] = r.Int64N(2001) - 1000
		}
		return predict(scores, 0)
	default:
		n := 18 + r.Uint32N(3)
		return canIWin(n, n*n/4+r.Uint32N(n*n/4))
	}
}
