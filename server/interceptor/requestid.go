package interceptor

import (
	"context"
	"math/rand/v2"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/zermelo-games/zermelo/server/call"
)

// RequestIDHeader is the metadata key under which a caller may send an id for its request, and under which the server
// returns the id that it used.
const RequestIDHeader = "x-request-id"

// MaxRequestIDBytes is the longest request id that is accepted from a caller.
const MaxRequestIDBytes = 128

// requestID begins the record of every call and gives it an id: the caller's, when it is one that can be written into a
// log line and a header as it is, or a fresh one. At its end it writes the record into the call's span, if it has one.
func requestID(observer call.Observer) Stage {
	return Stage{
		Name: StageRequestID,
		Unary: func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			c := call.New(ctx, info.FullMethod, requestIDOf(ctx), observer)
			withHeader(c.ID, func(md metadata.MD) { _ = grpc.SetHeader(ctx, md) })
			answer, err := handler(c, req)
			annotate(c, err)
			return answer, err
		},
		Stream: func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			ctx := stream.Context()
			c := call.New(ctx, info.FullMethod, requestIDOf(ctx), observer)
			withHeader(c.ID, func(md metadata.MD) { _ = stream.SetHeader(md) })
			err := handler(srv, &streamWithContext{stream, c})
			annotate(c, err)
			return err
		},
	}
}

// headers are used again: setting a header copies it.
var headers = sync.Pool{New: func() any { return metadata.MD{RequestIDHeader: make([]string, 1)} }}

// withHeader calls set with a header with the id. That cannot fail here: nothing is sent yet, and the id is sane.
func withHeader(id string, set func(metadata.MD)) {
	header, _ := headers.Get().(metadata.MD)
	header[RequestIDHeader][0] = id
	set(header)
	headers.Put(header)
}

// requestIDOf gives the id that the caller sent, or a fresh one.
func requestIDOf(ctx context.Context) string {
	if sent := metadata.ValueFromIncomingContext(ctx, RequestIDHeader); len(sent) == 1 && saneRequestID(sent[0]) {
		return sent[0]
	}
	return freshRequestID()
}

// freshRequestID makes an id of 26 letters and digits. They only have to differ: nothing is protected by them, so that
// the random numbers of the runtime are good enough.
func freshRequestID() string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	var id [26]byte
	random := rand.Uint64()
	for i := range id {
		if i == len(id)/2 { // 5 bits each
			random = rand.Uint64()
		}
		id[i] = digits[random%uint64(len(digits))]
		random /= uint64(len(digits))
	}
	return string(id[:])
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
