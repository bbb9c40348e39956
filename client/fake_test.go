package client_test

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	position "github.com/zermelo-games/zermelo/server/servertest/positions"
)

// guard is how long a test may wait for something that has to happen. It only keeps a broken test from hanging.
const guard = 5 * time.Second

type (
	explainStream   = grpc.ServerStreamingServer[zermelov1.ExplainResponse]
	enumerateStream = grpc.ServerStreamingServer[zermelov1.EnumeratePositionsResponse]
)

// fake is a server that does what a test says, contract or not.
type fake struct {
	zermelov1.UnimplementedSolverServiceServer
	calls     atomic.Int64
	solve     func(ctx context.Context, call int64) (*zermelov1.SolveResponse, error)
	analyze   func(req *zermelov1.AnalyzeRequest, call int64) (*zermelov1.AnalyzeResponse, error)
	batch     func(req *zermelov1.BatchSolveRequest, call int64) (*zermelov1.BatchSolveResponse, error)
	listGames func(req *zermelov1.ListGamesRequest, call int64) (*zermelov1.ListGamesResponse, error)
	getGame   func(req *zermelov1.GetGameRequest, call int64) (*zermelov1.GetGameResponse, error)
	estimate  func(req *zermelov1.EstimateCostRequest, call int64) (*zermelov1.EstimateCostResponse, error)
	explain   func(req *zermelov1.ExplainRequest, stream explainStream) error
	enumerate func(req *zermelov1.EnumeratePositionsRequest, stream enumerateStream) error
}

func (f *fake) Solve(ctx context.Context, _ *zermelov1.SolveRequest) (*zermelov1.SolveResponse, error) {
	return f.solve(ctx, f.calls.Add(1))
}

func (f *fake) Analyze(_ context.Context, req *zermelov1.AnalyzeRequest) (*zermelov1.AnalyzeResponse, error) {
	return f.analyze(req, f.calls.Add(1))
}

func (f *fake) BatchSolve(_ context.Context, req *zermelov1.BatchSolveRequest) (*zermelov1.BatchSolveResponse, error) {
	return f.batch(req, f.calls.Add(1))
}

func (f *fake) ListGames(_ context.Context, req *zermelov1.ListGamesRequest) (*zermelov1.ListGamesResponse, error) {
	return f.listGames(req, f.calls.Add(1))
}

func (f *fake) GetGame(_ context.Context, req *zermelov1.GetGameRequest) (*zermelov1.GetGameResponse, error) {
	return f.getGame(req, f.calls.Add(1))
}

func (f *fake) EstimateCost(
	_ context.Context, req *zermelov1.EstimateCostRequest,
) (*zermelov1.EstimateCostResponse, error) {
	return f.estimate(req, f.calls.Add(1))
}

func (f *fake) Explain(req *zermelov1.ExplainRequest, stream explainStream) error {
	f.calls.Add(1)
	return f.explain(req, stream)
}

func (f *fake) EnumeratePositions(req *zermelov1.EnumeratePositionsRequest, stream enumerateStream) error {
	f.calls.Add(1)
	return f.enumerate(req, stream)
}

// listen serves f in memory until the test ends. Its health is SERVING for now.
func listen(t *testing.T, f *fake, options ...grpc.ServerOption) (*bufconn.Listener, *health.Server) {
	t.Helper()
	const buffer = 64 << 10
	listener := bufconn.Listen(buffer)
	server := grpc.NewServer(options...)
	zermelov1.RegisterSolverServiceServer(server, f)
	condition := health.NewServer()
	condition.SetServingStatus(zermelov1.SolverService_ServiceDesc.ServiceName, healthpb.HealthCheckResponse_SERVING)
	healthpb.RegisterHealthServer(server, condition)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		// A test may be over before serving has begun.
		if err := <-served; err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Errorf("serving: %v", err)
		}
	})
	return listener, condition
}

// connect makes a client of a server in memory, closed when the test ends.
func connect(t *testing.T, listener *bufconn.Listener, options ...client.Option) *client.Client {
	t.Helper()
	dial := grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
		return listener.DialContext(ctx)
	})
	c, err := client.New("passthrough:///fake", append(options, client.WithDialOptions(dial))...)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	closeAtTheEnd(t, c)
	return c
}

// closeAtTheEnd closes a client when the test ends.
func closeAtTheEnd(t *testing.T, c *client.Client) {
	t.Helper()
	t.Cleanup(func() {
		// CANCELLED is what a test gets that has closed it already.
		if err := c.Close(); err != nil && status.Code(err) != codes.Canceled {
			t.Errorf("Close: %v", err)
		}
	})
}

// serve is listen and connect in one.
func serve(t *testing.T, f *fake, options ...client.Option) *client.Client {
	t.Helper()
	listener, _ := listen(t, f)
	return connect(t, listener, options...)
}

// within is a context that ends with the test, or with the guard.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	t.Cleanup(cancel)
	return ctx
}

// eventually waits until done, and fails the test when the guard passes first.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(guard); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after %v", what, guard)
		}
	}
}

// nim is a position of Nim in misère play.
func nim(piles ...uint64) *zermelov1.Position { return position.Nim(position.Misere, piles...) }

// Positions, shorter.
var (
	canIWin     = position.CanIWin
	guessNumber = position.Guess
)
