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

// booked is what the ledger should say about a memo.
func booked[K comparable](m *memo[K]) int64 {
	slots := 0
	for i := range m.segments {
		slots += len(m.segments[i].slots)
	}
	return int64(slots)*int64(unsafe.Sizeof(remembered[K]{})) + m.count*m.keyBytes
}

// checkMemo puts and finds random keys, and compares the memo with a map, also while it grows from nothing.
func checkMemo[K comparable](t *testing.T, keyBytes int, key func(n uint64) K) {
	t.Helper()
	const keys, steps = 6_000, 20_000
	random := rand.New(rand.NewPCG(19, 13))
	l := ledger{budget: math.MaxInt64}
	m := newMemo(&l, keyBytes, func(k K) uint64 { return maphash.Comparable(seed, k) })
	want := make(map[K]remembered[K])
	for step := int64(1); step <= steps; step++ {
		k := key(random.Uint64N(keys))
		known, ok := want[k]
		got := m.find(k)
		if (got != nil) != ok || ok && *got != known {
			t.Fatalf("step %d: found %+v for %v instead of %+v, %t", step, got, k, known, ok)
		}
		if ok || random.IntN(3) == 0 {
			continue
		}
		entry := remembered[K]{key: k, value: random.Int64() - random.Int64(), number: step}
		if err := m.put(k, entry.value, entry.number); err != nil {
			t.Fatal(err)
		}
		want[k] = entry
	}
	for k, entry := range want {
		if got := m.find(k); got == nil || *got != entry {
			t.Fatalf("found %+v for %v instead of %+v", got, k, entry)
		}
	}
	if m.count != int64(len(want)) || l.used != booked(m) {
		t.Errorf("%d entries and %d bytes booked; there are %d entries and %d bytes", m.count, l.used, len(want), booked(m))
	}
}

func TestMemoEqualsAMap(t *testing.T) {
	type pair struct{ a, b uint32 }
	t.Run("words", func(t *testing.T) { checkMemo(t, 0, func(n uint64) uint64 { return n }) })
	t.Run("words far apart", func(t *testing.T) { checkMemo(t, 0, func(n uint64) uint64 { return n << 50 }) })
	t.Run("pairs", func(t *testing.T) {
		checkMemo(t, 0, func(n uint64) pair { return pair{uint32(n % 80), uint32(n / 80)} })
	})
	t.Run("strings", func(t *testing.T) {
		checkMemo(t, 2, func(n uint64) string { return string(binary.BigEndian.AppendUint16(nil, uint16(n))) })
	})
	t.Run("strings of any length", func(t *testing.T) {
		checkMemo(t, 8, func(n uint64) string { return string(make([]byte, n)) })
	})
}

// TestKeysWithTheSameHashAreToldApart fills a table with keys that all have one hash.
func TestKeysWithTheSameHashAreToldApart(t *testing.T) {
	slots := make([]remembered[string], memoFirstSlots)
	keys := []string{"", "a", "b", "aa", "ab", "\x00"}
	const h = math.MaxUint64 // the last slot: the search for a place goes round
	for i, key := range keys {
		s := probe(slots, h, key)
		if s.number != 0 {
			t.Fatalf("%q is taken for %q", key, s.key)
		}
		*s = remembered[string]{key: key, value: int64(i), number: 1}
	}
	for i, key := range keys {
		if s := probe(slots, h, key); s.number == 0 || s.value != int64(i) {
			t.Errorf("%q has the decision %+v", key, *s)
		}
	}
	if s := probe(slots, h, "c"); s.number != 0 {
		t.Errorf("a key that was never put has the decision %+v", *s)
	}
}

func TestMemoStopsAtItsBudgetAndForgetsNothing(t *testing.T) {
	const keyBytes = 40
	for _, budget := range []int64{0, 1, 100, 1_000, 5_000, 12_345, 100_000, 1_000_000} {
		l := ledger{budget: budget}
		m := newMemo(&l, keyBytes, engine.HashWord)
		n := uint64(0)
		for {
			if err := m.put(n, int64(n), int64(n)+1); err != nil {
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
			if got := m.find(k); got == nil || got.value != int64(k) {
				t.Errorf("budget %d: %d has the decision %+v", budget, k, got)
			}
		}
		if m.find(n) != nil {
			t.Errorf("budget %d: the key that did not fit is there", budget)
		}
		// What FitPositions counts on: beyond the first slots, three for each entry.
		const slotBytes = int64(unsafe.Sizeof(remembered[uint64]{}))
		if fit := (budget - memoSegments*memoFirstSlots*slotBytes) / (3*slotBytes + keyBytes); int64(n) < fit {
			t.Errorf("budget %d: only %d entries; %d should fit", budget, n, fit)
		}
	}
}
