package ends

import (
	"context"
	"runtime"

	"github.com/zermelo-games/zermelo/server/engine"
)

// stepsBetweenLooks is how many steps are made between two looks at the context: about half a millisecond. A step keeps
// a score, fuses or takes one. What one score fuses at once is not interrupted: half of the row at most, a nanosecond or
// two for each.
const stepsBetweenLooks = 1 << 16

// firstRoom is how many scores there is room for at first.
const firstRoom = 1 << 10

// ReductionBytes is the most that Solve takes for a row of n scores beyond the row itself: 8 bytes for each score but
// the first and the last, twice, since room that grows is there twice for a moment. Most rows need far less: what fusing
// has left of their beginning is short. The allocator of the runtime rounds it up.
func ReductionBytes(n int) uint64 { return 16 * uint64(max(0, n-2)) }

// valley is a row of scores that do not rise and then do not fall: what fusing leaves of a row, in time and memory
// proportional to its length.
//
// V(r) is by how much the player to move outscores the other from the row r on. A peak of a row is three neighbours
// a ≤ b ≥ c. The row is fused there when a−b+c takes the place of the three.
//
// Theorem. Fusing keeps V. Where no peak is left, the larger of both ends is the best move: V is the alternating sum of
// the scores in falling order.
//
// # Rows without a peak
//
// If a neighbour does not fall in such a row, the next one rises: it is a valley. For a valley v, let S(v) be its scores
// in falling order, s1 − s2 + s3 − …. What is left of a valley is one, and its largest score is at an end. V(v) = S(v)
// by induction: taking the largest gives s1 − S(rest) = S(v), and taking any other, say the k-th, gives no more, since
// with A = s1 − s2 + … ± s(k−1) the scores after it cancel in
//
//	S(v) + S(v without sk) = 2A ± sk ≥ sk:
//
// for odd k the sign is plus and A ≥ 0; for even k it is minus and A ≥ s(k−1) ≥ sk.
//
// # Two lemmas
//
// (1) When one score changes by x, V changes by |x| at most. By induction: both moves do.
//
// (2) If a row has several peaks, fusing it at one or at another gives rows of the same V, as long as the theorem holds
// for shorter rows. Peaks apart from each other can both be fused, in either order. If they share one score, as in
// a ≤ b ≥ c ≤ d ≥ e, the other is a peak after fusing one, since a−b+c ≤ c, and both orders give a−b+c−d+e. If they share
// two, as in a ≤ b = c ≥ d, both leave a, d.
//
// # Fusing keeps V
//
// By induction on the length n of a row r. Thanks to (2), one peak has to be shown, the most convenient one.
//
// If a peak touches neither end, both moves lead to shorter rows that can be fused there, and earn the same.
//
// Otherwise r without both ends is a valley, and there is a peak at an end, let it be the left one: r = a b c y,
// a ≤ b ≥ c; with d = a−b+c, r is fused to d y. If y is empty, V(r) = max(a − (b−c), c − (b−a)) = d. If it is not, let l
// be its last score, y = y' l. The right moves in r and d y have the same value, l − V(d y') by induction. The left
// moves have the same value too if
//
//	(3) V(b c y) = b − c + V(y).
//
// If the right end has a peak as well, c' ≤ b' ≥ a', let it be the one with c' ≤ c: else turn the row round. If
// r = a b b' a', then b = b', and (3) is V(b b a') = a'. If r = a b c b' a', then V(b c b' a') = |b − (c−b'+a')|, which is
// (b−c) + (b'−a'), and that is (3). Else fuse b c y and y at the right. In the valley, no score between c and c' is
// larger than c, and c'−b'+a' ≤ c'. Fusing goes on to a valley z, and no score of z is larger than c; neither has b c z a
// peak that it needs to be fused at, being a valley itself: S(b c z) = b − c + S(z), which is (3).
//
// If only the left end has a peak, b c y is a valley. If l ≤ c, no score of y is larger than c, and (3) holds as before.
// If l > c, l is largest in y, and d ≤ c < l. By (1),
//
//	V(d y') ≤ (l−d) + V(l y') = (l−d) + S(l y') = (l−d) + l − S(y') = (l−d) + V(y),
//
// so the right move in d y, l − V(d y'), is at least as good as the left one, d − V(y). Hence V(d y) ≤ V(r). And V(r) is
// no more than V(d y), because the left move in r, a − V(b c y), is at most a − (b − V(c y)), and by (1)
// V(c y) ≤ (c−d) + V(d y) = (b−a) + V(d y). ∎
//
// # Numbers
//
// Fusing does not increase the sum of the absolute values, and a−b is no more than that of two of them. No sum or
// difference here is more than the sum of the absolute values of the row: none wraps when that is at most 2^63−1.
type valley []int64

