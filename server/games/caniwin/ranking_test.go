package caniwin_test

import (
	"context"
	"errors"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// TestRankingsFromChosenIntegersOn ranks from roots at which one move decides, and from others.
func TestRankingsFromChosenIntegersOn(t *testing.T) {
	for n := 7; n <= 10; n++ {
		for total := n; total <= n*(n+1)/2+1; total += 5 {
			solve := caniwin.Entry().Oracle()
			answer := func(p caniwin.Position) oracle.Answer {
				return solve(positions.CanIWin(uint32(n), uint32(total), p.Chosen()...))
			}
			for _, chosen := range []caniwin.Position{choose(1, 4), choose(2, 7), choose(6, 5, 3), choose(7, 6, 5, 4, 1)} {
				gametest.RankedAgainst(t, caniwin.New(n, int64(total), chosen), answer)
			}
		}
	}
}

func TestDistancesAreKnownWhereOneMoveDecides(t *testing.T) {
	for _, test := range []struct {
		n         int
		total     int64
		distances bool
		want      error
	}{
		{64, 2_081, true, nil}, {64, 64, true, nil}, {36, 300, true, engine.ErrNoAlgorithm}, {36, 300, false, nil},
		{37, 300, false, engine.ErrNoAlgorithm}, {64, 2_081, false, nil},
	} {
		r, err := caniwin.New(test.n, test.total, 0).Ranking(t.Context(), test.distances)
		if !errors.Is(err, test.want) {
			t.Errorf("%+v: %v", test, err)
		}
		if err == nil {
			r.Close()
		}
	}
	g := caniwin.New(64, 2_081, choose(1))
	r, err := g.Ranking(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ranked, err := r.Rank(t.Context(), g.Root())
	if best := search.Best(engine.WinLoss, ranked); err != nil || len(ranked) != 63 || best.Value != engine.Draw ||
		best.Move != 2 || best.Distance != 63 {
		t.Errorf("%+v of %d, %v", best, len(ranked), err)
	}
}

func TestARankingCanBeAskedAgainAfterACancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gametest.ErrEnough)
	g := caniwin.New(12, 45, 0)
	r, err := g.Ranking(ctx, false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if ranked, err := r.Rank(ctx, g.Root()); !errors.Is(err, gametest.ErrEnough) || ranked != nil {
		t.Errorf("%+v, %v", ranked, err)
	}
	s, err := g.Solve(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	ranked, err := r.Rank(t.Context(), g.Root())
	if err != nil || len(ranked) != 12 || search.Best(engine.WinLoss, ranked).Value != s.Value {
		t.Errorf("%+v, %v; the algorithm says %+v", ranked, err, s)
	}
}
