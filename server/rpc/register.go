package rpc

import (
	"context"
	"slices"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"google.golang.org/grpc"
)

// Register adds the service to a server. Requests that cannot be read fail before any interceptor or handler sees them,
// with a status of the transport's; so the generated handlers get a decoder that gives those errors a reason too.
func Register(r grpc.ServiceRegistrar, s zermelov1.SolverServiceServer) {
	description := zermelov1.SolverService_ServiceDesc
	description.Methods = slices.Clone(description.Methods)
	for i := range description.Methods {
		handle := description.Methods[i].Handler
		description.Methods[i].Handler = func(
			srv any, ctx context.Context, decode func(any) error, interceptor grpc.UnaryServerInterceptor,
		) (any, error) {
			return handle(srv, ctx, func(m any) error {
				if err := decode(m); err != nil {
					return decodeStatus(ctx, err)
				}
				return nil
			}, interceptor)
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

// decodingStream is a stream whose receive errors have a reason.
type decodingStream struct{ grpc.ServerStream }

func (s decodingStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return decodeStatus(s.Context(), err)
	}
	return nil
}
