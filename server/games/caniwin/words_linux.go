package caniwin

import (
	"math"
	"syscall"
	"unsafe"

	"github.com/zermelo-games/zermelo/server/engine"
)

// mappedWords is from how many words on a table gets memory of its own: 1 MiB.
const mappedWords = 1 << 17

// newWords returns count words, all 0, and a function that gives them back; they must not be used after that. Many words
// are mapped apart from the heap: what was never written takes no memory, giving them back returns all at once, and the
// garbage collector, which lets the heap grow by as much as is in use, does not see them. They are asked for in large
// pages: that saves some 15 % of the time where the system has them.
func newWords(count uint64) (words []uint64, giveBack func(), err error) {
	if count < mappedWords {
		return make([]uint64, count), func() {}, nil
	}
	bytes := count * 8
	if bytes > math.MaxInt {
		return nil, nil, &engine.BudgetError{Budget: math.MaxInt}
	}
	memory, err := syscall.Mmap(-1, 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, &engine.BudgetError{Budget: int64(bytes)}
	}
	_ = syscall.Madvise(memory, syscall.MADV_HUGEPAGE) // an advice: it is as good without
	words = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), count)
	return words, func() { _ = syscall.Munmap(memory) }, nil
}
