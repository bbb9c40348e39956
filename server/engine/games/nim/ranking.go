package nim

import (
	"context"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Ranking knows the outcome of every move by Bouton's theorem; see Decide. There are no distances in it: it says who
// wins, not how soon.
func (g *Game) Ranking(_ context.Context, distances bool) (engine.Ranking[Position, Move], error) {
	if distances {
		return nil, engine.ErrNoKernel
	}
	return ranking{g}, nil
}

var _ engine.Ranker[Position, Move] = (*Game)(nil)

type ranking struct{ game *Game }

// Close has nothing to give back.
func (r ranking) Close() {}

// movesBetweenLooks is how many moves are ranked between two looks at the context: well below a millisecond.
const movesBetweenLooks = 1 << 14

// Rank takes time proportional to the number of piles and moves.
func (r ranking) Rank(ctx context.Context, p Position) ([]engine.Ranked[Move], error) {
	all := count(p)
	var seen sizes
	var ranked []engine.Ranked[Move]
	for i, pile := range p {
		if pile == 0 || !seen.add(pile) {
			continue
		}
		others := all.without(pile)
		for after := range pile {
			if len(ranked)%movesBetweenLooks == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			m := engine.Ranked[Move]{Move: Move{Pile: i, Before: pile, After: after}, Value: engine.Loss}
			if others.with(after).lost(r.game.convention) {
				m.Value = engine.Win
			}
			ranked = append(ranked, m)
		}
	}
	return ranked, nil
}
