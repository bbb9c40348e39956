package ends_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/ends"
)

// oracle answers for the ranges of a row.
func oracle(scores []int64) func(p ends.Position) gametest.Answer {
	return func(p ends.Position) gametest.Answer { return gametest.Ends(scores[p.From:p.To]) }
}

// TestRankingsAgreeWithTheOracleOnAllRowsUpTo6 has all rows up to 4 of the scores from -2 to 3, and those of 5 and 6 of
// three scores.
func TestRankingsAgreeWithTheOracleOnAllRowsUpTo6(t *testing.T) {
	for n := range 5 {
		rows(n, func(scores []int64) { gametest.RankedAgainst(t, ends.New(scores), oracle(scores)) })
	}
	alphabet := []int64{-3, 0, 4}
	for n, all := range map[int]int{5: 243, 6: 729} {
		scores := make([]int64, n)
		for number := range all {
			for i := range scores {
				scores[i] = alphabet[number%3]
				number /= 3
			}
			gametest.RankedAgainst(t, ends.New(scores), oracle(scores))
		}
	}
}

func TestRankingsAgreeWithTheOracleOnRandomRowsUpTo10(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 877))
	for range 40 {
		spread := int64(1) << random.IntN(50)
		scores := row(random, 7+random.IntN(4), -spread, spread)
		gametest.RankedAgainst(t, ends.New(scores), oracle(scores))
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
