package rules

import (
	"math/rand/v2"
	"testing"
)

// A table knows what a map knows, of keys that are close together and of keys that are not, 0 among them.
func TestTableIsAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, draw := range []func() uint64{
		random.Uint64,
		func() uint64 { return random.Uint64N(5000) },
		func() uint64 { return random.Uint64N(5000) << 50 },
		func() uint64 { return ^random.Uint64N(5000) },
	} {
		table, want := NewTable(), make(map[uint64]Known)
		for i := range 10_000 {
			key := draw()
			if got := table.Find(key); got != want[key] {
				t.Fatalf("%d is %d, and not %d", key, got, want[key])
			}
			if want[key] == 0 {
				want[key] = KnownAs(Win, int64(i))
				table.Put(key, want[key])
			}
		}
		for key, known := range want {
			if got := table.Find(key); got != known {
				t.Fatalf("%d is %d, and not %d", key, got, known)
			}
		}
	}
}