// fuse reduces a row to a valley.
func (c *clock) fuse(row []int64) (valley, error) {
	room := make([]int64, min(len(row), firstRoom))
	top := 0 // room[:top] is a row without a peak
	for _, score := range row {
		for top >= 2 {
			before, peak := room[top-2], room[top-1]
			if max(before, score) > peak {
				break
			}
			score += before - peak
			top -= 2
			c.steps--
		}
		if top == len(room) {
			larger := make([]int64, min(len(row), 4*len(room)))
			copy(larger, room)
			room = larger
		}
		room[top] = score
		top++
		if err := c.tick(); err != nil {
			return nil, err
		}
	}
	return room[:top], nil
}

// margin is V of the valley with one more score at its left end or, if mirrored, at its right end.
func (c *clock) margin(v valley, end int64, mirrored bool) (int64, error) {
	next, step := 0, 1 // next to the end, and the way on from there
	if mirrored {
		next, step = len(v)-1, -1
	}
	left := len(v)
	moves := 0
	for ; left >= 2 && max(end, v[next+step]) <= v[next]; left -= 2 {
		end += v[next+step] - v[next]
		next += 2 * step
		if err := c.tick(); err != nil {
			return 0, err
		}
	}
	var sum int64 // of the scores taken so far, alternating, the last one with a plus
	for far := next + step*(left-1); left > 0; left-- {
		taken := end
		if v[far] > end {
			taken = v[far]
			far -= step
		} else {
			end = v[next]
			next += step
		}
		sum = taken - sum
		moves++
		if err := c.tick(); err != nil {
			return 0, err
		}
	}
	sum = end - sum
	if moves%2 == 1 {
		sum = -sum // the first one is to have the plus
	}
	return sum, nil
}

// clock looks at a context from time to time.
type clock struct {
	ctx   context.Context
	steps int // before the next look
}

// tick counts a step.
func (c *clock) tick() error {
	if c.steps--; c.steps > 0 {
		return nil
	}
	return c.look()
}

// look looks at the context.
func (c *clock) look() error {
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	runtime.Gosched() // small calls do not wait for large ones
	c.steps = stepsBetweenLooks
	return nil
}

// Solve takes time proportional to the length of the row, about 10 ns a score, and ReductionBytes of memory. The value
// and the best moves are exact. The only error is the cause of ctx.
func (g *Game) Solve(ctx context.Context, maxMoves int) (engine.Solution[Move], error) {
	s := engine.Solution[Move]{BestKnown: true}
	if len(g.scores) == 0 {
		return s, nil
	}
	left, right, err := margins(ctx, g.scores)
	if err != nil {
		return engine.Solution[Move]{}, err
	}
	s.Value = max(left, right)
	for _, m := range [...]struct {
		move  Move
		value int64
	}{{Left, left}, {Right, right}} {
		if m.value != s.Value {
			continue
		}
		if s.BestCount++; len(s.Best) < maxMoves {
			s.Best = append(s.Best, m.move)
		}
	}
	return s, nil
}

var _ engine.Algorithm[Move] = (*Game)(nil)

// margins are the values of either first move at a row that is not empty. It fuses the row without both its ends, and
// finds each from what is left and the other end.
func margins(ctx context.Context, scores []int64) (left, right int64, err error) {
	n := len(scores)
	first, last := scores[0], scores[n-1]
	if n == 1 {
		return first, last, nil
	}
	c := clock{ctx: ctx}
	v, err := c.fuse(scores[1 : n-1])
	if err != nil {
		return 0, 0, err
	}
	afterLeft, err := c.margin(v, last, true)
	if err != nil {
		return 0, 0, err
	}
	afterRight, err := c.margin(v, first, false)
	if err != nil {
		return 0, 0, err
	}
	return first - afterLeft, last - afterRight, nil
}
