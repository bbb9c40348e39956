package ends_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/games/ends"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// answers are the oracle's for the ranges of a row.
func answers(scores []int64) func(p ends.Position) oracle.Answer {
	solve := ends.PredictTheWinner().Oracle()
	return func(p ends.Position) oracle.Answer { return solve(positions.Predict(0, scores[p.From:p.To]...)) }
}

func TestRankingsAgreeWithTheOracleOnRandomRowsUpTo10(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 877))
	for range 40 {
		spread := int64(1) << random.IntN(50)
		scores := row(random, 7+random.IntN(4), -spread, spread)
		gametest.RankedAgainst(t, ends.New(scores), answers(scores))
	}
}

func TestARankingReturnsTheCauseOfItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	g := ends.New(make([]int64, 1_000_000))
	r, err := g.Ranking(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if ranked, err := r.Rank(ctx, g.Root()); err != nil || len(ranked) != 2 || ranked[0].Distance != 1_000_000 {
		t.Errorf("%+v, %v", ranked, err)
	}
	cancel(gametest.ErrEnough)
	if ranked, err := r.Rank(ctx, g.Root()); !errors.Is(err, gametest.ErrEnough) || ranked != nil {
		t.Errorf("%+v, %v", ranked, err)
	}
}
