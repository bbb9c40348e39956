package rpc_test

import (
	"testing"

	"google.golang.org/grpc/codes"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

func estimate(t *testing.T, c zermelov1.SolverServiceClient, r *zermelov1.EstimateCostRequest) *zermelov1.EstimateCostResponse {
	t.Helper()
	response, err := c.EstimateCost(t.Context(), r)
	if err != nil {
		t.Fatalf("%v: %v", r, err)
	}
	return response
}

func ofSolve(p *zermelov1.Position) *zermelov1.EstimateCostRequest {
	return &zermelov1.EstimateCostRequest{Call: &zermelov1.EstimateCostRequest_Solve{Solve: &zermelov1.SolveRequest{Position: p}}}
}

func ofExplain(r *zermelov1.ExplainRequest) *zermelov1.EstimateCostRequest {
	return &zermelov1.EstimateCostRequest{Call: &zermelov1.EstimateCostRequest_Explain{Explain: r}}
}

// TestEstimatesGrowWithTheWork: the table of 33 integers is 1 GiB; a search without memo is bounded by time alone.
func TestEstimatesGrowWithTheWork(t *testing.T) {
	c := start(t)
	if small := estimate(t, c, ofSolve(nim(normal, 7, 5, 3))); small.GetMemoryBytes() != 0 || small.GetPositions() != 0 || small.Positions == nil {
		t.Errorf("Nim: %v", small)
	}
	large := estimate(t, c, ofSolve(canIWin(33, 500)))
	if large.GetMemoryBytes() != 1<<30 || large.GetPositions() < 1_000_000 {
		t.Errorf("33 integers: %v", large)
	}
	two := estimate(t, c, &zermelov1.EstimateCostRequest{Call: &zermelov1.EstimateCostRequest_BatchSolve{
		BatchSolve: &zermelov1.BatchSolveRequest{Positions: []*zermelov1.Position{canIWin(33, 500), nil, canIWin(33, 501)}},
	}})
	if two.GetMemoryBytes() != large.GetMemoryBytes() || two.GetPositions() != 2*large.GetPositions() {
		t.Errorf("a batch of two: %v, and one: %v", two, large)
	}
	all := estimate(t, c, ofExplain(&zermelov1.ExplainRequest{Position: canIWin(12, 60)}))
	none := estimate(t, c, ofExplain(&zermelov1.ExplainRequest{
		Position: canIWin(12, 60), MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_NONE,
	}))
	if all.Positions == nil || none.Positions != nil || none.GetMemoryBytes() >= all.GetMemoryBytes() {
		t.Errorf("with a memo %v, without %v", all, none)
	}
	for _, r := range []*zermelov1.EstimateCostRequest{
		{Call: &zermelov1.EstimateCostRequest_Analyze{Analyze: &zermelov1.AnalyzeRequest{Position: canIWin(12, 60)}}},
		{Call: &zermelov1.EstimateCostRequest_EnumeratePositions{
			EnumeratePositions: &zermelov1.EnumeratePositionsRequest{Position: canIWin(12, 60)},
		}},
	} {
		if got := estimate(t, c, r); got.GetMemoryBytes() < 4096*16 || got.GetPositions() < 4096 {
			t.Errorf("%v: %v", r, got)
		}
	}
}

// TestEstimatesAreRefusedAsTheCallsAre with the same status.
func TestEstimatesAreRefusedAsTheCallsAre(t *testing.T) {
	c := start(t, servertest.WithMemoBudget(1<<20))
	_, err := c.EstimateCost(t.Context(), &zermelov1.EstimateCostRequest{})
	wantError(t, err, codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD)
	for _, p := range []*zermelov1.Position{nil, nim(0, 3), canIWin(65, 5), canIWin(40, 700), guess(1, 1<<31)} {
		_, estimated := c.EstimateCost(t.Context(), ofSolve(p))
		_, solved := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: p})
		if estimated == nil || solved == nil || estimated.Error() != solved.Error() {
			t.Errorf("%v: estimated %v, solved %v", p, estimated, solved)
		}
		_, estimated = c.EstimateCost(t.Context(), &zermelov1.EstimateCostRequest{
			Call: &zermelov1.EstimateCostRequest_Analyze{Analyze: &zermelov1.AnalyzeRequest{Position: p}},
		})
		_, analyzed := c.Analyze(t.Context(), &zermelov1.AnalyzeRequest{Position: p})
		if estimated == nil || analyzed == nil || estimated.Error() != analyzed.Error() {
			t.Errorf("%v: estimated %v, analyzed %v", p, estimated, analyzed)
		}
	}
}
