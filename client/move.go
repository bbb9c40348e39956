package client

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Move is what a move does: a [NimMove], an [IntegerMove], an [EndMove] or a [GuessMove]. Moves are comparable with
// ==.
type Move interface {
	// String is the notation of the move, as the service writes it.
	String() string
	// move keeps the list of moves closed, so that a switch over it can be complete.
	move()
}

// NimMove takes stones from one pile. Which of several equal piles makes no difference and is not said.
type NimMove struct {
	// Before is the stones of the pile before the move: from 1 to 2^63-1.
	Before uint64
	// After is the stones that stay: less than Before.
	After uint64
}

// Taken is how many stones the move takes, at least one.
func (m NimMove) Taken() uint64 { return m.Before - m.After }

// String is the pile before and after: "7>6".
func (m NimMove) String() string {
	return strconv.FormatUint(m.Before, 10) + ">" + strconv.FormatUint(m.After, 10)
}

func (NimMove) move() {}

// IntegerMove takes (`can_i_win`) or calls (`hundred_game`) this integer: from 1 to the largest choosable one.
type IntegerMove uint64

// String is the integer: "7".
func (m IntegerMove) String() string { return strconv.FormatUint(uint64(m), 10) }

func (IntegerMove) move() {}

// EndMove takes from one end of the row, in `predict_the_winner` and `stone_game`.
type EndMove uint8

const (
	// Left takes the first of the row.
	Left EndMove = iota + 1
	// Right takes the last of the row.
	Right
)

// String is "L" or "R".
func (m EndMove) String() string {
	switch m {
	case Left:
		return "L"
	case Right:
		return "R"
	default:
		return fmt.Sprintf("EndMove(%d)", uint8(m))
	}
}

func (EndMove) move() {}

// GuessMove guesses this number, in `guess_number`: from 1 to 2^31. When wrong, it costs as much.
type GuessMove uint32

// String is the number: "9".
func (m GuessMove) String() string { return strconv.FormatUint(uint64(m), 10) }

func (GuessMove) move() {}

// ParseMove tells what a move does, out of its notation in an event or a solution. asked is the position that was
// asked about, or any later one of the same play.
//
// The text has to be exactly as the service writes it, and the move has to be possible in play from asked: no pile
// larger than the largest, no integer beyond the largest or, in `can_i_win`, already chosen, no end of an empty row,
// no guess outside the range. Otherwise the error is a [*NotationError]. [ErrNoGame] when asked has no game. The
// empty text, an event without a move, is not a move.
func ParseMove(asked *zermelov1.Position, notation string) (Move, error) {
	var (
		move Move
		game string
		err  error
	)
	switch asked := asked.GetGame().(type) {
	case *zermelov1.Position_Nim:
		game = "nim"
		move, err = parseNimMove(asked.Nim, notation)
	case *zermelov1.Position_CanIWin:
		game = "can_i_win"
		move, err = parseIntegerMove(uint64(asked.CanIWin.GetMaxChoosableInteger()), notation)
		if integer, is := move.(IntegerMove); is && slices.Contains(asked.CanIWin.GetChosen(), uint32(integer)) {
			err = fmt.Errorf("%d was chosen before", integer)
		}
	case *zermelov1.Position_HundredGame:
		game = "hundred_game"
		move, err = parseIntegerMove(asked.HundredGame.GetMaxChoosableInteger(), notation)
	case *zermelov1.Position_PredictTheWinner:
		game = "predict_the_winner"
		move, err = parseEndMove(len(asked.PredictTheWinner.GetScores()), notation)
	case *zermelov1.Position_StoneGame:
		game = "stone_game"
		move, err = parseEndMove(len(asked.StoneGame.GetPiles()), notation)
	case *zermelov1.Position_GuessNumber:
		game = "guess_number"
		move, err = parseGuessMove(asked.GuessNumber, notation)
	default:
		return nil, ErrNoGame
	}
	if err != nil {
		return nil, &NotationError{Game: game, Kind: "move", Text: notation, Problem: err.Error()}
	}
	return move, nil
}

// parseNimMove reads a pile before and after, joined by ">".
func parseNimMove(asked *zermelov1.Nim, text string) (Move, error) {
	left, right, found := strings.Cut(text, ">")
	if !found {
		return nil, errors.New(`there is no ">" between two numbers`)
	}
	before, err := parseNumber(left, 0, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	after, err := parseNumber(right, 0, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	if after >= before {
		return nil, errors.New("the move takes nothing")
	}
	if !slices.ContainsFunc(asked.GetPiles(), func(pile uint64) bool { return pile >= before }) {
		return nil, fmt.Errorf("there is no pile of %d", before)
	}
	return NimMove{Before: before, After: after}, nil
}

// parseIntegerMove reads an integer from 1 to most.
func parseIntegerMove(most uint64, text string) (Move, error) {
	integer, err := parseNumber(text, 1, most)
	if err != nil {
		return nil, err
	}
	return IntegerMove(integer), nil
}

// parseEndMove reads "L" or "R".
func parseEndMove(length int, text string) (Move, error) {
	if length == 0 {
		return nil, errors.New("the row is empty")
	}
	switch text {
	case "L":
		return Left, nil
	case "R":
		return Right, nil
	default:
		return nil, errors.New("a move is L or R")
	}
}

// parseGuessMove reads a number of the range.
func parseGuessMove(asked *zermelov1.GuessNumber, text string) (Move, error) {
	guess, err := parseNumber(text, uint64(asked.GetLow()), uint64(asked.GetHigh()))
	if err != nil {
		return nil, err
	}
	if asked.GetLow() == asked.GetHigh() {
		return nil, errors.New("with one number left there is no move")
	}
	return GuessMove(guess), nil
}
