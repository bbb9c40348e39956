package guess

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
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

func rankingOf(t *testing.T, low, high uint32, distances bool) engine.Ranking[Position, Move] {
	t.Helper()
	r, err := New(low, high).Ranking(t.Context(), distances)
	if err != nil {
		t.Fatalf("%d..%d: %v", low, high, err)
	}
	t.Cleanup(r.Close)
	return r
}

// TestRankingsGiveTheCostsOfTheTable compares what both rankings say about the guesses of some larger ranges, and about
// ranges within them, with the quadratic table.
func TestRankingsGiveTheCostsOfTheTable(t *testing.T) {
	for _, r := range []Position{{1, 300}, {1_000, 1_200}, {1, 777}, {MaxHigh - 400, MaxHigh}} {
		var tab table
		if err := tab.fill(t.Context(), r.Low, r.High); err != nil {
			t.Fatal(err)
		}
		costs, distances := rankingOf(t, r.Low, r.High, false), rankingOf(t, r.Low, r.High, true)
		w := r.High - r.Low
		for _, p := range []Position{r, {r.Low, r.High - w/3}, {r.Low + w/5, r.High}, {r.Low + w/2, r.High - 1}} {
			plain, full := rankedBy(t, costs, p), rankedBy(t, distances, p)
			if n := int(p.High-p.Low) + 1; len(plain) != n || len(full) != n {
				t.Fatalf("%v: %d and %d guesses", p, len(plain), len(full))
			}
			for i, m := range plain {
				k := p.Low + uint32(i)
				var below, above int64
				if k > p.Low {
					below = tab.at(int(p.Low-r.Low), int(k-1-r.Low))
				}
				if k < p.High {
					above = tab.at(int(k+1-r.Low), int(p.High-r.Low))
				}
				want := engine.Ranked[Move]{Move: Move(k), Value: int64(k) + max(below, above)}
				if k > p.Low && above > below {
					want.Branch = 1
				}
				if m != want {
					t.Fatalf("%v: without distances %+v; the table says %+v", p, m, want)
				}
				if full[i].Move != want.Move || full[i].Value != want.Value || above != below && full[i].Branch != want.Branch {
					t.Fatalf("%v: with distances %+v; the table says %+v", p, full[i], want)
				}
			}
		}
	}
}

// TestDistancesEqualTheDefinitionInEveryRange compares costs and distances with what they are by definition: the cubic
// recurrence over pairs, the costs of which are the textbook's.
func TestDistancesEqualTheDefinitionInEveryRange(t *testing.T) {
	for _, low := range []int64{1, 2, 37, 500, 20_000, MaxHigh - 99} {
		const w = 100
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
	d := distanceTable{low: 1}
	if err := d.fill(t.Context(), high); err != nil {
		t.Fatal(err)
	}
	for i, want := range publishedFirst {
		if got := d.column(i)[0].cost(); got != want {
			t.Errorf("C(1, %d) = %d, published is %d", i+1, got, want)
		}
	}
	for n, want := range published {
		if n <= high && d.column(int(n - 1))[0].cost() != want {
			t.Errorf("C(1, %d) = %d, published is %d", n, d.column(int(n - 1))[0].cost(), want)
		}
	}
}

func TestRangesThatAreNotRanked(t *testing.T) {
	for _, distances := range []bool{false, true} {
		for _, r := range []Position{{1, MaxRankedWidth + 1}, {1, MaxHigh}} {
			if _, err := New(r.Low, r.High).Ranking(t.Context(), distances); !errors.Is(err, engine.ErrNoKernel) {
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
		if err := d.fill(&patience{t.Context(), looks}, high); !errors.Is(err, errEnough) {
			t.Fatalf("%d looks: %v", looks, err)
		}
		if most := looks * (rangesBetweenLooks + high); d.filled > most {
			t.Errorf("%d ranges were filled between %d looks, at most %d may be", d.filled, looks, most)
		}
		if r, err := New(1, high).Ranking(&patience{t.Context(), looks}, true); !errors.Is(err, errEnough) || r != nil {
			t.Errorf("%d looks: %v, %v", looks, r, err)
		}
	}
	d := distanceTable{low: 1}
	if err := d.fill(&patience{t.Context(), math.MaxInt}, high); err != nil || d.filled != high*(high+1)/2 {
		t.Errorf("left alone: %d ranges, %v", d.filled, err)
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
		cancel(errEnough)
		if moves, err := r.Rank(ctx, Position{1, 1_000}); !errors.Is(err, errEnough) || moves != nil {
			t.Errorf("distances %t: %d guesses, %v", distances, len(moves), err)
		}
		r.Close()
	}
	r := rankingOf(t, 1, 2_000, false)
	for _, looks := range []int{0, 1, 2, 20} {
		if moves, err := r.Rank(&patience{t.Context(), looks}, Position{1, 2_000}); !errors.Is(err, errEnough) || moves != nil {
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
