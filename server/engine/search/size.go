package search

import (
	"unsafe"

	"github.com/zermelo-games/zermelo/server/engine"
)

// FitPositions is how many positions of a game a search with this budget surely remembers, also with the deepest stack
// that the game can need.
func FitPositions[P, M any, K comparable](game engine.Game[P, M, K], budget int64) uint64 {
	fixed, each := sizes(game)
	if fixed >= uint64(max(budget, 0)) {
		return 0
	}
	return (uint64(budget) - fixed) / each
}

// Bytes is the least budget of which FitPositions says that this many positions fit; 2^64-1 when that or more.
func Bytes[P, M any, K comparable](game engine.Game[P, M, K], positions uint64) uint64 {
	fixed, each := sizes(game)
	return engine.AddSaturating(fixed, engine.MulSaturating(positions, each))
}

// sizes bounds what a search of a game takes in any case, and for each position that it remembers.
func sizes[P, M any, K comparable](game engine.Game[P, M, K]) (fixed, each uint64) {
	bulk := game.Bulk()
	slotBytes := uint64(unsafe.Sizeof(remembered[K]{}))
	frameBytes := uint64(unsafe.Sizeof(frame[P, M]{})) + uint64(bulk.PositionBytes)
	frames := engine.AddSaturating(game.Plies(), 2*stackChunk)
	fixed = engine.AddSaturating(engine.MulSaturating(frames, frameBytes), memoSegments*memoFirstSlots*slotBytes)
	// A segment that has just doubled is three eighths full, which makes 2.7 slots a position; and while one of them
	// doubles, it is there twice.
	return fixed, 3*slotBytes + uint64(bulk.KeyBytes)
}
