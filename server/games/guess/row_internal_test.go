package guess

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

// filled is the row of low..high. A gap fails the test.
func filled(t *testing.T, low, high int) *row {
	t.Helper()
	r := newRow(low, high)
	if err := r.fill(t.Context(), high); err != nil {
		t.Fatalf("row of %d..%d, at %d: %v", low, high, r.n, err)
	}
	return r
}

// requireRow compares all costs and all best first guesses of the row of low..high with the table's.
func requireRow(t *testing.T, costs *distanceTable, low, high uint32, bestToo bool) {
	t.Helper()
	if low == high {
		return
	}
	r := newRow(int(low), int(high))
	for n := low + 1; n <= high; n++ {
		if err := r.fill(t.Context(), int(n)); err != nil {
			t.Fatalf("%d..%d: %v", low, n, err)
		}
		if got, want := r.before(int(n)+1), costs.cost(low, n); got != want {
			t.Fatalf("C(%d, %d) = %d, the table says %d", low, n, got, want)
		}
		if !bestToo {
			continue
		}
		got, err := r.solution(t.Context(), math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		requireSame(t, low, n, got, costs.solution(low, n))
	}
}

func TestRowEqualsTableOnEveryIntervalTo200(t *testing.T) {
	costs := tableOf(t, 1, 200)
	for low := uint32(1); low < 200; low++ {
		requireRow(t, costs, low, 200, true)
	}
}

func TestRowEqualsTableOnIntervalsFarFromOne(t *testing.T) {
	// Where a is some times the width, trees higher than the least compete: all sizes of low up to there and beyond.
	random := rand.New(rand.NewPCG(1, 328))
	for low := 1.0; low < MaxHigh-400; low *= 1 + random.Float64() {
		from := uint32(low)
		costs := tableOf(t, from, from+400)
		for _, more := range []uint32{0, 1 + random.Uint32N(300)} {
			requireRow(t, costs, from+more, from+400, true)
		}
	}
}

func TestRowEqualsTableFromOne(t *testing.T) {
	high := uint32(5_000)
	if long() {
		high = 16_000 // 1 GiB
	}
	costs := tableOf(t, 1, high)
	for _, low := range []uint32{1, 2, 3, 11, 101, high / 10, high / 4, high / 2} {
		requireRow(t, costs, low, high, false)
	}
	// Best first guesses of wider ranges.
	r := newRow(1, int(high))
	for n := uint32(2); n <= high; n++ {
		if err := r.fill(t.Context(), int(n)); err != nil {
			t.Fatal(err)
		}
		if n%97 != 0 {
			continue
		}
		got, err := r.solution(t.Context(), math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		requireSame(t, 1, n, got, costs.solution(1, n))
	}
}

func TestRowGivesThePublishedValuesAndSum(t *testing.T) {
	r := filled(t, 1, 200_000)
	for n, want := range published {
		if got := r.before(int(n) + 1); got != want {
			t.Errorf("C(1, %d) = %d, published is %d", n, got, want)
		}
	}
	var sum int64
	for _, cost := range r.costs {
		sum += cost
	}
	if sum != 260_511_850_222 { // Project Euler 328
		t.Errorf("C(1, 1) + ... + C(1, 200000) = %d, published is 260511850222", sum)
	}
}

// heightBound is the excess by its recurrence alone, over all roots: the reference for the levels.
func heightBound(widths int) []int64 {
	const none = math.MinInt64 / 2
	r := make([]int64, widths)
	for m := 2; m < widths; m++ {
		d := math.Ilogb(float64(m))
		r[m] = math.MaxInt64
		for k := max(1, m-1<<d+1); k <= min(m, 1<<d); k++ {
			deepest := int64(none)
			if k-1 >= 1<<(d-1) {
				deepest = r[k-1]
			}
			if m-k >= 1<<(d-1) {
				deepest = max(deepest, int64((d-1)*k)+r[m-k])
			}
			r[m] = min(r[m], int64(k)+deepest)
		}
	}
	return r
}

func TestExcessesFollowTheirRecurrence(t *testing.T) {
	const widths = 1 << 12
	r := newRow(1, widths)
	for d := range r.levels {
		if err := r.open(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	for m, want := range heightBound(widths) {
		if got := int64(r.excess[m]); got != want {
			t.Fatalf("r(%d) = %d, the recurrence says %d", m, got, want)
		}
	}
}

// strategy is the tree that a row stands for, played out.
type strategy struct {
	t   *testing.T
	row *row
}

// below returns what the costliest number of low..n costs when the row's guesses are made: the number of all numbers
// met is added to seen.
func (s *strategy) below(n int, seen *int) int64 {
	if n <= s.row.low {
		*seen += n - s.row.low + 1
		return 0
	}
	shorter := *s.row
	shorter.n = n
	solution, err := shorter.solution(s.t.Context(), 1)
	if err != nil || len(solution.Best) != 1 {
		s.t.Fatalf("%d..%d: %+v, %v", s.row.low, n, solution, err)
	}
	k := int(solution.Best[0])
	*seen++
	return int64(k) + max(s.below(k-1, seen), s.above(k, n-k, seen))
}

// above is the same for the m numbers from a+1 up, by the tree of their excess.
func (s *strategy) above(a, m int, seen *int) int64 {
	if m <= 1 {
		*seen += m
		return 0
	}
	d := math.Ilogb(float64(m))
	for k := max(1, m-1<<d+1); k <= min(m, 1<<d); k++ {
		deepest := int32(math.MinInt32)
		if k-1 >= 1<<(d-1) {
			deepest = s.row.excess[k-1]
		}
		if m-k >= 1<<(d-1) {
			deepest = max(deepest, int32((d-1)*k)+s.row.excess[m-k])
		}
		if deepest > math.MinInt32 && int32(k)+deepest == s.row.excess[m] {
			*seen++
			return int64(a+k) + max(s.above(a, k-1, seen), s.above(a+k, m-k, seen))
		}
	}
	s.t.Fatalf("no root gives r(%d)", m)
	return 0
}

func TestEveryCostIsThatOfAStrategy(t *testing.T) {
	const high = 200_000
	for _, low := range []int{1, 1_000, 300_000} {
		r := filled(t, low, low+high-1)
		random := rand.New(rand.NewPCG(7, uint64(low)))
		for i := range 15 {
			n := low + []int{high - 1, 1, 2, 3, 50}[i%5]
			if i >= 5 {
				n = low + random.IntN(high)
			}
			seen := 0
			s := strategy{t, r}
			if got, want := s.below(n, &seen), r.before(n+1); got != want || seen != n-low+1 {
				t.Errorf("%d..%d: the strategy costs %d and finds %d numbers; the row says %d", low, n, got, seen, want)
			}
		}
	}
}

// Every range from 1 to MaxRowWidth or less is proved, and so is every range of 20,000 numbers or fewer: the second by
// looking at all low up to ⌊log2 w⌋·w. From there on conditions (1) and (2) hold for all widths, since a ≥ low and
// 0 ≤ r(m) ≤ d·m, so that there is nothing to bound.
func TestRowHasNoGap(t *testing.T) {
	high, width, stride := 1_000_000, 2_000, 97
	if long() {
		high, width, stride = MaxRowWidth, 20_000, 97
	}
	if os.Getenv("ZERMELO_LONG") == "all" { // a quarter of an hour
		high, width, stride = MaxRowWidth, 20_000, 1
	}
	filled(t, 1, high)
	for low := 1; low < width*math.Ilogb(float64(width)); low += stride {
		filled(t, low, low+width-1)
	}
}

func TestRowKnowsAllBestGuesses(t *testing.T) {
	for _, low := range []int{1, 77, 20_000, 1_000_000} {
		r := filled(t, low, low+99_999)
		for n := low + 1; n < low+100_000; n += 1 + (n-low)/100 {
			shorter := *r
			shorter.n = n
			s, err := shorter.solution(t.Context(), 1)
			if err != nil || !s.BestKnown || s.BestCount == 0 {
				t.Fatalf("%d..%d: %+v, %v", low, n, s, err)
			}
		}
	}
}

// requireBounds compares all that the row says about the numbers above a guess of low..n with the table. It returns how
// often each of the conditions (1) and (2) failed and the cost was indeed not d·a + r(m).
func requireBounds(t *testing.T, r *row, costs *distanceTable) (first, second int) {
	t.Helper()
	n := r.n
	costAbove := func(k int) int64 { return costs.cost(uint32(k)+1, uint32(n)) }
	for m := 1; m <= n-r.low; m++ {
		d := bits.Len(uint(m)) - 1
		l, err := r.level(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		want := costAbove(n - m)
		least, err := r.atLeast(t.Context(), m)
		if err != nil || least > want {
			t.Fatalf("C(%d, %d) = %d is said to be at least %d, %v", n-m+1, n, want, least, err)
		}
		cost, exact := r.known(n, m)
		if cost > want || exact && cost != want || exact && least != want {
			t.Fatalf("C(%d, %d) = %d is said to be %d (exact: %t)", n-m+1, n, want, cost, exact)
		}
		if m >= l.from && m <= l.to && !exact {
			t.Fatalf("level %d at %d has exact widths %d..%d; %d is not", d, n, l.from, l.to, m)
		}
		switch formula := r.exact(r.n, d, m); {
		case m > l.to && want < formula:
			first++
		case m < l.from && want > formula:
			second++
		}
	}
	win := r.windows[n-r.low+1]
	if s := n - int(win.split); r.before(s) < costAbove(s) || s > r.low && r.before(s-1) >= costAbove(s-1) {
		t.Fatalf("%d is not the split of %d..%d", s, r.low, n)
	}
	if k := n - int(win.least) - 1; k >= r.low && r.before(k)+int64(n) >= costAbove(k) {
		t.Fatalf("the window of %d..%d does not begin as low as %d", r.low, n, k)
	}
	return first, second
}

func TestBoundsOfTheRowHold(t *testing.T) {
	var first, second int
	for _, low := range []int{1, 30, 400, 3_000, 20_000} {
		high := low + 1_500
		costs := tableOf(t, uint32(low), uint32(high))
		r := newRow(low, high)
		for n := low + 1; n <= high; n += 1 + (n-low)/50 {
			if err := r.fill(t.Context(), n); err != nil {
				t.Fatal(err)
			}
			f, s := requireBounds(t, r, costs)
			first, second = first+f, second+s
		}
	}
	if first == 0 || second == 0 {
		t.Errorf("condition (1) was needed %d times, condition (2) %d times", first, second)
	}
}

func TestRowWithWeakBoundsAnswersNothing(t *testing.T) {
	const high = 1_000
	weak := func(from, to int, excess int32) (*row, error) {
		r := newRow(1, high)
		for r.opened < len(r.levels) {
			if err := r.open(t.Context(), r.opened); err != nil {
				t.Fatal(err)
			}
			r.opened++
		}
		for m := from; m < to; m++ {
			r.excess[m] = excess
		}
		return r, r.fill(t.Context(), high)
	}
	if _, err := weak(0, 0, 0); err != nil {
		t.Error(err)
	}
	// Condition (1) fails from 40 numbers on: the split is not known.
	if _, err := weak(40, 1<<10, math.MaxInt32/2); !errors.Is(err, errGap) {
		t.Errorf("without costs above 40 numbers: %v", err)
	}
	// It fails from 70 numbers on: the split is known while there are 63 above it, but not all that is below.
	if r, err := weak(70, 1<<10, math.MaxInt32/2); !errors.Is(err, errGap) || r.n-r.split != 63 {
		t.Errorf("without costs above 70 numbers: %v at 1..%d, split %d", err, r.n, r.split)
	}
	// Condition (2) fails for a whole level.
	if _, err := weak(63, 64, math.MinInt32/2); !errors.Is(err, errGap) {
		t.Errorf("without costs of 32 to 63 numbers: %v", err)
	}
}

func TestCancelledRowStopsAfterBoundedWork(t *testing.T) {
	const high = 200_000
	whole := filled(t, 1, high).steps
	for looks := 0; ; looks++ {
		r := newRow(1, high)
		err := r.fill(gametest.Patience(t.Context(), looks), high)
		if most := int64(looks) * 2 * stepsBetweenLooks; r.steps > most && looks < int(whole/stepsBetweenLooks) {
			t.Errorf("%d steps between %d looks, at most %d may be", r.steps, looks, most)
		}
		if err == nil {
			if looks < int(whole/stepsBetweenLooks/2) {
				t.Errorf("%d looks for %d steps", looks, whole)
			}
			return
		}
		if !errors.Is(err, gametest.ErrEnough) {
			t.Fatalf("%d looks: %v", looks, err)
		}
	}
}

func TestRowBytesIsWhatSolveAllocates(t *testing.T) {
	for _, high := range []uint32{1, 2, 3, 4, 5, 100, 1_025, 5_000, 200_000} {
		want := int64(RowBytes(1, high))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := New(1, high).Solve(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		got := int64(after.TotalAlloc - before.TotalAlloc)
		if got < want || got > want+4*8192+4096 {
			t.Errorf("1..%d: %d bytes were allocated, %d announced", high, got, want)
		}
	}
	for _, r := range []Position{{5, 4}, {7, 7}} {
		if got := RowBytes(r.Low, r.High); got != 0 {
			t.Errorf("%d..%d: %d bytes", r.Low, r.High, got)
		}
	}
	if got := RowBytes(1, 200_000); got > 64<<20 {
		t.Errorf("1..200000: %d bytes", got)
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, r := range []Position{
		{1, 1_000}, {1, 10_000}, {1, 20_000}, {1, 200_000}, {1, 2_000_000}, {1, 10_000_000},
		{1_000_000, 1_199_999}, {MaxHigh - 199_999, MaxHigh},
	} {
		b.Run(fmt.Sprintf("range=%d..%d", r.Low, r.High), func(b *testing.B) {
			for b.Loop() {
				if _, err := New(r.Low, r.High).Solve(b.Context(), 100); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.High-r.Low+1), "ns/number")
		})
	}
}
