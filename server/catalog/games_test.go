package catalog_test

import (
	"math/rand/v2"
	"os"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/games"
)

// open opens a position that is good.
func open(t *testing.T, p *zermelov1.Position) catalog.Tested {
	t.Helper()
	instance, err := catalog.New(games.All(), catalog.DefaultLimits()).Open(p, "position")
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return catalog.GameOfInstance(instance)
}

// TestGamesConform runs the conformance kit on the example of each game and on small positions at random.
func TestGamesConform(t *testing.T) {
	for _, game := range games.All() {
		t.Run(game.Name, func(t *testing.T) {
			t.Parallel()
			open(t, game.Example).Conform(t)
			random := rand.New(rand.NewPCG(1913, 1))
			for range 10 {
				open(t, game.Draw(random)).Conform(t)
			}
		})
	}
}

// TestGamesAgreeWithTheirOracles compares the search, the closed form and the algorithm of each game with its oracle at
// every sample, and what they say about each move at every position that a sample leads to. Unless the long tests are
// asked for, that is for every 97th sample.
func TestGamesAgreeWithTheirOracles(t *testing.T) {
	stride := 97
	if os.Getenv("ZERMELO_LONG") == "1" {
		stride = 1
	}
	for _, game := range games.All() {
		t.Run(game.Name, func(t *testing.T) {
			t.Parallel()
			solve, n := game.Oracle(), 0
			for p := range game.Samples {
				tested := open(t, p)
				tested.Against(t, solve(p))
				if n++; n%stride == 0 {
					tested.RankedAgainst(t, solve)
				}
			}
			if n < 1000 {
				t.Errorf("%d samples", n)
			}
			random := rand.New(rand.NewPCG(1913, 2))
			for range 20 {
				open(t, game.Draw(random)).RankedAgainst(t, game.Oracle())
			}
		})
	}
}
