package search

import "unsafe"

// stackChunk is how many frames are allocated together.
const stackChunk = 256

// stack holds the frames of the open positions, from the root down. It grows and shrinks by chunks and never moves a
// frame. Chunks are booked in the ledger, and so is what each frame keeps elsewhere. The search keeps this stack of its
// own because a deep game (a hundred game of millions by steps of one) would exceed what a goroutine's stack may be, and
// that ends the whole process.
type stack[F any] struct {
	ledger     *ledger
	frameBytes int64
	extraBytes int64
	chunks     [][]F
	size       int
	// top is the frame pushed last, nil when there is none.
	top *F
}

// newStack makes a stack of frames that each keep extraBytes elsewhere.
func newStack[F any](l *ledger, extraBytes int) *stack[F] {
	var f F
	return &stack[F]{ledger: l, frameBytes: int64(unsafe.Sizeof(f)), extraBytes: int64(extraBytes)}
}

// push adds a frame and returns it, zeroed.
func (s *stack[F]) push() (*F, error) {
	if err := s.ledger.take(s.extraBytes); err != nil {
		return nil, err
	}
	at, in := s.size/stackChunk, s.size%stackChunk
	if at == len(s.chunks) {
		if err := s.ledger.take(stackChunk * s.frameBytes); err != nil {
			return nil, err
		}
		s.chunks = append(s.chunks, make([]F, stackChunk))
	}
	s.size++
	s.top = &s.chunks[at][in]
	var zero F
	*s.top = zero
	return s.top, nil
}

// pop removes the top frame. One empty chunk is kept, so that a search that goes up and down at the border of two
// chunks does not allocate each time.
func (s *stack[F]) pop() {
	if s.extraBytes > 0 {
		var zero F
		*s.top = zero // drops what it keeps elsewhere
		s.ledger.give(s.extraBytes)
	}
	s.size--
	s.top = nil
	if at := s.size - 1; at >= 0 {
		s.top = &s.chunks[at/stackChunk][at%stackChunk]
	}
	if at := (s.size+stackChunk-1)/stackChunk + 1; len(s.chunks) > at {
		s.chunks[at] = nil
		s.chunks = s.chunks[:at]
		s.ledger.give(stackChunk * s.frameBytes)
	}
}
