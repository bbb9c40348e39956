package interceptor

import (
	"context"

	"google.golang.org/grpc"

	"github.com/zermelo-games/zermelo/server/call"
)

// named names the client of a call by its certificate. The transport has verified it, or there would be no call.
func named() Stage {
	name := func(ctx context.Context) {
		if subject := certificateOf(ctx); subject != "" {
			call.Of(ctx).SetClient("cert:" + subject)
		}
	}
	return Stage{
		Name: StageCertificate,
		Unary: func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			name(ctx)
			return handler(ctx, req)
		},
		Stream: func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			name(stream.Context())
			return handler(srv, stream)
		},
	}
}
