package guess

import (
	"math/bits"
	"sort"
)

// known is C(n−m+1, n) as the bounds have it: exactly, or a lower bound.
func (r *row) known(n, m int) (cost int64, exact bool) {
	d := bits.Len(uint(m)) - 1
	if d < 1 {
		return 0, true
	}
	if d >= r.opened || !r.holds(n, d, m) {
		return 0, false
	}
	return r.exact(n, d, m), d*m-int(r.excess[m]) <= n
}

// above is C(k+1, n), of which a lower bound is given. Where the bounds of the row do not have it, it is found by
// questions: one when the lower bound is the cost, which it is for nearly all k when that of k+1 is given. In 1..32768
// the 29,346 guesses for which questions are asked have 177 different costs.
func (r *row) above(k int, least int64) int64 {
	if cost, exact := r.known(r.n, r.n-k); exact {
		return cost
	}
	if !r.reaches(k+1, r.n, least+1) {
		return least
	}
	more := int(r.before(r.n+1) - least) // C(k+1, n) ≤ F(n)
	return least + int64(sort.Search(more, func(i int) bool { return !r.reaches(k+1, r.n, least+int64(i)+1) }))
}

// reaches reports whether C(x, y) ≥ t, for low ≤ x and y ≤ n.
//
// For x < y and t > 0, the cost is less than t if and only if for some g in x..y
//
//	g + C(g+1, y) < t and C(x, g−1) < t − g.
//
// As g grows, C(x, g−1) does not fall and t − g falls. So of the guesses with the first, the least has the second if any
// one has:
//
//	C(x, y) ≥ t if and only if C(x, g−1) ≥ t − g for the least g in x..y with g + C(g+1, y) < t, or there is none.
//
// This is a question about a shorter range, and so on until the bounds know the answer. No split is looked for, and no
// range is asked for twice. As low ≤ x, the row of low..n narrows down where g is:
//   - C(x, y) ≤ F(y): for t > F(y) the answer is no.
//   - Guesses below the window of low..y can be left out: where the premise of the row's lemma holds in low..y, it holds
//     in x..y, since C(x, k−1) ≤ F(k−1), and some guess above these is best.
//   - Guesses of the window with costs that are not exact cost F(y) ≥ t or more, or the row would have ended with errGap.
//
// The guesses from the split of low..y to that of x..y remain. Should the bounds leave open whether one of these is less
// than t, r.gap is set, and the answer may be wrong. That has not been met; see TestRankingHasNoGap.
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
