package interceptor_test

import (
	"context"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func TestSeriesExistFromTheStart(t *testing.T) {
	h := start(t, &service{})
	for _, method := range []string{"Check", "Watch", "Solve", "Explain", "EnumeratePositions", "ListGames"} {
		for name, labels := range map[string]map[string]string{
			"grpc_server_started_total":    {"grpc_method": method},
			"grpc_server_handled_total":    {"grpc_method": method, "grpc_code": "ResourceExhausted"},
			"grpc_server_handling_seconds": {"grpc_method": method},
		} {
			if got := h.metric(t, name, labels); got != 0 {
				t.Errorf("%s%v is %v at the start, want 0", name, labels, got)
			}
		}
	}
	if got := h.metric(t, "zermelo_panics_total", nil); got != 0 {
		t.Errorf("zermelo_panics_total is %v at the start, want 0", got)
	}
}

func TestCallsAreCountedAndTimed(t *testing.T) {
	fine := func(context.Context) error { return nil }
	h := start(t, &service{solve: fine, explain: fine})
	if _, err := h.Solve(h.ctx, &zermelov1.SolveRequest{}); err != nil {
		t.Fatal(err)
	}
	_ = h.explainError()
	for method, kind := range map[string]string{"Solve": "unary", "Explain": "server_stream"} {
		for name, labels := range map[string]map[string]string{
			"grpc_server_started_total":    {"grpc_method": method, "grpc_type": kind},
			"grpc_server_handled_total":    {"grpc_method": method, "grpc_type": kind, "grpc_code": "OK"},
			"grpc_server_handling_seconds": {"grpc_method": method, "grpc_type": kind},
		} {
			if got := h.metric(t, name, labels); got != 1 {
				t.Errorf("%s%v is %v after one call, want 1", name, labels, got)
			}
		}
	}
}
