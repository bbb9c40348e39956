package client_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// solved is a server's answer to Solve.
func solved() *zermelov1.SolveResponse {
	return &zermelov1.SolveResponse{Solution: &zermelov1.Solution{Outcome: win}}
}

func TestSolve(t *testing.T) {
	c := serve(t, &fake{solve: func(context.Context, int64) (*zermelov1.SolveResponse, error) { return solved(), nil }})
	solution, err := c.Solve(within(t), &zermelov1.SolveRequest{Position: nim(1, 1)})
	if err != nil || solution.GetOutcome() != win {
		t.Errorf("%v, %v", solution, err)
	}
	answer, err := c.Service().Solve(within(t), &zermelov1.SolveRequest{Position: nim(1, 1)})
	if err != nil || answer.GetSolution().GetOutcome() != win {
		t.Errorf("Service: %v, %v", answer, err)
	}
	if solution, err = c.Solve(within(t), nil); err != nil || solution == nil {
		t.Errorf("without a request: %v, %v", solution, err)
	}
}

func TestSolveWithoutSolution(t *testing.T) {
	c := serve(t, &fake{solve: func(context.Context, int64) (*zermelov1.SolveResponse, error) {
		return &zermelov1.SolveResponse{}, nil
	}})
	solution, err := c.Solve(within(t), &zermelov1.SolveRequest{Position: nim(1, 1)})
	var broken *client.ProtocolError
	if solution != nil || !errors.As(err, &broken) || errors.Is(err, client.ErrTruncated) {
		t.Errorf("%v, %v, want a ProtocolError", solution, err)
	}
}

func TestAnalyze(t *testing.T) {
	answer := &zermelov1.AnalyzeResponse{
		Solution: &zermelov1.Solution{Outcome: win},
		Moves: []*zermelov1.RankedMove{
			{Move: &zermelov1.Move{Notation: "2>1"}, Outcome: win, MovesToEnd: proto.Int64(2)},
			{Move: &zermelov1.Move{Notation: "2>0"}, Outcome: loss, MovesToEnd: proto.Int64(1)},
		},
		MainLine:       []*zermelov1.Move{{Notation: "2>1"}, {Notation: "1>0"}},
		MainLineLength: proto.Int64(2),
		MovesToEnd:     proto.Int64(2),
	}
	request := &zermelov1.AnalyzeRequest{Position: nim(2), SkipDistance: true}
	c := serve(t, &fake{analyze: func(req *zermelov1.AnalyzeRequest, _ int64) (*zermelov1.AnalyzeResponse, error) {
		if !proto.Equal(req, request) {
			return nil, status.Errorf(codes.InvalidArgument, "request %v", req)
		}
		return answer, nil
	}})
	got, err := c.Analyze(within(t), request)
	if err != nil || !proto.Equal(got, answer) {
		t.Errorf("%v, %v, want %v", got, err, answer)
	}
}

func TestAnalyzeWithoutSolution(t *testing.T) {
	c := serve(t, &fake{analyze: func(*zermelov1.AnalyzeRequest, int64) (*zermelov1.AnalyzeResponse, error) {
		return &zermelov1.AnalyzeResponse{}, nil
	}})
	answer, err := c.Analyze(within(t), &zermelov1.AnalyzeRequest{Position: nim(2)})
	var broken *client.ProtocolError
	if answer != nil || !errors.As(err, &broken) || broken.Method != "Analyze" {
		t.Errorf("%v, %v, want a ProtocolError of Analyze", answer, err)
	}
}

// Results of a batch.

func solution(outcome zermelov1.Outcome) *zermelov1.BatchSolveResult {
	return &zermelov1.BatchSolveResult{Result: &zermelov1.BatchSolveResult_Solution{
		Solution: &zermelov1.Solution{Outcome: outcome},
	}}
}

func failure(e *zermelov1.PositionError) *zermelov1.BatchSolveResult {
	return &zermelov1.BatchSolveResult{Result: &zermelov1.BatchSolveResult_Error{Error: e}}
}

func TestBatchSolve(t *testing.T) {
	request := &zermelov1.BatchSolveRequest{Positions: []*zermelov1.Position{nim(1), nim(2), nim(3)}, MaxMoves: 7}
	c := serve(t, &fake{batch: func(req *zermelov1.BatchSolveRequest, _ int64) (*zermelov1.BatchSolveResponse, error) {
		if !proto.Equal(req, request) {
			return nil, status.Errorf(codes.InvalidArgument, "request %v", req)
		}
		return &zermelov1.BatchSolveResponse{Results: []*zermelov1.BatchSolveResult{
			solution(loss),
			failure(&zermelov1.PositionError{Code: int32(codes.ResourceExhausted), Reason: "MEMO_BUDGET"}),
			solution(win),
		}}, nil
	}})
	results, err := c.BatchSolve(within(t), request)
	if err != nil || len(results) != 3 {
		t.Fatalf("%v, %v", results, err)
	}
	if results[0].GetSolution().GetOutcome() != loss || results[2].GetSolution().GetOutcome() != win {
		t.Errorf("results %v", results)
	}
	for i, want := range []zermelov1.ErrorReason{
		zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED,
		zermelov1.ErrorReason_ERROR_REASON_MEMO_BUDGET,
		zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED,
	} {
		err := client.BatchError(results[i].GetError())
		if (err == nil) != (results[i].GetSolution() != nil) || client.Reason(err) != want {
			t.Errorf("result %d has the error %v", i, err)
		}
	}
}

