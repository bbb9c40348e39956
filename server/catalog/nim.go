package catalog

import (
	"math"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

var nimEntry = entry{
	info: &zermelov1.GameInfo{
		Name:     "nim",
		Title:    "Nim",
		Question: "Who wins from these piles, in normal or misère play?",
		Rules: "Two players in turn take any number of stones, at least one, from one pile. Normal play: who takes the " +
			"last stone wins. Misère play: who takes the last stone loses.",
		PositionNotation: "piles, largest first, joined by '-', empty ones included: 6-5-3; no piles: -",
		MoveNotation:     "a pile before '>' the pile after: 7>6",
		MoveOrder:        "pile by pile as given, from each taking the most first",
		MemoPolicies:     winLossPolicies,
		Example: &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{
			Piles: []uint64{7, 5, 3}, Convention: zermelov1.PlayConvention_PLAY_CONVENTION_MISERE,
		}}},
	},
	open: openNim,
	limits: func(Limits) []*zermelov1.Limit {
		return []*zermelov1.Limit{
			{Rpc: "Solve", Subject: "position.nim.piles", Maximum: maxPiles, Unit: "piles"},
			{Rpc: "Analyze", Subject: "position.nim.piles, each size once", Maximum: maxRankedMoves, Unit: "stones"},
			{Rpc: "Explain", Subject: "position.nim.piles", Maximum: maxTracePiles, Unit: "piles"},
			{Rpc: "EnumeratePositions", Subject: "position.nim.piles", Maximum: maxTracePiles, Unit: "piles"},
			{Subject: "position.nim.piles[]", Maximum: math.MaxInt64, Unit: "stones"},
		}
	},
}

func openNim(c *checker, p *zermelov1.Position, limits Limits) Instance {
	asked := p.GetNim()
	var convention nim.Convention
	switch asked.GetConvention() {
	case zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL:
		convention = nim.Normal
	case zermelov1.PlayConvention_PLAY_CONVENTION_MISERE:
		convention = nim.Misere
	case zermelov1.PlayConvention_PLAY_CONVENTION_UNSPECIFIED:
		c.invalidf("convention", "is required: PLAY_CONVENTION_NORMAL (who takes the last stone wins) or "+
			"PLAY_CONVENTION_MISERE (who takes it loses)")
	default:
		c.invalidf("convention", "has the unknown value %d; PLAY_CONVENTION_NORMAL or PLAY_CONVENTION_MISERE would do",
			asked.GetConvention())
	}
	if n := len(asked.GetPiles()); n > maxPiles {
		c.tooLargef("piles", "has %d piles; at most %d are accepted", n, maxPiles)
	}
	for i, pile := range asked.GetPiles() {
		if pile > math.MaxInt64 {
			c.invalidf(Element("piles", i), "has %d stones; each pile must be below 2^63", pile)
		}
	}
	if c.err() != nil {
		return nil
	}
	game := nim.New(asked.GetPiles(), convention)
	return &instance[nim.Position, nim.Move, nim.Key]{
		path: c.path,
		game: game,
		shortcut: shortcut{
			solving: uint64(len(asked.GetPiles())) / pilesPerPosition,
			// The distance of a move depends on every other pile.
			ranking: lineRanking(game.Plies(), engine.MulSaturating(game.Choices(), uint64(1+len(asked.GetPiles())/pilesPerMove))),
		},
		limits:   limits,
		policies: winLossPolicies,
		theorem:  zermelov1.Theorem_THEOREM_BOUTON,
		trace:    sizeBound{field: "piles", size: len(asked.GetPiles()), most: maxTracePiles, unit: "piles"},
		request: func(p nim.Position, _ int64) *zermelov1.Position {
			return &zermelov1.Position{Game: &zermelov1.Position_Nim{
				Nim: &zermelov1.Nim{Piles: p, Convention: asked.GetConvention()},
			}}
		},
	}
}
