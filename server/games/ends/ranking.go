package ends

import (
	"context"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Ranking knows the values of both moves by fusing the row; see valley. All plays from a row are as long as the row.
func (g *Game) Ranking(context.Context, bool) (engine.Ranking[Position, Move], error) {
	return ranking{g}, nil
}

// Ranks is true.
func (g *Game) Ranks(bool) bool { return true }

var _ engine.Ranker[Position, Move] = (*Game)(nil)

type ranking struct{ game *Game }

// Close has nothing to give back.
func (r ranking) Close() {}

// Rank takes as long as Solve does for the scores that are left.
func (r ranking) Rank(ctx context.Context, p Position) ([]engine.Ranked[Move], error) {
	if p.From == p.To {
		return nil, nil
	}
	left, right, err := margins(ctx, r.game.scores[p.From:p.To])
	if err != nil {
		return nil, err
	}
	distance := int64(p.To - p.From)
	return []engine.Ranked[Move]{
		{Move: Left, Value: left, Distance: distance},
		{Move: Right, Value: right, Distance: distance},
	}, nil
}
