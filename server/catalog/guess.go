package catalog

import (
	"fmt"
	"sort"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/games/guess"
)

var guessNumberEntry = entry{
	info: &zermelov1.GameInfo{
		Name:     "guess_number",
		Title:    "Guess Number Higher or Lower II",
		Question: "How little money surely finds a hidden number?",
		Rules: "A number is hidden in a range. A wrong guess g costs g and is answered \"higher\" or \"lower\"; the right " +
			"one is free. Asked for is the least money with which the number is surely found. (LeetCode 375)",
		PositionNotation: "the range, both ends included: 8..10",
		MoveNotation:     "the guess: 9",
		MoveOrder:        "ascending",
		MemoPolicies:     valuePolicies,
		Example: &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
			GuessNumber: &zermelov1.GuessNumber{Low: 1, High: 10},
		}},
	},
	open: openGuessNumber,
	limits: func(limits Limits) []*zermelov1.Limit {
		return []*zermelov1.Limit{
			{
				Rpc: "Solve", Subject: "numbers from position.guess_number.low to position.guess_number.high",
				Maximum: widestRow(1, limits), Unit: "numbers",
			},
			analyzeLimit("numbers from position.guess_number.low to position.guess_number.high"),
			{Subject: "position.guess_number.high", Maximum: guess.MaxHigh, Unit: "the number itself"},
		}
	},
}

func openGuessNumber(c *checker, p *zermelov1.Position, limits Limits) Instance {
	low, high := p.GetGuessNumber().GetLow(), p.GetGuessNumber().GetHigh()
	switch {
	case low == 0:
		c.invalidf("low", "is 0 or not set; it must be from 1 to `high`")
	case low > high:
		c.invalidf("low", "is %d, which is above `high`, %d; it must be from 1 to `high`", low, high)
	}
	if high > guess.MaxHigh {
		c.tooLargef("high", "is %d; at most 2^31 = %d is accepted", high, uint32(guess.MaxHigh))
	}
	if c.err() != nil {
		return nil
	}
	game, width := guess.New(low, high), uint64(high-low)+1
	return &instance[guess.Position, guess.Move, guess.Position]{
		path:     c.path,
		game:     game,
		limits:   limits,
		policies: valuePolicies,
		shortcut: shortcut{
			bytes:     guess.RowBytes(low, high),
			solving:   width / costsPerPosition,
			ranking:   width * rankedPositions,
			distances: Price{Bytes: guess.DistanceBytes(low, high), Positions: width * width / 2 / rangesPerPosition},
			field:     "high",
			asked:     fmt.Sprintf("is %d, which makes a range of %d numbers", high, width),
			fits:      fmt.Sprintf("at most %d from %d on", widestRow(low, limits), low),
		},
		request: func(p guess.Position, _ int64) *zermelov1.Position {
			return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
				GuessNumber: &zermelov1.GuessNumber{Low: p.Low, High: p.High},
			}}
		},
	}
}

// widestRow is how many numbers from low on Solve accepts: those whose row fits.
func widestRow(low uint32, limits Limits) int64 {
	return int64(sort.Search(guess.MaxRowWidth, func(more int) bool {
		return guess.RowBytes(low, low+uint32(more)) > limits.tableBudget()
	}))
}
