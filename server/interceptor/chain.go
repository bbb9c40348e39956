package interceptor

import (
	"context"
	"log/slog"
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
	// StageDrain names the stage that cancels the call when the server stops.
	StageDrain = "drain"
	// StageStall names the stage that ends a stream whose caller has stopped reading.
	StageStall = "stall"
)

// Stage is one member of the chain. Both halves do the same, one for unary calls, one for streams.
type Stage struct {
	// Name is one of the constants Stage….
	Name string
	// Unary runs around the handler of a unary call.
	Unary grpc.UnaryServerInterceptor
	// Stream runs around the handler of a stream.
	Stream grpc.StreamServerInterceptor
}

// Chain builds the stages of a server, outermost first. The order is part of their meaning:
//
//   - The request id comes first, with the record of the call: all others write into it or read it.
//   - Logging and metrics come before recovery, so that they see a panic as the INTERNAL that the caller sees.
//   - Recovery comes before everything that may refuse, hold up or cut off a call, so that a fault in these is caught
//     too. Authentication and admission belong right after it.
//   - Drain cancels the context of what is inside of it.
//   - The guard against stalled streams comes last: it runs the handler in a goroutine of its own, which none of the
//     stages before would recover from a panic, and so has a recovery of its own.
//
// All calls are cancelled with context.Cause(draining) when draining is. A message of a stream may wait for the stall
// limit to be taken.
func Chain(draining context.Context, stallLimit time.Duration, logger *slog.Logger, metrics *Metrics) []Stage {
	return []Stage{
		requestID(metrics),
		logged(logger),
		metrics.stage(),
		recovered(logger, metrics),
		drained(draining),
		stalled(stallLimit, logger, metrics),
	}
}

// ServerOptions makes the options that put the stages around every handler of a server, in their order.
func ServerOptions(stages []Stage) []grpc.ServerOption {
	unary := make([]grpc.UnaryServerInterceptor, len(stages))
	stream := make([]grpc.StreamServerInterceptor, len(stages))
	for i, stage := range stages {
		unary[i], stream[i] = stage.Unary, stage.Stream
	}
	return []grpc.ServerOption{grpc.ChainUnaryInterceptor(unary...), grpc.ChainStreamInterceptor(stream...)}
}

// streamWithContext is a stream whose handler sees another context.
type streamWithContext struct {
	grpc.ServerStream
	ctx context.Context
}

// Context returns the context that a stage put in place of the stream's own.
func (s *streamWithContext) Context() context.Context { return s.ctx }
