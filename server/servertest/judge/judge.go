// Package judge draws positions for tests and says whether a solution of a small one is right: by the games'
// oracles, which share no code with the solver.
package judge

import (
	"math"
	"math/rand/v2"
	"slices"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// Small draws a small legal position of any game, which its oracle can look at.
func Small(r *rand.Rand) *zermelov1.Position {
	all := games.All()
	return all[r.IntN(len(all))].Draw(r)
}

// Bad draws a position that no server answers: not legal, or too large.
func Bad(r *rand.Rand) *zermelov1.Position {
	bad := []*zermelov1.Position{
		nil, {}, positions.CanIWin(0, 5), positions.CanIWin(65, 5), positions.CanIWin(4, 9, 5), positions.CanIWin(4, 9, 2, 2),
		positions.Hundred(0, 5, 0), positions.Hundred(5, 0, 0), positions.Hundred(math.MaxUint64, 5, 0),
		positions.Predict(0, math.MaxInt64, 1), positions.Predict(-1, math.MinInt64), positions.Stones(0, 3, 0),
		positions.Guess(0, 5), positions.Guess(5, 4), positions.Guess(1, math.MaxUint32),
		positions.Nim(positions.Misere, 1<<63), positions.Nim(zermelov1.PlayConvention_PLAY_CONVENTION_UNSPECIFIED, 1, 2),
	}
	return bad[r.IntN(len(bad))]
}

// Judge compares answers with the oracles, which answer by definition. It remembers what they said, and is for one
// goroutine.
type Judge struct {
	oracles map[string]func(p *zermelov1.Position) oracle.Answer
}

// Agrees reports whether a solution says what the oracle of its game says: the value and, in any order, the best moves.
func (o *Judge) Agrees(p *zermelov1.Position, s *zermelov1.Solution) bool {
	if o.oracles == nil {
		o.oracles = make(map[string]func(p *zermelov1.Position) oracle.Answer)
		for _, game := range games.All() {
			o.oracles[game.Name] = game.Oracle()
		}
	}
	answer := o.oracles[catalog.GameOf(p)](p)
	var value int64
	switch {
	case s.Margin != nil:
		value = s.GetMargin() - lead(p)
	case s.Cost != nil:
		value = s.GetCost()
	default:
		value = map[zermelov1.Outcome]int64{zermelov1.Outcome_OUTCOME_WIN: 1, zermelov1.Outcome_OUTCOME_LOSS: -1}[s.GetOutcome()]
	}
	var best []string
	for _, m := range s.GetBestMoves() {
		best = append(best, m.GetNotation())
	}
	want := slices.Clone(answer.Best)
	slices.Sort(best)
	slices.Sort(want)
	return value == answer.Value && slices.Equal(best, want)
}

// lead is by how much the player to move is ahead already, in the games that have that.
func lead(p *zermelov1.Position) int64 {
	return p.GetPredictTheWinner().GetLead() + p.GetStoneGame().GetLead() // one of them is not set
}