func TestBatchSolveRefusesResultsThatDoNotFit(t *testing.T) {
	for _, test := range []struct {
		name    string
		results []*zermelov1.BatchSolveResult
		text    string
	}{
		{"too few", []*zermelov1.BatchSolveResult{solution(win)}, "1 results for 2 positions"},
		{"too many", []*zermelov1.BatchSolveResult{solution(win), solution(win), solution(win)}, "3 results for 2"},
		{"an empty one", []*zermelov1.BatchSolveResult{solution(win), {}}, "results[1] is neither a solution nor an error"},
		{
			"an error that is none", []*zermelov1.BatchSolveResult{failure(&zermelov1.PositionError{}), solution(win)},
			"results[0] is an error with the code OK",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, &fake{batch: func(*zermelov1.BatchSolveRequest, int64) (*zermelov1.BatchSolveResponse, error) {
				return &zermelov1.BatchSolveResponse{Results: test.results}, nil
			}})
			request := &zermelov1.BatchSolveRequest{Positions: []*zermelov1.Position{nim(1), nim(2)}}
			results, err := c.BatchSolve(within(t), request)
			var broken *client.ProtocolError
			if results != nil || !errors.As(err, &broken) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%v, %v, want a ProtocolError that says %q", results, err, test.text)
			}
		})
	}
}

// The pages of the catalogue come as one list.
func TestListGames(t *testing.T) {
	pages := map[string]*zermelov1.ListGamesResponse{
		"":  {EngineVersion: "1", Games: []*zermelov1.GameInfo{{Name: "a"}, {Name: "b"}}, NextPageToken: "x"},
		"x": {EngineVersion: "1", Games: []*zermelov1.GameInfo{{Name: "c"}}, NextPageToken: "y"},
		"y": {EngineVersion: "1"},
	}
	f := &fake{listGames: func(req *zermelov1.ListGamesRequest, _ int64) (*zermelov1.ListGamesResponse, error) {
		return pages[req.GetPageToken()], nil
	}}
	games, err := serve(t, f).ListGames(within(t))
	if err != nil || games.GetEngineVersion() != "1" || len(games.GetGames()) != 3 || games.GetGames()[2].GetName() != "c" ||
		games.GetNextPageToken() != "" || f.calls.Load() != 3 {
		t.Errorf("%v, %v after %d calls", games, err, f.calls.Load())
	}
	pages["y"].NextPageToken = "y" // for ever
	var broken *client.ProtocolError
	if games, err := serve(t, f).ListGames(within(t)); games != nil || !errors.As(err, &broken) || broken.Method != "ListGames" {
		t.Errorf("pages without an end give %v, %v", games, err)
	}
}

// A game is asked for by its name, and an estimate by a request; an answer without a game breaks the contract.
func TestGetGameAndEstimateCost(t *testing.T) {
	f := &fake{
		getGame: func(req *zermelov1.GetGameRequest, call int64) (*zermelov1.GetGameResponse, error) {
			if call > 1 {
				return &zermelov1.GetGameResponse{}, nil
			}
			return &zermelov1.GetGameResponse{Game: &zermelov1.GameInfo{Name: req.GetName()}}, nil
		},
		estimate: func(req *zermelov1.EstimateCostRequest, _ int64) (*zermelov1.EstimateCostResponse, error) {
			return &zermelov1.EstimateCostResponse{MemoryBytes: int64(req.GetSolve().GetMaxMoves())}, nil
		},
	}
	c := serve(t, f)
	if game, err := c.GetGame(within(t), "nim"); err != nil || game.GetName() != "nim" {
		t.Errorf("%v, %v", game, err)
	}
	if game, err := c.GetGame(within(t), "nim"); game != nil || !errors.As(err, new(*client.ProtocolError)) {
		t.Errorf("without a game: %v, %v", game, err)
	}
	cost, err := c.EstimateCost(within(t), &zermelov1.EstimateCostRequest{
		Call: &zermelov1.EstimateCostRequest_Solve{Solve: &zermelov1.SolveRequest{MaxMoves: 7}},
	})
	if err != nil || cost.GetMemoryBytes() != 7 {
		t.Errorf("%v, %v", cost, err)
	}
}

