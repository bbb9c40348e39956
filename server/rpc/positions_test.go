package rpc_test

import (
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

const (
	normal = zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
	misere = zermelov1.PlayConvention_PLAY_CONVENTION_MISERE

	win  = zermelov1.Outcome_OUTCOME_WIN
	loss = zermelov1.Outcome_OUTCOME_LOSS
	draw = zermelov1.Outcome_OUTCOME_DRAW

	policyAll    = zermelov1.MemoPolicy_MEMO_POLICY_ALL
	policyLosses = zermelov1.MemoPolicy_MEMO_POLICY_LOSSES
	policyNone   = zermelov1.MemoPolicy_MEMO_POLICY_NONE
)

func nim(convention zermelov1.PlayConvention, piles ...uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{Piles: piles, Convention: convention}}}
}

func canIWin(n, total uint32, chosen ...uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: n, DesiredTotal: total, Chosen: chosen,
	}}}
}

func hundred(n, total, current uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
		MaxChoosableInteger: n, DesiredTotal: total, CurrentTotal: current,
	}}}
}

func predict(lead int64, scores ...int64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{PredictTheWinner: &zermelov1.PredictTheWinner{
		Scores: scores, Lead: lead,
	}}}
}

func stones(lead int64, piles ...uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_StoneGame{StoneGame: &zermelov1.StoneGame{
		Piles: piles, Lead: lead,
	}}}
}

func guess(low, high uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{GuessNumber: &zermelov1.GuessNumber{
		Low: low, High: high,
	}}}
}

// start runs a server for the test and returns the generated client of it.
func start(t testing.TB, opts ...servertest.Option) zermelov1.SolverServiceClient {
	t.Helper()
	return zermelov1.NewSolverServiceClient(servertest.Start(t, opts...).Conn(t))
}

func solve(t *testing.T, c zermelov1.SolverServiceClient, p *zermelov1.Position) *zermelov1.Solution {
	t.Helper()
	r, err := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: p})
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return r.GetSolution()
}

func notations(moves []*zermelov1.Move) []string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = m.GetNotation()
	}
	return list
}
