package interceptor_test

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/interceptor"
)

// TestPanic is about lesson 22: a panic ends its call with INTERNAL, a fixed text and the request id, and nothing else.
func TestPanic(t *testing.T) {
	const secret = "the secret of the handler"
	h := start(t, &service{
		solve:   func(context.Context) error { panic(secret) },
		explain: func(context.Context) error { panic(secret) },
	})

	for method, call := range map[string]func(...grpc.CallOption) error{
		"Solve": func(opts ...grpc.CallOption) error {
			_, err := h.Solve(h.ctx, &zermelov1.SolveRequest{}, opts...)
			return err
		},
		"Explain": h.explainError,
	} {
		t.Run(method, func(t *testing.T) {
			var header metadata.MD
			got := status.Convert(call(grpc.Header(&header)))
			if got.Code() != codes.Internal {
				t.Fatalf("the call ended %v, want INTERNAL", got)
			}
			if text := got.Proto().String(); strings.Contains(text, secret) || strings.Contains(text, "goroutine") {
				t.Errorf("the status tells what is the server's own: %s", text)
			}
			ids := header.Get(interceptor.RequestIDHeader)
			if len(got.Details()) != 1 || len(ids) != 1 {
				t.Fatalf("the status has the details %v and the header the ids %v, want one of each", got.Details(), ids)
			}
			info, ok := got.Details()[0].(*errdetails.ErrorInfo)
			if !ok || info.GetReason() != "INTERNAL" || info.GetMetadata()["request_id"] != ids[0] {
				t.Errorf("the detail is %v, want the reason INTERNAL and the request id %s", got.Details()[0], ids[0])
			}

			// The log has what the caller has not.
			for _, line := range h.log.lines(t, "a handler panicked") {
				if line["request_id"] != ids[0] {
					continue
				}
				stack, _ := line["stack"].(string)
				if line["panic"] != secret || !strings.Contains(stack, "recovery_test.go") ||
					line["rpc"] != method || line["level"] != "ERROR" {
					t.Errorf("the log line of the panic is %v", line)
				}
				return
			}
			t.Errorf("no log line of the panic has the request id %s", ids[0])
		})
	}

	if n := h.metric(t, "zermelo_panics_total", nil); n != 2 {
		t.Errorf("the panics are counted as %v, want 2", n)
	}
	for _, method := range []string{"Solve", "Explain"} {
		if n := h.metric(t, "grpc_server_handled_total", map[string]string{"grpc_method": method, "grpc_code": "Internal"}); n != 1 {
			t.Errorf("the metrics saw %v calls of %s end INTERNAL, want 1", n, method)
		}
	}
	if n := h.metric(t, "zermelo_errors_total", map[string]string{"reason": "INTERNAL"}); n != 2 {
		t.Errorf("the errors are counted as %v, want 2", n)
	}
	if lines := h.log.lines(t, "a handler panicked"); len(lines) != 2 {
		t.Errorf("%d lines of panics, want 2", len(lines))
	}
	finished := h.log.lines(t, "finished call")
	if len(finished) != 2 {
		t.Fatalf("%d lines of finished calls, want 2", len(finished))
	}
	for _, line := range finished {
		if line["code"] != "Internal" || line["level"] != "ERROR" || line["reason"] != "INTERNAL" {
			t.Errorf("the log line of the call is %v", line)
		}
	}

	if _, err := h.ListGames(h.ctx, &zermelov1.ListGamesRequest{}); err != nil {
		t.Errorf("after the panics: %v", err)
	}
}

// faultySolver panics; its name is looked for in the log.
func faultySolver() { panic("a fault of the solver") }

// TestPanicOfAnotherGoroutine is about lesson 22 too: the log has the stack of the goroutine that panicked, not of the
// one that waited for it.
func TestPanicOfAnotherGoroutine(t *testing.T) {
	inWorkers := func(context.Context) error {
		var w engine.Workers
		w.Go(faultySolver)
		w.Wait()
		return nil
	}
	h := start(t, &service{solve: inWorkers, explain: inWorkers})
	solve := func(...grpc.CallOption) error {
		_, err := h.Solve(h.ctx, &zermelov1.SolveRequest{})
		return err
	}
	for i, call := range []func(...grpc.CallOption) error{solve, h.explainError} {
		if err := call(); status.Code(err) != codes.Internal {
			t.Errorf("a call ended %v, want INTERNAL", err)
		}
		lines := h.log.lines(t, "a handler panicked")
		if len(lines) != i+1 {
			t.Fatalf("%d lines of panics, want %d", len(lines), i+1)
		}
		stack, _ := lines[i]["stack"].(string)
		if lines[i]["panic"] != "a fault of the solver" || !strings.Contains(stack, "faultySolver") {
			t.Errorf("the log line of the panic is %v", lines[i])
		}
	}
}
