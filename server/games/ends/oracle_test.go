package ends_test

import (
	"math/rand/v2"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/ends"
)

// rows yields all rows of n scores from -2 to 3. The slice is used again.
func rows(n int, yield func([]int64)) {
	scores := make([]int64, n)
	var fill func(i int)
	fill = func(i int) {
		if i == n {
			yield(scores)
			return
		}
		for scores[i] = -2; scores[i] <= 3; scores[i]++ {
			fill(i + 1)
		}
	}
	fill(0)
}

func TestSearchAndKernelAgreeWithTheOracleOnAllRowsUpTo6(t *testing.T) {
	for n := range 7 {
		rows(n, func(scores []int64) { gametest.Against(t, ends.New(scores), gametest.Ends(scores)) })
	}
}

// TestSearchAndKernelAgreeWithTheOracleOnAllRowsUpTo8 takes a minute or more: 1,959,552 rows.
func TestSearchAndKernelAgreeWithTheOracleOnAllRowsUpTo8(t *testing.T) {
	if !gametest.Long() {
		t.Skip("with ZERMELO_LONG=1 only")
	}
	for n := 7; n <= 8; n++ {
		rows(n, func(scores []int64) { gametest.Against(t, ends.New(scores), gametest.Ends(scores)) })
	}
}

func TestSearchAndKernelAgreeWithTheOracleOnRandomRowsUpTo12(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 2000))
	for range 400 {
		spread := int64(1) << random.IntN(50)
		scores := row(random, 1+random.IntN(12), -spread, spread)
		gametest.Against(t, ends.New(scores), gametest.Ends(scores))
	}
}

func TestKnownAnswers(t *testing.T) {
	for _, k := range gametest.Known().Ends {
		gametest.Against(t, ends.New(k.Scores), gametest.Answer{Value: k.Margin, Best: k.BestMoves})
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
