package catalog

import (
	"math"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// Price bounds what a call takes, as far as that is known before it starts.
type Price struct {
	// Bytes is the memory for memo, stack and table.
	Bytes uint64
	// Positions estimates the work, in positions of a search: about half a microsecond each.
	Positions uint64
}

// Then is the price of two calls, one after the other.
func (p Price) Then(q Price) Price {
	return Price{Bytes: max(p.Bytes, q.Bytes), Positions: engine.AddSaturating(p.Positions, q.Positions)}
}

// How much of a position's time other work takes; see Price.
const (
	looksPerPosition  = 4     // looks at a position through a move to it
	rankedPerPosition = 20    // moves ranked by a closed form
	pilesPerMove      = 12    // piles looked at for the distance of a move, in the time of ranking one
	pilesPerPosition  = 12    // piles of Bouton's theorem
	scoresPerPosition = 50    // scores fused
	costsPerPosition  = 5     // ends of ranges, in a row of the guessing game
	rankedPositions   = 8     // positions in the time of ranking one guess by rows, and of what it is on the main line
	rangesPerPosition = 50    // ranges of the guessing game, with their distances
	wordsPerPosition  = 1_400 // words of a table, times the integers that number it
)

func (i *instance[P, M, K]) SolvePrice() Price {
	if !i.shortcutFits() {
		return i.searchPrice()
	}
	return Price{Bytes: i.shortcut.bytes, Positions: i.shortcut.solving}
}

func (i *instance[P, M, K]) AnalyzePrice(skipDistance bool) Price {
	ranker, ok := i.game.(engine.Ranker[P, M])
	if !ok || !i.shortcutFits() || !ranker.Ranks(!skipDistance) {
		return i.searchPrice()
	}
	switch table := i.shortcut.distances; {
	case skipDistance || table.Bytes == 0:
		return Price{Bytes: i.shortcut.bytes, Positions: i.shortcut.ranking}
	case table.Bytes > i.limits.tableBudget():
		return Price{} // refused
	default:
		return table
	}
}

// shortcutFits reports whether a closed form or a kernel is what is tried first.
func (i *instance[P, M, K]) shortcutFits() bool {
	_, kernel := i.game.(engine.Kernel[M])
	_, theorem := i.game.(engine.ClosedForm[M])
	return (kernel || theorem) && i.shortcut.bytes <= i.limits.tableBudget()
}

// searchPrice is that of a search of the whole game: nothing where it is refused, because it would not fit the memo
// budget.
func (i *instance[P, M, K]) searchPrice() Price {
	price := i.unboundedPrice(i.game.Reachable())
	if price.Bytes > uint64(max(i.limits.MemoBudget, 0)) {
		return Price{}
	}
	return price
}

// unboundedPrice is that of a search that remembers so many positions, whatever the memo budget is.
func (i *instance[P, M, K]) unboundedPrice(positions uint64) Price {
	looks := engine.MulSaturating(positions, engine.AddSaturating(i.game.Choices(), 1))
	return Price{Bytes: search.Bytes(i.game, positions), Positions: looks / looksPerPosition}
}

// tracePrice is that of a search that is not refused for its length: it ends when the budget is spent. What comes after
// it, when the other best moves are looked for, takes no more at the same time.
func (i *instance[P, M, K]) tracePrice(policy zermelov1.MemoPolicy) Price {
	price := i.unboundedPrice(i.game.Reachable())
	switch policy {
	case zermelov1.MemoPolicy_MEMO_POLICY_NONE:
		price = Price{Bytes: search.Bytes(i.game, 0), Positions: math.MaxUint64}
	case zermelov1.MemoPolicy_MEMO_POLICY_LOSSES:
		price.Positions = math.MaxUint64
	default:
	}
	price.Bytes = min(price.Bytes, uint64(max(i.limits.MemoBudget, 0)))
	if i.game.Objective() == engine.WinLoss && i.shortcutFits() {
		price.Bytes = max(price.Bytes, i.shortcut.bytes)
	}
	return price
}

// lineRanking is the work of ranking every move at each position of the main line by a closed form.
func lineRanking(plies, choices uint64) uint64 {
	return engine.MulSaturating(min(plies, maxMainLine)+1, choices) / rankedPerPosition
}
