package client_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/run"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// longGuard is the guard of a test with processes, or with many breaks.
const longGuard = time.Minute

func withinLong(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longGuard)
	t.Cleanup(cancel)
	return ctx
}

// newClient makes a client of a target, closed when the test ends.
func newClient(t *testing.T, target string, options ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(target, options...)
	if err != nil {
		t.Fatal(err)
	}
	closeAtTheEnd(t, c)
	return c
}

// whole is a trace that was received to its end.
type whole struct {
	events  []*zermelov1.Event
	opening *zermelov1.Opening
	summary *zermelov1.Summary
}

// receive ranges to the end, which must be a good one.
func receive(t *testing.T, trace *client.Trace, at func(*zermelov1.Event)) *whole {
	t.Helper()
	w := &whole{}
	for event, err := range trace.Events() {
		if err != nil {
			t.Fatalf("after %d events, resumed %d times: %v", len(w.events), trace.Resumed(), err)
		}
		w.events = append(w.events, event)
		if at != nil {
			at(event)
		}
	}
	w.opening, w.summary = trace.Opening(), trace.Summary()
	return w
}

// same compares two traces of the same request, event by event.
func (w *whole) same(t *testing.T, want *whole) {
	t.Helper()
	if len(w.events) != len(want.events) {
		t.Fatalf("%d events, want %d", len(w.events), len(want.events))
	}
	for i, event := range w.events {
		if !proto.Equal(event, want.events[i]) {
			t.Fatalf("event %v, want %v", event, want.events[i])
		}
	}
	if !proto.Equal(w.opening, want.opening) {
		t.Errorf("opening %v, want %v", w.opening, want.opening)
	}
	// Only the time that it took may differ.
	for _, s := range []*zermelov1.Summary{w.summary, want.summary} {
		if s.GetStatistics() != nil {
			s.Statistics.Elapsed = nil
		}
		if s.GetSolution().GetStatistics() != nil {
			s.Solution.Statistics.Elapsed = nil
		}
	}
	if !proto.Equal(w.summary, want.summary) {
		t.Errorf("summary %v, want %v", w.summary, want.summary)
	}
}

// local serves the real server on the loopback interface until it is stopped, or the test ends.
func local(t *testing.T, change ...func(*config.Config)) (address string, stop func()) {
	t.Helper()
	cfg := config.Default()
	cfg.DrainDelay = 0
	for _, f := range change {
		f(&cfg)
	}
	server, err := run.New(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, listener, nil) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-served; err != nil {
			t.Errorf("serving: %v", err)
		}
	})
	t.Cleanup(stop)
	return listener.Addr().String(), stop
}

// cutting is a connection that breaks once so many bytes have come.
type cutting struct {
	net.Conn
	left int // read by one goroutine of gRPC
}

var errCut = errors.New("the cable is cut")

func (c *cutting) Read(p []byte) (int, error) {
	if c.left == 0 {
		_ = c.Close()
		return 0, errCut
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// Connections that break after any number of bytes, within frames, headers and trailers, are not to be seen in a trace:
// not in a filtered one, not in one with a limit.
func TestConnectionsBreak(t *testing.T) {
	ignored := goleak.IgnoreCurrent()
	t.Run("everywhere", func(t *testing.T) {
		address, _ := local(t)
		calm := newClient(t, address)
		random := rand.New(rand.NewPCG(4, 2))
		var mutex sync.Mutex
		most := 0
		dial := grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
			if err != nil {
				return nil, err
			}
			mutex.Lock()
			defer mutex.Unlock()
			return &cutting{Conn: conn, left: 300 + random.IntN(most)}, nil
		})
		position := canIWin(13, 60)
		resumed := 0
		for name, request := range map[string]*zermelov1.ExplainRequest{
			"decisions": {},
			"search":    {Detail: zermelov1.Detail_DETAIL_SEARCH},
			"proof":     {Detail: zermelov1.Detail_DETAIL_PROOF, ProofForm: zermelov1.ProofForm_PROOF_FORM_CERTIFICATE},
			"sampled":   {Detail: zermelov1.Detail_DETAIL_SEARCH, SampleEvery: 3},
			"kinds": {
				Detail: zermelov1.Detail_DETAIL_SEARCH, Kinds: []zermelov1.EventKind{zermelov1.EventKind_EVENT_KIND_TERMINAL},
			},
			"shallow": {MaxDepth: proto.Uint32(5)},
			"limited": {Detail: zermelov1.Detail_DETAIL_SEARCH, MaxEvents: 700},
			"both":    {Detail: zermelov1.Detail_DETAIL_SEARCH, MaxEvents: 300, SampleEvery: 2},
		} {
			request.Position = position
			want := receive(t, calm.Explain(within(t), request), nil)
			size := 0
			for _, event := range want.events {
				size += proto.Size(event)
			}
			// Most connections bring a frame, of 31 KiB or of what there is, and few bring many.
			mutex.Lock()
			most = 3*min(size, 64<<10) + 500
			mutex.Unlock()
			for range 3 {
				// A client for each, or the balancer would have a connection left from the last one.
				c := newClient(t, address, client.WithDialOptions(dial))
				trace := c.Explain(withinLong(t), request)
				receive(t, trace, nil).same(t, want)
				t.Logf("%s: %d events, resumed %d times", name, len(want.events), trace.Resumed())
				resumed += trace.Resumed()
			}
		}
		if resumed < 10 {
			t.Errorf("%d connections broke in the middle", resumed)
		}
	})
	goleak.VerifyNone(t, ignored)
}

