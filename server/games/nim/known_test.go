package nim_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

func TestKnownAnswers(t *testing.T) {
	known := gametest.Known()
	for _, k := range known.Nim {
		convention := nim.Normal
		if k.Convention == "MISERE" {
			convention = nim.Misere
		}
		gametest.Against(t, nim.New(k.Piles, convention), oracle.Answer{Value: k.Outcome.Value(), Best: k.BestMoves})
	}
	for _, convention := range conventions {
		gametest.Against(t, nim.New([]uint64{7, 5, 3}, convention), oracle.Answer{Value: 1, Best: known.Nim753.WinningMoves})
	}
}
