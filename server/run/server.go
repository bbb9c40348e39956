package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/interceptor"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// Server is the whole service, for one life: make it with [New], run it with [Server.Serve].
type Server struct {
	cfg    config.Config
	limits catalog.Limits
	gate   *admission.Gate
	logger *slog.Logger

	grpc     *grpc.Server
	health   *health.Server
	registry *prometheus.Registry
	tracing  *tracing

	endCalls context.CancelCauseFunc // Cancels every call, with the cause that their handlers see.
	phase    atomic.Int32
	served   atomic.Bool
}

// The phases of a server's life, as /readyz tells them.
const (
	phaseStarting int32 = iota
	phaseServing
	phaseDraining
)

// Option changes how a server is put together.
type Option func(*options)

type options struct {
	games   []catalog.Entry
	limits  catalog.Limits
	service zermelov1.SolverServiceServer
}

// WithGames offers these games instead of all that there are.
func WithGames(entries []catalog.Entry) Option {
	return func(o *options) { o.games = entries }
}

// WithLimits sets all the limits of the service, the memo budget of the settings included. They are not verified.
func WithLimits(limits catalog.Limits) Option {
	return func(o *options) { o.limits = limits }
}

// WithService serves another implementation of the service through the same chain, for tests of the chain and of
// clients. Limits do not reach it.
func WithService(service zermelov1.SolverServiceServer) Option {
	return func(o *options) { o.service = service }
}

// SettingsError says that a setting, or a variable of OpenTelemetry, cannot be used: a file that it names cannot be read,
// say. It names the setting.
type SettingsError struct{ error }

// Unwrap is what is wrong.
func (e *SettingsError) Unwrap() error { return e.error }

// New verifies the settings and puts a server together. It listens nowhere yet, but holds goroutines that only
// [Server.Serve] ends.
func New(cfg config.Config, logger *slog.Logger, opts ...Option) (*Server, error) {
	if err := cfg.Verify(); err != nil {
		return nil, err
	}
	return assemble(cfg, logger, opts...)
}

// assemble puts a server together of settings that are good.
func assemble(cfg config.Config, logger *slog.Logger, opts ...Option) (*Server, error) {
	gate, err := newGate(cfg, logger)
	if err != nil {
		return nil, err
	}
	o := options{games: games.All(), limits: catalog.DefaultLimits()}
	o.limits.MemoBudget = memoBudget(cfg, gate.Limits(), logger)
	for _, opt := range opts {
		opt(&o)
	}

	offered := catalog.New(o.games, o.limits)
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
		newGateMetrics(gate),
	)
	metrics := interceptor.NewMetrics(registry, offered.Games())
	tracing, err := newTracing(logger)
	if err != nil {
		return nil, &SettingsError{err}
	}
	creds, err := newCredentials(cfg, logger)
	if err != nil {
		return nil, &SettingsError{err}
	}
	tokens, err := newTokens(cfg, logger)
	if err != nil {
		return nil, &SettingsError{err}
	}
	draining, endCalls := context.WithCancelCause(context.Background())
	chain := interceptor.Options{
		Logger:         logger,
		Metrics:        metrics,
		Draining:       draining,
		Solve:          interceptor.TimeLimit{Limit: cfg.MaxSolveTime, Setting: "--max-solve-time"},
		Stream:         interceptor.TimeLimit{Limit: cfg.MaxStreamTime, Setting: "--max-stream-time"},
		StallLimit:     cfg.StallLimit,
		Certificates:   cfg.TLSClientCA != "",
		OpenReflection: cfg.Reflection == config.ReflectionOpen,
		Clients:        interceptor.ClientLimits{Streams: cfg.ClientStreams, Rate: cfg.ClientRate},
	}
	if tokens != nil {
		chain.Tokens = tokens
	}

	s := &Server{
		cfg:      cfg,
		limits:   o.limits,
		gate:     gate,
		logger:   logger,
		grpc:     grpc.NewServer(serverOptions(cfg, creds, tracing, interceptor.Chain(chain))...),
		health:   health.NewServer(),
		registry: registry,
		tracing:  tracing,
		endCalls: endCalls,
	}
	service := o.service
	if service == nil {
		service = rpc.NewService(offered, gate, rpc.WithCache(uint64(cfg.Cache)))
	}
	registrar := rpc.Registrar{Server: s.grpc}
	zermelov1.RegisterSolverServiceServer(registrar, service)
	healthgrpc.RegisterHealthServer(registrar, s.health)
	s.setHealth(healthgrpc.HealthCheckResponse_NOT_SERVING)
	if cfg.Reflection != config.ReflectionOff {
		reflection.Register(registrar) // v1 and v1alpha; many tools know only the latter.
	}
	metrics.Initialize(s.grpc)
	return s, nil
}

