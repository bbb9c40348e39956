package interceptor_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/interceptor"
	"github.com/zermelo-games/zermelo/server/rpc"
)

func TestOneLineForACall(t *testing.T) {
	h := start(t, &service{solve: func(ctx context.Context) error {
		c := call.Of(ctx)
		c.SetClient("teacher")
		c.SetGame("stone_game")
		c.SetPrice(admission.Price{Positions: 12, Bytes: 34})
		c.Worked("stone_game", 5, 0)
		c.Looked(true)
		c.Solved(&zermelov1.Solution{
			Method: zermelov1.Method_METHOD_GAME_ALGORITHM, Outcome: zermelov1.Outcome_OUTCOME_LOSS, Margin: new(int64(-3)),
		})
		return nil
	}})
	ctx := metadata.AppendToOutgoingContext(h.ctx, interceptor.RequestIDHeader, "mine")
	for range 2 { // the second is of a kind that is known
		if _, err := h.Solve(ctx, &zermelov1.SolveRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	lines := h.log.lines(t, "finished call")
	if len(lines) != 2 || len(lines) != h.log.count() {
		t.Fatalf("%d lines for two calls: %v", h.log.count(), lines)
	}
	for _, line := range lines {
		for field, want := range map[string]any{
			"level": "INFO", "request_id": "mine", "peer": "bufconn", "client": "teacher", "rpc": "Solve",
			"game": "stone_game", "price_positions": 12.0, "price_bytes": 34.0, "method": "game_algorithm", "result": "loss",
			"value": -3.0, "cached": true, "positions": 5.0, "code": "OK",
			// What has nothing to say is left out.
			"reason": nil, "error": nil, "events": nil, "frames": nil, "trace_id": nil,
		} {
			if line[field] != want {
				t.Errorf("%s is %v, want %v", field, line[field], want)
			}
		}
		if took, ok := line["duration_us"].(float64); !ok || took < 0 {
			t.Errorf("the duration is %v, want a number", line["duration_us"])
		}
	}
}

func TestTheLineOfAStreamHasItsFrames(t *testing.T) {
	h := start(t, &service{frames: 3, explain: func(ctx context.Context) error {
		call.Of(ctx).SetGame("nim")
		call.Of(ctx).SentEvents(7)
		return errors.New("a fault " + strings.Repeat("x", 10_000))
	}})
	_ = h.explainError()
	lines := h.log.lines(t, "finished call")
	if len(lines) != 1 {
		t.Fatalf("%d lines for a stream", len(lines))
	}
	line := lines[0]
	if line["rpc"] != "Explain" || line["game"] != "nim" || line["frames"] != 3.0 || line["events"] != 7.0 {
		t.Errorf("logged %v", line)
	}
	if why, _ := line["error"].(string); len(why) != 1024 || !strings.HasPrefix(why, "a fault x") {
		t.Errorf("the error is logged as %q", why)
	}
}

func TestProbesAreForDebugging(t *testing.T) {
	for level, want := range map[slog.Level][]string{
		slog.LevelInfo:  {"ListGames"},
		slog.LevelDebug: {"grpc.health.v1.Health/Check", "grpc.health.v1.Health/Check", "ListGames"},
	} {
		h := start(t, &service{}, level)
		_, err := healthgrpc.NewHealthClient(h.conn).Check(h.ctx, &healthgrpc.HealthCheckRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := healthgrpc.NewHealthClient(h.conn).Check(h.ctx, &healthgrpc.HealthCheckRequest{Service: "nobody"}); err == nil {
			t.Fatal("an unknown service is healthy")
		}
		if _, err := h.ListGames(h.ctx, &zermelov1.ListGamesRequest{}); err != nil {
			t.Fatal(err)
		}
		lines := h.log.lines(t, "finished call")
		if len(lines) != len(want) {
			t.Fatalf("at %v logged %v, want %v", level, lines, want)
		}
		for i, line := range lines {
			if line["rpc"] != want[i] || (line["rpc"] != "ListGames") != (line["level"] == "DEBUG") {
				t.Errorf("at %v line %d is %v, want %s", level, i, line, want[i])
			}
		}
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
		if last := lines[len(lines)-1]; last["code"] != c.String() || last["level"] != want {
			t.Errorf("a call that ended %v is logged as %v at %v, want %s", c, last["code"], last["level"], want)
		}
	}
}

func TestReasonsAreLogged(t *testing.T) {
	h := start(t, &service{solve: func(ctx context.Context) error {
		ctx, cancel := context.WithCancelCause(ctx)
		cancel(rpc.ErrDraining)
		return rpc.Ended(ctx)
	}})
	_, _ = h.Solve(h.ctx, &zermelov1.SolveRequest{})
	lines := h.log.lines(t, "finished call")
	if len(lines) != 1 || lines[0]["reason"] != "SERVER_DRAINING" || lines[0]["code"] != "Unavailable" || lines[0]["error"] == nil {
		t.Errorf("logged %v", lines)
	}
}
