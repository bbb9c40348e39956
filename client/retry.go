package client

import (
	"context"
	"math/rand/v2"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// How a call is repeated that a busy server has refused. The server says how long to wait; up to half as much is added
// at random, so that those who were refused together do not come back together.
const (
	busyAttempts   = 5                     // the first one included
	busyLeastPause = 10 * time.Millisecond // also when the server says less
	busyMostPause  = 30 * time.Second      // when it says more, that is for the caller to know
)

// busyDelay is how long a server wants to be left alone before the same call is made again; false for any other error.
// gRPC's own retrying goes by the code alone, and RESOURCE_EXHAUSTED is also that of budgets, which no waiting refills.
func busyDelay(err error) (time.Duration, bool) {
	if status.Code(err) != codes.ResourceExhausted {
		return 0, false
	}
	for _, info := range details[*errdetails.RetryInfo](err) {
		return max(info.GetRetryDelay().AsDuration(), busyLeastPause), true
	}
	return 0, false
}

// refused decides whether a call that has failed at this attempt, counted from 1, is made again, and waits until it may.
// The error is the one with which it ends instead.
func refused(ctx context.Context, err error, attempt, attempts int) error {
	delay, busy := busyDelay(err)
	if !busy || attempt >= attempts || delay > busyMostPause {
		return err
	}
	delay += rand.N(delay / 2)
	// To wait for a deadline would only hide the reason.
	if deadline, has := ctx.Deadline(); has && time.Until(deadline) <= delay {
		return err
	}
	return pause(ctx, delay, err)
}

// cutOffs is how often a unary call is made again that was cut off in the middle of its answer.
const cutOffs = 3

// retry is the interceptor of unary calls. It does what gRPC's own retrying cannot: makes calls again that a busy server
// has refused, unless busy is false, and those whose connection broke between the header of the answer and the rest of
// it. For gRPC a call whose header has come is on its way, and fails with UNAVAILABLE when a server is killed just then;
// but all unary calls of this service can be made again.
func retry(busy bool) grpc.UnaryClientInterceptor {
	return func(
		ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoker grpc.UnaryInvoker, opts ...grpc.CallOption,
	) error {
		var header metadata.MD
		opts = append(opts[:len(opts):len(opts)], grpc.Header(&header))
		refusals, cuts := 0, 0
		for {
			header = nil
			err := invoker(ctx, method, req, reply, cc, opts...)
			switch {
			case err == nil:
				return nil
			case cutOff(err, header) && cuts < cutOffs && ctx.Err() == nil:
				cuts++
			case !busy:
				return err
			default:
				refusals++
				if err = refused(ctx, err, refusals, busyAttempts); err != nil {
					return err
				}
			}
		}
	}
}

// cutOff reports whether a call has ended because its connection broke when the header of its answer had come. What a
// server says itself has a reason.
func cutOff(err error, header metadata.MD) bool {
	return status.Code(err) == codes.Unavailable && len(header) > 0 && len(details[*errdetails.ErrorInfo](err)) == 0
}
