package guess_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/guess"
)

func TestRankingsAgreeWithTheOracleOnAllRangesTo60(t *testing.T) {
	var oracle gametest.Guess
	gametest.RankedAgainst(t, guess.New(1, 60), func(p guess.Position) gametest.Answer {
		return oracle.Solve(int(p.Low), int(p.High))
	})
}

// TestRankingsAgreeWithTheOracleOnRangesFarFromOne has all ranges within a few that begin far up: the dearer all guesses
// are, the more only their number counts.
func TestRankingsAgreeWithTheOracleOnRangesFarFromOne(t *testing.T) {
	for _, low := range []int{61, 150, 1_000, 50_000, 1 << 20, guess.MaxHigh - 31} {
		var oracle gametest.Guess
		gametest.RankedAgainst(t, guess.New(uint32(low), uint32(low)+31), func(p guess.Position) gametest.Answer {
			return oracle.Solve(int(p.Low), int(p.High))
		})
	}
}
