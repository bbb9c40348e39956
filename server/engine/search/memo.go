package search

import (
	"iter"
	"unsafe"

	"github.com/zermelo-games/zermelo/server/engine"
)

// ledger counts the bytes of one search against its budget. A search that would exceed it ends; it never forgets a
// decision to make room, because a value that was forgotten would have to be found again at any depth of the stack.
type ledger struct {
	budget int64
	used   int64
}

// take books n bytes before they are allocated.
func (l *ledger) take(n int64) error {
	if n > l.budget-l.used {
		return engine.ErrMemoBudget
	}
	l.used += n
	return nil
}

// give returns n bytes.
func (l *ledger) give(n int64) { l.used -= n }

// memoSegments is into how many tables the memo is divided by hash. They grow one by one, so that the copy that growing
// needs is a small part of the whole. A power of two.
const memoSegments = 64

const memoFirstSlots = 8

// remembered is a decided position. number is that of its decision, from 1; 0 marks an empty slot.
type remembered[K comparable] struct {
	key    K
	value  int64
	number int64
}

// memo maps the exact keys of decided positions to their decisions: open addressing with linear probing, at most three
// quarters full. It holds whole keys, so that no two positions are ever taken for one.
type memo[K comparable] struct {
	ledger   *ledger
	hash     func(K) uint64
	keyBytes int64
	count    int64
	segments [memoSegments]memoSegment[K]
}

type memoSegment[K comparable] struct {
	slots []remembered[K]
	used  int
}

func newMemo[K comparable](l *ledger, keyBytes int, hash func(K) uint64) *memo[K] {
	return &memo[K]{ledger: l, hash: hash, keyBytes: int64(keyBytes)}
}

// find returns the decision about key, or nil. The pointer is valid until the next put.
func (t *memo[K]) find(key K) *remembered[K] {
	h := t.hash(key)
	slots := t.segments[h%memoSegments].slots
	if len(slots) == 0 {
		return nil
	}
	if s := probe(slots, h, key); s.number != 0 {
		return s
	}
	return nil
}

// put remembers a decision about a key that is not in the memo. number must not be 0.
func (t *memo[K]) put(key K, value, number int64) error {
	h := t.hash(key)
	seg := &t.segments[h%memoSegments]
	if err := t.ledger.take(t.keyBytes); err != nil {
		return err
	}
	if (seg.used+1)*4 > len(seg.slots)*3 {
		if err := t.grow(seg); err != nil {
			return err
		}
	}
	*probe(seg.slots, h, key) = remembered[K]{key: key, value: value, number: number}
	seg.used++
	t.count++
	return nil
}

// all ranges over the decisions, in no order that means anything.
func (t *memo[K]) all() iter.Seq[*remembered[K]] {
	return func(yield func(*remembered[K]) bool) {
		for i := range t.segments {
			slots := t.segments[i].slots
			for j := range slots {
				if slots[j].number != 0 && !yield(&slots[j]) {
					return
				}
			}
		}
	}
}

func (t *memo[K]) grow(seg *memoSegment[K]) error {
	slotBytes := int64(unsafe.Sizeof(remembered[K]{}))
	size := max(memoFirstSlots, 2*len(seg.slots))
	if err := t.ledger.take(int64(size) * slotBytes); err != nil {
		return err
	}
	slots := make([]remembered[K], size)
	for i := range seg.slots {
		if old := &seg.slots[i]; old.number != 0 {
			*probe(slots, t.hash(old.key), old.key) = *old
		}
	}
	t.ledger.give(int64(len(seg.slots)) * slotBytes)
	seg.slots = slots
	return nil
}

// probe returns the slot of key, or the empty one where it belongs. There is one: the table is never full.
func probe[K comparable](slots []remembered[K], h uint64, key K) *remembered[K] {
	mask := uint64(len(slots) - 1)
	for i := h / memoSegments & mask; ; i = (i + 1) & mask {
		if s := &slots[i]; s.number == 0 || s.key == key {
			return s
		}
	}
}
