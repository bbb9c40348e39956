package catalog

import (
	"fmt"
	"math"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// How much of a position's time other work takes; see admission.Price. What only one game does, its room knows.
const (
	looksPerPosition  = 4  // looks at a position through a move to it
	rankedPerPosition = 20 // moves ranked by a closed form
)

func (i *instance[P, M, K]) SolvePrice() (admission.Price, error) {
	if i.algorithmFits() {
		return admission.Price{Bytes: i.Work.Bytes, Positions: i.Work.Solving}, nil
	}
	if _, decided := i.decide(0); decided {
		return admission.Price{}, nil
	}
	if i.extent().Exceeds() {
		return admission.Price{}, i.tooLargeToSolve()
	}
	return i.tracePrice(i.extent()), nil
}

func (i *instance[P, M, K]) AnalyzePrice(skipDistance bool) (admission.Price, error) {
	if choices := i.choices(); choices > MaxRankedMoves {
		return admission.Price{}, i.tooManyMoves(choices)
	}
	table := i.Work.Distances
	if !skipDistance && table.Bytes > i.limits.TableBudget() {
		return admission.Price{}, i.refused("", table.Bytes/2, fmt.Sprintf("has at least %d positions, whose distances take %d "+
			"bytes; a memo budget of %d bytes has room for %d; set skip_distance to do without them", i.extent().Positions,
			table.Bytes, i.limits.MemoBudget, i.limits.TableBudget()))
	}
	ranker, ok := i.Game.(engine.Ranker[P, M])
	switch {
	case ok && i.algorithmFits() && ranker.Ranks(!skipDistance):
		if !skipDistance && table.Bytes > 0 {
			return table, nil
		}
		return admission.Price{Bytes: i.Work.Bytes, Positions: i.Work.Ranking}, nil
	case !i.extent().Exceeds():
		return i.tracePrice(i.extent()), nil
	case skipDistance:
		return admission.Price{}, i.tooLargeToSolve()
	default:
		return admission.Price{}, i.overBudget(i.extent(), "has at least %d positions to be searched for the distances; %d surely fit a "+
			"memo budget of %d bytes; set skip_distance to do without them")
	}
}

// tracePrice is that of a search with all remembered. Where not all positions surely fit, it ends at the latest when the
// memo budget is spent: it takes that, and, as far as is known, the work for the positions that fit.
func (i *instance[P, M, K]) tracePrice(extent search.Extent) admission.Price {
	if !extent.Known {
		return admission.Price{Bytes: i.budget(), Positions: math.MaxUint64}
	}
	positions := min(extent.Positions, engine.AddSaturating(extent.Fit, 1))
	looks := engine.MulSaturating(positions, engine.AddSaturating(i.choices(), 1))
	return admission.Price{
		Bytes: min(search.Bytes(i.Game, positions), i.budget()), Positions: looks / looksPerPosition,
	}
}

// explainPrice is that of a trace under a memo policy. It is not refused for its length. What comes after it, when the
// other best moves are looked for, takes no more at the same time.
func (i *instance[P, M, K]) explainPrice(policy zermelov1.MemoPolicy) admission.Price {
	var price admission.Price
	switch policy {
	case zermelov1.MemoPolicy_MEMO_POLICY_NONE:
		price = admission.Price{Bytes: min(search.Bytes(i.Game, 0), i.budget()), Positions: math.MaxUint64}
	case zermelov1.MemoPolicy_MEMO_POLICY_LOSSES:
		price = admission.Price{Bytes: i.tracePrice(i.extent()).Bytes, Positions: math.MaxUint64}
	default:
		price = i.tracePrice(i.extent())
	}
	if i.Game.Objective() == engine.WinLoss && i.algorithmFits() {
		price.Bytes = max(price.Bytes, i.Work.Bytes)
	}
	return price
}

func (i *instance[P, M, K]) budget() uint64 { return uint64(max(i.limits.MemoBudget, 0)) }

// choices is the number of legal moves at the root; 0 where the game does not know.
func (i *instance[P, M, K]) choices() uint64 {
	if sized, ok := i.Game.(engine.Sized); ok {
		return sized.Choices()
	}
	return 0
}

// LineRanking is the work of ranking every move at each position of the main line by a closed form.
func LineRanking(plies, choices uint64) uint64 {
	return engine.MulSaturating(min(plies, MaxMainLine)+1, choices) / rankedPerPosition
}
