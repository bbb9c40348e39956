package rules

import (
	"math/bits"
	"math/rand/v2"
)

// Table has what is known of positions that are numbers. It does what a map does, with one access to memory where a map
// needs two or three; looking up positions is most of the work of a checker. Its hash has secrets, so that nobody can
// choose positions that fall together.
type Table struct {
	// slots are a power of 2, and at most three in four are used. Nothing is known of an empty slot.
	slots   []slot
	used    int
	secrets [2]uint64
}

type slot struct {
	key   uint64
	known Known
}

// fewestSlots is the size of the smallest table that is not empty.
const fewestSlots = 16

// NewTable is an empty table.
func NewTable() Table { return Table{secrets: [2]uint64{rand.Uint64(), rand.Uint64() | 1}} }

// at is the slot of a key, or the empty one where it would be. There is an empty one.
func (t *Table) at(key uint64) *slot {
	high, low := bits.Mul64(key^t.secrets[0], t.secrets[1])
	for i := high ^ low; ; i++ {
		s := &t.slots[i&uint64(len(t.slots)-1)]
		if s.known == 0 || s.key == key {
			return s
		}
	}
}

// Find is what is known of a key.
func (t *Table) Find(key uint64) Known {
	if len(t.slots) == 0 {
		return 0
	}
	return t.at(key).known
}

// Put remembers what is known of a key of which nothing was known.
func (t *Table) Put(key uint64, k Known) {
	if 4*(t.used+1) > 3*len(t.slots) {
		full := t.slots
		t.slots = make([]slot, max(2*len(full), fewestSlots))
		for _, s := range full {
			if s.known != 0 {
				*t.at(s.key) = s
			}
		}
	}
	*t.at(key) = slot{key, k}
	t.used++
}
