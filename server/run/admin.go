package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// The time limits of the admin port. It serves probes and scrapes, which are short and come from nearby.
const (
	adminReadTimeout  = 5 * time.Second
	adminWriteTimeout = 30 * time.Second
	adminIdleTimeout  = 2 * time.Minute
	adminCloseTimeout = time.Second
	adminHeaderBytes  = 16 << 10
)

// adminServer is the running admin port. A nil one is no admin port.
type adminServer struct {
	http *http.Server
	done chan struct{}
}

// serveAdmin serves the admin port on a listener, which may be nil, in a goroutine that close ends. It sends one error
// when the port fails.
func (s *Server) serveAdmin(listener net.Listener, failed chan<- error) *adminServer {
	if listener == nil {
		return nil
	}
	a := &adminServer{
		http: &http.Server{
			Handler:           s.adminHandler(),
			ReadHeaderTimeout: adminReadTimeout,
			ReadTimeout:       adminReadTimeout,
			WriteTimeout:      adminWriteTimeout,
			IdleTimeout:       adminIdleTimeout,
			MaxHeaderBytes:    adminHeaderBytes,
			ErrorLog:          slog.NewLogLogger(s.logger.Handler(), slog.LevelWarn),
		},
		done: make(chan struct{}),
	}
	go func() {
		defer close(a.done)
		if err := a.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("the admin port failed: %w", err)
		}
	}()
	return a
}

// close ends the admin port: politely for a moment, then at once.
func (a *adminServer) close() {
	if a == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), adminCloseTimeout)
	defer cancel()
	if a.http.Shutdown(ctx) != nil {
		_ = a.http.Close()
	}
	<-a.done
}

// adminHandler answers what operators need: /metrics for Prometheus; /healthz, whether the process is alive, which it
// is when it answers; /readyz, whether it wants calls; /config, the settings in force; and /debug/pprof
// where the settings say so.
func (s *Server) adminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{
		ErrorLog:            slog.NewLogLogger(s.logger.Handler(), slog.LevelError),
		MaxRequestsInFlight: 4,
	}))
	mux.HandleFunc("GET /config", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(s.cfg.InForce()) // whoever asked has left
	})
	if s.cfg.AdminPprof {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		switch s.phase.Load() {
		case phaseServing:
			answer(w, http.StatusOK, "ready")
		case phaseDraining:
			answer(w, http.StatusServiceUnavailable, "draining")
		default:
			answer(w, http.StatusServiceUnavailable, "starting")
		}
	})
	return mux
}

// answer writes one line of text that no cache may keep.
func answer(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, text+"\n") // A prober that left has its answer.
}
