package guess_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/guess"
)

func FuzzNotation(f *testing.F) {
	f.Add(uint32(1), uint8(9), "8..10", "9")
	f.Add(uint32(guess.MaxHigh), uint8(0), "2147483648..2147483648", "2147483648")
	f.Add(uint32(5), uint8(3), "0..3", "05")
	f.Add(uint32(5), uint8(3), "5..4", "")
	f.Fuzz(func(t *testing.T, low uint32, width uint8, position, move string) {
		low = low%(guess.MaxHigh-255) + 1
		g := guess.New(low, low+uint32(width))
		if err := gametest.ReadPosition[guess.Position, guess.Move](g, position); err != nil {
			t.Error(err)
		}
		if width > 0 {
			if err := gametest.ReadMove(g, g.Root(), move); err != nil {
				t.Error(err)
			}
		}
	})
}

// FuzzRankings compares the game's own rankings, of ranges that begin anywhere, with the oracle.
func FuzzRankings(f *testing.F) {
	f.Add(uint32(1), uint8(40))
	f.Add(uint32(7), uint8(31))
	f.Add(uint32(1_000), uint8(20))
	f.Add(uint32(guess.MaxHigh), uint8(0))
	f.Fuzz(func(t *testing.T, low uint32, width uint8) {
		const widest = 48
		low = low%(guess.MaxHigh-widest) + 1
		var oracle gametest.Guess
		gametest.RankedAgainst(t, guess.New(low, low+uint32(width)%widest), func(p guess.Position) gametest.Answer {
			return oracle.Solve(int(p.Low), int(p.High))
		})
	})
}
