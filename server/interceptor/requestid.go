package interceptor

import (
	"context"
	"crypto/rand"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/zermelo-games/zermelo/server/rpc"
)

// RequestIDHeader is the metadata key under which a caller may send an id for its request, and under which the server
// returns the id that it used.
const RequestIDHeader = "x-request-id"

// MaxRequestIDBytes is the longest request id that is accepted from a caller.
const MaxRequestIDBytes = 128

// requestID gives every call an id: the caller's, when it is one that can be written into a log line and a header as it
// is, or a fresh one.
func requestID() Stage {
	return Stage{
		Name: StageRequestID,
		Unary: func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			id := requestIDOf(ctx)
			// The header can only be too late or malformed, and here it is neither.
			_ = grpc.SetHeader(ctx, metadata.Pairs(RequestIDHeader, id))
			return handler(rpc.WithRequestID(ctx, id), req)
		},
		Stream: func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			id := requestIDOf(stream.Context())
			_ = stream.SetHeader(metadata.Pairs(RequestIDHeader, id))
			return handler(srv, &streamWithContext{stream, rpc.WithRequestID(stream.Context(), id)})
		},
	}
}

// requestIDOf gives the id that the caller sent, or a fresh one of 26 letters and digits.
func requestIDOf(ctx context.Context) string {
	if sent := metadata.ValueFromIncomingContext(ctx, RequestIDHeader); len(sent) == 1 && saneRequestID(sent[0]) {
		return sent[0]
	}
	return rand.Text()
}

// saneRequestID tells whether an id is from 1 to MaxRequestIDBytes visible ASCII characters.
func saneRequestID(id string) bool {
	if id == "" || len(id) > MaxRequestIDBytes {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}
