// Package servertest runs the real server in memory, for tests and examples of what talks to it: the same handlers
// behind the same chain, put together by package run.
//
// It knows nothing of the client library, which tests itself with it. Programs that embed a server use
// run.StartInProcess.
package servertest

import (
	"log/slog"
	"testing"
	"time"

	"google.golang.org/grpc"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/run"
)

// stopGuard is how much longer than its drain delay and grace a server may take to stop before a test is failed.
const stopGuard = 5 * time.Second

// Server is a running server.
type Server struct {
	*run.InProcess
	cfg config.Config
}

// Option changes the server that is started.
type Option func(*settings)

type settings struct {
	cfg    config.Config
	logger *slog.Logger
	run    []run.Option
}

// WithMemoBudget sets the memory, in bytes, that the memo and the stack of one request may use. Any amount will do.
func WithMemoBudget(bytes int64) Option {
	return func(s *settings) {
		limits := catalog.DefaultLimits()
		limits.MemoBudget = bytes
		s.run = append(s.run, run.WithLimits(limits))
	}
}

// WithLimits sets all limits of the service.
func WithLimits(limits catalog.Limits) Option {
	return func(s *settings) { s.run = append(s.run, run.WithLimits(limits)) }
}

// WithGames offers these games instead of all that there are.
func WithGames(entries []catalog.Entry) Option {
	return func(s *settings) { s.run = append(s.run, run.WithGames(entries)) }
}

// WithLogger makes the server log; otherwise it is silent.
func WithLogger(logger *slog.Logger) Option {
	return func(s *settings) { s.logger = logger }
}

// WithDrain sets how long the server stays a lame duck when it is stopped, and how long calls may take to end after
// that. Otherwise these are no time at all and that of config.Default.
func WithDrain(delay, grace time.Duration) Option {
	return func(s *settings) { s.cfg.DrainDelay, s.cfg.DrainGrace = delay, grace }
}

// WithStallLimit sets how long a message of a stream may wait to be read. Otherwise it is that of config.Default.
func WithStallLimit(limit time.Duration) Option {
	return func(s *settings) { s.cfg.StallLimit = limit }
}

// WithConfig changes any of the settings.
func WithConfig(change func(*config.Config)) Option {
	return func(s *settings) { change(&s.cfg) }
}

// WithService serves another implementation of the service through the same chain: one that panics, stalls, or breaks
// the contract in a way that a client must notice.
func WithService(service zermelov1.SolverServiceServer) Option {
	return func(s *settings) { s.run = append(s.run, run.WithService(service)) }
}

// Run starts a server for a caller that has no test, such as an example. The caller must call stop.
func Run(opts ...Option) (server *Server, stop func(), err error) {
	s := settings{cfg: config.Default(), logger: slog.New(slog.DiscardHandler)}
	s.cfg.DrainDelay = 0
	for _, opt := range opts {
		opt(&s)
	}
	inProcess, err := run.StartInProcess(s.cfg, s.logger, s.run...)
	if err != nil {
		return nil, nil, err
	}
	server = &Server{inProcess, s.cfg}
	return server, func() { _ = server.Stop() }, nil
}

// Start starts a server for the length of a test. The test fails when the server does not start, or does not stop in
// order at its end.
func Start(tb testing.TB, opts ...Option) *Server {
	tb.Helper()
	server, _, err := Run(opts...)
	if err != nil {
		tb.Fatalf("the server does not start: %v", err)
	}
	tb.Cleanup(func() {
		stopped := make(chan error, 1)
		go func() { stopped <- server.Stop() }()
		limit := server.cfg.DrainDelay + server.cfg.DrainGrace + stopGuard
		select {
		case err := <-stopped:
			if err != nil {
				tb.Errorf("the server did not stop in order: %v", err)
			}
		case <-time.After(limit):
			tb.Errorf("the server has not stopped after %v", limit)
		}
	})
	return server
}

// Conn opens a connection to the server, with further options if there are any, and closes it at the end of the test.
func (s *Server) Conn(tb testing.TB, opts ...grpc.DialOption) *grpc.ClientConn {
	tb.Helper()
	conn, err := grpc.NewClient(s.Target(), append(s.DialOptions(), opts...)...)
	if err != nil {
		tb.Fatalf("no connection to the server: %v", err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	return conn
}
