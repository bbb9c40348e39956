package client_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

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

func TestListGames(t *testing.T) {
	c := serve(t, &fake{listGames: func(context.Context, int64) (*zermelov1.ListGamesResponse, error) {
		return &zermelov1.ListGamesResponse{EngineVersion: "1"}, nil
	}})
	games, err := c.ListGames(within(t))
	if err != nil || games.GetEngineVersion() != "1" {
		t.Errorf("%v, %v", games, err)
	}
}

func TestUnaryCallsAreRetriedWhenUnavailable(t *testing.T) {
	const failures = 2
	failing := func(call int64) error {
		if call <= failures {
			return status.Error(codes.Unavailable, "draining")
		}
		return nil
	}
	for _, test := range []struct {
		name string
		call func(*client.Client, context.Context) error
	}{
		{"Solve", func(c *client.Client, ctx context.Context) error {
			_, err := c.Solve(ctx, &zermelov1.SolveRequest{})
			return err
		}},
		{"ListGames", func(c *client.Client, ctx context.Context) error {
			_, err := c.ListGames(ctx)
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fake{
				solve: func(_ context.Context, call int64) (*zermelov1.SolveResponse, error) {
					return solved(), failing(call)
				},
				listGames: func(_ context.Context, call int64) (*zermelov1.ListGamesResponse, error) {
					return &zermelov1.ListGamesResponse{}, failing(call)
				},
			}
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
		f := &fake{solve: func(context.Context, int64) (*zermelov1.SolveResponse, error) {
			return nil, status.Error(code, "no")
		}}
		_, err := serve(t, f).Solve(within(t), &zermelov1.SolveRequest{})
		if status.Code(err) != code || f.calls.Load() != 1 {
			t.Errorf("%v: %d calls and %v", code, f.calls.Load(), err)
		}
	}
}

// Neither would be right: an enumeration cannot go on in its middle, nor a trace without a token; with one, see
// TestResume.
func TestStreamsAreNotRetried(t *testing.T) {
	unavailable := status.Error(codes.Unavailable, "draining")
	f := explains(unavailable, opening(nim(1)), events(1))
	count, err := drain(t, serve(t, f).Explain(within(t), &zermelov1.ExplainRequest{}).Events())
	if count != 1 || status.Code(err) != codes.Unavailable || f.calls.Load() != 1 {
		t.Errorf("Explain: %d events of %d calls and %v", count, f.calls.Load(), err)
	}
	for _, messages := range [][]*enumerated{nil, {positions(win)}} {
		f = enumerates(unavailable, messages...)
		request := &zermelov1.EnumeratePositionsRequest{}
		count, err = drain(t, serve(t, f).EnumeratePositions(within(t), request).Positions())
		if count != int64(len(messages)) || status.Code(err) != codes.Unavailable || f.calls.Load() != 1 {
			t.Errorf("EnumeratePositions: %d positions of %d calls and %v", count, f.calls.Load(), err)
		}
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
		f := explains(nil, opening(nim(1)), summary(0, 0))
		f.enumerate = enumerates(nil, enumerationSummary(0, 0, 0, 0)).enumerate
		f.solve = func(context.Context, int64) (*zermelov1.SolveResponse, error) { return solved(), nil }
		f.listGames = func(context.Context, int64) (*zermelov1.ListGamesResponse, error) {
			return &zermelov1.ListGamesResponse{}, nil
		}
		return f
	}
	for _, test := range []struct {
		name string
		call func(*client.Client, context.Context) error
	}{
		{"Solve", func(c *client.Client, ctx context.Context) error {
			_, err := c.Solve(ctx, &zermelov1.SolveRequest{})
			return err
		}},
		{"ListGames", func(c *client.Client, ctx context.Context) error {
			_, err := c.ListGames(ctx)
			return err
		}},
		{"Explain", func(c *client.Client, ctx context.Context) error {
			_, err := drain(t, c.Explain(ctx, &zermelov1.ExplainRequest{}).Events())
			return err
		}},
		{"EnumeratePositions", func(c *client.Client, ctx context.Context) error {
			_, err := drain(t, c.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{}).Positions())
			return err
		}},
	} {
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
			_, _ = c.Solve(ctx, &zermelov1.SolveRequest{}) // the interceptor gives no solution
			if _, err := c.ListGames(ctx); err != nil {
				t.Error(err)
			}
			for _, got := range seen {
				if got > test.want || (test.want > 0 && got < test.want-guard) {
					t.Errorf("a deadline in %v, want %v", got, test.want)
				}
			}
			if len(seen) != 2 {
				t.Errorf("%d calls, want 2", len(seen))
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
