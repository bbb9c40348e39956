package interceptor

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"google.golang.org/grpc"
)

// The names of the stages.
const (
	// StageRequestID names the stage that begins the call's record and gives it its id.
	StageRequestID = "request-id"
	// StageLogging names the stage that logs the finished call.
	StageLogging = "logging"
	// StageMetrics names the stage that counts and times the call.
	StageMetrics = "metrics"
	// StageRecovery names the stage that turns a panic into a status.
	StageRecovery = "recovery"
	// StageCertificate names the stage that names the client by its certificate.
	StageCertificate = "certificate"
	// StageAuth names the stage that asks for a token.
	StageAuth = "auth"
	// StageClientLimit names the stage that holds each client to its limits.
	StageClientLimit = "client-limit"
	// StageDrain names the stage that cancels the call when the server stops or its time is over.
	StageDrain = "drain"
	// StageStall names the stage that ends a stream whose caller has stopped reading.
	StageStall = "stall"
)

// Stage is one member of the chain. Both halves do the same, one for unary calls, one for streams.
type Stage struct {
	// Name is one of the constants Stage….
	Name string
	// Unary runs around the handler of a unary call, and calls the next at most once; nil if the stage is for streams.
	Unary grpc.UnaryServerInterceptor
	// Stream runs around the handler of a stream.
	Stream grpc.StreamServerInterceptor
}

// Chain builds the stages of a server, outermost first. The order is part of their meaning:
//
//   - The request id comes first, with the record of the call: all others write into it or read it.
//   - Logging and metrics come before recovery, so that they see a panic as the INTERNAL that the caller sees.
//   - Recovery comes before everything that may refuse, hold up or cut off a call, so that a fault in these is caught
//     too.
//   - The certificate, then the token, name the client, whose limits come next.
//   - Drain cancels the context of what is inside of it, when the server stops or the call has taken too long.
//   - The guard against stalled streams comes last: it runs the handler in a goroutine of its own, which none of the
//     stages before would recover from a panic, and so has a recovery of its own.
func Chain(o Options) []Stage {
	stages := []Stage{requestID(o.Metrics), logged(o.Logger), o.Metrics.stage(), recovered(o.Logger, o.Metrics)}
	if o.Certificates {
		stages = append(stages, certified())
	}
	if o.Tokens != nil {
		stages = append(stages, authenticated(o.Tokens, o.OpenReflection))
	}
	if o.Clients != (ClientLimits{}) {
		stages = append(stages, limited(o.Clients))
	}
	return append(stages, drained(o.Draining, o.Solve, o.Stream), stalled(o.StallLimit, o.Logger, o.Metrics))
}

// Options are what the stages of a server need.
type Options struct {
	Logger  *slog.Logger
	Metrics *Metrics
	// Draining ends, with its cause, every call that is still there.
	Draining context.Context
	// Solve and Stream are how long a unary call and a stream may take. A zero limit is none.
	Solve, Stream TimeLimit
	// StallLimit is how long a message of a stream may wait to be taken.
	StallLimit time.Duration
	// Certificates says that clients have certificates.
	Certificates bool
	// Tokens are those of which calls must carry one; nil: they need none.
	Tokens Tokens
	// OpenReflection lets callers without a token use reflection.
	OpenReflection bool
	// Clients are the limits of one client.
	Clients ClientLimits
}

// before makes a stage that does all of its work before the handler of a call, or refuses the call.
func before(name string, check func(ctx context.Context, method string) error) Stage {
	return Stage{
		Name: name,
		Unary: func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			if err := check(ctx, info.FullMethod); err != nil {
				return nil, err
			}
			return handler(ctx, req)
		},
		Stream: func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			if err := check(stream.Context(), info.FullMethod); err != nil {
				return err
			}
			return handler(srv, stream)
		},
	}
}

// ServerOptions makes the options that put the stages around every handler of a server, in their order.
func ServerOptions(stages []Stage) []grpc.ServerOption {
	var unary []grpc.UnaryServerInterceptor
	stream := make([]grpc.StreamServerInterceptor, len(stages))
	for i, stage := range stages {
		if stage.Unary != nil {
			unary = append(unary, stage.Unary)
		}
		stream[i] = stage.Stream
	}
	return []grpc.ServerOption{grpc.UnaryInterceptor(chainUnary(unary)), grpc.ChainStreamInterceptor(stream...)}
}

// chainUnary makes one interceptor of several, the first outermost. It does what [grpc.ChainUnaryInterceptor] does, but
// for the functions that this makes anew for each stage of each call.
func chainUnary(stages []grpc.UnaryServerInterceptor) grpc.UnaryServerInterceptor {
	walks := sync.Pool{New: func() any {
		w := &unaryWalk{stages: stages}
		w.next = w.step
		return w
	}}
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		w, _ := walks.Get().(*unaryWalk)
		w.info, w.handler, w.at = info, handler, 0
		answer, err := w.step(ctx, req)
		w.handler = nil // which holds on to the call
		walks.Put(w)
		return answer, err
	}
}

// unaryWalk is the way of one call through the stages.
type unaryWalk struct {
	stages  []grpc.UnaryServerInterceptor
	info    *grpc.UnaryServerInfo
	handler grpc.UnaryHandler
	at      int
	next    grpc.UnaryHandler // step
}

// step runs the stage that is next, or the handler behind the last one.
func (w *unaryWalk) step(ctx context.Context, req any) (any, error) {
	if w.at == len(w.stages) {
		return w.handler(ctx, req)
	}
	stage := w.stages[w.at]
	w.at++
	return stage(ctx, req, w.info, w.next)
}

// streamWithContext is a stream whose handler sees another context.
type streamWithContext struct {
	grpc.ServerStream
	ctx context.Context
}

// Context returns the context that a stage put in place of the stream's own.
func (s *streamWithContext) Context() context.Context { return s.ctx }
