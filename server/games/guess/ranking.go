package guess

import (
	"context"
	"math/bits"
	"sort"

	"github.com/zermelo-games/zermelo/server/engine"
)

// MaxRankedWidth is how many numbers a range may have at most to be ranked: for the distances it takes 4 GiB then.
const MaxRankedWidth = 1 << 15

// Ranking knows what every first guess costs from rows; see rowRanking. For distances it fills a table of all ranges, see
// DistanceBytes, in time proportional to their number: some nanoseconds each.
func (g *Game) Ranking(ctx context.Context, distances bool) (engine.Ranking[Position, Move], error) {
	switch {
	case !g.Ranks(distances):
		return nil, engine.ErrNoAlgorithm
	case !distances || g.Plies() == 0:
		return rowRanking{}, nil
	}
	d := &distanceTable{low: g.root.Low}
	if err := d.fill(ctx, int(g.Plies())+1); err != nil {
		return nil, err
	}
	return d, nil
}

// Ranks is true for up to MaxRankedWidth numbers.
func (g *Game) Ranks(bool) bool { return g.Plies() < MaxRankedWidth }

var _ engine.Ranker[Position, Move] = (*Game)(nil)

// rowRanking ranks the guesses of low..n by its row, which has what the numbers below each guess cost: F(k−1). From the
// split on that decides. Below the split C(k+1, n) decides. The bounds of the row give it for large k only, the rest is
// found by questions.
//
// # Is C(x, y) ≥ t?
//
// For x < y and t > 0, C(x, y) is less than t if and only if for some g in x..y
//
//	g + C(g+1, y) < t and C(x, g−1) < t − g.
//
// As g grows, C(x, g−1) does not fall and t − g falls. So of the guesses with the first, the least has the second if any
// one has:
//
//	C(x, y) ≥ t if and only if C(x, g−1) ≥ t − g for the least g in x..y with g + C(g+1, y) < t, or there is none.
//
// This is a question about a shorter range, which begins with x too, and so on: no split is looked for, and no range is
// asked for twice. For x ≥ low, the row of low..n narrows down where g is:
//   - C(x, y) ≤ F(y). For t > F(y) the answer is no.
//   - Guesses below the window of low..y can be left out. Since C(x, k−1) ≤ F(k−1), the premise of the row's lemma holds
//     in x..y where it holds in low..y, and some guess above these is best in x..y.
//   - The costs of the window are the bounds' or, where these are not exact, not below F(y), or the row would have
//     ended with errGap; so these guesses are none of those with the first condition. The window ends at the split of
//     low..y, while g may be above that. If the bounds ever left open whether such a guess has the first condition,
//     nothing would be answered: engine.ErrNoAlgorithm. That has not been met either; see TestRankingHasNoGap.
//
// # All of them
//
// As k falls, C(k+1, n) does not fall, and it seldom grows: in 1..32768 the 29,346 guesses for which questions are asked
// have 177 different costs. So the first question is whether it grows; only then are more asked, in halves, up to F(n).
type rowRanking struct{}

// Close has nothing to give back.
func (rowRanking) Close() {}

// Rank takes well below a second for the widest range, and the memory of a row. Of two ranges that cost as much, the
// lower counts as the adversary's choice. Besides the cause of ctx, it may return engine.ErrNoAlgorithm; see Solve.
func (rowRanking) Rank(ctx context.Context, p Position) ([]engine.Ranked[Move], error) {
	low, high := int(p.Low), int(p.High)
	if low == high {
		return nil, nil
	}
	r, err := fillRow(ctx, low, high)
	if err != nil {
		return nil, err
	}
	ranked := make([]engine.Ranked[Move], high-low+1)
	split := high - int(r.windows[high-low+1].split)
	for k := split; k <= high; k++ {
		ranked[k-low] = engine.Ranked[Move]{Move: Move(k), Value: int64(k) + r.before(k)}
	}
	above := int64(0)
	for k := split - 1; k >= low; k-- {
		if err := r.look(ctx, stepsBetweenLooks); err != nil {
			return nil, err
		}
		above = r.above(k, above)
		m := engine.Ranked[Move]{Move: Move(k), Value: int64(k) + above}
		if k > low {
			m.Branch = 1
		}
		ranked[k-low] = m
	}
	if r.gap {
		return nil, errGap
	}
	return ranked, nil
}

// above is C(k+1, n), of which a lower bound is given: it is quick where that is the cost.
func (r *row) above(k int, least int64) int64 {
	if cost, exact := r.known(r.n, r.n-k); exact {
		return cost
	}
	if !r.reaches(k+1, r.n, least+1) {
		return least
	}
	more := int(r.before(r.n+1) - least)
	return least + int64(sort.Search(more, func(i int) bool { return !r.reaches(k+1, r.n, least+int64(i)+1) }))
}

// reaches reports whether C(x, y) ≥ t, for low ≤ x and y ≤ n. Where r.gap is set then, the answer may be wrong.
func (r *row) reaches(x, y int, t int64) bool {
	for x < y && 0 < t && t <= r.before(y+1) {
		if cost, exact := r.known(y, y-x+1); exact {
			return cost >= t
		}
		m := r.widest(y, min(y-x, int(r.windows[y-r.low+1].least)), t)
		if m < 0 {
			return true
		}
		g := y - m
		y, t = g-1, t-int64(g)
	}
	return t <= 0
}

// widest is how many numbers are above the least guess g, of those with up to most numbers above, with g + C(g+1, y) < t;
// −1 where there is none.
func (r *row) widest(y, most int, t int64) int {
	for d := bits.Len(uint(most)) - 1; d >= 0; d-- {
		l := &r.levels[d]
		first, last := l.first, min(most, l.last)
		above := func(m int) int64 { return int64(y-m) + r.exact(y, d, m) }
		to := first - 1 + sort.Search(last-first+1, func(i int) bool { return !r.holds(y, d, first+i) })
		if to < last && (to < first || int64(to-last)+above(to) < t) {
			r.gap = true
		}
		if first <= to && to <= l.to && above(int(l.minima[0])) >= t {
			continue // even the cheapest of the level, if it is up to to, is not below t
		}
		for m := to; m >= first; m-- {
			if above(m) < t {
				_, exact := r.known(y, m)
				r.gap = r.gap || !exact
				r.steps += int64(to - m)
				return m
			}
		}
		r.steps += int64(to - first)
	}
	if int64(y) < t {
		return 0
	}
	return -1
}
