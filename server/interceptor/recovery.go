package interceptor

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	"google.golang.org/grpc"

	"github.com/zermelo-games/zermelo/server/rpc"
)

// recovered turns a panic into INTERNAL. The caller sees a fixed text and the request id, which leads to the log line
// with what happened and where; the stack never leaves the server.
func recovered(logger *slog.Logger, metrics *Metrics) Stage {
	handle := recovery.WithRecoveryHandlerContext(func(ctx context.Context, reason any) error {
		metrics.panics.Inc()
		method, _ := grpc.Method(ctx)
		logger.ErrorContext(ctx, "a handler panicked",
			"request_id", rpc.RequestID(ctx),
			"method", method,
			"panic", fmt.Sprint(reason),
			"stack", string(debug.Stack()))
		return rpc.InternalError(ctx)
	})
	return Stage{
		Name:   StageRecovery,
		Unary:  recovery.UnaryServerInterceptor(handle),
		Stream: recovery.StreamServerInterceptor(handle),
	}
}
