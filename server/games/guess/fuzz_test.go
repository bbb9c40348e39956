package guess_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/guess"
)

// FuzzRankings compares the game's own rankings, of ranges that begin anywhere, with the oracle.
func FuzzRankings(f *testing.F) {
	f.Add(uint32(1), uint8(40))
	f.Add(uint32(7), uint8(31))
	f.Add(uint32(1_000), uint8(20))
	f.Add(uint32(guess.MaxHigh), uint8(0))
	f.Fuzz(func(t *testing.T, low uint32, width uint8) {
		const widest = 48
		low = low%(guess.MaxHigh-widest) + 1
		gametest.RankedAgainst(t, guess.New(low, low+uint32(width)%widest), answers())
	})
}
