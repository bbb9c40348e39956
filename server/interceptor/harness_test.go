package interceptor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/test/bufconn"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/interceptor"
)

// service is a SolverService made of functions.
type service struct {
	zermelov1.UnimplementedSolverServiceServer
	solve   func(context.Context) error
	explain func(context.Context) error
	frames  int // That Explain sends first.
}

func (s *service) Solve(ctx context.Context, _ *zermelov1.SolveRequest) (*zermelov1.SolveResponse, error) {
	return &zermelov1.SolveResponse{}, s.solve(ctx)
}

func (s *service) Explain(_ *zermelov1.ExplainRequest, stream grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error {
	for range s.frames {
		if err := stream.Send(&zermelov1.ExplainResponse{}); err != nil {
			return err
		}
	}
	return s.explain(stream.Context())
}

func (s *service) ListGames(context.Context, *zermelov1.ListGamesRequest) (*zermelov1.ListGamesResponse, error) {
	return &zermelov1.ListGamesResponse{}, nil
}

// gameNames are the games of the metrics.
func gameNames() []string { return catalog.New(games.All(), catalog.DefaultLimits()).Games() }

// harness is a bare gRPC server behind the chain, and a client of it.
type harness struct {
	zermelov1.SolverServiceClient
	conn     *grpc.ClientConn
	registry *prometheus.Registry
	log      *journal
	drain    context.CancelCauseFunc
	ctx      context.Context // Ends when the test has hung.
}

// start starts the server, which logs from a level on: LevelDebug, unless another is given.
func start(t *testing.T, s *service, level ...slog.Level) *harness {
	t.Helper()
	level = append(level, slog.LevelDebug)
	h := &harness{registry: prometheus.NewRegistry(), log: &journal{}}
	metrics := interceptor.NewMetrics(h.registry, gameNames())
	draining, drain := context.WithCancelCause(context.Background())
	h.drain = drain

	logger := slog.New(slog.NewJSONHandler(h.log, &slog.HandlerOptions{Level: level[0]}))
	server := grpc.NewServer(interceptor.ServerOptions(interceptor.Chain(interceptor.Options{
		Logger: logger, Metrics: metrics, Draining: draining, StallLimit: time.Minute,
	}))...)
	zermelov1.RegisterSolverServiceServer(server, s)
	healthgrpc.RegisterHealthServer(server, health.NewServer())
	metrics.Initialize(server)

	listener := bufconn.Listen(1 << 16)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	conn, err := grpc.NewClient("passthrough:///test",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	t.Cleanup(func() {
		cancel()
		drain(nil)
		_ = conn.Close()
		server.Stop()
		<-done
	})
	h.conn, h.SolverServiceClient, h.ctx = conn, zermelov1.NewSolverServiceClient(conn), ctx
	return h
}

// explainError opens a stream and returns how it ended, and its header by way of the option.
func (h *harness) explainError(opts ...grpc.CallOption) error {
	stream, err := h.Explain(h.ctx, &zermelov1.ExplainRequest{}, opts...)
	if err != nil {
		return err
	}
	for err == nil {
		_, err = stream.Recv()
	}
	return err
}

// metric gives the value of a counter or a gauge, or the number of observations of a histogram, with at least these labels; -1
// when there is none.
func (h *harness) metric(t *testing.T, name string, labels map[string]string) float64 {
	t.Helper()
	families, err := h.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, series := range family.GetMetric() {
			found := 0
			for _, pair := range series.GetLabel() {
				if want, ok := labels[pair.GetName()]; ok && want == pair.GetValue() {
					found++
				}
			}
			if found < len(labels) {
				continue
			}
			if series.GetHistogram() != nil {
				return float64(series.GetHistogram().GetSampleCount())
			}
			return series.GetCounter().GetValue() + series.GetGauge().GetValue()
		}
	}
	return -1
}

// series counts all series.
func (h *harness) series(t *testing.T) (n int) {
	t.Helper()
	families, err := h.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		n += len(family.GetMetric())
	}
	return n
}

// receive takes what a channel holds, or fails the test when it has hung.
func receive[T any](t *testing.T, h *harness, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-h.ctx.Done():
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// journal collects log lines.
type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(p)
}

// count tells how many lines there are.
func (j *journal) count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return bytes.Count(j.buf.Bytes(), []byte("\n"))
}

// lines returns the lines with a message, parsed.
func (j *journal) lines(t *testing.T, message string) []map[string]any {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	var found []map[string]any
	for text := range strings.Lines(j.buf.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("the log line %q: %v", text, err)
		}
		if line["msg"] == message {
			found = append(found, line)
		}
	}
	return found
}
