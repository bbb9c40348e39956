package ends_test

import (
	"math/rand/v2"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/ends"
)

func TestSearchAndAlgorithmAgreeWithTheOracleOnRandomRowsUpTo12(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 2000))
	for range 400 {
		spread := int64(1) << random.IntN(50)
		scores := row(random, 1+random.IntN(12), -spread, spread)
		gametest.Against(t, ends.New(scores), answers(scores)(ends.Position{To: uint32(len(scores))}))
	}
}

func TestKnownAnswers(t *testing.T) {
	for _, k := range gametest.Known().Ends {
		gametest.Against(t, ends.New(k.Scores), oracle.Answer{Value: k.Margin, Best: k.BestMoves})
		if (k.Margin > 0) != (k.Outcome.Value() > 0) || (k.Margin < 0) != (k.Outcome.Value() < 0) {
			t.Errorf("%v: the margin %d is said to be %s", k.Scores, k.Margin, k.Outcome)
		}
	}
}

// TestZeroIsAValue shows that a margin of 0 is remembered like any other: rows of zeros are not looked at again and
// again.
func TestZeroIsAValue(t *testing.T) {
	s := search.New(ends.New(make([]int64, 20)), search.Options{Budget: 1 << 20})
	for _, err := range s.Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Statistics().PositionsExpanded; got != 210 {
		t.Errorf("%d positions expanded for the 210 that there are", got)
	}
	if s.Result().Value != engine.Draw {
		t.Errorf("the margin is %d", s.Result().Value)
	}
}
