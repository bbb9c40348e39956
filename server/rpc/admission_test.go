package rpc_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/rpc"
	"github.com/zermelo-games/zermelo/server/servertest"
)

const (
	serverBusy = zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY
	gib        = 1 << 30
)

func newGate(t *testing.T, change ...func(*admission.Limits)) *admission.Gate {
	t.Helper()
	limits := admission.DefaultLimits(4*gib, 2)
	for _, f := range change {
		f(&limits)
	}
	gate, err := admission.New(limits)
	if err != nil {
		t.Fatal(err)
	}
	return gate
}

// full returns a connection to a server all of whose slots are taken until release is called. Nothing waits there.
func full(t *testing.T) (conn *grpc.ClientConn, gate *admission.Gate, release func()) {
	t.Helper()
	gate = newGate(t, func(l *admission.Limits) { l.Solves, l.Streams, l.QueueWait = 1, 1, 0 })
	var tickets []*admission.Ticket
	for _, kind := range []admission.Kind{admission.KindSolve, admission.KindStream} {
		ticket, err := gate.Admit(t.Context(), kind, admission.Price{Bytes: gib})
		if err != nil {
			t.Fatal(err)
		}
		tickets = append(tickets, ticket)
	}
	return servertest.Start(t, servertest.WithService(rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), gate))).Conn(t), gate, func() {
		for _, ticket := range tickets {
			ticket.Release()
		}
	}
}

// retryDelay is that of the RetryInfo of an error; 0 when it has none.
func retryDelay(err error) time.Duration {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.RetryInfo); ok {
			return info.GetRetryDelay().AsDuration()
		}
	}
	return 0
}

// TestBusyServerRefusesWhatIsLarge with SERVER_BUSY and a RetryInfo, by every RPC that has a price, and answers what is
// small and what has none. When there is room again, everything is answered, and nothing is held at the end.
func TestBusyServerRefusesWhatIsLarge(t *testing.T) {
	conn, gate, release := full(t)
	c, health := zermelov1.NewSolverServiceClient(conn), healthgrpc.NewHealthClient(conn)
	batch := func(p ...*zermelov1.Position) error {
		_, err := c.BatchSolve(t.Context(), &zermelov1.BatchSolveRequest{Positions: p})
		return err
	}
	for range 2 {
		errs := everyRPC(t.Context(), c, canIWin(20, 152))
		// Not so large one by one, but all together.
		var many []*zermelov1.Position
		for total := range uint32(900) {
			many = append(many, canIWin(20, 152, total%20+1), hundred(10, 100, uint64(total)), guess(1, total+1))
		}
		errs["BatchSolve"] = batch(append(many[:500], canIWin(33, 400), canIWin(33, 401))...)
		for method, err := range errs {
			if method == "Solve" { // a table of 2^20 bits is filled in less than a millisecond
				continue
			}
			wantError(t, err, codes.ResourceExhausted, serverBusy)
			if d := retryDelay(err); d < admission.MinRetryAfter || d > admission.MaxRetryAfter {
				t.Errorf("%s: retry in %v", method, d)
			}
		}
		for method, err := range everyRPC(t.Context(), c, nim(misere, 5, 3)) {
			if err != nil {
				t.Errorf("%s of a small position: %v", method, err)
			}
		}
		if err := batch(guess(1, 10), nim(normal, 1<<40)); err != nil {
			t.Errorf("a small batch: %v", err)
		}
		if _, err := c.ListGames(t.Context(), &zermelov1.ListGamesRequest{}); err != nil {
			t.Error(err)
		}
		if _, err := health.Check(t.Context(), &healthgrpc.HealthCheckRequest{Service: rpc.ServiceName}); err != nil {
			t.Error(err)
		}
	}
	release()
	for method, err := range everyRPC(t.Context(), c, canIWin(16, 80)) {
		if err != nil {
			t.Errorf("%s when there is room: %v", method, err)
		}
	}
	stats := gate.Stats()
	if stats.Bytes != 0 || stats.SmallBytes != 0 || stats.Solves != 0 || stats.Streams != 0 || stats.Small != 0 {
		t.Errorf("at rest, the gate holds %+v", stats)
	}
}

// TestMoreMemoryThanThereIs is not a matter of waiting: the request is refused with the limit.
func TestMoreMemoryThanThereIs(t *testing.T) {
	gate := newGate(t, func(l *admission.Limits) { l.MemoryBytes, l.StreamBytes = 64<<20, 32<<20 })
	c := start(t, servertest.WithService(rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), gate)))
	for method, err := range everyRPC(t.Context(), c, canIWin(31, 400)) {
		wantError(t, err, codes.InvalidArgument, budgetLimit)
		if retryDelay(err) != 0 {
			t.Errorf("%s: %v", method, err)
		}
	}
	// In a batch, in its place.
	results := batchSolve(t, c, 0, canIWin(31, 400), guess(1, 10))
	if e := results[0].GetError(); e.GetReason() != "BUDGET_LIMIT" || e.GetMetadata()["setting"] != "--memory" || e.GetMetadata()["field"] != "positions[0]" || results[1].GetSolution().GetCost() != 16 {
		t.Errorf("%v", results)
	}
}

// TestTicketsAreReleased also when a stream is left in its middle and when a call fails.
func TestTicketsAreReleased(t *testing.T) {
	gate := newGate(t)
	service := rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), gate)
	ended := make(chan struct{}, 100)
	service.OnStreamEnd(func(*zermelov1.Statistics) { ended <- struct{}{} })
	c := start(t, servertest.WithService(service))
	for range 20 {
		ctx, leave := context.WithCancel(t.Context())
		stream, err := c.Explain(ctx, &zermelov1.ExplainRequest{Position: canIWin(20, 152)})
		if err == nil {
			_, err = stream.Recv()
		}
		if err != nil {
			t.Fatal(err)
		}
		if stats := gate.Stats(); stats.Streams == 0 || stats.Bytes == 0 {
			t.Errorf("a stream runs, and the gate holds %+v", stats)
		}
		leave()
		<-ended
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("gone"))
	_, err := c.Analyze(ctx, &zermelov1.AnalyzeRequest{Position: canIWin(20, 152)})
	wantCode(t, err, codes.Canceled)
	// The handler returns right after it has told.
	eventually(t, "nothing running", func() bool { return gate.Stats().Streams+gate.Stats().Solves == 0 })
	if stats := gate.Stats(); stats.Bytes != 0 {
		t.Errorf("at rest, the gate holds %+v", stats)
	}
}
