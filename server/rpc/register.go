package rpc

import (
	"context"
	"slices"

	"google.golang.org/grpc"
)

// Registrar registers services with a server that was made with [ServerOptions], this service and those beside it.
//
// Requests are decoded inside of the interceptors: one that cannot be decoded fails with a reason, like all other bad
// input, is logged and counted like all other calls, and may be refused before it is read. So the interceptors of unary
// calls see no request: it is nil.
type Registrar struct{ *grpc.Server }

// RegisterService adds a service to the server.
func (r Registrar) RegisterService(service *grpc.ServiceDesc, implementation any) {
	decoding := *service
	decoding.Methods = slices.Clone(decoding.Methods)
	for i := range decoding.Methods {
		m := &decoding.Methods[i]
		handle := m.Handler
		info := &grpc.UnaryServerInfo{Server: implementation, FullMethod: "/" + service.ServiceName + "/" + m.MethodName}
		m.Handler = func(
			srv any, ctx context.Context, receive func(any) error, interceptor grpc.UnaryServerInterceptor,
		) (any, error) {
			answer := func(ctx context.Context, _ any) (any, error) {
				return handle(srv, ctx, func(m any) error { return decode(receive, m) }, nil)
			}
			if interceptor == nil {
				return answer(ctx, nil)
			}
			return interceptor(ctx, nil, info, answer)
		}
	}
	decoding.Streams = slices.Clone(decoding.Streams)
	for i := range decoding.Streams {
		s := &decoding.Streams[i]
		handle := s.Handler
		s.Handler = func(srv any, stream grpc.ServerStream) error { return handle(srv, decodingStream{stream}) }
	}
	r.Server.RegisterService(&decoding, implementation)
}

// decodingStream is a stream that decodes what it receives.
type decodingStream struct{ grpc.ServerStream }

func (s decodingStream) RecvMsg(m any) error { return decode(s.ServerStream.RecvMsg, m) }
