package search

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
)

func TestStackAcrossChunks(t *testing.T) {
	const frameBytes, extraBytes = 8, 5
	l := ledger{budget: 1 << 30}
	s := newStack[int](&l, extraBytes)
	chunk := int64(stackChunk * frameBytes)
	random := rand.New(rand.NewPCG(3, 4))
	var want []int
	var at []*int
	for step := range 200_000 {
		// Long ways up and long ways down.
		up := step/3_000%2 == 0
		if grow := random.IntN(10) < 8; len(want) == 0 || grow == up {
			f, err := s.push()
			if err != nil {
				t.Fatal(err)
			}
			if *f != 0 {
				t.Fatalf("frame %d is not zeroed", len(want))
			}
			*f = step + 1
			want, at = append(want, step+1), append(at, f)
		} else {
			s.pop()
			want, at = want[:len(want)-1], at[:len(at)-1]
		}
		if s.size != len(want) {
			t.Fatalf("%d frames instead of %d", s.size, len(want))
		}
		if n := len(want); n > 0 && (s.top != at[n-1] || *s.top != want[n-1]) {
			t.Fatalf("the top is %d instead of %d, or has moved", *s.top, want[n-1])
		}
		if l.used != int64(len(s.chunks))*chunk+int64(len(want))*extraBytes {
			t.Fatalf("%d bytes booked for %d chunks", l.used, len(s.chunks))
		}
		if needed := (len(want) + stackChunk - 1) / stackChunk; len(s.chunks) > needed+1 {
			t.Fatalf("%d chunks for %d frames", len(s.chunks), len(want))
		}
	}
	for s.size > 0 {
		s.pop()
	}
	if s.top != nil {
		t.Error("an empty stack has a top")
	}
	if l.used > chunk {
		t.Errorf("%d bytes are booked for an empty stack", l.used)
	}
}

func TestStackDoesNotAllocateAtTheBorderOfTwoChunks(t *testing.T) {
	l := ledger{budget: 1 << 30}
	s := newStack[int](&l, 0)
	for range stackChunk {
		if _, err := s.push(); err != nil {
			t.Fatal(err)
		}
	}
	// The first push over the border allocates; AllocsPerRun calls once before it counts.
	if got := testing.AllocsPerRun(100, func() {
		if _, err := s.push(); err != nil {
			t.Fatal(err)
		}
		s.pop()
	}); got != 0 {
		t.Errorf("%v allocations up and down at the border", got)
	}
}

func TestStackStopsAtItsBudget(t *testing.T) {
	l := ledger{budget: 3*stackChunk*8 + 7}
	s := newStack[int](&l, 0)
	for range 3 * stackChunk {
		if _, err := s.push(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.push(); !errors.Is(err, engine.ErrMemoBudget) {
		t.Errorf("one frame too many: %v", err)
	}
	if s.size != 3*stackChunk || l.used > l.budget {
		t.Errorf("%d frames, %d bytes booked", s.size, l.used)
	}
}
