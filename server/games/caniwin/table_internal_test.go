package caniwin

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

// long is whether tests that take long or much memory were asked for.
func long() bool { return os.Getenv("ZERMELO_LONG") == "1" }

// someFree draws a number of integers from 1 to MaxInteger.
func someFree(random *rand.Rand, count int) Position {
	var free Position
	for bits.OnesCount64(uint64(free)) < count {
		free = free.With(Move(1 + random.IntN(MaxInteger)))
	}
	return free
}

// filledTable fills a table on the heap.
func filledTable(t testing.TB, free Position, missing int64, inner, workers int) *table {
	t.Helper()
	words := make([]uint64, TableBytes(bits.OnesCount64(uint64(free)))/8)
	tab := newTable(words, free, missing, inner)
	if err := tab.fill(t.Context(), workers); err != nil {
		t.Fatal(err)
	}
	return tab
}

// requireRules fails t unless a subset is won exactly when it is not over and a move leads to one that is not won.
func requireRules(t *testing.T, tab *table, subset uint64) {
	t.Helper()
	want := false
	if tab.sum(0, subset) < tab.missing {
		for k := range tab.values {
			if subset>>k%2 == 0 && !tab.won(subset|1<<k) {
				want = true
			}
		}
	}
	if got := tab.won(subset); got != want {
		t.Fatalf("%v, %d missing, chosen %b: won is %t", tab.values, tab.missing, subset, got)
	}
}

// TestEveryBitFollowsFromTheRules looks at all subsets, integers of value 0 included. With the subsets that are over,
// the rules leave no more than one table.
func TestEveryBitFollowsFromTheRules(t *testing.T) {
	random := rand.New(rand.NewPCG(464, 9))
	check := func(free Position, missing int64) {
		tab := filledTable(t, free, missing, blockIntegers, 1)
		for subset := range uint64(len(tab.words)) * 64 {
			requireRules(t, tab, subset)
		}
	}
	for count := 1; count <= 13; count++ {
		for range 8 {
			free := someFree(random, count)
			check(free, 1+random.Int64N(free.Sum()))
		}
		check(1<<count-1, int64(count*(count+1)/2)) // all integers are needed
	}
	check(someFree(random, 17), 300)
	check(1<<18-1, 120)
}

// TestBitsOfALargeTableFollowFromTheRules takes 1 GiB.
func TestBitsOfALargeTableFollowFromTheRules(t *testing.T) {
	counts := []int{22}
	if long() {
		counts = []int{22, 24, 27, 33}
	}
	random := rand.New(rand.NewPCG(464, 33))
	for _, count := range counts {
		free := someFree(random, count)
		missing := free.Sum()/2 + random.Int64N(free.Sum()/4)
		words, giveBack, err := newWords(TableBytes(count) / 8)
		if err != nil {
			t.Fatal(err)
		}
		tab := newTable(words, free, missing, blockIntegers)
		if err := tab.fill(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		for range 300_000 {
			requireRules(t, tab, random.Uint64N(1<<count))
		}
		giveBack()
	}
}

func TestWorkersAndBlocksMakeNoDifference(t *testing.T) {
	random := rand.New(rand.NewPCG(464, 2))
	for count := 9; count <= 15; count++ {
		free := someFree(random, count)
		missing := 1 + random.Int64N(free.Sum())
		want := filledTable(t, free, missing, blockIntegers, 1)
		for _, inner := range []int{0, 1, 3} {
			for _, workers := range []int{1, 2, 5} {
				got := filledTable(t, free, missing, inner, workers)
				if !slices.Equal(got.words, want.words) {
					t.Errorf("%b to %d: %d workers with blocks of 2^%d groups fill another table", free, missing, workers, inner)
				}
			}
		}
	}
}

func TestALevelGivesOutEachBlockOnce(t *testing.T) {
	for outer := range 9 {
		given := make(map[uint64]bool)
		for k := range outer + 1 {
			l := level{missing: 1<<k - 1, all: 1<<outer - 1}
			for block, ok := l.take(); ok; block, ok = l.take() {
				if given[block] || bits.OnesCount64(block) != outer-k || block > l.all {
					t.Errorf("level %d of %d gives out %b", k, outer, block)
				}
				given[block] = true
			}
			if _, ok := l.take(); ok {
				t.Errorf("level %d of %d does not end", k, outer)
			}
		}
		if len(given) != 1<<outer {
			t.Errorf("the levels of %d give out %d blocks", outer, len(given))
		}
	}
}

// countdown is a context that is cancelled after some looks at it.
type countdown struct {
	context.Context
	mu        sync.Mutex
	looks     int
	cancel    context.CancelCauseFunc
	cancelled func()
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.looks--; c.looks == 0 {
		c.cancelled()
		c.cancel(gametest.ErrEnough)
	}
	return c.Context.Err()
}

func TestCancelledAtAnyMomentAFillStops(t *testing.T) {
	const count, inner = 16, 2
	const blockWords = groupWords << inner
	for _, workers := range []int{1, 3} {
		for looks := 1; looks <= 1<<(count-leastIntegers-inner); looks++ {
			ctx, cancel := context.WithCancelCause(t.Context())
			free := Position(1<<count - 1)
			tab := newTable(make([]uint64, TableBytes(count)/8), free, free.Sum(), inner)
			var before int64
			c := &countdown{Context: ctx, looks: looks, cancel: cancel, cancelled: func() { before = tab.filled.Load() }}
			err := tab.fill(c, workers)
			cancel(nil)
			if !errors.Is(err, gametest.ErrEnough) {
				t.Fatalf("%d workers, after %d looks: %v", workers, looks, err)
			}
			// The worker that looked stops; each other one may be at a block.
			if after := tab.filled.Load(); after > before+int64(workers-1)*blockWords || before > int64(looks)*blockWords {
				t.Errorf("%d workers, after %d looks: %d words were filled before the end, %d at last", workers, looks, before,
					after)
			}
		}
	}
}

func TestSolveGivesTheCause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gametest.ErrEnough)
	if _, err := New(20, 152, 0).Solve(ctx, 1); !errors.Is(err, gametest.ErrEnough) {
		t.Errorf("Solve ends with %v", err)
	}
}

