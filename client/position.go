package client

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// PositionAt makes a whole position, one that can be sent again, out of the notation of an event or of an enumerated
// position. asked is the position that was asked about:
//
//	client.PositionAt(trace.Opening().GetPosition(), event.GetPosition())
//	client.PositionAt(request.GetPosition(), enumerated.GetNotation())
//
// Everything but what the notation says is taken from asked. Two things are worth knowing. In Nim the piles come as
// they are written, largest first, not in the order of asked. In the ends games the row is what is left of the row of
// asked, with `lead` 0: events speak of what is still to come, so the margin of the solution of this position is the
// value of the event.
//
// The text has to be exactly as the service writes it and has to fit asked: as many piles, none larger than play from
// there can leave; integers within 1..n that include those already chosen; a total from the asked to the desired one;
// a range within the asked one. Otherwise the error is a [*NotationError]. [ErrNoGame] when asked has no game. asked
// is neither changed nor shared with the result; it is trusted to be legal.
func PositionAt(asked *zermelov1.Position, notation string) (*zermelov1.Position, error) {
	var (
		position *zermelov1.Position
		game     string
		err      error
	)
	switch asked := asked.GetGame().(type) {
	case *zermelov1.Position_Nim:
		game = "nim"
		position, err = nimAt(asked.Nim, notation)
	case *zermelov1.Position_CanIWin:
		game = "can_i_win"
		position, err = canIWinAt(asked.CanIWin, notation)
	case *zermelov1.Position_HundredGame:
		game = "hundred_game"
		position, err = hundredGameAt(asked.HundredGame, notation)
	case *zermelov1.Position_PredictTheWinner:
		game = "predict_the_winner"
		var row []int64
		if row, err = rowAt(asked.PredictTheWinner.GetScores(), notation); err == nil {
			position = &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
				PredictTheWinner: &zermelov1.PredictTheWinner{Scores: row},
			}}
		}
	case *zermelov1.Position_StoneGame:
		game = "stone_game"
		var row []uint64
		if row, err = rowAt(asked.StoneGame.GetPiles(), notation); err == nil {
			position = &zermelov1.Position{Game: &zermelov1.Position_StoneGame{
				StoneGame: &zermelov1.StoneGame{Piles: row},
			}}
		}
	case *zermelov1.Position_GuessNumber:
		game = "guess_number"
		position, err = guessNumberAt(asked.GuessNumber, notation)
	default:
		return nil, ErrNoGame
	}
	if err != nil {
		return nil, &NotationError{Game: game, Kind: "position", Text: notation, Problem: err.Error()}
	}
	return position, nil
}

// nimAt reads piles, largest first, joined by "-". With both sorted, play can lead from the asked piles to these if
// and only if none is larger than the asked one of the same rank: each pile has to be what is left of another one.
func nimAt(asked *zermelov1.Nim, text string) (*zermelov1.Position, error) {
	most := slices.Clone(asked.GetPiles())
	slices.Sort(most)
	slices.Reverse(most)
	var piles []uint64
	if text != "-" {
		if count := strings.Count(text, "-") + 1; count != len(most) {
			return nil, fmt.Errorf("%d piles, where %d were asked about", count, len(most))
		}
		piles = make([]uint64, 0, len(most))
		for part := range strings.SplitSeq(text, "-") {
			pile, err := parseNumber(part, 0, math.MaxInt64)
			if err != nil {
				return nil, err
			}
			rank := len(piles)
			if rank > 0 && pile > piles[rank-1] {
				return nil, errors.New("the piles are not written largest first")
			}
			if pile > most[rank] {
				return nil, fmt.Errorf("pile %d is larger than play can leave it: %d at most", pile, most[rank])
			}
			piles = append(piles, pile)
		}
	} else if len(most) > 0 {
		return nil, fmt.Errorf("no piles, where %d were asked about", len(most))
	}
	return &zermelov1.Position{Game: &zermelov1.Position_Nim{
		Nim: &zermelov1.Nim{Piles: piles, Convention: asked.GetConvention()},
	}}, nil
}

// canIWinAt reads the chosen integers, ascending, joined by ",".
func canIWinAt(asked *zermelov1.CanIWin, text string) (*zermelov1.Position, error) {
	var chosen []uint32
	if text != "-" {
		for part := range strings.SplitSeq(text, ",") {
			integer, err := parseNumber(part, 1, uint64(asked.GetMaxChoosableInteger()))
			if err != nil {
				return nil, err
			}
			if len(chosen) > 0 && uint32(integer) <= chosen[len(chosen)-1] {
				return nil, errors.New("the integers are not ascending")
			}
			chosen = append(chosen, uint32(integer))
		}
	}
	for _, integer := range asked.GetChosen() {
		if _, found := slices.BinarySearch(chosen, integer); !found {
			return nil, fmt.Errorf("%d is missing, which was chosen before", integer)
		}
	}
	return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: asked.GetMaxChoosableInteger(),
		DesiredTotal:        asked.GetDesiredTotal(),
		Chosen:              chosen,
	}}}, nil
}

// hundredGameAt reads the current total. One above the desired total is written as the desired one, which may
// therefore be less than what was asked.
func hundredGameAt(asked *zermelov1.HundredGame, text string) (*zermelov1.Position, error) {
	least := min(asked.GetCurrentTotal(), asked.GetDesiredTotal())
	total, err := parseNumber(text, least, asked.GetDesiredTotal())
	if err != nil {
		return nil, err
	}
	return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
		MaxChoosableInteger: asked.GetMaxChoosableInteger(),
		DesiredTotal:        asked.GetDesiredTotal(),
		CurrentTotal:        total,
	}}}, nil
}

// rowAt reads the range of indices, half open, that is left of a row.
func rowAt[T int64 | uint64](row []T, text string) ([]T, error) {
	first, end, err := parseRange(text, 0, uint64(len(row)))
	if err != nil {
		return nil, err
	}
	return slices.Clone(row[first:end]), nil
}

// guessNumberAt reads the range of numbers that may be hidden, both ends included.
func guessNumberAt(asked *zermelov1.GuessNumber, text string) (*zermelov1.Position, error) {
	low, high, err := parseRange(text, uint64(asked.GetLow()), uint64(asked.GetHigh()))
	if err != nil {
		return nil, err
	}
	return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
		GuessNumber: &zermelov1.GuessNumber{Low: uint32(low), High: uint32(high)},
	}}, nil
}
