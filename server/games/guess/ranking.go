package guess

import (
	"context"

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

// rowRanking ranks the guesses of a range by its row.
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
