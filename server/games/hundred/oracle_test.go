package hundred_test

import (
	"math"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/hundred"
)

func TestKnownAnswers(t *testing.T) {
	for _, k := range gametest.Known().Hundred {
		s, ok := hundred.New(k.N, k.Total, k.Current).Decide(10)
		if !ok || s.Value != k.Outcome.Value() {
			t.Errorf("%+v: %+v, %t", k, s, ok)
		}
	}
}

func TestBachetAtTheLargestNumbers(t *testing.T) {
	const most = math.MaxInt64
	for _, test := range []struct {
		n, total, current uint64
		value             int64
		best              []hundred.Move
		count             int64
	}{
		{most, most, 0, engine.Win, []hundred.Move{most}, 1},
		{most, most, 1, engine.Win, []hundred.Move{most - 1, most}, 2},
		{most, 1, 0, engine.Win, []hundred.Move{1, 2, 3}, most},
		{most - 1, most, 0, engine.Loss, []hundred.Move{1, 2, 3}, most - 1},
		{1, most, 0, engine.Win, []hundred.Move{1}, 1}, // an odd number of steps
		{1, most - 1, 0, engine.Loss, []hundred.Move{1}, 1},
		{most, most, most, engine.Loss, nil, 0},
	} {
		s, ok := hundred.New(test.n, test.total, test.current).Decide(3)
		if !ok || s.Value != test.value || !slices.Equal(s.Best, test.best) || s.BestCount != test.count ||
			!s.BestKnown {
			t.Errorf("%+v: %+v, %t", test, s, ok)
		}
	}
}
