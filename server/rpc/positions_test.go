package rpc_test

import (
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

const (
	normal = positions.Normal
	misere = positions.Misere

	win  = zermelov1.Outcome_OUTCOME_WIN
	loss = zermelov1.Outcome_OUTCOME_LOSS
	draw = zermelov1.Outcome_OUTCOME_DRAW

	policyAll    = zermelov1.MemoPolicy_MEMO_POLICY_ALL
	policyLosses = zermelov1.MemoPolicy_MEMO_POLICY_LOSSES
	policyNone   = zermelov1.MemoPolicy_MEMO_POLICY_NONE
)

// The positions of tests, in fewer letters.
var (
	nim     = positions.Nim
	canIWin = positions.CanIWin
	hundred = positions.Hundred
	predict = positions.Predict
	stones  = positions.Stones
	guess   = positions.Guess
)

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
