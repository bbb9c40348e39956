package interceptor_test

import (
	"context"
	"testing"

	"google.golang.org/grpc/codes"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/interceptor"
)

func TestOneLineForACall(t *testing.T) {
	h := start(t, &service{solve: func(context.Context) error { return nil }})
	ctx := metadata.AppendToOutgoingContext(h.ctx, interceptor.RequestIDHeader, "mine")
	if _, err := h.Solve(ctx, &zermelov1.SolveRequest{}); err != nil {
		t.Fatal(err)
	}
	if lines := h.log.lines(t, "started call"); len(lines) != 0 {
		t.Errorf("a call that begins is logged: %v", lines)
	}
	lines := h.log.lines(t, "finished call")
	if len(lines) != 1 {
		t.Fatalf("%d lines for a call: %v", len(lines), lines)
	}
	for field, want := range map[string]any{
		"level":            "INFO",
		"request_id":       "mine",
		"grpc.service":     "zermelo.v1.SolverService",
		"grpc.method":      "Solve",
		"grpc.method_type": "unary",
		"grpc.code":        "OK",
		"peer.address":     "bufconn",
	} {
		if lines[0][field] != want {
			t.Errorf("%s is %v, want %v", field, lines[0][field], want)
		}
	}
	if _, ok := lines[0]["grpc.time_ms"].(float64); !ok {
		t.Errorf("the time is %v, want a number", lines[0]["grpc.time_ms"])
	}
}

func TestProbesAreNotLogged(t *testing.T) {
	h := start(t, &service{})
	if _, err := healthgrpc.NewHealthClient(h.conn).Check(h.ctx, &healthgrpc.HealthCheckRequest{}); err != nil {
		t.Fatal(err)
	}
	watch, err := healthgrpc.NewHealthClient(h.conn).Watch(h.ctx, &healthgrpc.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watch.Recv(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.ListGames(h.ctx, &zermelov1.ListGamesRequest{}); err != nil {
		t.Fatal(err)
	}
	if lines := h.log.lines(t, "finished call"); len(lines) != 1 || lines[0]["grpc.method"] != "ListGames" {
		t.Errorf("logged %v, want ListGames alone", lines)
	}
}

func TestLevels(t *testing.T) {
	var code codes.Code
	h := start(t, &service{solve: func(context.Context) error { return status.Error(code, "as the test wants") }})
	for c, want := range map[codes.Code]string{
		codes.OK:                "INFO",
		codes.Canceled:          "INFO",
		codes.InvalidArgument:   "WARN",
		codes.DeadlineExceeded:  "WARN",
		codes.ResourceExhausted: "WARN",
		codes.Unavailable:       "WARN",
		codes.Unimplemented:     "WARN",
		codes.Unknown:           "ERROR",
		codes.Internal:          "ERROR",
		codes.DataLoss:          "ERROR",
	} {
		code = c
		_, _ = h.Solve(h.ctx, &zermelov1.SolveRequest{})
		lines := h.log.lines(t, "finished call")
		if last := lines[len(lines)-1]; last["grpc.code"] != c.String() || last["level"] != want {
			t.Errorf("a call that ended %v is logged as %v at %v, want %s", c, last["grpc.code"], last["level"], want)
		}
	}
}
