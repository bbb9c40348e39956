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
	f := &s.chunks[at][in]
	var zero F
	*f = zero
	return f, nil
}

// pop removes the top frame. One empty chunk is kept, so that a search that goes up and down at the border of two
// chunks does not allocate each time.
func (s *stack[F]) pop() {
	if s.extraBytes > 0 {
		var zero F
		*s.top() = zero // lets go of what it keeps elsewhere
		s.ledger.give(s.extraBytes)
	}
	s.size--
	if needed := (s.size + stackChunk - 1) / stackChunk; len(s.chunks) > needed+1 {
		s.chunks[len(s.chunks)-1] = nil
		s.chunks = s.chunks[:len(s.chunks)-1]
		s.ledger.give(stackChunk * s.frameBytes)
	}
}

// top is the frame pushed last. The stack is not empty.
func (s *stack[F]) top() *F {
	i := s.size - 1
	return &s.chunks[i/stackChunk][i%stackChunk]
}
