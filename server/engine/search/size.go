package search

import (
	"math"
	"unsafe"

	"github.com/zermelo-games/zermelo/server/engine"
)

// FitPositions is how many positions of a game a search with this budget surely remembers, also with the deepest stack
// that the game can need; none where the game is not an engine.Sized.
func FitPositions[P, M any, K comparable](game engine.Game[P, M, K], budget int64) uint64 {
	s := sizesOf(game)
	if s.arrayFits(budget) {
		return s.indexes
	}
	fixed := engine.AddSaturating(s.stack, s.first)
	if fixed >= uint64(max(budget, 0)) {
		return 0
	}
	return (uint64(budget) - fixed) / s.each
}

// Extent is how much of a game there is for a search of the whole of it to remember.
type Extent struct {
	// Positions is how many positions there are where that is at most Fit; otherwise it is from Fit+1 to the true number,
	// or, when not even that is Known, nothing.
	Positions uint64
	// Fit is how many surely fit the budget; see FitPositions.
	Fit uint64
	// Known says whether the game can tell how large it is: it is an engine.Sized.
	Known bool
}

// Measure counts a game's positions as far as a budget makes it worth while. It takes as long as engine.Sized says.
func Measure[P, M any, K comparable](game engine.Game[P, M, K], budget int64) Extent {
	sized, ok := game.(engine.Sized)
	if !ok {
		return Extent{}
	}
	fit := FitPositions(game, budget)
	return Extent{Positions: sized.Reachable(engine.AddSaturating(fit, 1)), Fit: fit, Known: true}
}

// Fits reports whether a search of the whole game surely fits the budget.
func (e Extent) Fits() bool { return e.Known && e.Positions <= e.Fit }

// Exceeds reports whether it may not, and is known to be so large.
func (e Extent) Exceeds() bool { return e.Known && e.Positions > e.Fit }

// Bytes is what a search that remembers this many positions of a game takes at most; 2^64-1 when that or more.
func Bytes[P, M any, K comparable](game engine.Game[P, M, K], positions uint64) uint64 {
	s := sizesOf(game)
	memo := engine.AddSaturating(s.first, engine.MulSaturating(positions, s.each))
	if s.indexes > 0 {
		pages := min(s.pages, positions)
		memo = max(memo, s.pages*pointerBytes+pages*pageBytes+(positions+listChunk)*decisionBytes)
	}
	return engine.AddSaturating(s.stack, memo)
}

// sizes bounds what a search of a game takes, in bytes unless said.
type sizes struct {
	// stack is what the deepest stack takes.
	stack uint64
	// first is what a table takes in any case, each what it takes for each position.
	first, each uint64
	// indexes is how many an array has, pages how many pages; 0 where a table is as good.
	indexes, pages uint64
}

func sizesOf[P, M any, K comparable](game engine.Game[P, M, K]) sizes {
	bulk := engine.BulkOf(game)
	slotBytes := uint64(unsafe.Sizeof(slot[K]{}))
	plies := uint64(math.MaxUint64)
	sized, isSized := game.(engine.Sized)
	if isSized {
		plies = sized.Plies()
	}
	frames := engine.AddSaturating(plies, 2*stackChunk)
	s := sizes{
		stack: engine.MulSaturating(frames, uint64(unsafe.Sizeof(frame[P, M]{}))+uint64(bulk.PositionBytes)),
		first: tableSegments * tableFirstSlots * slotBytes,
		// A segment that has just doubled is three eighths full, which makes 2.7 slots a position; and while one of them
		// doubles, it is there twice.
		each: 3*slotBytes + uint64(bulk.KeyBytes),
	}
	if game.Objective() != engine.WinLoss {
		s.first += listChunk * decisionBytes
		s.each += decisionBytes
	}
	indexed, isIndexed := game.(engine.Indexed[P, M])
	if !isSized || !isIndexed || indexed.Indexes() > mostIndexes {
		return s
	}
	// With enough positions a table may take as much, even when all decisions stand in the array's list.
	indexes := indexed.Indexes()
	pages := (indexes + pageWords - 1) / pageWords
	array := pages * (pageBytes + pointerBytes)
	enough := (max(array, s.first) - s.first) / (s.each - decisionBytes)
	if sized.Reachable(enough) >= enough {
		s.indexes, s.pages = indexes, pages
	}
	return s
}

// arrayFits reports whether there is an array, and room for all of it and the deepest stack.
func (s sizes) arrayFits(budget int64) bool {
	array := s.pages*(pageBytes+pointerBytes) + (s.indexes+listChunk)*decisionBytes
	return s.indexes > 0 && engine.AddSaturating(s.stack, array) <= uint64(max(budget, 0))
}
