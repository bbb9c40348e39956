package ends_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/ends"
)

func legal(ends.Position) []ends.Move { return []ends.Move{ends.Left, ends.Right} }

// row makes n scores from low to high.
func row(random *rand.Rand, n int, low, high int64) []int64 {
	scores := make([]int64, n)
	for i := range scores {
		scores[i] = low + random.Int64N(high-low+1)
	}
	return scores
}

func TestConformance(t *testing.T) {
	random := rand.New(rand.NewPCG(486, 877))
	for _, scores := range [][]int64{
		nil, {}, {0}, {5}, {-5}, {1, 5}, {1, 5, 2}, {1, 5, 233, 7}, {-3, 5, -7, 2}, slices.Repeat([]int64{0}, 20),
		row(random, 10, -2, 3), row(random, 40, -1<<50, 1<<50),
		row(random, 300, 0, 100), // too long to walk
	} {
		t.Run(fmt.Sprint(len(scores)), func(t *testing.T) {
			gametest.Run(t, ends.New(scores), gametest.Options[ends.Position, ends.Move]{Legal: legal})
		})
	}
}

func TestReachableCountsTheEmptyRangesToo(t *testing.T) {
	for n := range uint64(200) {
		want := n*(n+1)/2 + n + 1
		if got := ends.New(make([]int64, n)).Reachable(math.MaxUint64); got != want {
			t.Errorf("a row of %d: %d positions instead of %d", n, got, want)
		}
	}
}
