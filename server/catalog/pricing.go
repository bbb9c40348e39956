package catalog

import (
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

func (i *instance[P, M, K]) SolvePrice() admission.Price {
	if !i.algorithmFits() {
		return i.searchPrice()
	}
	return admission.Price{Bytes: i.Work.Bytes, Positions: i.Work.Solving}
}

func (i *instance[P, M, K]) AnalyzePrice(skipDistance bool) admission.Price {
	ranker, ok := i.Game.(engine.Ranker[P, M])
	if !ok || !i.algorithmFits() || !ranker.Ranks(!skipDistance) {
		return i.searchPrice()
	}
	switch table := i.Work.Distances; {
	case skipDistance || table.Bytes == 0:
		return admission.Price{Bytes: i.Work.Bytes, Positions: i.Work.Ranking}
	case table.Bytes > i.limits.TableBudget():
		return admission.Price{} // refused
	default:
		return table
	}
}

// searchPrice is that of a search of the whole game: nothing where it is refused, because it would not fit the memo
// budget.
func (i *instance[P, M, K]) searchPrice() admission.Price {
	if i.extent().Exceeds() {
		return admission.Price{}
	}
	return i.tracePrice(i.extent())
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
