package catalog

import (
	"fmt"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
)

// Tested is what tests do with the game of an instance.
type Tested interface {
	// Conform runs the conformance kit.
	Conform(t *testing.T)
	// Against compares the search, the closed form and the algorithm with an oracle.
	Against(t *testing.T, answer oracle.Answer)
	// RankedAgainst compares what a search and the game's own ranking say about every move of every position that can be
	// reached with an oracle, and checks that each of these positions is written as the request that it is.
	RankedAgainst(t *testing.T, solve func(p *zermelov1.Position) oracle.Answer)
}

// GameOfInstance gives tests the game of an instance.
func GameOfInstance(i Instance) Tested { return i.(Tested) }

func (i *instance[P, M, K]) Conform(t *testing.T) {
	t.Helper()
	gametest.Run(t, i.Game, gametest.Options[P, M]{Identity: func(m M) string { return fmt.Sprintf("%+v", m) }})
}

func (i *instance[P, M, K]) Against(t *testing.T, answer oracle.Answer) {
	t.Helper()
	gametest.Against(t, i.Game, answer)
}

func (i *instance[P, M, K]) RankedAgainst(t *testing.T, solve func(p *zermelov1.Position) oracle.Answer) {
	t.Helper()
	gametest.RankedAgainst(t, i.Game, func(p P) oracle.Answer { return solve(i.Message(p, 0)) })
}
