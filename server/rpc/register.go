package rpc

import (
	"context"
	"slices"

	"google.golang.org/grpc"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Register adds the service to a server that was made with ServerOptions. Requests reach it as bytes and are decoded
// here, so that those that cannot be decoded fail with a reason, like all other bad input. That is done inside of the
// interceptors, which see such a call as they see all others, and may refuse a call before its request is read. So they
// see no request: it is nil.
func Register(r grpc.ServiceRegistrar, s zermelov1.SolverServiceServer) {
	description := zermelov1.SolverService_ServiceDesc
	description.Methods = slices.Clone(description.Methods)
	for i := range description.Methods {
		handle := description.Methods[i].Handler
		info := &grpc.UnaryServerInfo{Server: s, FullMethod: "/" + ServiceName + "/" + description.Methods[i].MethodName}
		description.Methods[i].Handler = func(
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
	description.Streams = slices.Clone(description.Streams)
	for i := range description.Streams {
		handle := description.Streams[i].Handler
		description.Streams[i].Handler = func(srv any, stream grpc.ServerStream) error {
			return handle(srv, decodingStream{stream})
		}
	}
	r.RegisterService(&description, s)
}

// decodingStream is a stream that decodes what it receives.
type decodingStream struct{ grpc.ServerStream }

func (s decodingStream) RecvMsg(m any) error { return decode(s.ServerStream.RecvMsg, m) }
