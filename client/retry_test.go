package client_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// busyError is what a busy server says. It wants little time to itself.
func busyError(t *testing.T) error {
	t.Helper()
	return detailed(t, codes.ResourceExhausted,
		&errdetails.ErrorInfo{Domain: "zermelo", Reason: "SERVER_BUSY"},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Millisecond)})
}

// A busy server is asked again, by unary calls and by streams that have brought nothing yet, unless the client was made
// not to; in the middle of a stream, and without a RetryInfo, RESOURCE_EXHAUSTED is final.
func TestBusyServersAreAskedAgain(t *testing.T) {
	const failures = 3
	spent := detailed(t, codes.ResourceExhausted, &errdetails.ErrorInfo{Domain: "zermelo", Reason: "MEMO_BUDGET"})
	type callFunc = func(*client.Client) error
	calls := map[string]callFunc{
		"Explain": func(c *client.Client) error {
			_, err := drain(t, c.Explain(within(t), &zermelov1.ExplainRequest{}).Events())
			return err
		},
		"EnumeratePositions": func(c *client.Client) error {
			_, err := drain(t, c.EnumeratePositions(within(t), &zermelov1.EnumeratePositionsRequest{}).Positions())
			return err
		},
		"Solve of Service": func(c *client.Client) error {
			_, err := c.Service().Solve(within(t), &zermelov1.SolveRequest{})
			return err
		},
	}
	for _, unary := range unaryCalls {
		calls[unary.name] = func(c *client.Client) error { return unary.call(c, within(t)) }
	}
	// failing is a server whose first calls fail.
	failing := func(with error) *fake {
		var f *fake
		fails := func(call int64) error {
			if call <= failures {
				return with
			}
			return nil
		}
		f = answers(fails)
		f.explain = func(_ *zermelov1.ExplainRequest, stream explainStream) error {
			if err := fails(f.calls.Load()); err != nil {
				return err
			}
			return errors.Join(stream.Send(opening(nim(1))), stream.Send(summary(0, 0)))
		}
		f.enumerate = func(_ *zermelov1.EnumeratePositionsRequest, stream enumerateStream) error {
			if err := fails(f.calls.Load()); err != nil {
				return err
			}
			return errors.Join(stream.Send(enumerationOpening()), stream.Send(enumerationSummary(0, 0, 0, 0)))
		}
		return f
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			f := failing(busyError(t))
			if err := call(serve(t, f)); err != nil || f.calls.Load() != failures+1 {
				t.Errorf("busy: %d calls and %v, want %d", f.calls.Load(), err, failures+1)
			}
			f = failing(busyError(t))
			if err := call(serve(t, f, client.WithoutBusyRetry())); client.Reason(err) !=
				zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY || f.calls.Load() != 1 {
				t.Errorf("left to the caller: %d calls and %v", f.calls.Load(), err)
			}
			f = failing(spent)
			if err := call(serve(t, f)); client.Reason(err) !=
				zermelov1.ErrorReason_ERROR_REASON_MEMO_BUDGET || f.calls.Load() != 1 {
				t.Errorf("spent: %d calls and %v", f.calls.Load(), err)
			}
		})
	}

	t.Run("in the middle of a trace", func(t *testing.T) {
		f := explains(spent, opening(nim(1)), events(1))
		count, err := drain(t, serve(t, f).Explain(within(t), &zermelov1.ExplainRequest{}).Events())
		if count != 1 || status.Code(err) != codes.ResourceExhausted || f.calls.Load() != 1 {
			t.Errorf("%d events of %d calls and %v", count, f.calls.Load(), err)
		}
	})
	t.Run("in the middle of an enumeration", func(t *testing.T) {
		f := enumerates(spent, positions(win))
		request := &zermelov1.EnumeratePositionsRequest{}
		count, err := drain(t, serve(t, f).EnumeratePositions(within(t), request).Positions())
		if count != 1 || status.Code(err) != codes.ResourceExhausted || f.calls.Load() != 1 {
			t.Errorf("%d positions of %d calls and %v", count, f.calls.Load(), err)
		}
	})
}

// TestCallsThatAreCutOffAreMadeAgain: a connection that breaks when the header of an answer has come, and not the rest.
func TestCallsThatAreCutOffAreMadeAgain(t *testing.T) {
	const cuts = 2
	f := &fake{solve: func(ctx context.Context, call int64) (*zermelov1.SolveResponse, error) {
		if call > cuts {
			return &zermelov1.SolveResponse{Solution: &zermelov1.Solution{}}, nil
		}
		if err := grpc.SendHeader(ctx, metadata.Pairs("x-request-id", "1")); err != nil {
			return nil, err
		}
		<-ctx.Done() // until the connection is gone
		return nil, ctx.Err()
	}}
	listener, _ := listen(t, f)
	var mu sync.Mutex
	var open []net.Conn
	dial := grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
		conn, err := listener.DialContext(ctx)
		mu.Lock()
		defer mu.Unlock()
		open = append(open, conn)
		return conn, err
	})
	// Breaks the connection as soon as the header is there.
	handler := &headerHandler{came: func() {
		mu.Lock()
		defer mu.Unlock()
		if f.calls.Load() <= cuts {
			_ = open[len(open)-1].Close()
		}
	}}
	c, err := client.New("passthrough:///fake", client.WithDialOptions(dial, grpc.WithStatsHandler(handler)), client.WithoutBusyRetry())
	if err != nil {
		t.Fatal(err)
	}
	closeAtTheEnd(t, c)
	if _, err := c.Solve(within(t), &zermelov1.SolveRequest{Position: nim(1)}); err != nil {
		t.Error(err)
	}
	if n := f.calls.Load(); n != cuts+1 {
		t.Errorf("%d calls, want %d", n, cuts+1)
	}
}

// headerHandler tells when the header of a Solve has come.
type headerHandler struct{ came func() }

type methodKey struct{}

func (*headerHandler) TagRPC(ctx context.Context, info *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, methodKey{}, info.FullMethodName)
}

func (h *headerHandler) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if _, is := s.(*stats.InHeader); is && ctx.Value(methodKey{}) == zermelov1.SolverService_Solve_FullMethodName {
		h.came()
	}
}
func (*headerHandler) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*headerHandler) HandleConn(context.Context, stats.ConnStats)                       {}
