package rpc_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/rpc"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// guard is how long a test waits for what should happen at once, before it is failed for hanging.
const guard = 5 * time.Second

// endless is a trace that nobody will see the end of: without a memo, with all 30! orders to go through.
var endless = &zermelov1.ExplainRequest{Position: canIWin(30, 400), MemoPolicy: policyNone}

// aheadBytes is how far the server can be ahead of a client that does not read: a window of the stream and one of the
// connection, 64 KiB each, what the transports buffer, and a frame.
const aheadBytes = 512 << 10

// aheadEvents bounds the events in aheadBytes: none of an endless trace takes less than this many bytes.
const aheadEvents = aheadBytes / 20

// eventually waits until something has come about.
func eventually(t *testing.T, what string, come func() bool) {
	t.Helper()
	for began := time.Now(); !come(); time.Sleep(time.Millisecond) {
		if time.Since(began) > guard {
			t.Fatalf("waited %v for this: %s", guard, what)
		}
	}
}

// sending is a service that tells of the messages that its traces send.
type sending struct {
	zermelov1.SolverServiceServer
	// begun and sent count the sends, lastBegun is when the last one began, in nanoseconds of the Unix time.
	begun, sent, lastBegun atomic.Int64
}

func (s *sending) Explain(
	r *zermelov1.ExplainRequest, stream grpc.ServerStreamingServer[zermelov1.ExplainResponse],
) error {
	return s.SolverServiceServer.Explain(r, &sendingStream{stream, s})
}

type sendingStream struct {
	grpc.ServerStreamingServer[zermelov1.ExplainResponse]
	of *sending
}

func (s *sendingStream) SendMsg(m any) error {
	s.of.lastBegun.Store(time.Now().UnixNano())
	s.of.begun.Add(1)
	defer s.of.sent.Add(1)
	return s.ServerStreamingServer.SendMsg(m)
}

// waitUntilBlocked waits until a message is being sent that the transport does not take: not for a quarter of a second, a
// thousand times what it takes while the windows have room.
func (s *sending) waitUntilBlocked(t *testing.T) {
	t.Helper()
	eventually(t, "a send that blocks", func() bool {
		began := time.Unix(0, s.lastBegun.Load())
		return s.begun.Load() > s.sent.Load() && time.Since(began) > time.Second/4
	})
}

// counted runs a server that reports the work of each of its traces.
func counted(t *testing.T) (zermelov1.SolverServiceClient, <-chan *zermelov1.Statistics) {
	t.Helper()
	ended := make(chan *zermelov1.Statistics, 1024)
	service := rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), newGate(t))
	service.OnStreamEnd(func(s *zermelov1.Statistics) { ended <- s })
	return start(t, servertest.WithService(service)), ended
}

func wait(t *testing.T, ended <-chan *zermelov1.Statistics) *zermelov1.Statistics {
	t.Helper()
	select {
	case s := <-ended:
		return s
	case <-time.After(guard):
		t.Fatal("the search goes on without its client")
		return nil
	}
}

// TestCancelStopsTheSearch: a client that leaves after the first event leaves no search behind. After the cancel it
// looks at no more than search.TickPositions positions; before it, flow control had stopped it, since nobody read.
func TestCancelStopsTheSearch(t *testing.T) {
	c, ended := counted(t)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		stream, err := c.Explain(ctx, endless)
		if err != nil {
			t.Fatal(err)
		}
		for events := 0; events == 0; {
			m, err := stream.Recv()
			if err != nil {
				t.Fatal(err)
			}
			events = len(m.GetEvents().GetEvents())
		}
		cancel()
		if n := wait(t, ended).GetPositionsExpanded(); n > aheadEvents+search.TickPositions {
			t.Errorf("%d positions were entered for a client that read one frame", n)
		}
		_, err = stream.Recv()
		for err == nil {
			_, err = stream.Recv()
		}
	}
}

// TestSlowClientHoldsTheSearch: for a client that never reads, the search stands still.
func TestSlowClientHoldsTheSearch(t *testing.T) {
	ended := make(chan *zermelov1.Statistics, 1)
	service := rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), newGate(t))
	service.OnStreamEnd(func(s *zermelov1.Statistics) { ended <- s })
	sends := &sending{SolverServiceServer: service}
	c := start(t, servertest.WithService(sends))
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := c.Explain(ctx, endless); err != nil {
		t.Fatal(err)
	}
	sends.waitUntilBlocked(t)
	cancel()
	if n := wait(t, ended).GetPositionsExpanded(); n > aheadEvents+search.TickPositions {
		t.Errorf("%d positions were entered for a client that reads nothing", n)
	}
}

// TestAStalledClientLosesItsStream: a client that stops reading for good loses its stream after the stall limit, and is told so
// when it reads again; the search has ended. (Lesson: a blocked send cannot time itself out.)
func TestAStalledClientLosesItsStream(t *testing.T) {
	ended := make(chan *zermelov1.Statistics, 1)
	service := rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), newGate(t))
	service.OnStreamEnd(func(s *zermelov1.Statistics) { ended <- s })
	c := start(t, servertest.WithService(service), servertest.WithStallLimit(100*time.Millisecond))
	stream, err := c.Explain(t.Context(), endless)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, ended)
	for err == nil {
		_, err = stream.Recv()
	}
	wantError(t, err, codes.Aborted, zermelov1.ErrorReason_ERROR_REASON_CLIENT_TOO_SLOW)
	if s := solve(t, c, nim(misere, 7, 5, 3)); s.GetOutcome() != win {
		t.Errorf("after it: %v", s)
	}
}

