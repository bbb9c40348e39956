package search

import (
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

// memo maps decided positions to their decisions: by index in an array or, where the game has no indexes or too many of
// them, by exact key in a hash table. A decision is a word, or stands in a list, and the word says where.
type memo[K comparable] struct {
	array array // where it has pages
	table table[K]
	list  list
	count int64
}

// find returns the decision about a position, if there is one. at is its index or, for a table, the hash of its key.
func (t *memo[K]) find(key K, at uint64) (decision, bool) {
	w := t.word(key, at)
	if w.inList() {
		return *t.list.at(w), true
	}
	return w.unpack(), w != 0
}

func (t *memo[K]) word(key K, at uint64) word {
	if t.array.pages != nil {
		return t.array.word(at)
	}
	return t.table.word(key, at)
}

// put remembers the decision about a position that is not in the memo.
func (t *memo[K]) put(key K, at uint64, d decision) error {
	w, err := t.pack(d)
	if err != nil {
		return err
	}
	if t.array.pages != nil {
		err = t.array.put(at, w)
	} else {
		err = t.table.put(key, at, w)
	}
	if err == nil {
		t.count++
	}
	return err
}

// replace puts another decision in the place of the one about a position.
func (t *memo[K]) replace(key K, at uint64, d decision) error {
	if w := t.word(key, at); w.inList() {
		*t.list.at(w) = d
		return nil
	}
	w, err := t.pack(d)
	if err != nil {
		return err
	}
	if t.array.pages != nil {
		return t.array.put(at, w)
	}
	t.table.replace(key, at, w)
	return nil
}

// clear takes bits out of the figures of all decisions.
func (t *memo[K]) clear(bits figure) {
	for _, page := range t.array.pages {
		if page != nil {
			for i, w := range page {
				if !word(w).inList() {
					page[i] = uint32(word(w).without(bits))
				}
			}
		}
	}
	for i := range t.table.segments {
		slots := t.table.segments[i].slots
		for j := range slots {
			if !slots[j].word.inList() {
				slots[j].word = slots[j].word.without(bits)
			}
		}
	}
	for _, chunk := range t.list.chunks {
		for i := range chunk {
			chunk[i].figure &^= bits
		}
	}
}

// pack makes a word of a decision.
func (t *memo[K]) pack(d decision) (word, error) {
	bits := tableBits
	if t.array.pages != nil {
		bits = arrayBits
	}
	if w, ok := pack(d, bits); ok {
		return w, nil
	}
	return t.list.add(d)
}

// array has a place for each index. It is made page by page, as they are needed.
type array struct {
	ledger *ledger
	pages  []*[pageWords]uint32
}

const (
	pageWords = 1024
	pageBytes = pageWords * 4
	arrayBits = 32
	// mostIndexes leaves room in a word for the place of any decision in the list.
	mostIndexes = 1 << 29
)

// open makes room for as many indexes.
func (t *array) open(indexes uint64) error {
	pages := (indexes + pageWords - 1) / pageWords
	if err := t.ledger.take(int64(pages) * pointerBytes); err != nil {
		return err
	}
	t.pages = make([]*[pageWords]uint32, pages)
	return nil
}

func (t *array) word(index uint64) word {
	page := t.pages[index/pageWords]
	if page == nil {
		return 0
	}
	return word(page[index%pageWords])
}

func (t *array) put(index uint64, w word) error {
	page := t.pages[index/pageWords]
	if page == nil {
		if err := t.ledger.take(pageBytes); err != nil {
			return err
		}
		page = new([pageWords]uint32)
		t.pages[index/pageWords] = page
	}
	page[index%pageWords] = uint32(w)
	return nil
}

// list holds the decisions that are too large for a word. It grows by chunks and never moves a decision.
type list struct {
	ledger *ledger
	chunks []*[listChunk]decision
	size   uint64
}

const listChunk = 256

func (t *list) at(w word) *decision {
	i := w.entry()
	return &t.chunks[i/listChunk][i%listChunk]
}

// add returns the word that stands for the decision.
func (t *list) add(d decision) (word, error) {
	i := t.size
	if i/listChunk == uint64(len(t.chunks)) {
		if err := t.ledger.take(listChunk * decisionBytes); err != nil {
			return 0, err
		}
		t.chunks = append(t.chunks, new([listChunk]decision))
	}
	t.chunks[i/listChunk][i%listChunk] = d
	t.size++
	return listed(i), nil
}

const (
	decisionBytes = 16
	pointerBytes  = 8
	tableBits     = 64
)

// tableSegments is into how many parts a table is divided by hash. They grow one by one, so that the copy that growing
// needs is a small part of the whole. A power of two.
const tableSegments = 64

const tableFirstSlots = 8

// table is a hash table with open addressing and linear probing, at most three quarters full. It holds whole keys, so
// that no two positions are ever taken for one.
type table[K comparable] struct {
	ledger   *ledger
	hash     func(K) uint64
	keyBytes int64
	segments [tableSegments]segment[K]
}

type segment[K comparable] struct {
	slots []slot[K]
	used  int
}

// slot is empty when its word is 0.
type slot[K comparable] struct {
	key  K
	word word
}

// word returns the word of a key with that hash, or 0.
func (t *table[K]) word(key K, hash uint64) word {
	slots := t.segments[hash%tableSegments].slots
	if len(slots) == 0 {
		return 0
	}
	return probe(slots, hash, key).word
}

// replace changes the word of a key that has one.
func (t *table[K]) replace(key K, hash uint64, w word) {
	probe(t.segments[hash%tableSegments].slots, hash, key).word = w
}

// put fills a slot for a key that has none.
func (t *table[K]) put(key K, hash uint64, w word) error {
	seg := &t.segments[hash%tableSegments]
	if err := t.ledger.take(t.keyBytes); err != nil {
		return err
	}
	if (seg.used+1)*4 > len(seg.slots)*3 {
		if err := t.grow(seg); err != nil {
			return err
		}
	}
	*probe(seg.slots, hash, key) = slot[K]{key: key, word: w}
	seg.used++
	return nil
}

func (t *table[K]) grow(seg *segment[K]) error {
	slotBytes := int64(unsafe.Sizeof(slot[K]{}))
	size := max(tableFirstSlots, 2*len(seg.slots))
	if err := t.ledger.take(int64(size) * slotBytes); err != nil {
		return err
	}
	slots := make([]slot[K], size)
	for i := range seg.slots {
		if old := &seg.slots[i]; old.word != 0 {
			*probe(slots, t.hash(old.key), old.key) = *old
		}
	}
	t.ledger.give(int64(len(seg.slots)) * slotBytes)
	seg.slots = slots
	return nil
}

// probe returns the slot of key, or the empty one where it belongs. There is one: the table is never full.
func probe[K comparable](slots []slot[K], hash uint64, key K) *slot[K] {
	mask := uint64(len(slots) - 1)
	for i := hash / tableSegments & mask; ; i = (i + 1) & mask {
		if s := &slots[i]; s.word == 0 || s.key == key {
			return s
		}
	}
}
