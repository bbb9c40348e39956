package nim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
)

// Entry is Nim in the catalogue.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:     "nim",
		Title:    "Nim",
		Question: "Who wins from these piles, in normal or misère play?",
		Rules: "Two players in turn take any number of stones, at least one, from one pile. Normal play: who takes the " +
			"last stone wins. Misère play: who takes the last stone loses.",
		PositionNotation: "piles, largest first, joined by '-', empty ones included: 6-5-3; no piles: -",
		MoveNotation:     "a pile before '>' the pile after: 7>6",
		MoveOrder:        "pile by pile as given, from each taking the most first",
		Objective:        engine.WinLoss,
		Theorem:          zermelov1.Theorem_THEOREM_BOUTON,
		Example: &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{
			Piles: []uint64{7, 5, 3}, Convention: zermelov1.PlayConvention_PLAY_CONVENTION_MISERE,
		}}},
		Limits: func(catalog.Limits) []*zermelov1.Limit {
			return []*zermelov1.Limit{
				{Rpc: "Solve", Subject: "position.nim.piles", Maximum: maxPiles, Unit: "piles"},
				{Rpc: "Analyze", Subject: "position.nim.piles, each size once", Maximum: catalog.MaxRankedMoves, Unit: "stones"},
				{Rpc: "Explain", Subject: "position.nim.piles", Maximum: maxTracePiles, Unit: "piles"},
				{Rpc: "EnumeratePositions", Subject: "position.nim.piles", Maximum: maxTracePiles, Unit: "piles"},
				{Subject: "position.nim.piles[]", Maximum: math.MaxInt64, Unit: "stones"},
			}
		},
		Open:    open,
		Oracle:  newOracle,
		Samples: samples,
		Draw:    draw,
	}
}

// Sizes that are the same on every server.
const (
	maxPiles = 100_000
	// maxTracePiles bounds the positions that are written into events, so that an event, and the opening with the root
	// position, fit well within a frame of 1 MiB.
	maxTracePiles = 10_000
)

// How much of a position's time other work takes; see admission.Price.
const (
	pilesPerPosition = 12 // piles of Bouton's theorem
	pilesPerMove     = 12 // piles looked at for the distance of a move, in the time of ranking one
)

func open(r *catalog.Request, p *zermelov1.Position) catalog.Instance {
	asked := p.GetNim()
	var convention Convention
	switch asked.GetConvention() {
	case zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL:
		convention = Normal
	case zermelov1.PlayConvention_PLAY_CONVENTION_MISERE:
		convention = Misere
	case zermelov1.PlayConvention_PLAY_CONVENTION_UNSPECIFIED:
		r.Invalidf("convention", "is required: PLAY_CONVENTION_NORMAL (who takes the last stone wins) or "+
			"PLAY_CONVENTION_MISERE (who takes it loses)")
	default:
		r.Invalidf("convention", "has the unknown value %d; PLAY_CONVENTION_NORMAL or PLAY_CONVENTION_MISERE would do",
			asked.GetConvention())
	}
	if n := len(asked.GetPiles()); n > maxPiles {
		r.TooLargef("piles", "has %d piles; at most %d are accepted", n, maxPiles)
	}
	for i, pile := range asked.GetPiles() {
		if pile > math.MaxInt64 {
			r.Invalidf(catalog.Element("piles", i), "has %d stones; each pile must be below 2^63", pile)
		}
	}
	if r.Failed() {
		return nil
	}
	game, n := New(asked.GetPiles(), convention), len(asked.GetPiles())
	return catalog.NewInstance(r, catalog.Opened[Position, Move, Key]{
		Game: game,
		Message: func(p Position, _ int64) *zermelov1.Position {
			return &zermelov1.Position{Game: &zermelov1.Position_Nim{
				Nim: &zermelov1.Nim{Piles: p, Convention: asked.GetConvention()},
			}}
		},
		Elements: n,
		Traced:   catalog.TraceLimit{Field: "piles", Most: maxTracePiles},
		Work: catalog.Work{
			Solving: uint64(n) / pilesPerPosition,
			// The distance of a move depends on every other pile.
			Ranking: catalog.LineRanking(game.Plies(), engine.MulSaturating(game.Choices(), uint64(1+n/pilesPerMove))),
		},
	})
}

// spoken is a position as the oracle has it.
type spoken struct {
	misere bool
	piles  []int
}

// newOracle is Nim as it is spoken.
func newOracle() func(p *zermelov1.Position) oracle.Answer {
	rules := oracle.Rules[spoken]{
		Moves: func(p spoken) []oracle.Move[spoken] {
			var moves []oracle.Move[spoken]
			for i, pile := range p.piles {
				for left := range pile {
					if slices.Contains(p.piles[:i], pile) {
						break // equal piles have the same moves
					}
					next := spoken{misere: p.misere, piles: slices.Clone(p.piles)}
					next.piles[i] = left
					moves = append(moves, oracle.Move[spoken]{Text: fmt.Sprintf("%d>%d", pile, left), To: []spoken{next}})
				}
			}
			return moves
		},
		Over: func(p spoken) int64 { // the other player took the last stone
			if p.misere {
				return 1
			}
			return -1
		},
		SoonWins: true,
	}
	return func(p *zermelov1.Position) oracle.Answer {
		s := spoken{misere: p.GetNim().GetConvention() == zermelov1.PlayConvention_PLAY_CONVENTION_MISERE}
		for _, pile := range p.GetNim().GetPiles() {
			s.piles = append(s.piles, int(pile))
		}
		return rules.Solve(s)
	}
}

// message is a request for piles in play of either convention.
func message(misere bool, piles []uint64) *zermelov1.Position {
	convention := zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
	if misere {
		convention = zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
	}
	return &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{Piles: piles, Convention: convention}}}
}

// samples are all sequences of up to four piles of up to six stones, in both conventions.
func samples(yield func(*zermelov1.Position) bool) {
	const most, largest = 4, 6
	var extend func(piles []uint64) bool
	extend = func(piles []uint64) bool {
		if !yield(message(false, piles)) || !yield(message(true, piles)) {
			return false
		}
		for pile := uint64(0); len(piles) < most && pile <= largest; pile++ {
			if !extend(append(piles[:len(piles):len(piles)], pile)) {
				return false
			}
		}
		return true
	}
	extend(nil)
}

// draw draws up to three piles of up to six stones.
func draw(r *rand.Rand) *zermelov1.Position {
	piles := make([]uint64, r.IntN(4))
	for i := range piles {
		piles[i] = r.Uint64N(7)
	}
	return message(r.IntN(2) == 0, piles)
}
