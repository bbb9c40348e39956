package hundred

import (
	"context"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Ranking knows the outcome and the distance of every move from what is missing to the total; see Decide.
//
// The distance from the end, when the winner hurries and the loser delays, is 2q at q multiples of n+1, and 2q+1 between
// that and the next. By induction: who loses at q multiples adds m, and the winner, whose only move is n+1−m, leaves
// q−1 of them, whatever m is: 2 + 2(q−1). Who wins above q multiples leaves q of them, which takes 1 + 2q; for q = 0,
// the winner ends the game at once.
func (g *Game) Ranking(context.Context, bool) (engine.Ranking[Position, Move], error) {
	return ranking{g}, nil
}

// Ranks is true.
func (g *Game) Ranks(bool) bool { return true }

var _ engine.Ranker[Position, Move] = (*Game)(nil)

type ranking struct{ game *Game }

// Close has nothing to give back.
func (r ranking) Close() {}

// movesBetweenLooks is how many moves are ranked between two looks at the context: well below a millisecond.
const movesBetweenLooks = 1 << 14

// Rank takes time proportional to the number of moves.
func (r ranking) Rank(ctx context.Context, p Position) ([]engine.Ranked[Move], error) {
	var ranked []engine.Ranked[Move]
	for m := range engine.Moves(r.game, p) {
		if len(ranked)%movesBetweenLooks == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		after, _ := r.game.After(p, m, 0)
		missing := r.game.total - uint64(after)
		multiples, rest := missing/(r.game.n+1), missing%(r.game.n+1)
		// Even the largest distance fits: below 2^63 are missing, in steps of 2 and more.
		move := engine.Ranked[Move]{Move: m, Value: engine.Win, Distance: int64(2*multiples) + 1}
		if rest != 0 {
			move.Value, move.Distance = engine.Loss, move.Distance+1
		}
		ranked = append(ranked, move)
	}
	return ranked, nil
}
