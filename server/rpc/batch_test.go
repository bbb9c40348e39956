package rpc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

func batchSolve(
	t *testing.T, c zermelov1.SolverServiceClient, maxMoves int32, positions ...*zermelov1.Position,
) []*zermelov1.BatchSolveResult {
	t.Helper()
	r, err := c.BatchSolve(t.Context(), &zermelov1.BatchSolveRequest{Positions: positions, MaxMoves: maxMoves})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.GetResults()) != len(positions) {
		t.Fatalf("%d results for %d positions", len(r.GetResults()), len(positions))
	}
	if size := proto.Size(r); size > 4<<20 {
		t.Errorf("%d bytes", size)
	}
	return r.GetResults()
}

// TestBatchAnswersInOrder: a thousand positions of all games, ten of them bad. Each good one has the solution that Solve
// gives, each bad one the error that Solve gives, but for its path.
func TestBatchAnswersInOrder(t *testing.T) {
	c := start(t)
	positions := randomPositions(rand.New(rand.NewPCG(3, 1913)), 170)[:1000]
	bad := []*zermelov1.Position{
		nil, {}, nim(0, 3, 2), canIWin(0, 5), canIWin(65, 5), canIWin(4, 9, 5), hundred(10, 0, 0), stones(0, 3, 0), guess(5, 4), guess(0, 4),
	}
	for i, p := range bad {
		positions[(i+1)*97] = p
	}
	failed := 0
	for i, r := range batchSolve(t, c, 1, positions...) {
		alone, err := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: positions[i], MaxMoves: 1})
		if err == nil {
			if diff := cmp.Diff(alone.GetSolution(), r.GetSolution(), protocmp.Transform(),
				protocmp.IgnoreFields(&zermelov1.Statistics{}, "elapsed")); diff != "" {
				t.Errorf("%d, %v: %s", i, positions[i], diff)
			}
			continue
		}
		failed++
		wantBatchError(t, r.GetError(), err, fmt.Sprintf("positions[%d]", i))
	}
	if failed != len(bad) {
		t.Errorf("%d errors, want %d", failed, len(bad))
	}
}

// wantBatchError checks that the error of a position says what the status of a Solve of it says.
func wantBatchError(t *testing.T, got *zermelov1.PositionError, err error, path string) {
	t.Helper()
	renamed := func(text string) string {
		if !strings.HasPrefix(text, "position") {
			t.Errorf("%q names no position", text)
		}
		return path + strings.TrimPrefix(text, "position")
	}
	st := status.Convert(err)
	want := &zermelov1.PositionError{Code: int32(st.Code()), Message: renamed(st.Message()), Metadata: map[string]string{}}
	for _, d := range st.Details() {
		switch d := d.(type) {
		case *errdetails.ErrorInfo:
			want.Reason = d.GetReason()
			for k, v := range d.GetMetadata() {
				want.Metadata[k] = renamed(v)
			}
		case *errdetails.BadRequest:
			for _, v := range d.GetFieldViolations() {
				want.FieldViolations = append(want.FieldViolations,
					&zermelov1.FieldViolation{Field: renamed(v.GetField()), Description: v.GetDescription()})
			}
		}
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("%s: %s", path, diff)
	}
}

func TestBatchIsRefused(t *testing.T) {
	c := start(t)
	many := make([]*zermelov1.Position, 1001)
	for i := range many {
		many[i] = guess(1, 2)
	}
	for name, test := range map[string]struct {
		positions []*zermelov1.Position
		maxMoves  int32
		field     string
	}{
		"no positions":           {nil, 0, "positions"},
		"too many":               {many, 0, "positions"},
		"a negative number":      {many[:1], -1, "max_moves"},
		"too many moves of one":  {many[:1], 50_001, "max_moves"},
		"too many moves of many": {many[:1000], 51, "max_moves"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.BatchSolve(t.Context(), &zermelov1.BatchSolveRequest{Positions: test.positions, MaxMoves: test.maxMoves})
			wantError(t, err, codes.InvalidArgument, invalidField, test.field)
		})
	}
	batchSolve(t, c, 50, many[:1000]...)
}

// TestBatchSharesWork between equal positions: a search that is made once for a thousand has one time taken.
func TestBatchSharesWork(t *testing.T) {
	c := start(t)
	positions := make([]*zermelov1.Position, 1000)
	for i := range positions {
		positions[i] = canIWin(40, 44)
	}
	results := batchSolve(t, c, 0, positions...)
	first := results[0].GetSolution()
	if first.GetMethod() != zermelov1.Method_METHOD_SEARCH || first.GetStatistics().GetElapsed().AsDuration() <= 0 {
		t.Fatalf("%v", first)
	}
	for i, r := range results {
		if !proto.Equal(r.GetSolution(), first) {
			t.Fatalf("result %d is %v, the first %v", i, r, first)
		}
	}
}

// TestLargeBatchesFitADefaultClient: the positions after the moves are left out above 1 MiB for all together, and a
// thousand errors, of which each would fill a status, are cut.
func TestLargeBatchesFitADefaultClient(t *testing.T) {
	c := start(t)
	large := make([]uint64, 1000)
	for i := range large {
		large[i] = 1<<62 + uint64(i)
	}
	positions := make([]*zermelov1.Position, 1000)
	for i := range positions {
		large[0] = uint64(i)
		positions[i] = nim(normal, append([]uint64(nil), large...)...)
	}
	with, without := 0, 0
	for _, r := range batchSolve(t, c, 3, positions...) {
		for _, m := range r.GetSolution().GetBestMoves() {
			switch {
			case m.GetNextOmitted() == (len(m.GetNext()) > 0):
				t.Fatalf("%v", m)
			case m.GetNextOmitted():
				without++
			default:
				with++
			}
		}
	}
	if with == 0 || without == 0 {
		t.Errorf("%d moves with the position after them, %d without", with, without)
	}

	for i := range positions {
		positions[i] = stones(0, make([]uint64, 20)...)
	}
	for i, r := range batchSolve(t, c, 1, positions...) {
		if e := r.GetError(); len(e.GetFieldViolations()) != 2 || !strings.Contains(e.GetMessage(), "and 18 more") {
			t.Fatalf("%d: %v", i, r)
		}
	}
}

// TestBatchStopsWithItsCaller: nothing of it goes on, and the call fails as a whole.
func TestBatchStopsWithItsCaller(t *testing.T) {
	c := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.BatchSolve(ctx, &zermelov1.BatchSolveRequest{Positions: []*zermelov1.Position{guess(1, 10)}})
	wantCode(t, err, codes.Canceled)
}

// TestBatchSolvesBesideWhatDoesNotFit: a position that is refused for its size has that error in its place.
func TestBatchSolvesBesideWhatDoesNotFit(t *testing.T) {
	results := batchSolve(t, start(t, servertest.WithMemoBudget(1<<20)), 0, canIWin(40, 400), guess(1, 10))
	e := results[0].GetError()
	if e.GetReason() != "BUDGET_LIMIT" || e.GetMetadata()["setting"] != "--memo-budget" ||
		e.GetFieldViolations()[0].GetField() != "positions[0].can_i_win.max_choosable_integer" {
		t.Errorf("%v", results[0])
	}
	if results[1].GetSolution().GetCost() != 16 {
		t.Errorf("%v", results[1])
	}
}
