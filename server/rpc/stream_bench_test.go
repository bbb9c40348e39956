package rpc_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
	"github.com/zermelo-games/zermelo/server/run"
)

// The benchmarks of streams run the server as a process of its own, over loopback, with one processor on each side:
// that is how it is deployed, and it is steadier than sharing a process. The process is this test binary again.
const serverEnv = "ZERMELO_BENCHMARK_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverEnv) != "" {
		if err := serveBenchmark(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// bareMessages is how many messages the bare stream sends, bareBytes how large each is: about as large as an event.
const (
	bareMessages = 1_000_000
	bareBytes    = 50
)

// serveBenchmark serves until standard input is closed. It writes the addresses of the service and of a bare server.
func serveBenchmark() error {
	runtime.GOMAXPROCS(1)
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	bareListener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	unary, err := bareUnary()
	if err != nil {
		return err
	}
	bare := grpc.NewServer()
	bare.RegisterService(&grpc.ServiceDesc{ServiceName: "bare", HandlerType: (*any)(nil), Methods: unary, Streams: []grpc.StreamDesc{{
		StreamName: "Stream", ServerStreams: true,
		Handler: func(_ any, stream grpc.ServerStream) error {
			if err := stream.RecvMsg(&wrapperspb.BytesValue{}); err != nil {
				return err
			}
			m := &wrapperspb.BytesValue{Value: make([]byte, bareBytes-2)}
			for range bareMessages {
				if err := stream.SendMsg(m); err != nil {
					return err
				}
			}
			return nil
		},
	}}}, nil)
	go func() { _ = bare.Serve(bareListener) }()
	cfg := config.Default()
	cfg.DrainDelay = 0
	cfg.LogFormat = config.LogFormatJSON
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	server, err := run.New(cfg, cfg.Logger(null))
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		bare.Stop()
		stop()
	}()
	if _, err := fmt.Fprintln(os.Stdout, listener.Addr(), bareListener.Addr()); err != nil {
		return err
	}
	return server.Serve(ctx, listener, nil)
}

// serverProcess starts the server of a benchmark and returns so many connections to the service and to the bare server.
func serverProcess(b *testing.B, connections int) (service, bare []*grpc.ClientConn) {
	b.Helper()
	process := exec.CommandContext(b.Context(), os.Args[0])
	process.Env = append(os.Environ(), serverEnv+"=1")
	process.Stderr = os.Stderr
	stdin, err := process.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := process.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := process.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = process.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	dialled := make(map[string][]*grpc.ClientConn)
	addresses := strings.Fields(line)
	for _, address := range addresses {
		for range connections {
			conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = conn.Close() })
			dialled[address] = append(dialled[address], conn)
		}
	}
	return dialled[addresses[0]], dialled[addresses[1]]
}

// readBare reads the bare stream to its end.
func readBare(b *testing.B, conn *grpc.ClientConn) (messages int) {
	b.Helper()
	stream, err := conn.NewStream(b.Context(), &grpc.StreamDesc{ServerStreams: true}, "/bare/Stream")
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(stream.SendMsg(&wrapperspb.BytesValue{}), stream.CloseSend()); err != nil {
		b.Fatal(err)
	}
	for m := new(wrapperspb.BytesValue); ; messages++ {
		if err := stream.RecvMsg(m); errors.Is(err, io.EOF) {
			return messages
		} else if err != nil {
			b.Fatal(err)
		}
	}
}

// readTrace reads a trace to its end.
func readTrace(b *testing.B, conn *grpc.ClientConn, detail zermelov1.Detail) (events int) {
	b.Helper()
	stream, err := zermelov1.NewSolverServiceClient(conn).Explain(b.Context(), &zermelov1.ExplainRequest{
		Detail: detail,
		Position: &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
			MaxChoosableInteger: 20, DesiredTotal: 152,
		}}},
	})
	for err == nil {
		var m *zermelov1.ExplainResponse
		m, err = stream.Recv()
		events += len(m.GetEvents().GetEvents())
	}
	if !errors.Is(err, io.EOF) {
		b.Fatal(err)
	}
	return events
}

// searchAlone runs the search of the trace without a stream, and writes no event.
func searchAlone(b *testing.B, detail search.Detail) (events int) {
	b.Helper()
	s := search.New(caniwin.New(20, 152, 0), search.Options{Detail: detail, Budget: 512 << 20})
	for e, err := range s.Events(b.Context()) {
		if err != nil {
			b.Fatal(err)
		}
		if e.Kind != search.Tick {
			events++
		}
	}
	return events
}

// BenchmarkTrace measures traces of Can I Win (20, 152) end to end against a bare stream of as many bytes a message,
// and against the search alone, in turn in each round. It reports medians: events a second, and how many events are
// sent in the time of one bare message, and of one event of the search alone.
func BenchmarkTrace(b *testing.B) {
	runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(runtime.NumCPU())
	services, bares := serverProcess(b, 1)
	service, bare := services[0], bares[0]
	for _, detail := range []struct {
		name string
		wire zermelov1.Detail
		own  search.Detail
	}{
		{"search", zermelov1.Detail_DETAIL_SEARCH, search.Everything},
		{"decisions", zermelov1.Detail_DETAIL_DECISIONS, search.Decisions},
	} {
		b.Run(detail.name, func(b *testing.B) {
			var rates, overBare, overAlone []float64
			rate := func(f func() int) float64 {
				start := time.Now()
				return float64(f()) / time.Since(start).Seconds()
			}
			for b.Loop() {
				bareRate := rate(func() int { return readBare(b, bare) })
				traceRate := rate(func() int { return readTrace(b, service, detail.wire) })
				aloneRate := rate(func() int { return searchAlone(b, detail.own) })
				rates = append(rates, traceRate)
				overBare = append(overBare, traceRate/bareRate)
				overAlone = append(overAlone, traceRate/aloneRate)
			}
			b.ReportMetric(median(rates), "events/s")
			b.ReportMetric(median(overBare), "x-bare-stream")
			b.ReportMetric(median(overAlone), "x-search-alone")
		})
	}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
