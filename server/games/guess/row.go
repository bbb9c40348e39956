package guess

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sort"

	"github.com/zermelo-games/zermelo/server/engine"
)

// MaxRowWidth is how many numbers a range may have at most to be solved by the row.
const MaxRowWidth = 1 << 24

// stepsBetweenLooks is how many ends of ranges or widths are worked on between two looks at the context: a millisecond
// or two.
const stepsBetweenLooks = 1 << 14

// work counts steps, and when to look at the context again.
type work struct{ steps, lookAt int64 }

// look returns the cause of ctx when it has ended. It looks once in so many steps.
func (w *work) look(ctx context.Context, every int64) error {
	if w.steps < w.lookAt {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	runtime.Gosched() // small calls do not wait for large ones
	w.lookAt = w.steps + every
	return nil
}

// errGap says that the bounds of a row left a value open. No such range is known: there is none among those from 1 and
// among those of up to 20,000 numbers, which have all been computed, and none where low is ⌊log2 w⌋·w or more for w
// numbers, because conditions (1) and (2) hold there for all widths. See TestRowHasNoGap.
var errGap = fmt.Errorf("the bounds leave the value open: %w", engine.ErrNoAlgorithm)

// RowBytes is exactly what a row takes for low..high with w > 1 numbers, the list of best moves apart: 16 bytes for each
// of w+1 ends, 8 for each of the widths below the least power of two that is w or more, and 56 for each binary digit of
// w−1. That is at most 32w and a little. Nothing is allocated for a single number. The allocator of the runtime rounds
// each of the four pieces up.
func RowBytes(low, high uint32) uint64 {
	if low >= high {
		return 0
	}
	w := uint64(high) - uint64(low) + 1
	levels := bits.Len64(w - 1)
	return 16*(w+1) + 8<<levels + levelBytes*uint64(levels)
}

// row computes the least sure costs F(n) = C(low, n) of all ranges that begin at low, in time and memory proportional
// to their number. Here C(i, j) = 0 for i ≥ j, and for i < j
//
//	C(i, j) = min over g in i..j of g + max(C(i, g−1), C(g+1, j)).
//
// What distanceTable says of W is true of C as well, with the same proofs: it grows with the range, and from the split
// on, the least g with C(i, g−1) ≥ C(g+1, j), it is the numbers below the guess that decide.
//
// # What the larger numbers cost
//
// A strategy for m numbers is a binary search tree with m nodes; who hides a number at depth d collects the d numbers
// above it. Let d = ⌊log2 m⌋, the least height there is, and let the excess r(m) be the least, over the trees of height d
// with the nodes 1..m, of the largest sum of the numbers above a node at depth d. For the range a+1..a+m, where a is
// added to each guess:
//
//	C(a+1, a+m) ≥ min(d·a + r(m), (d+1)·a + (d+1)(d+2)/2)
//	C(a+1, a+m) ≤ max(d·a + r(m), (d−1)(a+m))
//
// A tree of height d has a node at depth d that costs d·a + r(m) or more; a higher tree has one at depth d+1, with d+1
// different numbers above it. In the tree that gives r(m), nodes at depth d cost d·a + r(m) at most, the others have at
// most d−1 numbers above them, a+m each at most. With n = a+m the cost is therefore exactly d·a + r(m) if
//
//	(1) r(m) + m ≤ n + (d+1)(d+2)/2 and (2) d·m − r(m) ≤ n.
//
// Within a level, the widths with the same d, r does not fall as m grows: leave out a number of a tree, as in the proof
// that C grows. So (1) holds up to some width of each level and fails above; both become easier as n grows.
//
// The excess satisfies a recurrence like that of C. Below the root k of a tree of height d are k−1 and m−k nodes, fewer
// than 2^d each; a side has nodes at depth d of the whole tree only if it has 2^(d−1) nodes or more:
//
//	r(m) = min over k of k + max(r(k−1) if k−1 ≥ 2^(d−1), (d−1)·k + r(m−k) if m−k ≥ 2^(d−1)).
//
// As k grows, the left side does not fall and the right side does not rise. From the split on, the best k is the split;
// below it the cost is d·m + r(x) − d·x with x = m−k, and since x goes up to 2^d−1 whatever m is, minima of r(x) − d·x
// over the upper ends of the level below are all that is needed.
//
// # Which first guesses matter
//
// Let s be the split of low..n: the least k with F(k−1) ≥ C(k+1, n). Guesses k > s cost more than s, which costs
// s + F(s−1). Guesses k < s cost k + C(k+1, n). Most of these are not needed:
//
// Lemma. If F(k−1) + n < C(k+1, n), then a guess greater than k is at least as good as k. Proof: let g be the best guess
// in k+1..n. In low..g−1 the guess k is legal, hence F(g−1) ≤ k + max(F(k−1), C(k+1, g−1)), and g costs in low..n
//
//	g + max(F(g−1), C(g+1, n)) ≤ max(g + k + F(k−1), k + g + C(k+1, g−1), g + C(g+1, n))
//
// of which the first is less than k + C(k+1, n), the second at most and the third less than that, because
// C(k+1, n) = g + max(C(k+1, g−1), C(g+1, n)). ∎
//
// F(k−1) does not fall as k grows and C(k+1, n) does not rise: if the premise holds for one k, it holds for all smaller
// ones. Some guess above all of these is best. The window of low..n is what remains: the guesses from there to s−1.
//
// In the window, the guess n−m with m numbers above it costs (d+1)·n + r(m) − (d+1)·m where the cost of these is exact,
// so that minima of r(x) − (d+1)·x over runs of widths of a level give the best of them. Where it is not, C(n−m+1, n)
// is at least what it is for any smaller m; and this bound has to show that the guess is no better than the best one
// found. If it ever did not, nothing would be answered: errGap.
//
// # All best first guesses
//
// From the split on, only the split can be best. Guesses below it cost k + C(k+1, n), which the method above finds, and
// are gone through falling. C(k+1, n) does not fall as k falls: when k + C(k+1, n) > F(n), the next that can be best is
// F(n) − C(k+1, n), and what is below the window takes a few leaps.
type row struct {
	work

	low int
	// costs[i] is F(low+i−1): costs[0] and costs[1] are 0.
	costs []int64
	// windows[i] is the window of low..low+i−1.
	windows []window
	// excess[m] is r(m), for all m below the end of the last level that was opened.
	excess []int32
	levels []level
	opened int
	// n is the end of the range being solved, split its split.
	n, split int
	// gap says that the bounds left a question open; see reaches.
	gap bool
}

// window holds how many numbers are above the split, and above the least guess of the window.
type window struct{ split, least int32 }

// level holds the widths first..last = 2^d..2^(d+1)−1 and what is known of them for the present n.
type level struct {
	first, last int
	// Widths from..to have exact costs; (1) holds up to to and fails above. to is first−1 when it holds for none.
	from, to int
	// minima are the widths x among first..to, rising, with a smaller r(x) − (d+1)·x than all greater ones up to to.
	minima []int32
}

// levelBytes is the size of a level.
const levelBytes = 56

// Solve fills a row from low to high, when that has at most MaxRowWidth numbers: in time proportional to their number,
// about 100 ns each, and in RowBytes of memory. Value, best first guesses and their number are exact; where the
// bounds of the row leave the value open, or there are more numbers, it returns engine.ErrNoAlgorithm. Otherwise the only
// error is the cause of ctx.
func (g *Game) Solve(ctx context.Context, maxMoves int) (engine.Solution[Move], error) {
	low, high := int(g.root.Low), int(g.root.High)
	if low == high {
		return engine.Solution[Move]{BestKnown: true}, nil
	}
	if high-low >= MaxRowWidth {
		return engine.Solution[Move]{}, engine.ErrNoAlgorithm
	}
	r, err := fillRow(ctx, low, high)
	if err != nil {
		return engine.Solution[Move]{}, err
	}
	return r.solution(ctx, maxMoves)
}

var _ engine.Algorithm[Move] = (*Game)(nil)

// fillRow returns the row of low..high, low < high. The error is errGap, which is an engine.ErrNoAlgorithm, or the cause of
// ctx.
func fillRow(ctx context.Context, low, high int) (*row, error) {
	r := newRow(low, high)
	if err := r.fill(ctx, high); err != nil {
		return nil, err
	}
	return r, nil
}

// newRow prepares a row of low..high, low < high.
func newRow(low, high int) *row {
	w := high - low + 1
	levels := bits.Len(uint(w - 1))
	r := &row{
		low:     low,
		costs:   make([]int64, w+1),
		windows: make([]window, w+1),
		levels:  make([]level, levels),
		n:       low,
		split:   low,
	}
	widths := make([]int32, 2<<levels)
	r.excess = widths[: 1<<levels : 1<<levels]
	widths = widths[1<<levels:]
	for d := range r.levels {
		first := 1 << d
		r.levels[d] = level{
			first: first, last: 2*first - 1, from: 2 * first, to: first - 1,
			minima: widths[first : first : 2*first],
		}
	}
	return r
}

// fill computes F to high.
func (r *row) fill(ctx context.Context, high int) error {
	for r.n < high {
		if err := r.look(ctx, stepsBetweenLooks); err != nil {
			return err
		}
		r.n++
		r.steps++
		if err := r.next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// before is F(k−1).
func (r *row) before(k int) int64 { return r.costs[k-r.low] }

// next computes F(n).
func (r *row) next(ctx context.Context) error {
	n := r.n
	if err := r.findSplit(ctx); err != nil {
		return err
	}
	best := int64(r.split) + r.before(r.split)
	floor := int64(math.MaxInt64) // no guess of the window whose cost is not exact costs less than this
	above := int64(0)             // at least this is what the numbers above the guess cost, in the levels so far
	most := n - r.low             // the widest
	start := n - r.split + 1      // the window's widths are start, start+1, ...
	least := most
	if start <= most {
		var err error
		if above, err = r.atLeast(ctx, start-1); err != nil {
			return err
		}
	}
	for d := bits.Len(uint(start)) - 1; d < len(r.levels) && r.levels[d].first <= most; d++ {
		l, err := r.level(ctx, d)
		if err != nil {
			return err
		}
		if from := max(start, l.first); from <= l.to {
			cost, width := r.cheapest(d, from)
			if width < l.from {
				// Widths below l.from are not exact. Their bounds are.
				floor = min(floor, max(cost, int64(n-min(l.from-1, l.to))+above))
				if l.from <= l.to {
					cost, width = r.cheapest(d, max(from, l.from))
				}
			}
			if width >= l.from {
				best = min(best, cost)
			}
		}
		if l.to >= l.first {
			above = max(above, r.exact(r.n, d, l.to))
		}
		if r.before(n-l.to)+int64(n) < above {
			least = l.to - 1 // the lemma's premise holds for the guess n−l.to
			break
		}
		if last := min(l.last, most); l.to < last {
			floor = min(floor, int64(n-last)+above)
		}
	}
	if floor < best {
		return errGap
	}
	r.costs[n-r.low+1] = best
	r.windows[n-r.low+1] = window{split: int32(n - r.split), least: int32(least)}
	return nil
}

// findSplit moves the split of low..n−1 to that of low..n, which is not below it: C(k+1, n) grows with n.
func (r *row) findSplit(ctx context.Context) error {
	for ; ; r.split++ {
		m := r.n - r.split
		if m <= 1 {
			return nil // F(k−1) ≥ 0 = C(k+1, n)
		}
		d := bits.Len(uint(m)) - 1
		if _, err := r.level(ctx, d); err != nil {
			return err
		}
		below := r.before(r.split)
		if below >= max(r.exact(r.n, d, m), int64(d-1)*int64(r.n)) {
			return nil
		}
		above, err := r.atLeast(ctx, m)
		if err != nil {
			return err
		}
		if below >= above {
			return errGap
		}
	}
}

// exact is d·a + r(m) with a = n−m: exactly C(a+1, n) for the exact widths of level d, and no more than that as far as
// (1) holds.
func (r *row) exact(n, d, m int) int64 { return int64(d)*int64(n-m) + int64(r.excess[m]) }

// holds is (1), which makes exact a lower bound of C(n−m+1, n).
func (r *row) holds(n, d, m int) bool { return int(r.excess[m])+m <= n+(d+1)*(d+2)/2 }

// atLeast is a lower bound of C(n−m+1, n), m ≥ 1: that of the greatest width up to m for which (1) holds. It holds for
// width 1.
func (r *row) atLeast(ctx context.Context, m int) (int64, error) {
	for d := bits.Len(uint(m)) - 1; ; d-- {
		l, err := r.level(ctx, d)
		if err != nil {
			return 0, err
		}
		if x := min(m, l.to); x >= l.first {
			return r.exact(r.n, d, x), nil
		}
	}
}

// cheapest is the least of (d+1)·n + r(x) − (d+1)·x over the widths x of level d between from and its to, and its width.
func (r *row) cheapest(d, from int) (int64, int) {
	minima := r.levels[d].minima
	i := sort.Search(len(minima), func(i int) bool { return int(minima[i]) >= from })
	x := int(minima[i])
	return int64(r.n-x) + r.exact(r.n, d, x), x
}

// level returns level d as of the present n. It computes the excesses of its widths when it comes to it the first time.
func (r *row) level(ctx context.Context, d int) (*level, error) {
	for r.opened <= d {
		if err := r.open(ctx, r.opened); err != nil {
			return nil, err
		}
		r.opened++
	}
	l := &r.levels[d]
	most := min(l.last, r.n-r.low)
	for l.to < most && r.holds(r.n, d, l.to+1) {
		l.to++
		r.steps++
		value := int(r.excess[l.to]) - (d+1)*l.to
		for len(l.minima) > 0 {
			if x := int(l.minima[len(l.minima)-1]); int(r.excess[x])-(d+1)*x < value {
				break
			}
			l.minima = l.minima[:len(l.minima)-1]
		}
		l.minima = append(l.minima, int32(l.to))
	}
	for l.from > l.first && d*(l.from-1)-int(r.excess[l.from-1]) <= r.n {
		l.from--
		r.steps++
	}
	return l, nil
}

// open computes the excesses of level d.
func (r *row) open(ctx context.Context, d int) error {
	if d == 0 {
		r.excess[1] = 0
		return nil
	}
	first := 1 << d
	half := first / 2
	excess := r.excess
	// tails[x−half] is the least r(y) − d·y over the widths y from x up in the level below; room is borrowed.
	tails := r.levels[d].minima[:half]
	for x, least := first-1, int32(math.MaxInt32); x >= half; x-- {
		least = min(least, excess[x]-int32(d*x))
		tails[x-half] = least
	}
	k := 1 // the split
	for m := first; m < 2*first; m++ {
		if err := r.look(ctx, stepsBetweenLooks); err != nil {
			return err
		}
		r.steps++
		// Below k remain k−1 < 2^d nodes, above it m−k < 2^d.
		k = max(k, m-first+1)
		for k <= first && m-k >= half && (k-1 < half || int(excess[k-1]) < (d-1)*k+int(excess[m-k])) {
			k++
		}
		best := int32(math.MaxInt32)
		if k <= first {
			best = int32(k) + excess[k-1]
		}
		if m-k+1 < first {
			best = min(best, int32(d*m)+tails[m-k+1-half])
		}
		excess[m] = best
	}
	return nil
}

// solution reads the value of low..n, which the row was filled to, and finds its best guesses.
func (r *row) solution(ctx context.Context, maxMoves int) (engine.Solution[Move], error) {
	s := engine.Solution[Move]{Value: r.before(r.n + 1)}
	maxMoves = max(0, min(maxMoves, r.n-r.low+1))
	keep := func(k int) {
		s.BestCount++
		// Guesses come falling: the last ones are wanted.
		if s.Best = append(s.Best, Move(k)); len(s.Best) >= 2*max(maxMoves, 32) {
			s.Best = s.Best[:copy(s.Best, s.Best[len(s.Best)-maxMoves:])]
		}
	}
	split := r.n - int(r.windows[r.n-r.low+1].split)
	if int64(split)+r.before(split) == s.Value {
		keep(split)
	}
	above := int64(0)
	for k := split - 1; k >= r.low; k = min(k-1, int(s.Value-above)) {
		if err := r.look(ctx, stepsBetweenLooks); err != nil {
			return engine.Solution[Move]{}, err
		}
		r.steps++
		if above = r.above(k, above); int64(k)+above == s.Value {
			keep(k)
		}
	}
	s.Best = s.Best[max(0, len(s.Best)-maxMoves):]
	slices.Reverse(s.Best)
	if s.BestKnown = !r.gap; r.gap {
		s.BestCount = 0
	}
	return s, nil
}
