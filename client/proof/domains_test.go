package proof_test

import (
	"iter"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	normal = zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
	misere = zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
)

// Positions of each game.

func nim(convention zermelov1.PlayConvention, piles ...uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_Nim{
		Nim: &zermelov1.Nim{Piles: piles, Convention: convention},
	}}
}

func canIWin(n, total uint32, chosen ...uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: n, DesiredTotal: total, Chosen: chosen,
	}}}
}

func hundredGame(n, desired, current uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
		MaxChoosableInteger: n, DesiredTotal: desired, CurrentTotal: current,
	}}}
}

func predictTheWinner(lead int64, scores ...int64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
		PredictTheWinner: &zermelov1.PredictTheWinner{Scores: scores, Lead: lead},
	}}
}

func stoneGame(lead int64, piles ...uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_StoneGame{
		StoneGame: &zermelov1.StoneGame{Piles: piles, Lead: lead},
	}}
}

func guessNumber(low, high uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
		GuessNumber: &zermelov1.GuessNumber{Low: low, High: high},
	}}
}

// domain is a set of small positions, all of their kind.
type domain struct {
	name      string
	positions iter.Seq[*zermelov1.Position]
}

func domains() []domain {
	return []domain{
		{"nim to 3 piles of 4", allNim(3, 4)},
		{"can_i_win to 6", allCanIWin(6)},
		{"hundred_game to 5, totals to 25", allHundred(5, 25)},
		{"rows to length 4 over -2..3", allEnds(4, -2, 3)},
		{"ranges to 15", allGuess(15)},
	}
}

// allNim is every position of up to so many piles of up to so many stones, in every order, in both conventions.
func allNim(piles, stones int) iter.Seq[*zermelov1.Position] {
	return func(yield func(*zermelov1.Position) bool) {
		for row := range allRows(piles, 0, int64(stones)) {
			given := make([]uint64, 0, len(row))
			for _, pile := range row {
				given = append(given, uint64(pile))
			}
			if !yield(nim(normal, given...)) || !yield(nim(misere, given...)) {
				return
			}
		}
	}
}

// allCanIWin is every position with up to n integers, with every total to one out of reach, and every set of chosen
// integers, also those that a game could not have come to.
func allCanIWin(most uint32) iter.Seq[*zermelov1.Position] {
	return func(yield func(*zermelov1.Position) bool) {
		for n := uint32(1); n <= most; n++ {
			for total := range n*(n+1)/2 + 2 {
				for set := range uint32(1) << n {
					var chosen []uint32
					for integer := uint32(1); integer <= n; integer++ {
						if set>>(integer-1)&1 == 1 {
							chosen = append(chosen, integer)
						}
					}
					if !yield(canIWin(n, total, chosen...)) {
						return
					}
				}
			}
		}
	}
}

// allHundred is every position with n up to mostN and desired totals up to most, and some that went beyond.
func allHundred(mostN, most uint64) iter.Seq[*zermelov1.Position] {
	return func(yield func(*zermelov1.Position) bool) {
		for n := uint64(1); n <= mostN; n++ {
			for desired := uint64(1); desired <= most; desired++ {
				for current := range desired + 2 {
					if !yield(hundredGame(n, desired, current)) {
						return
					}
				}
			}
		}
	}
}

// allRows is every row up to a length of scores from least to most.
func allRows(length int, least, most int64) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		var extend func(row []int64) bool
		extend = func(row []int64) bool {
			if !yield(row) {
				return false
			}
			if len(row) == length {
				return true
			}
			for score := least; score <= most; score++ {
				if !extend(append(row[:len(row):len(row)], score)) {
					return false
				}
			}
			return true
		}
		extend(nil)
	}
}

// allEnds is every such row, and as a stone game where it is one; with a lead that is behind, level or ahead.
func allEnds(length int, least, most int64) iter.Seq[*zermelov1.Position] {
	return func(yield func(*zermelov1.Position) bool) {
		for row := range allRows(length, least, most) {
			lead := int64(len(row)%3) - 1
			if !yield(predictTheWinner(lead, row...)) {
				return
			}
			piles := make([]uint64, 0, len(row))
			for _, score := range row {
				if score > 0 {
					piles = append(piles, uint64(score))
				}
			}
			if len(piles) == len(row) && !yield(stoneGame(-lead, piles...)) {
				return
			}
		}
	}
}

// allGuess is every range up to a number.
func allGuess(most uint32) iter.Seq[*zermelov1.Position] {
	return func(yield func(*zermelov1.Position) bool) {
		for high := uint32(1); high <= most; high++ {
			for low := uint32(1); low <= high; low++ {
				if !yield(guessNumber(low, high)) {
					return
				}
			}
		}
	}
}