// A server that is drained sends its callers to the next one, of several behind one name.
func TestResumeOnAnotherServer(t *testing.T) {
	servers := map[string]func(){}
	var addresses []resolver.Address
	for range 3 {
		address, stop := local(t)
		servers[address] = stop
		addresses = append(addresses, resolver.Address{Addr: address})
	}
	request := &zermelov1.ExplainRequest{Position: canIWin(15, 80), Detail: zermelov1.Detail_DETAIL_SEARCH}
	want := receive(t, newClient(t, addresses[0].Addr).Explain(withinLong(t), request), nil)

	// Which server a call goes to, its stream says.
	var mutex sync.Mutex
	var streams []grpc.ClientStream
	watch := grpc.WithChainStreamInterceptor(func(
		ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, streamer grpc.Streamer, opts ...grpc.CallOption,
	) (grpc.ClientStream, error) {
		stream, err := streamer(ctx, desc, cc, method, opts...)
		if err == nil {
			mutex.Lock()
			defer mutex.Unlock()
			streams = append(streams, stream)
		}
		return stream, err
	})
	names := manual.NewBuilderWithScheme("zermelo-resume")
	names.InitialState(resolver.State{Addresses: addresses})
	c := newClient(t, names.Scheme()+":///servers", client.WithDialOptions(grpc.WithResolvers(names), watch))
	trace := c.Explain(withinLong(t), request)
	var told []zermelov1.ErrorReason
	trace.OnResume(func(err error) { told = append(told, client.Reason(err)) })
	stops := 0
	got := receive(t, trace, func(event *zermelov1.Event) {
		// Once the events of the server before are used up.
		if stops < 2 && trace.Resumed() == stops && event.GetSequence() > int64(len(want.events)/20) {
			stops++
			mutex.Lock()
			from, ok := peer.FromContext(streams[len(streams)-1].Context())
			mutex.Unlock()
			if !ok {
				t.Fatal("no peer")
			}
			go servers[from.Addr.String()]() // it waits for the call, which is told to end
		}
	})
	got.same(t, want)
	if trace.Resumed() < 2 {
		t.Errorf("resumed %d times on %d servers", trace.Resumed(), len(streams))
	}
	for _, reason := range told {
		if reason != zermelov1.ErrorReason_ERROR_REASON_SERVER_DRAINING {
			t.Errorf("told %v", told)
		}
	}
}

// A token stands for one request.
func TestTokenOfAnotherRequest(t *testing.T) {
	c := realServer(t)
	first := c.Explain(within(t), &zermelov1.ExplainRequest{Position: nim(7, 5, 3)})
	if _, err := drain(t, first.Events()); err != nil {
		t.Fatal(err)
	}
	token := first.Opening().GetResumeToken()
	for name, request := range map[string]*zermelov1.ExplainRequest{
		"another position": {Position: nim(7, 5, 2)},
		"another detail":   {Position: nim(7, 5, 3), Detail: zermelov1.Detail_DETAIL_SEARCH},
		"a filter":         {Position: nim(7, 5, 3), SampleEvery: 2},
	} {
		request.ResumeToken, request.ResumeAfterSequence = token, 3
		trace := c.Explain(within(t), request)
		count, err := drain(t, trace.Events())
		if status.Code(err) != codes.FailedPrecondition ||
			client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_RESUME_TOKEN_MISMATCH {
			t.Errorf("%s: error %v", name, err)
		}
		if count != 0 || trace.Resumed() != 0 {
			t.Errorf("%s: %d events, resumed %d times", name, count, trace.Resumed())
		}
	}
}

