package search

import (
	"math"
	"unsafe"

	"github.com/zermelo-games/zermelo/server/engine"
)

// FitPositions is how many positions of a game a search with this budget surely remembers, also with the deepest stack
// that the game can need; none where the game is not an engine.Sized.
func FitPositions[P, M any, K comparable](game engine.Game[P, M, K], budget int64) uint64 {
	fixed, each := sizes(game)
	if fixed >= uint64(max(budget, 0)) {
		return 0
	}
	return (uint64(budget) - fixed) / each
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

// Bytes is the least budget of which FitPositions says that this many positions fit; 2^64-1 when that or more.
func Bytes[P, M any, K comparable](game engine.Game[P, M, K], positions uint64) uint64 {
	fixed, each := sizes(game)
	return engine.AddSaturating(fixed, engine.MulSaturating(positions, each))
}

// sizes bounds what a search of a game takes in any case, and for each position that it remembers.
func sizes[P, M any, K comparable](game engine.Game[P, M, K]) (fixed, each uint64) {
	bulk := engine.BulkOf(game)
	slotBytes := uint64(unsafe.Sizeof(remembered[K]{}))
	frameBytes := uint64(unsafe.Sizeof(frame[P, M]{})) + uint64(bulk.PositionBytes)
	plies := uint64(math.MaxUint64)
	if sized, ok := game.(engine.Sized); ok {
		plies = sized.Plies()
	}
	frames := engine.AddSaturating(plies, 2*stackChunk)
	fixed = engine.AddSaturating(engine.MulSaturating(frames, frameBytes), memoSegments*memoFirstSlots*slotBytes)
	// A segment that has just doubled is three eighths full, which makes 2.7 slots a position; and while one of them
	// doubles, it is there twice.
	return fixed, 3*slotBytes + uint64(bulk.KeyBytes)
}
