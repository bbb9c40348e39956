package hundred_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/hundred"
)

func TestDistancesAtTheLargestNumbers(t *testing.T) {
	const most = math.MaxInt64
	for _, test := range []struct {
		n, total, current uint64
		want              []engine.Ranked[hundred.Move]
	}{
		{1, most, 0, []engine.Ranked[hundred.Move]{{Move: 1, Value: engine.Win, Distance: most}}},
		{1, most, 1, []engine.Ranked[hundred.Move]{{Move: 1, Value: engine.Loss, Distance: most - 1}}},
		{2, most, 0, []engine.Ranked[hundred.Move]{ // 2^63-1 = 3m+1
			{Move: 1, Value: engine.Win, Distance: most/3*2 + 1}, {Move: 2, Value: engine.Loss, Distance: most / 3 * 2},
		}},
	} {
		g := hundred.New(test.n, test.total, test.current)
		r, err := g.Ranking(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Rank(t.Context(), g.Root()); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%+v: %+v, %v", test, got, err)
		}
		r.Close()
	}
}

// TestACancelledRankingStops would list 2^40 moves.
func TestACancelledRankingStops(t *testing.T) {
	g := hundred.New(1<<40, 1<<41, 0)
	r, err := g.Ranking(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, looks := range []int{0, 1, 20} {
		if moves, err := r.Rank(gametest.Patience(t.Context(), looks), g.Root()); !errors.Is(err, gametest.ErrEnough) || moves != nil {
			t.Errorf("%d looks: %d moves, %v", looks, len(moves), err)
		}
	}
}
