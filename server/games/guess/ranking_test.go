package guess_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/games/guess"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// answers are the oracle's.
func answers() func(p guess.Position) oracle.Answer {
	solve := guess.Entry().Oracle()
	return func(p guess.Position) oracle.Answer { return solve(positions.Guess(p.Low, p.High)) }
}

// TestRankingsAgreeWithTheOracleOnRangesFarFromOne has all ranges within a few that begin far up: the dearer all guesses
// are, the more only their number counts.
func TestRankingsAgreeWithTheOracleOnRangesFarFromOne(t *testing.T) {
	for _, low := range []uint32{61, 150, 1_000, 50_000, 1 << 20, guess.MaxHigh - 31} {
		gametest.RankedAgainst(t, guess.New(low, low+31), answers())
	}
}