func TestTableBytes(t *testing.T) {
	for free, want := range map[int]uint64{0: 64, 6: 64, 9: 64, 10: 128, 20: 1 << 17, 32: 512 << 20, MaxFree: 8 << 30} {
		if got := TableBytes(free); got != want {
			t.Errorf("%d integers take %d bytes instead of %d", free, got, want)
		}
	}
	for _, test := range []struct {
		n      int
		total  int64
		chosen Position
		want   uint64
	}{
		{32, 400, 0, 512 << 20},
		{32, 32, 0, 0},               // 32 reaches it
		{32, 600, 0, 0},              // out of reach
		{32, 400, 1<<20 - 1, 1 << 9}, // 12 are left
		{32, 0, 0, 0},                // over
		{37, 400, 0, math.MaxUint64}, // no algorithm
		{64, 2080, 1<<28 - 1, 8 << 30},
	} {
		if got := New(test.n, test.total, test.chosen).TableBytes(); got != test.want {
			t.Errorf("1..%d to %d from %b: %d bytes instead of %d", test.n, test.total, test.chosen, got, test.want)
		}
	}
}

func TestSolveAllocatesWhatItSays(t *testing.T) {
	quarters()
	for _, n := range []int{7, 14, 20, 23} {
		g := New(n, int64(n*(n+1)/3), 0)
		const runs = 10
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			if _, err := g.Solve(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) / runs; got > g.TableBytes()+16<<10 {
			t.Errorf("1..%d takes %d bytes; announced are %d", n, got, g.TableBytes())
		}
	}
}

func TestWithoutAlgorithm(t *testing.T) {
	if _, err := New(37, 400, 0).Solve(t.Context(), 1); !errors.Is(err, engine.ErrNoAlgorithm) {
		t.Errorf("37 integers: %v", err)
	}
	s, err := New(64, 63, choose64(1)).Solve(t.Context(), 1)
	want := engine.Solution[Move]{Value: engine.Win, Best: []Move{62}, BestCount: 3, BestKnown: true}
	if err != nil || s.Value != want.Value || !slices.Equal(s.Best, want.Best) || s.BestCount != want.BestCount ||
		!s.BestKnown {
		t.Errorf("1..64 to 63 after 1: %+v, %v", s, err)
	}
}

// choose64 makes a position of one integer.
func choose64(m Move) Position { return Position(0).With(m) }

func BenchmarkSolve(b *testing.B) {
	sizes := []int{8, 12, 16, 18, 20, 22, 24, 26, 28}
	if long() {
		sizes = append(sizes, 30, 32)
	}
	quarters()
	for _, n := range sizes {
		// About the totals that take longest.
		total := int64(n*(n+1)/2) * 3 / 4
		b.Run(fmt.Sprintf("n=%d/total=%d", n, total), func(b *testing.B) {
			for b.Loop() {
				if _, err := New(n, total, 0).Solve(b.Context(), 100); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(uint64(n)<<n)*64, "ns/word/integer")
		})
	}
}
