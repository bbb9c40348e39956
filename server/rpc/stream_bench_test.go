package rpc_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
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

// The benchmarks run servers as processes of their own, over loopback, with one processor each and one for the client:
// that is how they are deployed, and it is steadier. Each is this test binary again; the environment says which server.
const (
	serverEnv = "ZERMELO_BENCHMARK_SERVER"
	// serviceProcess serves as zermelod does, with the log of finished calls written as JSON to the null device.
	serviceProcess = "service"
	// bareProcess is a server of grpc with its default settings.
	bareProcess = "bare"
)

func TestMain(m *testing.M) {
	serve := map[string]func(context.Context, net.Listener) error{serviceProcess: serveService, bareProcess: serveBare}
	if which := os.Getenv(serverEnv); which != "" {
		if err := serveBenchmark(serve[which]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serveBenchmark serves until standard input is closed. It writes the address.
func serveBenchmark(serve func(context.Context, net.Listener) error) error {
	runtime.GOMAXPROCS(1)
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(os.Stdout, listener.Addr()); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	return serve(ctx, listener)
}

func serveService(ctx context.Context, listener net.Listener) error {
	cfg := config.Default()
	cfg.DrainDelay = 0
	cfg.LogFormat = config.LogFormatJSON
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	run.LimitGoMemory(slog.New(slog.DiscardHandler))
	server, err := run.New(cfg, cfg.Logger(null))
	if err != nil {
		return err
	}
	return server.Serve(ctx, listener, nil)
}

func serveBare(ctx context.Context, listener net.Listener) error {
	bare := grpc.NewServer()
	unary, err := bareUnary()
	if err != nil {
		return err
	}
	bare.RegisterService(&grpc.ServiceDesc{
		ServiceName: "bare", HandlerType: (*any)(nil), Methods: unary, Streams: []grpc.StreamDesc{bareStream},
	}, nil)
	context.AfterFunc(ctx, bare.Stop)
	return bare.Serve(listener)
}

// bareMessages is how many messages the bare stream sends, bareBytes how large each is: about as large as an event.
const (
	bareMessages = 1_000_000
	bareBytes    = 50
)

var bareStream = grpc.StreamDesc{
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
}

// process is a server of a benchmark.
type process struct {
	connections []*grpc.ClientConn
	id          int
}

// startProcess starts one of the servers and makes so many connections to it.
func startProcess(b *testing.B, which string, connections int) process {
	b.Helper()
	command := exec.CommandContext(context.Background(), os.Args[0]) // ends when its input is closed
	command.Env = append(os.Environ(), serverEnv+"="+which)
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = command.Wait()
	})
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	p := process{id: command.Process.Pid}
	for range connections {
		conn, err := grpc.NewClient(strings.TrimSpace(address), grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = conn.Close() })
		p.connections = append(p.connections, conn)
	}
	return p
}

// processorTime is how long the threads of the process have computed, in nanoseconds; 0 where the system does not tell.
func (p process) processorTime() (sum float64) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.id))
	for _, path := range threads {
		var computed float64
		if text, err := os.ReadFile(path); err == nil {
			_, _ = fmt.Sscan(string(text), &computed)
		}
		sum += computed
	}
	return sum
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
	service, bare := startProcess(b, serviceProcess, 1).connections[0], startProcess(b, bareProcess, 1).connections[0]
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
