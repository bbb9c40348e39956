package run

import (
	"context"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/peer"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
)

// ageGuard is how long a test of connections that end by age may take.
const ageGuard = time.Minute

// endless is a request whose trace nobody will see the end of.
var endless = &zermelov1.ExplainRequest{
	Position: &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: 30, DesiredTotal: 400,
	}}},
	MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_NONE,
}

// onAPort serves settings that need not be good, and returns the address.
func onAPort(t *testing.T, cfg config.Config) string {
	t.Helper()
	cfg.DrainDelay = 0
	server, err := assemble(cfg, silent())
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener, nil) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

// TestATraceOutlivesItsConnections: with a grace as short as the settings would never let it be, connections are cut under
// a trace time and again; the caller sees each event once.
func TestATraceOutlivesItsConnections(t *testing.T) {
	t.Parallel() // it waits for connections to age
	cfg := settings()
	cfg.MaxConnectionAge, cfg.MaxConnectionAgeGrace = 400*time.Millisecond, 400*time.Millisecond
	c, err := client.New(onAPort(t, cfg))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), ageGuard)
	defer cancel()
	trace := c.Explain(ctx, endless)
	const cuts = 3
	after := 0 // events since the last cut
	last := int64(0)
	for event, err := range trace.Events() {
		if err != nil {
			t.Fatalf("after event %d and %d cuts: %v", last, trace.Resumed(), err)
		}
		if event.GetSequence() != last+1 {
			t.Fatalf("event %d follows event %d", event.GetSequence(), last)
		}
		last++
		if trace.Resumed() >= cuts {
			if after++; after == 1000 {
				break
			}
		} else if last%100 == 0 {
			time.Sleep(time.Millisecond) // what was seen has to be found again after each cut
		}
	}
	if trace.Resumed() < cuts {
		t.Errorf("the trace was cut %d times, want %d", trace.Resumed(), cuts)
	}
}

// TestStreamsGoOnOverAnAgedConnection: with settings that are good, age moves new calls to a new connection and lets the
// stream be.
func TestStreamsGoOnOverAnAgedConnection(t *testing.T) {
	t.Parallel() // it waits for connections to age
	cfg := settings()
	cfg.MaxConnectionAge = config.MinMaxConnectionAge
	if err := cfg.Verify(); err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient(onAPort(t, cfg), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), ageGuard)
	defer cancel()
	service := zermelov1.NewSolverServiceClient(conn)
	stream, err := service.Explain(ctx, endless)
	if err != nil {
		t.Fatal(err)
	}
	last := int64(0)
	read := func(frames int) {
		for range frames {
			message, err := stream.Recv()
			if err != nil {
				t.Fatalf("after event %d: %v", last, err)
			}
			for _, event := range message.GetEvents().GetEvents() {
				if event.GetSequence() != last+1 {
					t.Fatalf("event %d follows event %d", event.GetSequence(), last)
				}
				last++
			}
		}
	}
	read(10)
	from := func() string {
		var p peer.Peer
		if _, err := service.ListGames(ctx, &zermelov1.ListGamesRequest{}, grpc.Peer(&p)); err != nil {
			t.Fatal(err)
		}
		return p.LocalAddr.String()
	}
	for first := from(); from() == first; time.Sleep(10 * time.Millisecond) {
		read(1)
	}
	read(100)
}