// unaryCalls are the unary methods of the client.
var unaryCalls = []struct {
	name string
	call func(*client.Client, context.Context) error
}{
	{"Solve", func(c *client.Client, ctx context.Context) error {
		_, err := c.Solve(ctx, &zermelov1.SolveRequest{})
		return err
	}},
	{"Analyze", func(c *client.Client, ctx context.Context) error {
		_, err := c.Analyze(ctx, &zermelov1.AnalyzeRequest{})
		return err
	}},
	{"BatchSolve", func(c *client.Client, ctx context.Context) error {
		_, err := c.BatchSolve(ctx, &zermelov1.BatchSolveRequest{})
		return err
	}},
	{"ListGames", func(c *client.Client, ctx context.Context) error {
		_, err := c.ListGames(ctx)
		return err
	}},
	{"GetGame", func(c *client.Client, ctx context.Context) error {
		_, err := c.GetGame(ctx, "nim")
		return err
	}},
	{"EstimateCost", func(c *client.Client, ctx context.Context) error {
		_, err := c.EstimateCost(ctx, &zermelov1.EstimateCostRequest{})
		return err
	}},
}

// answers is a server whose unary methods answer, unless failing returns an error for a call.
func answers(failing func(call int64) error) *fake {
	return &fake{
		solve: func(_ context.Context, call int64) (*zermelov1.SolveResponse, error) { return solved(), failing(call) },
		analyze: func(_ *zermelov1.AnalyzeRequest, call int64) (*zermelov1.AnalyzeResponse, error) {
			return &zermelov1.AnalyzeResponse{Solution: solved().GetSolution()}, failing(call)
		},
		batch: func(_ *zermelov1.BatchSolveRequest, call int64) (*zermelov1.BatchSolveResponse, error) {
			return &zermelov1.BatchSolveResponse{}, failing(call)
		},
		listGames: func(_ *zermelov1.ListGamesRequest, call int64) (*zermelov1.ListGamesResponse, error) {
			return &zermelov1.ListGamesResponse{}, failing(call)
		},
		getGame: func(_ *zermelov1.GetGameRequest, call int64) (*zermelov1.GetGameResponse, error) {
			return &zermelov1.GetGameResponse{Game: &zermelov1.GameInfo{}}, failing(call)
		},
		estimate: func(_ *zermelov1.EstimateCostRequest, call int64) (*zermelov1.EstimateCostResponse, error) {
			return &zermelov1.EstimateCostResponse{}, failing(call)
		},
	}
}

func TestUnaryCallsAreRetriedWhenUnavailable(t *testing.T) {
	const failures = 2
	for _, test := range unaryCalls {
		t.Run(test.name, func(t *testing.T) {
			f := answers(func(call int64) error {
				if call <= failures {
					return status.Error(codes.Unavailable, "draining")
				}
				return nil
			})
			if err := test.call(serve(t, f), within(t)); err != nil {
				t.Error(err)
			}
			if got := f.calls.Load(); got != failures+1 {
				t.Errorf("%d calls, want %d", got, failures+1)
			}
		})
	}
}

func TestUnaryCallsAreNotRetriedOtherwise(t *testing.T) {
	for _, code := range []codes.Code{
		codes.ResourceExhausted, codes.InvalidArgument, codes.Internal, codes.DeadlineExceeded, codes.Canceled,
	} {
		for _, test := range unaryCalls {
			f := answers(func(int64) error { return status.Error(code, "no") })
			if err := test.call(serve(t, f), within(t)); status.Code(err) != code || f.calls.Load() != 1 {
				t.Errorf("%s, %v: %d calls and %v", test.name, code, f.calls.Load(), err)
			}
		}
	}
}

// A stream that has brought something cannot go on without a token; with one, see TestResume.
func TestStreamsAreNotRetried(t *testing.T) {
	unavailable := status.Error(codes.Unavailable, "draining")
	f := explains(unavailable, opening(nim(1)), events(1))
	count, err := drain(t, serve(t, f).Explain(within(t), &zermelov1.ExplainRequest{}).Events())
	if count != 1 || status.Code(err) != codes.Unavailable || f.calls.Load() != 1 {
		t.Errorf("Explain: %d events of %d calls and %v", count, f.calls.Load(), err)
	}
	withoutToken := enumerationOpening()
	withoutToken.GetOpening().ResumeToken = ""
	f = &fake{enumerate: func(_ *zermelov1.EnumeratePositionsRequest, stream enumerateStream) error {
		return errors.Join(stream.Send(withoutToken), stream.Send(positions(win)), unavailable)
	}}
	request := &zermelov1.EnumeratePositionsRequest{}
	count, err = drain(t, serve(t, f).EnumeratePositions(within(t), request).Positions())
	if count != 1 || status.Code(err) != codes.Unavailable || f.calls.Load() != 1 {
		t.Errorf("EnumeratePositions: %d positions of %d calls and %v", count, f.calls.Load(), err)
	}
}

