package ends_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/ends"
)

// table is the plain quadratic table: column[i] is what the row from i to j is worth to the player to move.
func table(scores []int64) (left, right int64) {
	n := len(scores)
	column := make([]int64, n+1)
	for j := range n {
		for i := j; i >= 0; i-- {
			// column[i] is still that of the row from i to j-1; column[i+1] is of j already.
			left, right = scores[i]-column[i+1], scores[j]-column[i]
			column[i] = max(left, right)
		}
		column[j+1] = 0
	}
	return left, right
}

// requireSolution compares the algorithm with what both first moves are worth.
func requireSolution(t *testing.T, scores []int64, left, right int64) {
	t.Helper()
	want := engine.Solution[ends.Move]{Value: max(left, right), BestKnown: true}
	if left == want.Value {
		want.Best = append(want.Best, ends.Left)
	}
	if right == want.Value {
		want.Best = append(want.Best, ends.Right)
	}
	want.BestCount = int64(len(want.Best))
	for _, maxMoves := range []int{math.MaxInt, 1, 0} {
		want.Best = want.Best[:min(maxMoves, len(want.Best))]
		before := slices.Clone(scores)
		got, err := ends.New(scores).Solve(t.Context(), maxMoves)
		if err != nil {
			t.Fatal(err)
		}
		if got.Value != want.Value || !slices.Equal(got.Best, want.Best) || got.BestCount != want.BestCount ||
			!got.BestKnown {
			t.Fatalf("a row of %d, %v...: %+v instead of %+v", len(scores), scores[:min(len(scores), 20)], got, want)
		}
		if !slices.Equal(scores, before) {
			t.Fatal("the row was changed")
		}
	}
}

func TestAlgorithmAgreesWithTheTableOnRandomRowsUpTo2000(t *testing.T) {
	random := rand.New(rand.NewPCG(2000, 15))
	for n := 1; n <= 2000; n += 1 + n/8 {
		for _, spread := range []int64{1, 3, 100, 1e6, 1e15} {
			for _, low := range []int64{-spread, 0} {
				scores := row(random, n, low, spread)
				left, right := table(scores)
				requireSolution(t, scores, left, right)
			}
		}
	}
}

func TestAlgorithmAgreesWithTheTableOnManyShortRows(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 40))
	for range 60_000 {
		scores := row(random, 1+random.IntN(40), -1, 1+random.Int64N(30))
		left, right := table(scores)
		requireSolution(t, scores, left, right)
	}
}

// TestAlgorithmAgreesWithTheTableOnStressingRows takes rows that fuse late, at once, to a single score, or not at all.
func TestAlgorithmAgreesWithTheTableOnStressingRows(t *testing.T) {
	const n = 400
	random := rand.New(rand.NewPCG(5, 486))
	fill := func(f func(i int64) int64) []int64 {
		scores := make([]int64, n)
		for i := range scores {
			scores[i] = f(int64(i))
		}
		return scores
	}
	for name, scores := range map[string][]int64{
		"equal":       fill(func(int64) int64 { return 7 }),
		"negative":    fill(func(int64) int64 { return -7 }),
		"alternating": fill(func(i int64) int64 { return i % 2 * 100 }),
		"signs":       fill(func(i int64) int64 { return (i%2*2 - 1) * i }),
		"rising":      fill(func(i int64) int64 { return i }),
		"falling":     fill(func(i int64) int64 { return -i }),
		"hill":        fill(func(i int64) int64 { return min(i, n-i) }),
		"valley":      fill(func(i int64) int64 { return max(i, n-i) }),
		"steps":       fill(func(i int64) int64 { return i / 3 }),
		"saw":         fill(func(i int64) int64 { return i % 7 }),
		"squares":     fill(func(i int64) int64 { return (i - n/2) * (i - n/2) }),
		"widening":    fill(func(i int64) int64 { return (i%2*2 - 1) << (i / 8) }),
		"closing":     fill(func(i int64) int64 { return (i%2*2 - 1) << ((n - i) / 8) }),
		"walk": fill(func() func(int64) int64 {
			var at int64
			return func(int64) int64 { at += random.Int64N(21) - 10; return at }
		}()),
	} {
		t.Run(name, func(t *testing.T) {
			for from := range 4 {
				for to := n - 3; to <= n; to++ {
					left, right := table(scores[from:to])
					requireSolution(t, scores[from:to], left, right)
				}
			}
		})
	}
}

