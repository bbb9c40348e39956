package run

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// guard is how long a test waits for what must come before it calls it hung.
const guard = 5 * time.Second

// service is a SolverService whose Explain is a function; ListGames answers.
type service struct {
	zermelov1.UnimplementedSolverServiceServer
	explain func(grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error
}

func (s *service) ListGames(context.Context, *zermelov1.ListGamesRequest) (*zermelov1.ListGamesResponse, error) {
	return &zermelov1.ListGamesResponse{}, nil
}

func (s *service) Explain(_ *zermelov1.ExplainRequest, stream grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error {
	return s.explain(stream)
}

// settings are those of a server that drains in round figures.
func settings() config.Config {
	cfg := config.Default()
	cfg.Listen = "127.0.0.1:0"
	cfg.DrainDelay, cfg.DrainGrace = 5*time.Second, 10*time.Second
	return cfg
}

// silent is a log that nobody reads.
func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

// inProcess starts a server in memory and a client of it.
func inProcess(t *testing.T, cfg config.Config, logger *slog.Logger, opts ...Option) (*InProcess, *grpc.ClientConn) {
	t.Helper()
	p, err := StartInProcess(cfg, logger, opts...)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient(p.Target(), p.DialOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return p, conn
}

// journal collects a log.
type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(p)
}

func (j *journal) logger() *slog.Logger { return slog.New(slog.NewTextHandler(j, nil)) }

// lines returns the lines that contain a text.
func (j *journal) lines(text string) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var found []string
	for line := range strings.Lines(j.buf.String()) {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}