// away is a dialer that fails this many times before it reaches the server.
func away(t *testing.T, f *fake, failures int64) client.Option {
	t.Helper()
	listener, _ := listen(t, f)
	var dials atomic.Int64
	return client.WithDialOptions(grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
		if dials.Add(1) <= failures {
			return nil, errors.New("nobody is there")
		}
		return listener.DialContext(ctx)
	}))
}

func TestEveryCallWaitsForTheServer(t *testing.T) {
	answering := func() *fake {
		f := answers(func(int64) error { return nil })
		f.explain = explains(nil, opening(nim(1)), summary(0, 0)).explain
		f.enumerate = enumerates(nil, enumerationSummary(0, 0, 0, 0)).enumerate
		return f
	}
	for _, test := range append(slices.Clone(unaryCalls), []struct {
		name string
		call func(*client.Client, context.Context) error
	}{
		{"Explain", func(c *client.Client, ctx context.Context) error {
			_, err := drain(t, c.Explain(ctx, &zermelov1.ExplainRequest{}).Events())
			return err
		}},
		{"EnumeratePositions", func(c *client.Client, ctx context.Context) error {
			_, err := drain(t, c.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{}).Positions())
			return err
		}},
	}...) {
		t.Run(test.name, func(t *testing.T) {
			const failures = 2
			c, err := client.New("passthrough:///away", away(t, answering(), failures))
			if err != nil {
				t.Fatal(err)
			}
			closeAtTheEnd(t, c)
			if err := test.call(c, within(t)); err != nil {
				t.Error(err)
			}
		})
		t.Run(test.name+", until the deadline", func(t *testing.T) {
			const never = 1 << 62
			c, err := client.New("passthrough:///away", away(t, answering(), never))
			if err != nil {
				t.Fatal(err)
			}
			closeAtTheEnd(t, c)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if err := test.call(c, ctx); status.Code(err) != codes.DeadlineExceeded {
				t.Errorf("error %v, want DeadlineExceeded", err)
			}
		})
	}
}

func TestUnaryCallsHaveADeadline(t *testing.T) {
	for _, test := range []struct {
		name string
		opts []client.Option
		own  time.Duration // of the caller's context; 0: none
		want time.Duration // 0: none
	}{
		{"default", nil, 0, client.DefaultUnaryTimeout},
		{"set", []client.Option{client.WithUnaryTimeout(time.Hour)}, 0, time.Hour},
		{"off", []client.Option{client.WithUnaryTimeout(0)}, 0, 0},
		{"the caller's, shorter", nil, time.Minute, time.Minute},
		{"the caller's, longer", nil, 24 * time.Hour, 24 * time.Hour},
	} {
		t.Run(test.name, func(t *testing.T) {
			var seen []time.Duration // 0: none
			look := func(
				ctx context.Context, _ string, _, _ any, _ *grpc.ClientConn, _ grpc.UnaryInvoker, _ ...grpc.CallOption,
			) error {
				if deadline, has := ctx.Deadline(); has {
					seen = append(seen, time.Until(deadline))
				} else {
					seen = append(seen, 0)
				}
				return nil
			}
			opts := append(slices.Clone(test.opts), client.WithDialOptions(grpc.WithUnaryInterceptor(look)))
			c, err := client.New("passthrough:///nobody", opts...)
			if err != nil {
				t.Fatal(err)
			}
			closeAtTheEnd(t, c)
			ctx := t.Context()
			if test.own != 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, test.own)
				defer cancel()
			}
			for _, test := range unaryCalls {
				var broken *client.ProtocolError // the interceptor gives no solution
				if err := test.call(c, ctx); err != nil && !errors.As(err, &broken) {
					t.Errorf("%s: %v", test.name, err)
				}
			}
			for _, got := range seen {
				if got > test.want || (test.want > 0 && got < test.want-guard) {
					t.Errorf("a deadline in %v, want %v", got, test.want)
				}
			}
			if len(seen) != len(unaryCalls) {
				t.Errorf("%d calls, want %d", len(seen), len(unaryCalls))
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		target string
		opts   []client.Option
	}{
		{"no target", "", nil},
		{"a target that is not a name", "dns:///%zz\x00", nil},
		{"a negative timeout", "localhost:50051", []client.Option{client.WithUnaryTimeout(-1)}},
		{"no credentials", "localhost:50051", []client.Option{client.WithTransportCredentials(nil)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if c, err := client.New(test.target, test.opts...); err == nil {
				closeAtTheEnd(t, c)
				t.Error("no error")
			}
		})
	}
}
