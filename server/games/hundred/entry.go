package hundred

import (
	"math"
	"math/rand/v2"
	"strconv"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
)

// Entry is the 100 game in the catalogue.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:     "hundred_game",
		Title:    "The 100 game",
		Question: "Who first brings the running total to the desired one, when an integer can be called again?",
		Rules: "Two players in turn add an integer from 1 to n to a running total. Who first brings it to the desired " +
			"total or above wins.",
		PositionNotation: "the running total: 42; one above the desired total is written as the desired total",
		MoveNotation:     "the integer added: 10",
		MoveOrder:        "ascending",
		Objective:        engine.WinLoss,
		Theorem:          zermelov1.Theorem_THEOREM_MODULO,
		Example: &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
			MaxChoosableInteger: 10, DesiredTotal: 100,
		}}},
		Limits: func(catalog.Limits) []*zermelov1.Limit {
			return []*zermelov1.Limit{
				catalog.RankedMovesLimit("position.hundred_game.max_choosable_integer"),
				{Subject: "position.hundred_game.max_choosable_integer", Maximum: math.MaxInt64, Unit: "integers"},
				{Subject: "position.hundred_game.desired_total", Maximum: math.MaxInt64, Unit: "points"},
				{Subject: "position.hundred_game.current_total", Maximum: math.MaxInt64, Unit: "points"},
			}
		},
		Open:    open,
		Oracle:  newOracle,
		Samples: samples,
		Draw:    draw,
	}
}

func open(r *catalog.Request, p *zermelov1.Position) catalog.Instance {
	asked := p.GetHundredGame()
	n, total, current := asked.GetMaxChoosableInteger(), asked.GetDesiredTotal(), asked.GetCurrentTotal()
	if n == 0 || n > math.MaxInt64 {
		r.Invalidf("max_choosable_integer", "is %d; it must be from 1 to 2^63-1 (the classic game has 10)", n)
	}
	if total == 0 || total > math.MaxInt64 {
		r.Invalidf("desired_total", "is %d; it must be from 1 to 2^63-1 (the classic game has 100)", total)
	}
	if current > math.MaxInt64 {
		r.Invalidf("current_total", "is %d; it must be from 0 to 2^63-1", current)
	}
	if r.Failed() {
		return nil
	}
	game := New(n, total, current)
	return catalog.NewInstance(r, catalog.Opened[Position, Move, Position]{
		Game:    game,
		Message: func(p Position, _ int64) *zermelov1.Position { return message(n, total, uint64(p)) },
		Work:    catalog.Work{Ranking: catalog.LineRanking(game.Plies(), game.Choices())},
	})
}

func message(n, total, current uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
		MaxChoosableInteger: n, DesiredTotal: total, CurrentTotal: current,
	}}}
}

// spoken is a position as the oracle has it.
type spoken struct{ n, total, current uint64 }

// newOracle is the 100 game as it is spoken.
func newOracle() func(p *zermelov1.Position) oracle.Answer {
	rules := oracle.Rules[spoken]{
		Moves: func(p spoken) []oracle.Move[spoken] {
			var moves []oracle.Move[spoken]
			for integer := uint64(1); integer <= p.n && p.current < p.total; integer++ {
				next := spoken{n: p.n, total: p.total, current: p.current + integer}
				moves = append(moves, oracle.Move[spoken]{Text: strconv.FormatUint(integer, 10), To: []spoken{next}})
			}
			return moves
		},
		Over:     func(spoken) int64 { return -1 }, // the other player got there
		SoonWins: true,
	}
	return func(p *zermelov1.Position) oracle.Answer {
		asked := p.GetHundredGame()
		return rules.Solve(spoken{asked.GetMaxChoosableInteger(), asked.GetDesiredTotal(), asked.GetCurrentTotal()})
	}
}

// samples are all games to 12 integers and a total of 60, at every running total.
func samples(yield func(*zermelov1.Position) bool) {
	for n := uint64(1); n <= 12; n++ {
		for total := uint64(1); total <= 60; total++ {
			for current := range total + 2 {
				if !yield(message(n, total, current)) {
					return
				}
			}
		}
	}
}

// draw draws up to twenty integers and totals up to 300.
func draw(r *rand.Rand) *zermelov1.Position {
	return message(1+r.Uint64N(20), 1+r.Uint64N(300), r.Uint64N(300))
}
