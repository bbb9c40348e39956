package interceptor

import (
	"context"
	"strings"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/auth"
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
	return before(StageAuth, func(ctx context.Context, method string) error {
		if isHealth(method) || openReflection && isReflection(method) {
			return nil
		}
		token, err := auth.AuthFromMD(ctx, "bearer")
		if err != nil {
			return rpc.Unauthenticated(rpc.ErrNoToken)
		}
		name, ok := tokens.Accepts(token)
		if !ok {
			return rpc.Unauthenticated(rpc.ErrWrongToken)
		}
		call.Of(ctx).SetClient("token:" + name)
		return nil
	})
}

// certified names the client of a call by its certificate. The transport has verified it, or there would be no call.
func certified() Stage {
	return before(StageCertificate, func(ctx context.Context, _ string) error {
		if subject := certificateOf(ctx); subject != "" {
			call.Of(ctx).SetClient("cert:" + subject)
		}
		return nil
	})
}

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

// isOwn reports whether a method is one of the service itself, as against health and reflection.
func isOwn(method string) bool { return strings.HasPrefix(method, "/"+rpc.ServiceName+"/") }

func isHealth(method string) bool {
	return strings.HasPrefix(method, "/"+healthgrpc.Health_ServiceDesc.ServiceName+"/")
}

func isReflection(method string) bool { return strings.HasPrefix(method, "/grpc.reflection.") }
