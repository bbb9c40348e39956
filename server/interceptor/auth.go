package interceptor

import (
	"context"
	"strings"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/auth"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/selector"
	"google.golang.org/grpc/credentials"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/peer"

	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// Tokens says which bearer tokens are accepted, and gives each a name that may be logged.
type Tokens interface {
	Accepts(token string) (name string, ok bool)
}

// authenticated refuses calls that carry none of the tokens, and names the client of those that do. Health is open to
// everybody, since probes have no tokens; reflection is if openReflection says so.
func authenticated(tokens Tokens, openReflection bool) Stage {
	check := func(ctx context.Context) (context.Context, error) {
		token, err := auth.AuthFromMD(ctx, "bearer")
		if err != nil {
			return nil, rpc.Unauthenticated(rpc.ErrNoToken)
		}
		name, ok := tokens.Accepts(token)
		if !ok {
			return nil, rpc.Unauthenticated(rpc.ErrWrongToken)
		}
		call.Of(ctx).SetClient("token:" + name)
		return ctx, nil
	}
	needed := selector.MatchFunc(func(_ context.Context, call interceptors.CallMeta) bool {
		switch {
		case call.Service == healthgrpc.Health_ServiceDesc.ServiceName:
			return false
		case isReflection(call.Service):
			return !openReflection
		default:
			return true
		}
	})
	return Stage{
		Name:   StageAuth,
		Unary:  selector.UnaryServerInterceptor(auth.UnaryServerInterceptor(check), needed),
		Stream: selector.StreamServerInterceptor(auth.StreamServerInterceptor(check), needed),
	}
}

func isReflection(service string) bool { return strings.HasPrefix(service, "grpc.reflection.") }

// isOwn reports whether a method is one of the service itself, as against health and reflection.
func isOwn(method string) bool { return strings.HasPrefix(method, "/"+rpc.ServiceName+"/") }

// certificateOf is the subject of the verified certificate of a call's client; empty without one.
func certificateOf(ctx context.Context) string {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return ""
	}
	info, ok := p.AuthInfo.(credentials.TLSInfo)
	if !ok || len(info.State.VerifiedChains) == 0 {
		return ""
	}
	return info.State.VerifiedChains[0][0].Subject.String()
}