// setHealth sets the health of the server as a whole and of its service.
func (s *Server) setHealth(status healthgrpc.HealthCheckResponse_ServingStatus) {
	s.health.SetServingStatus("", status)
	s.health.SetServingStatus(rpc.ServiceName, status)
}

// Serve answers on the listeners until the context ends or a listener fails, then shuts down in order and closes both.
// The admin listener may be nil: no admin port.
//
// It returns nil after an orderly end, the failure of a listener, or [ErrHandlersRunning]; in the first two cases
// nothing of the server is left running. It takes no longer than the drain delay and the drain grace of the settings,
// three seconds for the last traces where there are any, and a second for the admin port. A server serves once.
func (s *Server) Serve(ctx context.Context, listener, adminListener net.Listener) error {
	if !s.served.CompareAndSwap(false, true) {
		return errors.Join(errors.New("run: this server has served already"), closeListeners(listener, adminListener))
	}

	// Before the first call can come in, or it might be told that nobody serves.
	s.setHealth(healthgrpc.HealthCheckResponse_SERVING)
	s.phase.Store(phaseServing)
	failed := make(chan error, 2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := s.grpc.Serve(listener); err != nil {
			failed <- fmt.Errorf("the gRPC port failed: %w", err)
		}
	}()
	admin := s.serveAdmin(adminListener, failed)

	s.greet(listener.Addr(), adminListener)

	var failure error
	select {
	case <-ctx.Done():
		s.logger.Info("asked to stop", "cause", context.Cause(ctx))
	case failure = <-failed:
		s.logger.Error("cannot go on", "error", failure)
	}
	return errors.Join(failure, s.shutdown(done, admin))
}

// greet logs where the server can be reached and how.
func (s *Server) greet(address net.Addr, adminListener net.Listener) {
	admin := "off"
	if adminListener != nil {
		admin = adminListener.Addr().String()
	}
	s.logger.Info("listening",
		"address", address.String(),
		"admin", admin,
		"memory", config.Bytes(s.gate.Limits().MemoryBytes),
		"memo_budget", config.Bytes(s.limits.MemoBudget),
		"max_solves", s.gate.Limits().Solves,
		"max_streams", s.gate.Limits().Streams,
		"tls", s.cfg.TLSCert != "",
		"client_certificates", s.cfg.TLSClientCA != "",
		"tokens", s.cfg.TokenFile != "",
		"engine", engine.Version)

	tcp, ok := address.(*net.TCPAddr)
	if !ok {
		return
	}
	s.warn(tcp, adminListener)
	near, how := tcp.String(), "-plaintext "
	if tcp.IP.IsUnspecified() {
		near = fmt.Sprintf("localhost:%d", tcp.Port)
	}
	if s.cfg.TLSCert != "" {
		how = ""
	}
	if s.cfg.Reflection == config.ReflectionOpen {
		s.logger.Info("see what it offers", "command", "grpcurl "+how+near+" describe "+rpc.ServiceName)
	}
}

// warn names what an operator should know about who can reach the server.
func (s *Server) warn(address *net.TCPAddr, adminListener net.Listener) {
	if !address.IP.IsLoopback() {
		if s.cfg.TLSCert == "" {
			s.logger.Warn("other machines can reach this port, and everything on the way to it can be read: it has no TLS",
				"address", address.String())
		}
		if s.cfg.TokenFile == "" && s.cfg.TLSClientCA == "" {
			s.logger.Warn("whoever can reach this port can call it: neither tokens nor certificates are asked for",
				"address", address.String())
		}
	}
	if adminListener == nil {
		return
	}
	if tcp, ok := adminListener.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		s.logger.Warn("other machines can reach the admin port, which never asks who calls", "address", tcp.String())
	}
}
