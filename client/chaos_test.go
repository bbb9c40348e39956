package client_test

import (
	"context"
	"os/exec"
	"path/filepath"
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

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/servertest"
	"github.com/zermelo-games/zermelo/server/servertest/load"
)

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
	binary := filepath.Join(t.TempDir(), "zermelod")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/zermelo-games/zermelo/server/cmd/zermelod")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	running := make([]*zermelod, servers)
	var addresses []resolver.Address
	for i := range running {
		running[i] = startZermelod(ctx, t, binary, "127.0.0.1:0")
		addresses = append(addresses, resolver.Address{Addr: running[i].address})
	}
	names := manual.NewBuilderWithScheme("three")
	names.InitialState(resolver.State{Addresses: addresses})
	// Which server the trace comes from, its stream says. The windows stay small, so that it is never far ahead.
	const window = 64 << 10
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
	c := newClient(t, "three:///servers", client.WithDialOptions(grpc.WithResolvers(names),
		grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window), grpc.WithChainStreamInterceptor(watch)))

	var made, resumed, broken, whole atomic.Int64
	book := load.NewBook()
	over := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		(&load.Load{Client: c, Book: book, Mix: load.Mix{{Of: 1, Kind: load.SolveSmall}}, Callers: callers, Seed: 1913}).
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
			trace := c.Explain(ctx, &zermelov1.ExplainRequest{Position: canIWin(20, 152), Detail: zermelov1.Detail_DETAIL_SEARCH})
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
				return slices.IndexFunc(running, func(z *zermelod) bool { return z.address == from.Addr.String() })
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
		running[victim] = startZermelod(ctx, t, binary, running[victim].address)
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
