package rpc_test

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/rpc"
	"github.com/zermelo-games/zermelo/server/servertest"
)

const (
	invalidField = zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD
	budgetLimit  = zermelov1.ErrorReason_ERROR_REASON_BUDGET_LIMIT
	sizeLimit    = zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT
)

// wantError checks the code, the one ErrorInfo with its reason, the paths of the fields, and that the status stays far
// below the 8 KiB that trailers may have.
func wantError(t testing.TB, err error, code codes.Code, reason zermelov1.ErrorReason, fields ...string) {
	t.Helper()
	st, ok := status.FromError(err)
	if !ok || st.Code() != code {
		t.Errorf("got %v, want %v", err, code)
		return
	}
	var reasons, got []string
	for _, d := range st.Details() {
		switch d := d.(type) {
		case *errdetails.ErrorInfo:
			if d.GetDomain() != rpc.ErrorDomain {
				t.Errorf("domain %q", d.GetDomain())
			}
			reasons = append(reasons, d.GetReason())
		case *errdetails.BadRequest:
			for _, v := range d.GetFieldViolations() {
				got = append(got, v.GetField())
				if v.GetDescription() == "" {
					t.Errorf("%s has no description", v.GetField())
				}
			}
		}
	}
	if want := strings.TrimPrefix(reason.String(), "ERROR_REASON_"); !slices.Equal(reasons, []string{want}) {
		t.Errorf("reasons %v, want %s: %v", reasons, want, err)
	}
	if len(fields) > 0 && !slices.Equal(got, fields) {
		t.Errorf("fields %v, want %v: %v", got, fields, err)
	}
	if size := proto.Size(st.Proto()); size > 4<<10 {
		t.Errorf("a status of %d bytes", size)
	}
}

// everyRPC asks all RPCs about a position and returns their errors.
func everyRPC(ctx context.Context, c zermelov1.SolverServiceClient, p *zermelov1.Position) map[string]error {
	errs := map[string]error{}
	_, errs["Solve"] = c.Solve(ctx, &zermelov1.SolveRequest{Position: p})
	_, errs["Analyze"] = c.Analyze(ctx, &zermelov1.AnalyzeRequest{Position: p})
	errs["Explain"] = drainStream(c.Explain(ctx, &zermelov1.ExplainRequest{Position: p}))
	errs["EnumeratePositions"] = drainStream(c.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{Position: p}))
	return errs
}