// TestStalledClientDoesNotHoldUpTheShutdown: the handler is blocked in a send, which nothing but the end of the call can
// end; yet the server stops long before its grace is over, and the client is told why.
func TestStalledClientDoesNotHoldUpTheShutdown(t *testing.T) {
	ended := make(chan *zermelov1.Statistics, 1)
	service := rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), newGate(t))
	service.OnStreamEnd(func(s *zermelov1.Statistics) { ended <- s })
	const grace = 5 * time.Minute // a guard far beyond what it takes
	sends := &sending{SolverServiceServer: service}
	server := servertest.Start(t, servertest.WithService(sends), servertest.WithDrain(0, grace))
	stream, err := zermelov1.NewSolverServiceClient(server.Conn(t)).Explain(t.Context(), endless)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	sends.waitUntilBlocked(t)
	stopped := make(chan error, 1)
	go func() { stopped <- server.Stop() }()
	wait(t, ended)
	for err == nil {
		_, err = stream.Recv()
	}
	wantError(t, err, codes.Unavailable, zermelov1.ErrorReason_ERROR_REASON_SERVER_DRAINING)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestThousandCancelsLeaveNothing: after a thousand streams that were left early, no goroutine is left on either side.
func TestThousandCancelsLeaveNothing(t *testing.T) {
	before := goleak.IgnoreCurrent()
	server, stop, err := servertest.Run()
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient(server.Target(), server.DialOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	c := zermelov1.NewSolverServiceClient(conn)
	for i := range 1000 {
		ctx, cancel := context.WithCancel(t.Context())
		stream, err := c.Explain(ctx, endless)
		if err != nil {
			t.Fatal(err)
		}
		for range i % 3 { // before the opening, after it, or after the first events
			if _, err := stream.Recv(); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	stop()
	goleak.VerifyNone(t, before)
}

// TestDeadlineEndsASolve: an algorithm looks at its context too, and the error says why it ended.
func TestDeadlineEndsASolve(t *testing.T) {
	c := start(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := c.Solve(ctx, &zermelov1.SolveRequest{Position: canIWin(32, 470)})
	wantCode(t, err, codes.DeadlineExceeded)
}

// TestProgressWhileNothingIsSent: a walk through millions of positions, none of which is asked for, gives signs of life.
func TestProgressWhileNothingIsSent(t *testing.T) {
	// Never used up: the test leaves at the first sign.
	gate := newGate(t, func(l *admission.Limits) { l.MemoryBytes, l.StreamBytes = 128*gib, 128*gib })
	c := start(t, servertest.WithService(rpc.NewService(catalog.New(games.All(), catalog.Limits{MemoBudget: 64 * gib}), gate)))
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	stream, err := c.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{Position: canIWin(29, 380), Outcome: draw})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := stream.Recv(); err != nil || m.GetOpening() == nil {
		t.Fatalf("%v %v", m, err)
	}
	m, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	if m.GetProgress().GetStatistics().GetPositionsExpanded() == 0 {
		t.Errorf("the frame after the opening is %v", m)
	}
}

// TestMemoBudgetIsAnError: a search that runs out of memory says so, after what it decided, and the next one works.
func TestMemoBudgetIsAnError(t *testing.T) {
	c := start(t, servertest.WithMemoBudget(1<<20))
	x, err := tryExplain(t.Context(), t, c, &zermelov1.ExplainRequest{Position: canIWin(20, 152)})
	wantError(t, err, codes.ResourceExhausted, zermelov1.ErrorReason_ERROR_REASON_MEMO_BUDGET)
	if len(x.events) < 1000 {
		t.Errorf("only %d of the decisions before the end of the budget were sent", len(x.events))
	}
	if s := solve(t, c, canIWin(10, 40)); s.GetOutcome() != loss {
		t.Errorf("after it: %v", s)
	}
}

// TestDeepGames: the first decision of this game comes after five million moves; a smaller budget ends before that. The
// process lives on either way.
func TestDeepGames(t *testing.T) {
	deep := hundred(2, 5_000_000, 0)
	c := start(t)
	x := explain(t, c, &zermelov1.ExplainRequest{Position: deep, MaxEvents: 1})
	if first := x.events[0]; first.GetPosition() != "4999999" || first.GetDepth() != 4_999_999 {
		t.Errorf("the first decision is %v", first)
	}
	small := start(t, servertest.WithMemoBudget(64<<20))
	_, err := tryExplain(t.Context(), t, small, &zermelov1.ExplainRequest{Position: deep})
	wantError(t, err, codes.ResourceExhausted, zermelov1.ErrorReason_ERROR_REASON_MEMO_BUDGET)
	if s := solve(t, small, deep); s.GetOutcome() != win {
		t.Errorf("after it: %v", s)
	}
}