// TestNothingWraps takes rows whose absolute values add up to 2^63-1, or nearly.
func TestNothingWraps(t *testing.T) {
	const most = math.MaxInt64
	third := int64(most / 3)
	for _, scores := range [][]int64{
		{most}, {-most}, {most, 0}, {0, most}, {0, -most}, {0, most, 0}, {0, -most, 0}, {0, 0, most, 0, 0},
		{third, third, third}, {-third, third, -third}, {third, -third, third}, {-third, -third, -third},
		{-third, third, third}, {0, -third, third, -third, 0}, {0, third, -third, third, 0},
		{-most / 2, most / 2}, {most / 2, -most / 2}, {0, -most / 2, most / 2, 0}, {0, most / 2, -most / 2, 0},
	} {
		left, right := table(scores)
		requireSolution(t, scores, left, right)
	}
	random := rand.New(rand.NewPCG(63, 1))
	for range 2_000 {
		scores := make([]int64, 2+random.IntN(30))
		rest := int64(most)
		for i := range scores {
			scores[i] = random.Int64N(rest/2 + 1)
			rest -= scores[i]
		}
		scores[0] += rest
		for i := range scores {
			scores[i] *= random.Int64N(2)*2 - 1
		}
		random.Shuffle(len(scores), func(i, j int) { scores[i], scores[j] = scores[j], scores[i] })
		left, right := table(scores)
		requireSolution(t, scores, left, right)
	}
}

// countdown is a context that is cancelled after some looks at it.
type countdown struct {
	context.Context
	cancel context.CancelCauseFunc
	looks  int
	after  int
}

func (c *countdown) Err() error {
	if c.looks++; c.looks == c.after {
		c.cancel(gametest.ErrEnough)
	}
	return c.Context.Err()
}

func TestCancelledAtAnyLookSolveStops(t *testing.T) {
	const n = 300_000
	fill := func(f func(i int64) int64) []int64 {
		scores := make([]int64, n)
		for i := range scores {
			scores[i] = f(int64(i))
		}
		return scores
	}
	random := rand.New(rand.NewPCG(5, 877))
	for name, scores := range map[string][]int64{
		"random": row(random, n, -1e9, 1e9),
		"rising": fill(func(i int64) int64 { return i }),
		"valley": fill(func(i int64) int64 { return max(i, n-i) }),
		"hill":   fill(func(i int64) int64 { return min(i, n-i) }),
	} {
		solve := func(after int) (looks int, err error) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			c := &countdown{Context: ctx, cancel: cancel, after: after}
			_, err = ends.New(scores).Solve(c, 2)
			return c.looks, err
		}
		looks, err := solve(0)
		if err != nil {
			t.Fatal(err)
		}
		if looks < n/(1<<16) {
			t.Errorf("%s: %d looks at the context for %d scores", name, looks, n)
		}
		for after := 1; after <= looks; after++ {
			// context.Cause may take a look of its own.
			if got, err := solve(after); !errors.Is(err, gametest.ErrEnough) || got > after+1 {
				t.Errorf("%s: cancelled at look %d, Solve ended at look %d: %v", name, after, got, err)
			}
		}
	}
}

func TestSolveAllocatesNoMoreThanItSays(t *testing.T) {
	for n, want := range map[int]uint64{0: 0, 1: 0, 2: 0, 3: 16, 1_000_000: 15_999_968} {
		if got := ends.ReductionBytes(n); got != want {
			t.Errorf("a row of %d takes %d bytes instead of %d", n, got, want)
		}
	}
	const n, runs = 100_000, 10
	falling := make([]int64, n) // a valley as it is: nothing of it can be fused
	for i := range falling {
		falling[i] = int64(n - i)
	}
	g := ends.New(falling)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		if _, err := g.Solve(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / runs; got > ends.ReductionBytes(n)+16<<10 {
		t.Errorf("a row of %d takes %d bytes; announced are %d", n, got, ends.ReductionBytes(n))
	}
}

// BenchmarkSolve takes another row each time, as long as there are some: the processor would learn one by heart.
func BenchmarkSolve(b *testing.B) {
	const most = 1_000_000
	random := row(rand.New(rand.NewPCG(1, 486)), most, 0, 1e9)
	rising := make([]int64, most)
	for i := range rising {
		rising[i] = int64(i)
	}
	for _, n := range []int{1_000, 5_000, 10_000, 100_000, most} {
		for _, kind := range []struct {
			name   string
			scores []int64
		}{{"random", random}, {"rising", rising}} {
			b.Run(fmt.Sprintf("row=%s/n=%d", kind.name, n), func(b *testing.B) {
				from := 0
				for b.Loop() {
					if _, err := ends.New(kind.scores[from:from+n]).Solve(b.Context(), 2); err != nil {
						b.Fatal(err)
					}
					if from += n; from == most {
						from = 0
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/score")
			})
		}
	}
}
