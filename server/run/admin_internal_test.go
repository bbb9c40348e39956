package run

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAdminEndpoints(t *testing.T) {
	s, err := New(settings(), silent())
	if err != nil {
		t.Fatal(err)
	}
	defer s.grpc.Stop()
	admin := s.adminHandler()
	get := func(method, path string) (int, string) {
		answer := httptest.NewRecorder()
		admin.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), method, path, nil))
		body, _ := io.ReadAll(answer.Body)
		return answer.Code, string(body)
	}

	for _, test := range []struct {
		phase int32
		ready int
		says  string
	}{
		{phaseStarting, http.StatusServiceUnavailable, "starting\n"},
		{phaseServing, http.StatusOK, "ready\n"},
		{phaseDraining, http.StatusServiceUnavailable, "draining\n"},
	} {
		s.phase.Store(test.phase)
		if code, body := get(http.MethodGet, "/readyz"); code != test.ready || body != test.says {
			t.Errorf("/readyz is %d %q, want %d %q", code, body, test.ready, test.says)
		}
		if code, body := get(http.MethodGet, "/healthz"); code != http.StatusOK || body != "ok\n" {
			t.Errorf("/healthz is %d %q when readiness is %q", code, body, test.says)
		}
	}

	code, body := get(http.MethodGet, "/metrics")
	if code != http.StatusOK {
		t.Fatalf("/metrics is %d", code)
	}
	for _, want := range []string{
		`grpc_server_started_total{grpc_method="Solve",grpc_service="zermelo.v1.SolverService",grpc_type="unary"} 0`,
		`grpc_server_handled_total{grpc_code="ResourceExhausted",grpc_method="Explain",grpc_service="zermelo.v1.SolverService",grpc_type="server_stream"} 0`,
		"zermelo_panics_total 0",
		"go_goroutines ",
		"process_resident_memory_bytes ",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}

	if code, _ := get(http.MethodPost, "/metrics"); code != http.StatusMethodNotAllowed {
		t.Errorf("POST /metrics is %d", code)
	}
	if code, _ := get(http.MethodGet, "/debug/pprof/"); code != http.StatusNotFound {
		t.Errorf("/debug/pprof is %d, though nobody asked for it", code)
	}
}
