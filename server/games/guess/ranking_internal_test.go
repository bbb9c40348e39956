package guess

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

// rankedBy is what the game's own ranking says about p.
func rankedBy(t *testing.T, r engine.Ranking[Position, Move], p Position) []engine.Ranked[Move] {
	t.Helper()
	moves, err := r.Rank(t.Context(), p)
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return moves
}

// tableOf is the table of low..high, the quadratic way.
func tableOf(t *testing.T, low, high uint32) *distanceTable {
	t.Helper()
	d := &distanceTable{low: low}
	if err := d.fill(t.Context(), int(high-low)+1); err != nil {
		t.Fatalf("table of %d..%d: %v", low, high, err)
	}
	return d
}

// cost is C(low, high), of a range within the table's or of none.
func (d *distanceTable) cost(low, high uint32) int64 {
	if low >= high {
		return 0
	}
	return d.column(int(high - d.low))[low-d.low].cost()
}

// solution has all best first guesses of a range within the table's.
func (d *distanceTable) solution(low, high uint32) engine.Solution[Move] {
	s := engine.Solution[Move]{Value: d.cost(low, high), BestKnown: true}
	for k := low; k <= high && low < high; k++ {
		if int64(k)+max(d.cost(low, k-1), d.cost(k+1, high)) == s.Value {
			s.Best = append(s.Best, Move(k))
			s.BestCount++
		}
	}
	return s
}

func rankingOf(t *testing.T, low, high uint32, distances bool) engine.Ranking[Position, Move] {
	t.Helper()
	r, err := New(low, high).Ranking(t.Context(), distances)
	if err != nil {
		t.Fatalf("%d..%d: %v", low, high, err)
	}
	t.Cleanup(r.Close)
	return r
}

// requireRanking compares what a ranking without distances says about the guesses of p with the table's costs.
func requireRanking(t *testing.T, costs *distanceTable, p Position) {
	t.Helper()
	got := rankedBy(t, rowRanking{}, p)
	want := rankedBy(t, costs, p)
	if len(got) != len(want) {
		t.Fatalf("%v: %d guesses, the table has %d", p, len(got), len(want))
	}
	for i, m := range got {
		below, above := costs.cost(p.Low, uint32(m.Move)-1), costs.cost(uint32(m.Move)+1, p.High)
		branch := 0
		if uint32(m.Move) > p.Low && above > below {
			branch = 1
		}
		if m.Move != want[i].Move || m.Value != want[i].Value || m.Branch != branch || m.Distance != 0 {
			t.Fatalf("%v: without distances %+v, the table says %+v; below costs %d, above %d", p, m, want[i], below, above)
		}
	}
}

func TestRankingEqualsTableOnEveryIntervalTo250(t *testing.T) {
	const high = 250
	costs := tableOf(t, 1, high)
	for low := uint32(1); low <= high; low++ {
		for n := low; n <= high; n++ {
			requireRanking(t, costs, Position{low, n})
		}
	}
}

func TestRankingEqualsTableOnWideIntervals(t *testing.T) {
	type interval struct{ low, width uint32 }
	intervals := []interval{{1, 5_000}, {700, 4_000}, {6_000, 4_500}, {30_000, 3_000}, {MaxHigh - 1_999, 2_000}}
	if long() {
		intervals = append(intervals, interval{1, 15_000}, interval{9_000, 12_000})
	}
	random := rand.New(rand.NewPCG(375, 2))
	for _, r := range intervals {
		high := r.low + r.width - 1
		costs := tableOf(t, r.low, high)
		requireRanking(t, costs, Position{r.low, high})
		for range 20 {
			low := r.low + random.Uint32N(r.width)
			requireRanking(t, costs, Position{low, low + random.Uint32N(high-low+1)})
		}
	}
}

// TestRankingEqualsTableOnIntervalsFarFromOne has all sizes of low, up to where only the number of guesses counts.
func TestRankingEqualsTableOnIntervalsFarFromOne(t *testing.T) {
	random := rand.New(rand.NewPCG(375, 3))
	for low := 1.0; low < MaxHigh-1_000; low *= 1 + random.Float64() {
		from := uint32(low)
		costs := tableOf(t, from, from+1_000)
		for _, more := range []uint32{0, random.Uint32N(900)} {
			requireRanking(t, costs, Position{from + more, from + 1_000})
		}
	}
}

