// Package positions makes positions of the contract for tests, in a line each.
package positions

import zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"

// The conventions of Nim.
const (
	Normal = zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
	Misere = zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
)

// Nim has these piles.
func Nim(convention zermelov1.PlayConvention, piles ...uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{Piles: piles, Convention: convention}}}
}

// CanIWin has the integers 1..n and a total.
func CanIWin(n, total uint32, chosen ...uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: n, DesiredTotal: total, Chosen: chosen,
	}}}
}

// Hundred is the 100 game with the integers 1..n to a total, from a current one.
func Hundred(n, total, current uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
		MaxChoosableInteger: n, DesiredTotal: total, CurrentTotal: current,
	}}}
}

// Predict is a row of Predict the Winner.
func Predict(lead int64, scores ...int64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
		PredictTheWinner: &zermelov1.PredictTheWinner{Scores: scores, Lead: lead},
	}}
}

// Stones is a row of Stone Game.
func Stones(lead int64, piles ...uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_StoneGame{StoneGame: &zermelov1.StoneGame{Piles: piles, Lead: lead}}}
}

// Guess is a number in low..high.
func Guess(low, high uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{GuessNumber: &zermelov1.GuessNumber{Low: low, High: high}}}
}
