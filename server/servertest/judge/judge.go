// Package judge draws positions for tests and says whether a solution of a small one is right: by the oracles of
// gametest, which share no code with the solver.
package judge

import (
	"math"
	"math/rand/v2"
	"slices"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

// Small draws a legal position of any game that the oracles can look at.
func Small(r *rand.Rand) *zermelov1.Position {
	switch r.IntN(5) {
	case 0:
		piles := make([]uint64, r.IntN(4))
		for i := range piles {
			piles[i] = r.Uint64N(7)
		}
		return Nim(piles, r.IntN(2) == 0)
	case 1:
		n := 1 + r.Uint32N(9)
		var chosen []uint32
		for integer := range n {
			if r.IntN(5) == 0 {
				chosen = append(chosen, integer+1)
			}
		}
		return CanIWin(n, r.Uint32N(n*(n+1)/2+3), chosen...)
	case 2:
		return Hundred(1+r.Uint64N(20), 1+r.Uint64N(300), r.Uint64N(300))
	case 3:
		scores := make([]int64, r.IntN(11))
		for i := range scores {
			scores[i] = r.Int64N(201) - 100
		}
		return Predict(scores, r.Int64N(201)-100)
	default:
		low := 1 + r.Uint32N(1000)
		return Guess(low, low+r.Uint32N(40))
	}
}

// Bad draws a position that no server answers: not legal, or too large.
func Bad(r *rand.Rand) *zermelov1.Position {
	bad := []*zermelov1.Position{
		nil, {}, CanIWin(0, 5), CanIWin(65, 5), CanIWin(4, 9, 5), CanIWin(4, 9, 2, 2),
		Hundred(0, 5, 0), Hundred(5, 0, 0), Hundred(math.MaxUint64, 5, 0),
		Predict([]int64{math.MaxInt64, 1}, 0), Predict([]int64{math.MinInt64}, -1),
		Guess(0, 5), Guess(5, 4), Guess(1, math.MaxUint32), Nim([]uint64{1 << 63}, true),
		{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{Piles: []uint64{1, 2}}}},
		{Game: &zermelov1.Position_StoneGame{StoneGame: &zermelov1.StoneGame{Piles: []uint64{3, 0}}}},
	}
	return bad[r.IntN(len(bad))]
}

// Judge compares answers with the oracles, which answer by definition. It remembers what they said, and is for one
// goroutine.
type Judge struct{ normal, misere gametest.Nim }

// Agrees reports whether a solution says what the oracle of its game says: the value and, in any order, the best moves.
func (o *Judge) Agrees(p *zermelov1.Position, s *zermelov1.Solution) bool {
	var answer gametest.Answer
	value := map[zermelov1.Outcome]int64{zermelov1.Outcome_OUTCOME_WIN: 1, zermelov1.Outcome_OUTCOME_LOSS: -1}[s.GetOutcome()]
	switch g := p.GetGame().(type) {
	case *zermelov1.Position_Nim:
		oracle := &o.normal
		if g.Nim.GetConvention() == zermelov1.PlayConvention_PLAY_CONVENTION_MISERE {
			o.misere.Misere = true
			oracle = &o.misere
		}
		answer = oracle.Solve(ints(g.Nim.GetPiles())...)
	case *zermelov1.Position_CanIWin:
		oracle := gametest.CanIWin{N: int(g.CanIWin.GetMaxChoosableInteger()), Total: int(g.CanIWin.GetDesiredTotal())}
		answer = oracle.Solve(ints(g.CanIWin.GetChosen())...)
	case *zermelov1.Position_HundredGame:
		oracle := gametest.Hundred{N: int(g.HundredGame.GetMaxChoosableInteger()), Total: int(g.HundredGame.GetDesiredTotal())}
		answer = oracle.Solve(int(g.HundredGame.GetCurrentTotal()))
	case *zermelov1.Position_PredictTheWinner:
		answer = gametest.Ends(g.PredictTheWinner.GetScores())
		answer.Value += g.PredictTheWinner.GetLead()
		value = s.GetMargin()
	case *zermelov1.Position_GuessNumber:
		var oracle gametest.Guess
		answer = oracle.Solve(int(g.GuessNumber.GetLow()), int(g.GuessNumber.GetHigh()))
		value = s.GetCost()
	default:
		return false
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

func ints[T uint32 | uint64](values []T) []int {
	out := make([]int, len(values))
	for i, v := range values {
		out[i] = int(v)
	}
	return out
}

// Nim is a position of it.
func Nim(piles []uint64, misere bool) *zermelov1.Position {
	convention := zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
	if misere {
		convention = zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
	}
	return &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{Piles: piles, Convention: convention}}}
}

// CanIWin is a position of it.
func CanIWin(n, total uint32, chosen ...uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: n, DesiredTotal: total, Chosen: chosen,
	}}}
}

// Hundred is a position of the 100 game.
func Hundred(n, total, current uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
		MaxChoosableInteger: n, DesiredTotal: total, CurrentTotal: current,
	}}}
}

// Predict is a position of Predict the Winner.
func Predict(scores []int64, lead int64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
		PredictTheWinner: &zermelov1.PredictTheWinner{Scores: scores, Lead: lead},
	}}
}

// Guess is a position of Guess Number.
func Guess(low, high uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{GuessNumber: &zermelov1.GuessNumber{Low: low, High: high}}}
}
