package search

import (
	"encoding/binary"
	"errors"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/zermelo-games/zermelo/server/engine"
)

var seed = maphash.MakeSeed()

// newMemo makes a memo with an array for as many indexes or, for none, with a table.
func newMemo[K comparable](l *ledger, keyBytes int, hash func(K) uint64, indexes uint64) *memo[K] {
	m := &memo[K]{
		array: array{ledger: l}, list: list{ledger: l},
		table: table[K]{ledger: l, keyBytes: int64(keyBytes), hash: hash},
	}
	if indexes > 0 {
		if err := m.array.open(indexes); err != nil {
			panic(err)
		}
	}
	return m
}

// booked is what the ledger should say about a memo.
func booked[K comparable](m *memo[K]) int64 {
	bytes := int64(len(m.array.pages)) * pointerBytes
	for _, page := range m.array.pages {
		if page != nil {
			bytes += pageBytes
		}
	}
	if len(m.array.pages) == 0 {
		bytes += m.count * m.table.keyBytes
	}
	for i := range m.table.segments {
		bytes += int64(len(m.table.segments[i].slots)) * int64(unsafe.Sizeof(slot[K]{}))
	}
	return bytes + int64(len(m.list.chunks))*listChunk*int64(unsafe.Sizeof(decision{}))
}

// someDecision is one that fits in a word of any size, in a large one, or in none.
func someDecision(random *rand.Rand) decision {
	switch random.IntN(3) {
	case 0:
		return decision{random.Int64N(3) - 1, figure(random.Int64N(1 << 30))}
	case 1:
		return decision{random.Int64N(3) - 1, figure(random.Int64N(1 << 62))}
	default:
		return decision{random.Int64() - random.Int64(), figure(random.Int64N(1 << 62))}
	}
}

// checkMemo puts, finds and replaces decisions about random keys, and compares the memo with a map, also while it grows
// from nothing.
func checkMemo[K comparable](t *testing.T, keyBytes int, indexed bool, key func(n uint64) K) {
	t.Helper()
	const keys, steps = 6_000, 20_000
	random := rand.New(rand.NewPCG(19, 13))
	l := ledger{budget: math.MaxInt64}
	indexes := uint64(0)
	place := func(n uint64) uint64 { return maphash.Comparable(seed, key(n)) }
	if indexed {
		indexes = keys
		place = func(n uint64) uint64 { return n }
	}
	m := newMemo(&l, keyBytes, func(k K) uint64 { return maphash.Comparable(seed, k) }, indexes)
	want := make(map[uint64]decision)
	check := func(n uint64) {
		t.Helper()
		known, ok := want[n]
		if got, found := m.find(key(n), place(n)); found != ok || ok && got != known {
			t.Fatalf("found %+v, %t for %v instead of %+v, %t", got, found, key(n), known, ok)
		}
	}
	for range steps {
		n := random.Uint64N(keys)
		check(n)
		_, ok := want[n]
		put := m.put
		switch chance := random.IntN(3); {
		case chance == 0 && ok:
			put = m.replace
		case chance == 0 || ok:
			continue
		}
		d := someDecision(random)
		if err := put(key(n), place(n), d); err != nil {
			t.Fatal(err)
		}
		want[n] = d
	}
	for n := range uint64(keys) {
		check(n)
	}
	if m.count != int64(len(want)) || l.used != booked(m) {
		t.Errorf("%d entries and %d bytes booked; there are %d entries and %d bytes", m.count, l.used, len(want), booked(m))
	}
	m.clear(5)
	for n := range uint64(keys) {
		if d, ok := want[n]; ok {
			want[n] = decision{d.value, d.figure &^ 5}
		}
		check(n)
	}
}

func TestMemoEqualsAMap(t *testing.T) {
	type pair struct{ a, b uint32 }
	words := func(n uint64) uint64 { return n }
	t.Run("array", func(t *testing.T) { checkMemo(t, 0, true, words) })
	t.Run("words", func(t *testing.T) { checkMemo(t, 0, false, words) })
	t.Run("words far apart", func(t *testing.T) { checkMemo(t, 0, false, func(n uint64) uint64 { return n << 50 }) })
	t.Run("pairs", func(t *testing.T) {
		checkMemo(t, 0, false, func(n uint64) pair { return pair{uint32(n % 80), uint32(n / 80)} })
	})
	t.Run("strings", func(t *testing.T) {
		checkMemo(t, 2, false, func(n uint64) string { return string(binary.BigEndian.AppendUint16(nil, uint16(n))) })
	})
	t.Run("strings of any length", func(t *testing.T) {
		checkMemo(t, 8, false, func(n uint64) string { return string(make([]byte, n)) })
	})
}