// FuzzRankingWithoutDistances compares ranges that are too wide for the oracle with the table.
func FuzzRankingWithoutDistances(f *testing.F) {
	f.Add(uint32(1), uint16(1_499))
	f.Add(uint32(40_000), uint16(900))
	f.Fuzz(func(t *testing.T, low uint32, width uint16) {
		const widest = 2_000
		low = low%(MaxHigh-widest) + 1
		p := Position{low, low + uint32(width)%widest}
		requireRanking(t, tableOf(t, p.Low, p.High), p)
	})
}

// TestRankingHasNoGap on the widest ranges, from where low is small to where the bounds give all costs.
func TestRankingHasNoGap(t *testing.T) {
	stride := 3.0
	if long() {
		stride = 1.02
	}
	for low := 1.0; low < 20*MaxRankedWidth; low = stride*low + 1 {
		rankedBy(t, rowRanking{}, Position{uint32(low), uint32(low) + MaxRankedWidth - 1})
	}
}

// TestRankingWithWeakBoundsAnswersNothing that is wrong, and neither do best guesses: condition (1) is made to fail from
// some width on.
func TestRankingWithWeakBoundsAnswersNothing(t *testing.T) {
	const low, high = 1, 1_000
	costs := tableOf(t, low, high)
	gaps, unknown := 0, 0
	for weak := 2; weak < high; weak += 7 {
		r := filled(t, low, high)
		for m := weak; m < len(r.excess); m++ {
			r.excess[m] = math.MaxInt32 / 2
			l := &r.levels[bits.Len(uint(m))-1]
			l.to = l.first - 1 // its minima are no longer what they were
		}
		weaker := *r
		if got, err := weaker.solution(t.Context(), math.MaxInt); err != nil {
			t.Fatal(err)
		} else if got.BestKnown {
			requireSame(t, low, high, got, costs.solution(low, high))
		} else {
			unknown++
		}
		above := int64(0)
		for k := high - int(r.windows[high-low+1].split) - 1; k >= low; k-- {
			if above = r.above(k, above); r.gap {
				gaps++
				break
			}
			if want := costs.cost(uint32(k)+1, high); above != want {
				t.Fatalf("without costs above %d numbers, C(%d, %d) is said to be %d; it is %d", weak, k+1, high, above, want)
			}
		}
	}
	if gaps == 0 || unknown == 0 {
		t.Errorf("of the weak bounds, %d left costs open, and %d best guesses", gaps, unknown)
	}
}

