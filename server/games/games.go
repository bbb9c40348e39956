// Package games lists the games that the service offers. Each has a room of its own: its rules, its notation and its fast
// ways, which know the engine alone, and its entry in the catalogue.
package games

import (
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
	"github.com/zermelo-games/zermelo/server/games/ends"
	"github.com/zermelo-games/zermelo/server/games/guess"
	"github.com/zermelo-games/zermelo/server/games/hundred"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

// All are the games, in the order of their fields in Position.
func All() []catalog.Entry {
	return []catalog.Entry{
		nim.Entry(),
		caniwin.Entry(),
		hundred.Entry(),
		ends.PredictTheWinner(),
		ends.StoneGame(),
		guess.Entry(),
	}
}
