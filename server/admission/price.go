package admission

import (
	"math"
	"math/bits"
	"time"
)

const (
	// PositionsPerSecond converts positions to time: roughly what the search decides in a second on one core, with
	// everything remembered. Can I Win (20, 152), with some four moves looked up for each position decided, was measured at
	// 1.2 to 1.7 million on a shared virtual core, and more on one that is not shared. Work of another kind, the
	// bits of an algorithm's table or the many moves of a position of Nim, is to be priced by the time it takes.
	PositionsPerSecond = 2_000_000
	// SmallPositions is the work of the largest small call: a millisecond.
	SmallPositions = PositionsPerSecond / 1000
	// SmallBytes is the memory of the largest small call.
	SmallBytes = 256 << 10
	// LeastBytes is what a call is charged at least: its goroutine and its buffers are there whatever it asks. It also
	// bounds how many small calls there can be at a time.
	LeastBytes = 16 << 10
)

// maxWork bounds the work that one call is counted with: what takes longer than the longest advice to retry makes no
// difference to it.
const maxWork = uint64(MaxRetryAfter / (time.Second / PositionsPerSecond))

// Price is what a call may cost, known before it starts.
type Price struct {
	// Bytes is the memory it may use. It is reserved for as long as the call runs.
	Bytes uint64
	// Positions is the work it may take, in positions that a search decides. Work without a bound is the largest number.
	Positions uint64
}

// Then is the price of two calls, one after the other.
func (p Price) Then(q Price) Price {
	positions, carry := bits.Add64(p.Positions, q.Positions, 0)
	if carry != 0 {
		positions = math.MaxUint64
	}
	return Price{Bytes: max(p.Bytes, q.Bytes), Positions: positions}
}

// Small says whether a call of this price is one that never waits behind large ones: up to [SmallPositions] and
// [SmallBytes].
func (p Price) Small() bool { return p.Positions <= SmallPositions && p.Bytes <= SmallBytes }

// Kind is the kind of a call. Each has slots, a queue and a reserve for small calls of its own.
type Kind uint8

// The kinds of calls.
const (
	// KindSolve is a call that runs as fast as the server can: a unary one.
	KindSolve Kind = iota
	// KindStream is a call that runs as fast as its caller reads.
	KindStream

	kinds
)

// String gives the name of the kind, as a metric has it.
func (k Kind) String() string {
	switch k {
	case KindSolve:
		return "solve"
	case KindStream:
		return "stream"
	default:
		return "unknown"
	}
}
