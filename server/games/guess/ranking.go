package guess

import (
	"context"

	"github.com/zermelo-games/zermelo/server/engine"
)

// MaxRankedWidth is how many numbers a range may have at most to be ranked: by rows it takes minutes then, and for the
// distances 4 GiB.
const MaxRankedWidth = 1 << 15

// Ranking knows what every first guess costs from rows; see Rank. For distances it fills a table of all ranges, see
// DistanceBytes, in time proportional to their number: some nanoseconds each.
func (g *Game) Ranking(ctx context.Context, distances bool) (engine.Ranking[Position, Move], error) {
	switch {
	case !g.Ranks(distances):
		return nil, engine.ErrNoKernel
	case !distances || g.Plies() == 0:
		return ranking{g}, nil
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

type ranking struct{ game *Game }

// Close has nothing to give back.
func (r ranking) Close() {}

// Rank fills the row of the range, which has the ranges below each guess, and for each guess whose range above it does
// not follow from the bounds of that row, a row of its own: in time proportional to the square of the number of
// numbers, and in the memory of two rows. Besides the cause of ctx, it may return engine.ErrNoKernel; see Solve.
func (r ranking) Rank(ctx context.Context, p Position) ([]engine.Ranked[Move], error) {
	low, high := int(p.Low), int(p.High)
	if low == high {
		return nil, nil
	}
	whole, err := fillRow(ctx, low, high)
	if err != nil {
		return nil, err
	}
	split := high - int(whole.windows[high-low+1].split)
	ranked := make([]engine.Ranked[Move], 0, high-low+1)
	for k := low; k <= high; k++ {
		below, above := whole.before(k), int64(0)
		if k < split { // from the split on, what is above costs no more than what is below
			if above, err = whole.above(ctx, k); err != nil {
				return nil, err
			}
		}
		m := engine.Ranked[Move]{Move: Move(k), Value: int64(k) + max(below, above)}
		if k > low && above > below {
			m.Branch = 1
		}
		ranked = append(ranked, m)
	}
	return ranked, nil
}

// above is C(k+1, n) for a row that is filled to n > k.
func (r *row) above(ctx context.Context, k int) (int64, error) {
	if k+1 >= r.n {
		return 0, nil
	}
	if cost, exact := r.known(r.n, r.n-k); exact {
		return cost, nil
	}
	higher, err := fillRow(ctx, k+1, r.n)
	if err != nil {
		return 0, err
	}
	return higher.before(r.n + 1), nil
}