// drainStream reads a stream to its end and returns its error, nil when it ended well.
func drainStream[T any](stream grpc.ServerStreamingClient[T], err error) error {
	for err == nil {
		_, err = stream.Recv()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func TestInvalidPositions(t *testing.T) {
	c := start(t)
	for name, test := range map[string]struct {
		position *zermelov1.Position
		reason   zermelov1.ErrorReason
		fields   []string
	}{
		"no position": {nil, invalidField, []string{"position"}},
		"no game set": {&zermelov1.Position{}, invalidField, []string{"position"}},

		"convention unset":   {nim(0, 7, 5, 3), invalidField, []string{"position.nim.convention"}},
		"convention unknown": {nim(9, 7, 5, 3), invalidField, []string{"position.nim.convention"}},
		"pile of 2^63":       {nim(normal, 1, 1<<63), invalidField, []string{"position.nim.piles[1]"}},
		"too many piles":     {nim(normal, make([]uint64, 100_001)...), sizeLimit, []string{"position.nim.piles"}},
		"convention and pile": {
			nim(0, math.MaxUint64), invalidField, []string{"position.nim.convention", "position.nim.piles[0]"},
		},

		"no integers":        {canIWin(0, 10), invalidField, []string{"position.can_i_win.max_choosable_integer"}},
		"65 integers":        {canIWin(65, 10), sizeLimit, []string{"position.can_i_win.max_choosable_integer"}},
		"chosen twice":       {canIWin(10, 40, 4, 1, 4), invalidField, []string{"position.can_i_win.chosen[2]"}},
		"chosen 0":           {canIWin(10, 40, 0), invalidField, []string{"position.can_i_win.chosen[0]"}},
		"chosen above n":     {canIWin(10, 40, 1, 11), invalidField, []string{"position.can_i_win.chosen[1]"}},
		"chosen far above n": {canIWin(64, 40, math.MaxUint32), invalidField, []string{"position.can_i_win.chosen[0]"}},

		"hundred without integers": {hundred(0, 100, 0), invalidField, []string{"position.hundred_game.max_choosable_integer"}},
		"hundred without total":    {hundred(10, 0, 0), invalidField, []string{"position.hundred_game.desired_total"}},
		"hundred too large": {hundred(1<<63, 1<<63, 1<<63), invalidField, []string{
			"position.hundred_game.max_choosable_integer", "position.hundred_game.desired_total", "position.hundred_game.current_total",
		}},

		"scores beyond int64":     {predict(0, math.MaxInt64, 1), invalidField, []string{"position.predict_the_winner.scores"}},
		"negative beyond int64":   {predict(0, math.MinInt64), invalidField, []string{"position.predict_the_winner.scores"}},
		"many beyond uint64":      {predict(0, math.MinInt64, math.MinInt64), invalidField, []string{"position.predict_the_winner.scores"}},
		"lead and scores":         {predict(-math.MaxInt64, 1), invalidField, []string{"position.predict_the_winner.scores"}},
		"lead of -2^63":           {predict(math.MinInt64), invalidField, []string{"position.predict_the_winner.lead"}},
		"too many scores":         {predict(0, make([]int64, 1_000_001)...), sizeLimit, []string{"position.predict_the_winner.scores"}},
		"empty pile":              {stones(0, 1, 0, 1), invalidField, []string{"position.stone_game.piles[1]"}},
		"pile beyond int64":       {stones(0, 1, 1<<63), invalidField, []string{"position.stone_game.piles[1]"}},
		"stones beyond int64":     {stones(1, 1<<62, 1<<62), invalidField, []string{"position.stone_game.piles"}},
		"stones, lead of -2^63":   {stones(math.MinInt64), invalidField, []string{"position.stone_game.lead"}},
		"low 0":                   {guess(0, 10), invalidField, []string{"position.guess_number.low"}},
		"low above high":          {guess(11, 10), invalidField, []string{"position.guess_number.low"}},
		"high above 2^31":         {guess(1<<31, 1<<31+1), sizeLimit, []string{"position.guess_number.high"}},
		"no range":                {guess(0, 0), invalidField, []string{"position.guess_number.low"}},
		"low above high above it": {guess(math.MaxUint32, 1<<31+1), invalidField, []string{"position.guess_number.low"}},
	} {
		for method, err := range everyRPC(t.Context(), c, test.position) {
			t.Run(name+"/"+method, func(t *testing.T) {
				wantError(t, err, codes.InvalidArgument, test.reason, test.fields...)
			})
		}
	}
}

// TestManyViolationsMakeASmallStatus: a megabyte of bad input is answered with the first few fields and how many more.
func TestManyViolationsMakeASmallStatus(t *testing.T) {
	c := start(t)
	_, err := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: stones(0, make([]uint64, 1_000_000)...)})
	wantError(t, err, codes.InvalidArgument, invalidField)
	if !strings.Contains(err.Error(), "999992 more") {
		t.Errorf("%v", err)
	}
}

func TestInvalidOptions(t *testing.T) {
	c := start(t)
	ctx := t.Context()
	solve := func(maxMoves int32) error {
		_, err := c.Solve(ctx, &zermelov1.SolveRequest{Position: nim(normal, 1), MaxMoves: maxMoves})
		return err
	}
	wantError(t, solve(-1), codes.InvalidArgument, invalidField, "max_moves")
	wantError(t, solve(50_001), codes.InvalidArgument, invalidField, "max_moves")
	for field, r := range map[string]*zermelov1.ExplainRequest{
		"max_events":  {Position: nim(normal, 1), MaxEvents: -1},
		"detail":      {Position: nim(normal, 1), Detail: 77},
		"memo_policy": {Position: nim(normal, 1), MemoPolicy: 77},
	} {
		wantError(t, drainStream(c.Explain(ctx, r)), codes.InvalidArgument, invalidField, field)
	}
	for _, p := range []*zermelov1.Position{predict(0, 1, 2), stones(0, 1, 2), guess(1, 10)} {
		r := &zermelov1.ExplainRequest{Position: p, MemoPolicy: policyLosses}
		wantError(t, drainStream(c.Explain(ctx, r)), codes.InvalidArgument, invalidField, "memo_policy")
	}
	for field, r := range map[string]*zermelov1.EnumeratePositionsRequest{
		"max_positions": {Position: nim(normal, 1), MaxPositions: -1},
		"outcome":       {Position: guess(1, 10), Outcome: win},
	} {
		wantError(t, drainStream(c.EnumeratePositions(ctx, r)), codes.InvalidArgument, invalidField, field)
	}
	r := &zermelov1.EnumeratePositionsRequest{Position: nim(normal, 1), Outcome: 77}
	wantError(t, drainStream(c.EnumeratePositions(ctx, r)), codes.InvalidArgument, invalidField, "outcome")
}