func TestWordsKeepTheWholeDecision(t *testing.T) {
	for _, test := range []struct {
		decision decision
		bits     int
		fits     bool
	}{
		{decision{-1, 0}, 32, true}, {decision{0, 0}, 32, true}, {decision{1, 1<<30 - 1}, 32, true},
		{decision{1, 1 << 30}, 32, false}, {decision{1, 1 << 30}, 64, true}, {decision{-1, 1<<62 - 1}, 64, true},
		{decision{-1, 1 << 62}, 64, false}, {decision{2, 0}, 64, false}, {decision{-2, 0}, 64, false},
		{decision{math.MaxInt64, 0}, 64, false}, {decision{math.MinInt64, 0}, 64, false},
	} {
		w, ok := pack(test.decision, test.bits)
		if ok != test.fits || ok && (w.unpack() != test.decision || w == 0 || w.inList() || w>>(test.bits-1)>>1 != 0) {
			t.Errorf("%+v in %d bits: %#x, %t", test.decision, test.bits, uint64(w), ok)
		}
	}
	for _, i := range []uint64{0, 1, 1<<30 - 2} {
		if w := listed(i); !w.inList() || w.entry() != i || w>>32 != 0 {
			t.Errorf("entry %d: %#x", i, uint64(w))
		}
	}
}

// TestKeysWithTheSameHashAreToldApart fills a table with keys that all have one hash.
func TestKeysWithTheSameHashAreToldApart(t *testing.T) {
	slots := make([]slot[string], tableFirstSlots)
	keys := []string{"", "a", "b", "aa", "ab", "\x00"}
	const h = math.MaxUint64 // the last slot: the search for a place goes round
	for i, key := range keys {
		s := probe(slots, h, key)
		if s.word != 0 {
			t.Fatalf("%q is taken for %q", key, s.key)
		}
		*s = slot[string]{key: key, word: word(i + 1)}
	}
	for i, key := range keys {
		if s := probe(slots, h, key); s.word != word(i+1) {
			t.Errorf("%q has the decision %+v", key, *s)
		}
	}
	if s := probe(slots, h, "c"); s.word != 0 {
		t.Errorf("a key that was never put has the decision %+v", *s)
	}
}

func TestMemoStopsAtItsBudgetAndForgetsNothing(t *testing.T) {
	const keyBytes = 40
	for _, budget := range []int64{0, 1, 100, 1_000, 5_000, 12_345, 100_000, 1_000_000} {
		for _, most := range []int64{1, math.MaxInt64} {
			l := ledger{budget: budget}
			m := newMemo(&l, keyBytes, engine.HashWord, 0)
			n := uint64(0)
			for {
				if err := m.put(n, engine.HashWord(n), decision{int64(n) % (most + 1), figure(n)}); err != nil {
					if !errors.Is(err, engine.ErrMemoBudget) {
						t.Fatal(err)
					}
					break
				}
				if n++; l.used > budget {
					t.Fatalf("budget %d: %d bytes booked", budget, l.used)
				}
			}
			if l.used > budget || m.count != int64(n) {
				t.Errorf("budget %d: %d bytes booked, %d entries after %d puts", budget, l.used, m.count, n)
			}
			for k := range n {
				if got, ok := m.find(k, engine.HashWord(k)); !ok || got != (decision{int64(k) % (most + 1), figure(k)}) {
					t.Errorf("budget %d: %d has the decision %+v", budget, k, got)
				}
			}
			if _, ok := m.find(n, engine.HashWord(n)); ok {
				t.Errorf("budget %d: the key that did not fit is there", budget)
			}
			// What FitPositions counts on: beyond the first slots, three for each entry, and one in the list.
			const slotBytes = int64(unsafe.Sizeof(slot[uint64]{}))
			first, each := tableSegments*tableFirstSlots*slotBytes, 3*slotBytes+keyBytes
			if most > 1 {
				first, each = first+listChunk*decisionBytes, each+decisionBytes
			}
			if fit := (budget - first) / each; int64(n) < fit {
				t.Errorf("budget %d: only %d entries; %d should fit", budget, n, fit)
			}
		}
	}
}

func TestAnArrayStopsAtItsBudgetAndForgetsNothing(t *testing.T) {
	const pages = 5
	l := ledger{budget: pages*pointerBytes + 2*pageBytes + 1}
	m := newMemo(&l, 0, engine.HashWord, pages*pageWords-1)
	indexes := []uint64{0, 1, 3*pageWords + 7, 3*pageWords + 8}
	for _, at := range indexes {
		if err := m.put(0, at, decision{1, figure(at)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.put(0, pageWords, decision{1, 1}); !errors.Is(err, engine.ErrMemoBudget) || m.count != int64(len(indexes)) {
		t.Errorf("a third page: %v, %d decisions", err, m.count)
	}
	for _, at := range indexes {
		if d, ok := m.find(0, at); !ok || d != (decision{1, figure(at)}) {
			t.Errorf("index %d has the decision %+v, %t", at, d, ok)
		}
	}
	if l.used != booked(m) || l.used > l.budget {
		t.Errorf("%d of %d bytes booked; there are %d", l.used, l.budget, booked(m))
	}
}
