package main_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// slowClient is a client whose windows stay small, so that a trace is never far ahead of its reader. Left alone, they grow
// to the size of the trace, and all of it may have come before the first kill.
func slowClient(t *testing.T, target string, options ...grpc.DialOption) *client.Client {
	t.Helper()
	const window = 64 << 10
	c, err := client.New(target, client.WithDialOptions(append(options,
		grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window))...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// TestServerIsKilled: a server that is killed in the middle of a trace and started again, three times, is not to be seen
// in it.
func TestServerIsKilled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 6*guard)
	defer cancel()
	p := start(t)
	c := slowClient(t, p.address)
	request := &zermelov1.ExplainRequest{Position: positions.CanIWin(15, 80), Detail: zermelov1.Detail_DETAIL_SEARCH}
	var want []*zermelov1.Event
	undisturbed := c.Explain(ctx, request)
	for event, err := range undisturbed.Events() {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, event)
	}

	const kills = 3
	killed, received := 0, 0
	trace := c.Explain(ctx, request)
	trace.OnResume(func(err error) {
		if status.Code(err) != codes.Unavailable {
			t.Errorf("resumed after %v", err)
		}
	})
	for event, err := range trace.Events() {
		if err != nil {
			t.Fatalf("after %d events, resumed %d times: %v", received, trace.Resumed(), err)
		}
		if received == len(want) || !proto.Equal(event, want[received]) {
			t.Fatalf("event %d of %d is %v", received+1, len(want), event)
		}
		if received++; killed < kills && received == (killed+1)*len(want)/10 {
			p.kill(t)
			p = start(t, "--listen="+p.address)
			killed++
		}
	}
	got, whole := proto.CloneOf(trace.Summary()), proto.CloneOf(undisturbed.Summary())
	for _, s := range []*zermelov1.Summary{got, whole} { // only the time that it took may differ
		s.GetStatistics().Elapsed = nil
		if s.GetSolution().GetStatistics() != nil {
			s.Solution.Statistics.Elapsed = nil
		}
	}
	if received != len(want) || !proto.Equal(got, whole) || !proto.Equal(trace.Opening(), undisturbed.Opening()) {
		t.Errorf("%d events and %v, want %d and %v", received, got, len(want), whole)
	}
	t.Logf("%d events, resumed %d times after %d kills", received, trace.Resumed(), killed)
	if killed != kills || trace.Resumed() < kills {
		t.Errorf("resumed %d times after %d kills", trace.Resumed(), killed)
	}
}

// TestOneOfThreeServersIsKilled, and started again, while many callers solve over one client: no call is lost. The one
// that is killed is the one that a trace comes from, which is resumed, or ends with a clear error. The test counts calls;
// with ZERMELO_LONG=1 it takes a minute, with a kill every few seconds.
func TestOneOfThreeServersIsKilled(t *testing.T) {
	const servers, callers = 3, 32
	calls, kills := int64(6_000), 2
	pause := time.Duration(0)
	if gametest.Long() {
		calls, kills, pause = 1<<62, 12, 5*time.Second
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	running := make([]*process, servers)
	var addresses []resolver.Address
	for i := range running {
		running[i] = start(t)
		addresses = append(addresses, resolver.Address{Addr: running[i].address})
	}
	names := manual.NewBuilderWithScheme("three")
	names.InitialState(resolver.State{Addresses: addresses})
	// Which server the trace comes from, its stream says.
	var streamed atomic.Pointer[grpc.ClientStream]
	watch := func(
		ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, streamer grpc.Streamer, opts ...grpc.CallOption,
	) (grpc.ClientStream, error) {
		stream, err := streamer(ctx, desc, cc, method, opts...)
		if err == nil {
			streamed.Store(&stream)
		}
		return stream, err
	}
	c := slowClient(t, "three:///servers", grpc.WithResolvers(names), grpc.WithChainStreamInterceptor(watch))

	var made, resumed, broken, whole atomic.Int64
	book := NewBook()
	over := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		(&Load{Client: c, Book: book, Mix: Mix{{Of: 1, Kind: SolveSmall}}, Callers: callers, Seed: 1913}).
			Run(ctx, func() bool {
				select {
				case <-over:
					return false
				default:
					return made.Add(1) <= calls
				}
			})
	})
	all.Go(func() {
		// So many events for each call, or the traces would be over before the callers are.
		const perCall = 5
		received := int64(0)
		for {
			trace := c.Explain(ctx, &zermelov1.ExplainRequest{Position: positions.CanIWin(20, 152), Detail: zermelov1.Detail_DETAIL_SEARCH})
			trace.OnResume(func(error) { resumed.Add(1) })
			want := int64(0)
			for event, err := range trace.Events() {
				if err != nil {
					broken.Add(1)
					if code := status.Code(err); code != codes.Unavailable {
						t.Errorf("a trace ended with %v", err)
					}
					break
				}
				if want++; event.GetSequence() != want {
					t.Errorf("event %d after %d", event.GetSequence(), want-1)
				}
				for received++; received > perCall*made.Load(); time.Sleep(time.Millisecond) {
					select {
					case <-over:
						return
					default:
					}
				}
			}
			if trace.Summary() != nil {
				whole.Add(1)
			}
		}
	})
	wait := func(what string, done func() bool) {
		for ; !done(); time.Sleep(time.Millisecond) {
			if ctx.Err() != nil {
				close(over)
				t.Fatalf("%s: not in time", what)
			}
		}
	}
	// source is the server that the trace comes from; -1 while that is not known.
	source := func() int {
		if stream := streamed.Load(); stream != nil {
			if from, ok := peer.FromContext((*stream).Context()); ok {
				return slices.IndexFunc(running, func(p *process) bool { return p.address == from.Addr.String() })
			}
		}
		return -1
	}
	for range kills {
		before := made.Load()
		time.Sleep(pause)
		wait("calls between two kills", func() bool { return made.Load() >= min(before+500, calls) })
		wait("a trace", func() bool { return source() >= 0 })
		ends := func() int64 { return resumed.Load() + broken.Load() + whole.Load() }
		victim, endsBefore := source(), ends()
		running[victim].kill(t)
		atKill := made.Load()
		wait("calls with one server less", func() bool { return made.Load() >= min(atKill+500, calls) })
		running[victim] = start(t, "--listen="+running[victim].address)
		wait("the trace notices", func() bool { return ends() > endsBefore })
	}
	if gametest.Long() {
		close(over)
	} else {
		for made.Load() < calls {
			time.Sleep(time.Millisecond)
		}
		close(over)
	}
	all.Wait()
	t.Logf("%d callers over %d servers, %d kills; traces: %d times resumed, %d ended with an error",
		callers, servers, kills, resumed.Load(), broken.Load())
	if !book.Write(t.Output()) {
		t.Error("calls are lost, or answers wrong")
	}
	if resumed.Load() == 0 {
		t.Error("no trace was resumed")
	}
}