// A caller may resume by itself, with another client or in another process.
func TestCallerResumes(t *testing.T) {
	c := realServer(t)
	request := &zermelov1.ExplainRequest{Position: nim(7, 5, 3), Detail: zermelov1.Detail_DETAIL_SEARCH, SampleEvery: 2}
	want := receive(t, c.Explain(within(t), request), nil)
	first := c.Explain(within(t), request)
	got := &whole{}
	for event, err := range first.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if got.events = append(got.events, event); len(got.events) == 10 {
			break
		}
	}
	request.ResumeToken = first.Opening().GetResumeToken()
	request.ResumeAfterSequence = got.events[9].GetSequence()
	second := c.Explain(within(t), request)
	rest := receive(t, second, nil)
	if count := rest.summary.GetEventCount(); count != int64(len(want.events)-10) {
		t.Errorf("the summary counts %d", count)
	}
	got.events = append(got.events, rest.events...)
	got.opening, got.summary = rest.opening, rest.summary
	got.summary.EventCount += 10
	got.same(t, want)
}

func TestWithoutResume(t *testing.T) {
	f := explains(status.Error(codes.Unavailable, "gone"), opening(nim(1)), events(1))
	f.explain = func(_ *zermelov1.ExplainRequest, stream explainStream) error {
		frame := opening(nim(1))
		frame.GetOpening().ResumeToken = "token"
		return errors.Join(stream.Send(frame), stream.Send(events(1)), status.Error(codes.Unavailable, "gone"))
	}
	listener, _ := listen(t, f)
	dial := grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) })
	c := newClient(t, "passthrough:///fake", client.WithDialOptions(dial), client.WithoutResume())
	trace := c.Explain(within(t), &zermelov1.ExplainRequest{Position: nim(1)})
	count, err := drain(t, trace.Events())
	if count != 1 || status.Code(err) != codes.Unavailable || f.calls.Load() != 1 || trace.Resumed() != 0 {
		t.Errorf("%d events of %d calls and %v", count, f.calls.Load(), err)
	}
}

// TestAQuietStreamOfAMinuteLives with the defaults of client and server, keepalive among them: nothing is sent for sixty
// seconds. With ZERMELO_LONG=1 only.
func TestAQuietStreamOfAMinuteLives(t *testing.T) {
	if !gametest.Long() {
		t.Skip("with ZERMELO_LONG=1 only")
	}
	const quiet = time.Minute
	server := servertest.Listen(t, servertest.WithService(&fake{
		explain: func(_ *zermelov1.ExplainRequest, stream explainStream) error {
			if err := stream.Send(&zermelov1.ExplainResponse{
				Payload: &zermelov1.ExplainResponse_Opening{Opening: &zermelov1.Opening{ResumeToken: "token"}},
			}); err != nil {
				return err
			}
			time.Sleep(quiet)
			return stream.Send(&zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{Summary: &zermelov1.Summary{
				Completion: zermelov1.Completion_COMPLETION_COMPLETE, Solution: &zermelov1.Solution{},
			}}})
		},
	}))
	c := newClient(t, server.Address, client.WithoutResume())
	began := time.Now()
	for _, err := range c.Explain(t.Context(), &zermelov1.ExplainRequest{Position: nim(1)}).Events() {
		if err != nil {
			t.Fatalf("after %v: %v", time.Since(began), err)
		}
	}
	if took := time.Since(began); took < quiet {
		t.Errorf("it was over after %v", took)
	}
}

// TestATraceOutlastsTheTimeOfItsCalls: a server that ends every call after a while is asked for the rest, as long as there
// is more to come.
func TestATraceOutlastsTheTimeOfItsCalls(t *testing.T) {
	const limit = time.Second
	request := &zermelov1.ExplainRequest{Position: canIWin(16, 100), Detail: zermelov1.Detail_DETAIL_SEARCH}
	unlimited, _ := local(t)
	want := receive(t, newClient(t, unlimited).Explain(withinLong(t), request), nil)

	address, _ := local(t, func(cfg *config.Config) { cfg.MaxStreamTime = limit })
	trace := newClient(t, address).Explain(withinLong(t), request)
	began, n := time.Now(), 0
	got := receive(t, trace, func(*zermelov1.Event) {
		// A reader that takes its time, twice as long as a call may take, and so holds up the server.
		if n++; n%100 == 0 && time.Since(began) < 2*limit {
			time.Sleep(500 * limit / time.Duration(len(want.events)))
		}
	})
	if trace.Resumed() == 0 {
		t.Error("no call took too long")
	}
	got.same(t, want)

	endless := &zermelov1.ExplainRequest{Position: canIWin(30, 400), MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_NONE}
	for _, err := range newClient(t, address, client.WithoutResume()).Explain(withinLong(t), endless).Events() {
		if err != nil && client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_TIME_LIMIT {
			t.Errorf("without resuming: %v", err)
		}
	}
}