// TestDistancesEqualTheDefinitionInEveryRange compares costs and distances with what they are by definition: the cubic
// recurrence over pairs, the costs of which are the textbook's.
func TestDistancesEqualTheDefinitionInEveryRange(t *testing.T) {
	const w = 160
	for _, low := range []int64{1, 2, 37, 500, 20_000, 123_456, MaxHigh - w + 1} {
		costs := textbook(low, low+w-1)
		d := distanceTable{low: uint32(low)}
		if err := d.fill(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		var lengths [w + 1][w + 1]int64 // lengths[i][j+1] is that of i..j
		for j := range w {
			for i := j - 1; i >= 0; i-- {
				shortest := int64(math.MaxInt64)
				for k := i; k <= j; k++ {
					below, above, length := int64(0), costs[k+1][j], int64(0)
					if k > i {
						below = costs[i][k-1]
					}
					if k == j {
						above = 0
					}
					if below >= above {
						length = lengths[i][k]
					}
					if above >= below {
						length = max(length, lengths[k+1][j+1])
					}
					if low+int64(k)+max(below, above) == costs[i][j] {
						shortest = min(shortest, 1+length)
					}
				}
				lengths[i][j+1] = shortest
				if got := d.column(j)[i]; got.cost() != costs[i][j] || got.distance() != shortest {
					t.Fatalf("%d..%d: cost %d and distance %d instead of %d and %d", low+int64(i), low+int64(j), got.cost(),
						got.distance(), costs[i][j], shortest)
				}
			}
		}
	}
}

func TestDistancesGiveThePublishedCosts(t *testing.T) {
	const high = 2_000
	costs := tableOf(t, 1, high)
	var sum int64
	for n := uint32(1); n <= high; n++ {
		cost := costs.cost(1, n)
		if n <= 100 {
			sum += cost
		}
		if want, ok := published[n]; ok && cost != want {
			t.Errorf("C(1, %d) = %d, published is %d", n, cost, want)
		}
		if int(n) <= len(publishedFirst) && cost != publishedFirst[n-1] {
			t.Errorf("C(1, %d) = %d, published is %d", n, cost, publishedFirst[n-1])
		}
	}
	if sum != 17_575 { // Project Euler 328 gives it as an example
		t.Errorf("C(1, 1) + ... + C(1, 100) = %d, published is 17575", sum)
	}
}

func TestRangesThatAreNotRanked(t *testing.T) {
	for _, distances := range []bool{false, true} {
		for _, r := range []Position{{1, MaxRankedWidth + 1}, {1, MaxHigh}} {
			if _, err := New(r.Low, r.High).Ranking(t.Context(), distances); !errors.Is(err, engine.ErrNoAlgorithm) {
				t.Errorf("%v, distances %t: %v", r, distances, err)
			}
		}
		if moves := rankedBy(t, rankingOf(t, 7, 7, distances), Position{7, 7}); len(moves) != 0 {
			t.Errorf("one number: %+v", moves)
		}
	}
	if _, err := New(1, MaxRankedWidth).Ranking(t.Context(), false); err != nil {
		t.Error(err)
	}
}

func TestCancelledDistancesStopAfterBoundedWork(t *testing.T) {
	const high = 2_000
	for _, looks := range []int{0, 1, 7} {
		d := distanceTable{low: 1}
		if err := d.fill(gametest.Patience(t.Context(), looks), high); !errors.Is(err, gametest.ErrEnough) {
			t.Fatalf("%d looks: %v", looks, err)
		}
		if most := int64(looks) * (rangesBetweenLooks + high); d.steps > most {
			t.Errorf("%d ranges were filled between %d looks, at most %d may be", d.steps, looks, most)
		}
		if r, err := New(1, high).Ranking(gametest.Patience(t.Context(), looks), true); !errors.Is(err, gametest.ErrEnough) || r != nil {
			t.Errorf("%d looks: %v, %v", looks, r, err)
		}
	}
	d := distanceTable{low: 1}
	if err := d.fill(gametest.Patience(t.Context(), math.MaxInt), high); err != nil || d.steps != high*(high+1)/2 {
		t.Errorf("left alone: %d ranges, %v", d.steps, err)
	}
}

// TestACancelledRankingStops counts looks at the context: a row looks at it each stepsBetweenLooks steps, once at least.
func TestACancelledRankingStops(t *testing.T) {
	for _, distances := range []bool{false, true} {
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := New(1, 1_000).Ranking(ctx, distances)
		if err != nil {
			t.Fatal(err)
		}
		cancel(gametest.ErrEnough)
		if moves, err := r.Rank(ctx, Position{1, 1_000}); !errors.Is(err, gametest.ErrEnough) || moves != nil {
			t.Errorf("distances %t: %d guesses, %v", distances, len(moves), err)
		}
		r.Close()
	}
	r := rankingOf(t, 1, 20_000, false)
	for _, looks := range []int{0, 1, 2, 20} {
		if moves, err := r.Rank(gametest.Patience(t.Context(), looks), Position{1, 20_000}); !errors.Is(err, gametest.ErrEnough) || moves != nil {
			t.Errorf("%d looks: %d guesses, %v", looks, len(moves), err)
		}
	}
}

func TestDistanceBytesIsWhatTheDistancesTake(t *testing.T) {
	for _, high := range []uint32{1, 2, 3, 100, 1_000, 3_000} {
		want := int64(DistanceBytes(1, high))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := New(1, high).Ranking(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		r.Close()
		const slack = 3*8_192 + 512 // each piece is rounded up to pages, and a few words
		if got := int64(after.TotalAlloc - before.TotalAlloc); got < want || got > want+slack {
			t.Errorf("1..%d: %d bytes were allocated, %d announced", high, got, want)
		}
	}
	for _, r := range []Position{{5, 4}, {7, 7}, {1, MaxRankedWidth + 1}, {1, MaxHigh}} {
		if got := DistanceBytes(r.Low, r.High); got != 0 {
			t.Errorf("%d..%d: %d bytes", r.Low, r.High, got)
		}
	}
	if got := DistanceBytes(MaxHigh-MaxRankedWidth+1, MaxHigh); got>>20 != 4_096 {
		t.Errorf("widest range: %d bytes", got)
	}
}

func BenchmarkDistances(b *testing.B) {
	for _, r := range []Position{{1, 500}, {1, 1_000}, {1, 5_000}, {MaxHigh - 4_999, MaxHigh}, {1, 10_000}} {
		b.Run(fmt.Sprintf("range=%d..%d", r.Low, r.High), func(b *testing.B) {
			for b.Loop() {
				d := distanceTable{low: r.Low}
				if err := d.fill(b.Context(), int(r.High-r.Low)+1); err != nil {
					b.Fatal(err)
				}
			}
			w := float64(r.High-r.Low) + 1
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(w*(w+1)/2), "ns/range")
		})
	}
}
