package caniwin

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
)

// Entry is Can I Win in the catalogue.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:     "can_i_win",
		Title:    "Can I Win",
		Question: "Who first brings the sum to the total, when each integer can be taken once?",
		Rules: "Two players in turn take an integer from 1 to n that neither has taken. Who first brings the sum of all " +
			"taken integers to the total or above wins. When none is left before that, it is a draw. (LeetCode 464)",
		PositionNotation: "chosen integers ascending, joined by ',': 1,4; none: -",
		MoveNotation:     "the integer taken: 7",
		MoveOrder:        "ascending",
		Objective:        engine.WinLoss,
		Theorem:          zermelov1.Theorem_THEOREM_OUT_OF_REACH,
		Example: &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
			MaxChoosableInteger: 10, DesiredTotal: 11,
		}}},
		Limits: func(limits catalog.Limits) []*zermelov1.Limit {
			return []*zermelov1.Limit{
				{
					Rpc: "Solve", Subject: "integers not in position.can_i_win.chosen, where no shortcut decides",
					Maximum: int64(mostFree(limits)), Unit: "integers",
				},
				{Subject: "position.can_i_win.max_choosable_integer", Maximum: MaxInteger, Unit: "integers"},
			}
		},
		Open:    open,
		Oracle:  newOracle,
		Samples: samples,
		Draw:    draw,
	}
}

// wordsPerPosition is how many words of a table, times the integers that number it, take a position's time; see
// admission.Price.
const wordsPerPosition = 1_400

func open(r *catalog.Request, p *zermelov1.Position) catalog.Instance {
	asked := p.GetCanIWin()
	n := asked.GetMaxChoosableInteger()
	switch {
	case n == 0:
		r.Invalidf("max_choosable_integer", "is 0 or not set; it must be from 1 to %d", MaxInteger)
		return nil
	case n > MaxInteger:
		r.TooLargef("max_choosable_integer", "is %d; at most %d is accepted", n, MaxInteger)
		return nil
	}
	var chosen Position
	for i, integer := range asked.GetChosen() {
		if integer == 0 || integer > n {
			r.Invalidf(catalog.Element("chosen", i), "is %d; it must be from 1 to max_choosable_integer, %d", integer, n)
			continue
		}
		with := chosen.With(Move(integer))
		if with == chosen {
			r.Invalidf(catalog.Element("chosen", i), "is %d, which was chosen before; each integer can be chosen once", integer)
		}
		chosen = with
	}
	if r.Failed() {
		return nil
	}
	game := New(int(n), int64(asked.GetDesiredTotal()), chosen)
	filling := engine.MulSaturating(game.TableBytes()/8, game.Plies()) / wordsPerPosition
	return catalog.NewInstance(r, catalog.Opened[Position, Move, Position]{
		Game: game,
		Message: func(p Position, _ int64) *zermelov1.Position {
			return message(n, asked.GetDesiredTotal(), p.Chosen())
		},
		Elements: int(n),
		Work: catalog.Work{
			Bytes:   game.TableBytes(),
			Solving: filling,
			Ranking: filling,
			Refusal: func() catalog.Refusal {
				return catalog.Refusal{
					Field: "max_choosable_integer",
					Asked: fmt.Sprintf("is %d, which leaves %d integers to choose from", n, int(n)-len(asked.GetChosen())),
					Fits:  fmt.Sprintf("at most %d", mostFree(r.Limits)),
				}
			},
		},
	})
}

func message(n, total uint32, chosen []uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: n, DesiredTotal: total, Chosen: chosen,
	}}}
}

// mostFree is how many integers may be left to choose from for their table to fit.
func mostFree(limits catalog.Limits) int {
	free := 0
	for free < MaxFree && TableBytes(free+1) <= limits.TableBudget() {
		free++
	}
	return free
}

// spoken is a position as the oracle has it.
type spoken struct {
	n, total int
	chosen   []int // ascending
}

// newOracle is Can I Win as it is spoken.
func newOracle() func(p *zermelov1.Position) oracle.Answer {
	sum := func(p spoken) int {
		sum := 0
		for _, integer := range p.chosen {
			sum += integer
		}
		return sum
	}
	rules := oracle.Rules[spoken]{
		Moves: func(p spoken) []oracle.Move[spoken] {
			var moves []oracle.Move[spoken]
			for integer := 1; integer <= p.n && sum(p) < p.total; integer++ {
				if !slices.Contains(p.chosen, integer) {
					next := spoken{n: p.n, total: p.total, chosen: append(slices.Clone(p.chosen), integer)}
					slices.Sort(next.chosen)
					moves = append(moves, oracle.Move[spoken]{Text: strconv.Itoa(integer), To: []spoken{next}})
				}
			}
			return moves
		},
		Over: func(p spoken) int64 {
			switch {
			case p.total == 0 && len(p.chosen) == 0: // nobody has moved, and the total is there: the sources call that won
				return 1
			case sum(p) >= p.total: // the other player got there
				return -1
			default: // nobody could
				return 0
			}
		},
		SoonWins: true,
	}
	return func(p *zermelov1.Position) oracle.Answer {
		s := spoken{n: int(p.GetCanIWin().GetMaxChoosableInteger()), total: int(p.GetCanIWin().GetDesiredTotal())}
		for _, integer := range p.GetCanIWin().GetChosen() {
			s.chosen = append(s.chosen, int(integer))
		}
		slices.Sort(s.chosen)
		return rules.Solve(s)
	}
}

// samples are all sets of up to eight integers, reachable or not, with every total: a request may name any.
func samples(yield func(*zermelov1.Position) bool) {
	for n := uint32(1); n <= 8; n++ {
		for total := range n*(n+1)/2 + 3 {
			for set := range Position(1) << n {
				if !yield(message(n, total, set.Chosen())) {
					return
				}
			}
		}
	}
}

// draw draws up to nine integers, of which a few are chosen, and a total in reach or nearly.
func draw(r *rand.Rand) *zermelov1.Position {
	n := 1 + r.Uint32N(9)
	var chosen []uint32
	for integer := range n {
		if r.IntN(5) == 0 {
			chosen = append(chosen, integer+1)
		}
	}
	return message(n, r.Uint32N(n*(n+1)/2+3), chosen)
}
