package interceptor

import (
	"context"

	"google.golang.org/grpc"
)

// drained cancels the context of every call when draining is cancelled, with the same cause, by which the handler knows
// that it is the server that goes, not the caller. The transport's own context stays alive, or else the handler could
// not say so any more.
func drained(draining context.Context) Stage {
	return Stage{
		Name: StageDrain,
		Unary: func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			ctx, release := cancelledWith(ctx, draining)
			defer release()
			return handler(ctx, req)
		},
		Stream: func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			ctx, release := cancelledWith(stream.Context(), draining)
			defer release()
			return handler(srv, &streamWithContext{stream, ctx})
		},
	}
}

// cancelledWith derives a context that is also cancelled when other is, with the cause of other. It must be released.
func cancelledWith(ctx, other context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if other.Err() != nil {
		// Now, and not a moment later in another goroutine: a call that comes in after the drain began ends the same way
		// every time.
		cancel(context.Cause(other))
	}
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}
