package rpc_test

import (
	"context"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/rpc"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// TestStreamsOpenedAndCancelledInHaste: however fast streams are opened and cancelled, no more of them are at work than
// there are slots, and none is left. There are 10,000 with ZERMELO_LONG=1.
func TestStreamsOpenedAndCancelledInHaste(t *testing.T) {
	all, slots := 1_000, 4
	if gametest.Long() {
		all = 10_000
	}
	gate := newGate(t, func(l *admission.Limits) { l.Streams = slots })
	service := rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), gate)
	c := start(t, servertest.WithService(service))
	var callers sync.WaitGroup
	for n := range 8 {
		callers.Go(func() {
			for range all / 8 {
				ctx, cancel := context.WithCancel(t.Context())
				stream, err := c.Explain(ctx, &zermelov1.ExplainRequest{Position: canIWin(30, 400), MemoPolicy: policyNone})
				if err == nil && n%2 == 0 {
					_, _ = stream.Recv() // some are cancelled before anything has come, some after
				}
				cancel()
				if at := gate.Stats(); at.Streams > slots {
					t.Errorf("%d streams are at work", at.Streams)
				}
			}
		})
	}
	callers.Wait()
	eventually(t, "no stream at work", func() bool { return gate.Stats().Streams == 0 })
	if at := gate.Stats(); at.Bytes != 0 || at.StreamsQueued != 0 || at.SmallBytes != 0 {
		t.Errorf("at rest, the gate holds %+v", at)
	}
	if _, err := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: nim(misere, 7, 5, 3)}); err != nil {
		t.Error(err)
	}
}

// lateReader is a stats handler that keeps what is sent and reads it when everything is over.
type lateReader struct {
	mu   sync.Mutex
	sent []any
}

func (*lateReader) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (*lateReader) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*lateReader) HandleConn(context.Context, stats.ConnStats)                       {}
func (r *lateReader) HandleRPC(_ context.Context, s stats.RPCStats) {
	if out, ok := s.(*stats.OutPayload); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sent = append(r.sent, out.Payload)
	}
}

// TestMessagesAreNotChangedAfterTheyWereSent: something may still read them, such as a stats handler. The race detector
// looks on.
func TestMessagesAreNotChangedAfterTheyWereSent(t *testing.T) {
	reader := &lateReader{}
	server := grpc.NewServer(append(rpc.ServerOptions(1<<20), grpc.StatsHandler(reader))...)
	zermelov1.RegisterSolverServiceServer(rpc.Registrar{Server: server},
		rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), newGate(t)))
	listener := bufconn.Listen(1 << 20)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	conn, err := grpc.NewClient("passthrough:///late", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	c := zermelov1.NewSolverServiceClient(conn)
	explain(t, c, &zermelov1.ExplainRequest{Position: canIWin(12, 50), Detail: zermelov1.Detail_DETAIL_SEARCH})
	enumerate(t, c, &zermelov1.EnumeratePositionsRequest{Position: canIWin(12, 50)})
	for range 3 { // from what is known too
		solve(t, c, canIWin(40, 44))
	}
	batchSolve(t, c, 2, guess(1, 10), guess(1, 10), canIWin(40, 44))
	server.Stop()
	read := 0
	for _, m := range reader.sent {
		if message, ok := m.(proto.Message); ok {
			if _, err := proto.Marshal(message); err != nil {
				t.Error(err)
			}
			read++
		}
	}
	if read == 0 {
		t.Error("nothing was kept")
	}
}

// TestNoGameRemembersAnother: what was asked before, of other rules, another size or the other side to move, is not what
// the next answer comes from; neither one after the other nor at the same time.
func TestNoGameRemembersAnother(t *testing.T) {
	c := start(t)
	ask := func() {
		for _, test := range []struct {
			position *zermelov1.Position
			want     zermelov1.Outcome
		}{
			{nim(normal, 1, 1), loss}, {nim(misere, 1, 1), win}, {nim(normal, 1, 1, 1), win}, {nim(misere, 1, 1, 1), loss},
			{canIWin(4, 9, 1, 4), loss}, {canIWin(5, 9, 1, 4), win}, {canIWin(4, 9, 2, 3), win}, {canIWin(4, 12, 1, 4), draw},
			{hundred(10, 100, 1), loss}, {hundred(9, 100, 1), win}, {hundred(10, 101, 1), win},
			{predict(0, 1, 5, 2), loss}, {predict(3, 1, 5, 2), win}, {predict(2, 1, 5, 2), draw},
		} {
			for _, detail := range []zermelov1.Detail{zermelov1.Detail_DETAIL_DECISIONS, zermelov1.Detail_DETAIL_SEARCH} {
				x := explain(t, c, &zermelov1.ExplainRequest{Position: test.position, Detail: detail})
				if got := x.summary.GetSolution().GetOutcome(); got != test.want {
					t.Errorf("%v is explained as %v, want %v", test.position, got, test.want)
				}
			}
			if got := solve(t, c, test.position).GetOutcome(); got != test.want {
				t.Errorf("%v is solved as %v, want %v", test.position, got, test.want)
			}
		}
	}
	ask()
	var all sync.WaitGroup
	for range 4 {
		all.Go(ask)
	}
	all.Wait()
}