// TestSolvesThatDoNotFitAreRefused before they start, with what would fit; where a search surely has room, or a shortcut
// decides, they are answered all the same.
func TestSolvesThatDoNotFitAreRefused(t *testing.T) {
	c := start(t, servertest.WithMemoBudget(1<<20))
	solve := func(p *zermelov1.Position) error {
		_, err := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: p})
		return err
	}
	const n = "position.can_i_win.max_choosable_integer"
	wantError(t, solve(canIWin(25, 250)), codes.InvalidArgument, budgetLimit, n)
	wantError(t, solve(canIWin(64, 1000)), codes.InvalidArgument, budgetLimit, n)
	wantError(t, solve(guess(1, 200_000)), codes.InvalidArgument, budgetLimit, "position.guess_number.high")
	for name, p := range map[string]*zermelov1.Position{
		"a table that fits": canIWin(24, 200),
		"one move decides":  canIWin(64, 64),
		"out of reach":      canIWin(64, 3000),
	} {
		if err := solve(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// 40 integers are too many for a table, but few sets of them stay below 44.
	_, err := start(t).Solve(t.Context(), &zermelov1.SolveRequest{Position: canIWin(40, 44)})
	if err != nil {
		t.Error(err)
	}
}

// TestTracesOfHugePositionsAreRefused: what would not fit a frame is refused, while Solve answers it.
func TestTracesOfHugePositionsAreRefused(t *testing.T) {
	c := start(t)
	p := nim(normal, make([]uint64, 10_001)...)
	errs := everyRPC(t.Context(), c, p)
	if errs["Solve"] != nil {
		t.Error(errs["Solve"])
	}
	wantError(t, errs["Explain"], codes.InvalidArgument, sizeLimit, "position.nim.piles")
	wantError(t, errs["EnumeratePositions"], codes.InvalidArgument, sizeLimit, "position.nim.piles")
}

func TestMessagesTooLargeOrMalformed(t *testing.T) {
	conn := servertest.Start(t).Conn(t)
	c := zermelov1.NewSolverServiceClient(conn)
	huge := predict(0, slices.Repeat([]int64{math.MaxInt64}, 2_000_000)...)
	for method, err := range everyRPC(t.Context(), c, huge) {
		t.Run("too large/"+method, func(t *testing.T) {
			wantError(t, err, codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE)
		})
	}
	garbage := grpc.ForceCodec(rawCodec{})
	for _, method := range []string{"Solve", "ListGames"} {
		t.Run("malformed/"+method, func(t *testing.T) {
			err := conn.Invoke(t.Context(), "/"+rpc.ServiceName+"/"+method, []byte{0xff}, &[]byte{}, garbage)
			wantError(t, err, codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_MALFORMED_MESSAGE)
		})
	}
	for _, method := range []string{"Explain", "EnumeratePositions"} {
		t.Run("malformed/"+method, func(t *testing.T) {
			stream, err := conn.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true},
				"/"+rpc.ServiceName+"/"+method, garbage)
			if err != nil {
				t.Fatal(err)
			}
			if err := stream.SendMsg([]byte{0xff}); err != nil {
				t.Fatal(err)
			}
			if err := stream.CloseSend(); err != nil {
				t.Fatal(err)
			}
			wantError(t, stream.RecvMsg(&[]byte{}), codes.InvalidArgument,
				zermelov1.ErrorReason_ERROR_REASON_MALFORMED_MESSAGE)
		})
	}
}

// rawCodec sends bytes as they are, under the name of the codec that the server expects.
type rawCodec struct{}

func (rawCodec) Marshal(v any) ([]byte, error) { return v.([]byte), nil }
func (rawCodec) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = slices.Clone(data)
	return nil
}
func (rawCodec) Name() string { return "proto" }

var _ encoding.Codec = rawCodec{}
