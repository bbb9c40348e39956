package search

import (
	"unsafe"

	"github.com/zermelo-games/zermelo/server/engine"
)

// FitPositions is how many positions of a game a search with this budget surely remembers, also with the deepest stack
// that the game can need.
func FitPositions[P, M any, K comparable](game engine.Game[P, M, K], budget int64) uint64 {
	bulk := game.Bulk()
	slotBytes := uint64(unsafe.Sizeof(remembered[K]{}))
	frameBytes := uint64(unsafe.Sizeof(frame[P, M]{})) + uint64(bulk.PositionBytes)
	frames := engine.AddSaturating(game.Plies(), 2*stackChunk)
	fixed := engine.AddSaturating(engine.MulSaturating(frames, frameBytes), memoSegments*memoFirstSlots*slotBytes)
	if fixed >= uint64(max(budget, 0)) {
		return 0
	}
	// A segment that has just doubled is three eighths full, which makes 2.7 slots a position; and while one of them
	// doubles, it is there twice.
	return (uint64(budget) - fixed) / (3*slotBytes + uint64(bulk.KeyBytes))
}
