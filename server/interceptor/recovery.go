package interceptor

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	"google.golang.org/grpc/codes"

	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// recovered turns a panic into INTERNAL. The caller sees a fixed text and the request id, which leads to the log line
// with what happened and where; the stack never leaves the server.
func recovered(logger *slog.Logger, metrics *Metrics) Stage {
	handle := recovery.WithRecoveryHandlerContext(func(ctx context.Context, reason any) error {
		metrics.panics.Inc()
		stack := debug.Stack()
		if elsewhere, ok := reason.(interface{ Stack() []byte }); ok {
			stack = elsewhere.Stack() // a panic that another goroutine has handed on
		}
		c := call.Of(ctx)
		name, level := loggedAs(c.Method, codes.Internal)
		logger.LogAttrs(ctx, level, "a handler panicked",
			slog.String("request_id", c.ID),
			slog.String("rpc", name),
			slog.String("game", c.Record().Game),
			slog.String("panic", fmt.Sprint(reason)),
			slog.String("stack", string(stack)))
		return rpc.InternalError(ctx)
	})
	return Stage{
		Name:   StageRecovery,
		Unary:  recovery.UnaryServerInterceptor(handle),
		Stream: recovery.StreamServerInterceptor(handle),
	}
}
