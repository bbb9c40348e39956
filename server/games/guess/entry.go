package guess

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strconv"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
)

// Entry is Guess Number in the catalogue.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:     "guess_number",
		Title:    "Guess Number Higher or Lower II",
		Question: "How little money surely finds a hidden number?",
		Rules: "A number is hidden in a range. A wrong guess g costs g and is answered \"higher\" or \"lower\"; the right " +
			"one is free. Asked for is the least money with which the number is surely found. (LeetCode 375)",
		PositionNotation: "the range, both ends included: 8..10",
		MoveNotation:     "the guess: 9",
		MoveOrder:        "ascending",
		Objective:        engine.Cost,
		Example: &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
			GuessNumber: &zermelov1.GuessNumber{Low: 1, High: 10},
		}},
		Limits: func(limits catalog.Limits) []*zermelov1.Limit {
			return []*zermelov1.Limit{
				{
					Rpc: "Solve", Subject: "numbers from position.guess_number.low to position.guess_number.high",
					Maximum: widestRow(1, limits), Unit: "numbers",
				},
				catalog.RankedMovesLimit("numbers from position.guess_number.low to position.guess_number.high"),
				{Subject: "position.guess_number.high", Maximum: MaxHigh, Unit: "the number itself"},
			}
		},
		Open:    open,
		Oracle:  newOracle,
		Samples: samples,
		Draw:    draw,
	}
}

// How much of a position's time other work takes; see admission.Price.
const (
	costsPerPosition  = 5  // ends of ranges, in a row
	rankedPositions   = 8  // positions in the time of ranking one guess by rows, and of what it is on the main line
	rangesPerPosition = 50 // ranges with their distances
)

func open(r *catalog.Request, p *zermelov1.Position) catalog.Instance {
	low, high := p.GetGuessNumber().GetLow(), p.GetGuessNumber().GetHigh()
	switch {
	case low == 0:
		r.Invalidf("low", "is 0 or not set; it must be from 1 to `high`")
	case low > high:
		r.Invalidf("low", "is %d, which is above `high`, %d; it must be from 1 to `high`", low, high)
	}
	if high > MaxHigh {
		r.TooLargef("high", "is %d; at most 2^31 = %d is accepted", high, uint32(MaxHigh))
	}
	if r.Failed() {
		return nil
	}
	game, width := New(low, high), uint64(high-low)+1
	return catalog.NewInstance(r, catalog.Opened[Position, Move, Position]{
		Game:    game,
		Message: func(p Position, _ int64) *zermelov1.Position { return message(p.Low, p.High) },
		Work: catalog.Work{
			Bytes:     RowBytes(low, high),
			Solving:   width / costsPerPosition,
			Ranking:   width * rankedPositions,
			Distances: admission.Price{Bytes: DistanceBytes(low, high), Positions: width * width / 2 / rangesPerPosition},
			Refusal: func() catalog.Refusal {
				return catalog.Refusal{
					Field: "high",
					Asked: fmt.Sprintf("is %d, which makes a range of %d numbers", high, width),
					Fits:  fmt.Sprintf("at most %d from %d on", widestRow(low, r.Limits), low),
				}
			},
		},
	})
}

func message(low, high uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{GuessNumber: &zermelov1.GuessNumber{Low: low, High: high}}}
}

// widestRow is how many numbers from low on Solve accepts: those whose row fits.
func widestRow(low uint32, limits catalog.Limits) int64 {
	return int64(sort.Search(MaxRowWidth, func(more int) bool {
		return RowBytes(low, low+uint32(more)) > limits.TableBudget()
	}))
}

// newOracle is the game as it is spoken.
func newOracle() func(p *zermelov1.Position) oracle.Answer {
	type numbers struct{ low, high int }
	rules := oracle.Rules[numbers]{
		OnePlayer: true,
		Moves: func(p numbers) []oracle.Move[numbers] {
			var moves []oracle.Move[numbers]
			for guess := p.low; guess <= p.high && p.low < p.high; guess++ {
				m := oracle.Move[numbers]{Text: strconv.Itoa(guess), Gain: int64(guess)}
				if guess > p.low {
					m.To = append(m.To, numbers{p.low, guess - 1})
				}
				if guess < p.high {
					m.To = append(m.To, numbers{guess + 1, p.high})
				}
				moves = append(moves, m)
			}
			return moves
		},
		Over: func(numbers) int64 { return 0 }, // no number to pay for
	}
	return func(p *zermelov1.Position) oracle.Answer {
		return rules.Solve(numbers{int(p.GetGuessNumber().GetLow()), int(p.GetGuessNumber().GetHigh())})
	}
}

// samples are all ranges to 60.
func samples(yield func(*zermelov1.Position) bool) {
	for low := uint32(1); low <= 60; low++ {
		for high := low; high <= 60; high++ {
			if !yield(message(low, high)) {
				return
			}
		}
	}
}

// draw draws up to forty numbers from a thousand on at most.
func draw(r *rand.Rand) *zermelov1.Position {
	low := 1 + r.Uint32N(1000)
	return message(low, low+r.Uint32N(40))
}
