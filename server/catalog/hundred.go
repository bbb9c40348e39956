package catalog

import (
	"math"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/games/hundred"
)

var hundredEntry = entry{
	info: &zermelov1.GameInfo{
		Name:     "hundred_game",
		Title:    "The 100 game",
		Question: "Who first brings the running total to the desired one, when an integer can be called again?",
		Rules: "Two players in turn add an integer from 1 to n to a running total. Who first brings it to the desired " +
			"total or above wins.",
		PositionNotation: "the running total: 42; one above the desired total is written as the desired total",
		MoveNotation:     "the integer added: 10",
		MoveOrder:        "ascending",
		MemoPolicies:     winLossPolicies,
		Example: &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
			MaxChoosableInteger: 10, DesiredTotal: 100,
		}}},
	},
	open: openHundred,
	limits: func(Limits) []*zermelov1.Limit {
		return []*zermelov1.Limit{
			analyzeLimit("position.hundred_game.max_choosable_integer"),
			{Subject: "position.hundred_game.max_choosable_integer", Maximum: math.MaxInt64, Unit: "integers"},
			{Subject: "position.hundred_game.desired_total", Maximum: math.MaxInt64, Unit: "points"},
			{Subject: "position.hundred_game.current_total", Maximum: math.MaxInt64, Unit: "points"},
		}
	},
}

func openHundred(c *checker, p *zermelov1.Position, limits Limits) Instance {
	asked := p.GetHundredGame()
	n, total, current := asked.GetMaxChoosableInteger(), asked.GetDesiredTotal(), asked.GetCurrentTotal()
	if n == 0 || n > math.MaxInt64 {
		c.invalidf("max_choosable_integer", "is %d; it must be from 1 to 2^63-1 (the classic game has 10)", n)
	}
	if total == 0 || total > math.MaxInt64 {
		c.invalidf("desired_total", "is %d; it must be from 1 to 2^63-1 (the classic game has 100)", total)
	}
	if current > math.MaxInt64 {
		c.invalidf("current_total", "is %d; it must be from 0 to 2^63-1", current)
	}
	if c.err() != nil {
		return nil
	}
	game := hundred.New(n, total, current)
	return &instance[hundred.Position, hundred.Move, hundred.Position]{
		path:     c.path,
		game:     game,
		limits:   limits,
		policies: winLossPolicies,
		shortcut: shortcut{ranking: lineRanking(game.Plies(), game.Choices())},
		theorem:  zermelov1.Theorem_THEOREM_MODULO,
		request: func(p hundred.Position, _ int64) *zermelov1.Position {
			return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
				MaxChoosableInteger: n, DesiredTotal: total, CurrentTotal: uint64(p),
			}}}
		},
	}
}
