package client

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// busy is the error of a server that wants to be asked again after so long.
func busy(t *testing.T, code codes.Code, delay time.Duration) error {
	t.Helper()
	answer, err := status.New(code, "busy").WithDetails(
		&errdetails.ErrorInfo{Domain: errorDomain, Reason: "SERVER_BUSY"},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(delay)},
	)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Err()
}

// The times at which a unary call is made that a busy server refuses, and how it ends, by a virtual clock.
func TestPausesOfBusyCalls(t *testing.T) {
	const second = time.Second
	endless := func(delay time.Duration) func(int) error {
		return func(int) error { return busy(t, codes.ResourceExhausted, delay) }
	}
	for _, test := range []struct {
		name     string
		answer   func(call int) error
		deadline time.Duration // 0: none
		cancel   time.Duration // 0: never
		calls    int
		pause    time.Duration // at least, before each call but the first; at most half as much more
		code     codes.Code
		reason   zermelov1.ErrorReason
	}{
		{
			name: "busy three times", answer: func(call int) error {
				if call > 3 {
					return nil
				}
				return busy(t, codes.ResourceExhausted, second)
			},
			calls: 4, pause: second, code: codes.OK,
		},
		{
			name: "always busy", answer: endless(second),
			calls: busyAttempts, pause: second, code: codes.ResourceExhausted, reason: zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY,
		},
		{
			name: "a server that names no time", answer: endless(0),
			calls: busyAttempts, pause: busyLeastPause, code: codes.ResourceExhausted, reason: zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY,
		},
		{
			name: "a time in the past", answer: endless(-second),
			calls: busyAttempts, pause: busyLeastPause, code: codes.ResourceExhausted, reason: zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY,
		},
		{
			name: "the longest time", answer: endless(busyMostPause),
			calls: busyAttempts, pause: busyMostPause, code: codes.ResourceExhausted, reason: zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY,
		},
		{
			name: "too long a time", answer: endless(busyMostPause + 1),
			calls: 1, code: codes.ResourceExhausted, reason: zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY,
		},
		{
			name: "no time before the deadline", answer: endless(second), deadline: second,
			calls: 1, code: codes.ResourceExhausted, reason: zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY,
		},
		{
			name: "time for one more before the deadline", answer: endless(2 * second), deadline: 4 * second,
			calls: 2, pause: 2 * second, code: codes.ResourceExhausted, reason: zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY,
		},
		{
			name: "cancelled in a pause", answer: endless(second), cancel: second / 2,
			calls: 1, code: codes.Canceled,
		},
		{
			name: "another code", answer: func(int) error { return busy(t, codes.Internal, second) },
			calls: 1, code: codes.Internal, reason: zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY,
		},
		{
			name: "another cause", answer: func(int) error { return status.Error(codes.ResourceExhausted, "spent") },
			calls: 1, code: codes.ResourceExhausted,
		},
		{
			name: "busy, then another cause", answer: func(call int) error {
				if call == 1 {
					return busy(t, codes.ResourceExhausted, second)
				}
				return status.Error(codes.ResourceExhausted, "spent")
			},
			calls: 2, pause: second, code: codes.ResourceExhausted,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.deadline > 0 {
				var stop context.CancelFunc
				ctx, stop = context.WithTimeout(ctx, test.deadline)
				defer stop()
			}
			if test.cancel > 0 {
				time.AfterFunc(test.cancel, cancel)
			}
			last := time.Now()
			calls := 0
			invoke := func(_ context.Context, method string, req, reply any, _ *grpc.ClientConn, _ ...grpc.CallOption) error {
				calls++
				if method != "method" || req != "request" || reply != "reply" {
					t.Errorf("%s: call %d of %s with %v, %v", test.name, calls, method, req, reply)
				}
				if waited := time.Since(last); calls > 1 && (waited < test.pause || waited > test.pause*3/2) {
					t.Errorf("%s: %v before call %d, want %v or up to half as much more", test.name, waited, calls, test.pause)
				}
				last = time.Now()
				return test.answer(calls)
			}
			err := retry(true)(ctx, "method", "request", "reply", nil, invoke)
			if calls != test.calls || status.Code(err) != test.code || Reason(err) != test.reason {
				t.Errorf("%s: %d calls and %v, want %d and %v, %v", test.name, calls, err, test.calls, test.code, test.reason)
			}
		})
	}
}

// A trace that has begun waits for a server that is busy when it is to go on, as it waits for one that is away; one that
// has not begun does so for the attempts of one call.
func TestTracesOfABusyServer(t *testing.T) {
	refusal := busy(t, codes.ResourceExhausted, time.Second)
	for _, test := range []struct {
		name     string
		attempts int                                     // 1: busy servers are left to the caller
		cut      func(call int) (after int, fails error) // after so many messages of a call; -1: when it is opened
		events   int
		calls    int
		resumed  int
		code     codes.Code
	}{
		{"busy at first", busyAttempts, func(call int) (int, error) {
			if call < busyAttempts {
				return -1, refusal
			}
			return 0, nil
		}, 9, busyAttempts, 0, codes.OK},
		{"busy at first, by the first message", busyAttempts, func(call int) (int, error) {
			if call < busyAttempts {
				return 0, refusal
			}
			return 0, nil
		}, 9, busyAttempts, 0, codes.OK},
		{"always busy", busyAttempts, func(int) (int, error) { return 0, refusal }, 0, busyAttempts, 0, codes.ResourceExhausted},
		{"left to the caller", 1, func(int) (int, error) { return 0, refusal }, 0, 1, 0, codes.ResourceExhausted},
		{"gone, then busy", busyAttempts, func(call int) (int, error) {
			switch {
			case call == 1:
				return 4, errGone
			case call < 13:
				return 0, refusal
			}
			return 0, nil
		}, 9, 13, 3, codes.OK}, // twice five calls and two more
		{"gone, then always busy", busyAttempts, func(call int) (int, error) {
			if call == 1 {
				return 4, errGone
			}
			return 0, refusal
		}, 3, 1 + resumeAttempts*busyAttempts, resumeAttempts, codes.ResourceExhausted},
		{"gone, then busy, left to the caller", 1, func(call int) (int, error) {
			if call == 1 {
				return 4, errGone
			}
			return 0, refusal
		}, 3, 2, 1, codes.ResourceExhausted},
		{"gone, then over its budget", busyAttempts, func(call int) (int, error) {
			if call == 1 {
				return 4, errGone
			}
			return 0, status.Error(codes.ResourceExhausted, "spent")
		}, 3, 2, 1, codes.ResourceExhausted},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{sequences: gapless(9), random: rand.New(rand.NewPCG(1, 1)), cut: test.cut}
			// One event a message, so that it is known how many have come.
			s.edit = func(_ int, messages []*zermelov1.ExplainResponse) []*zermelov1.ExplainResponse {
				var apart []*zermelov1.ExplainResponse
				for _, message := range messages {
					if message.GetProgress() != nil {
						continue
					}
					if message.GetEvents() == nil {
						apart = append(apart, message)
					}
					for _, event := range message.GetEvents().GetEvents() {
						apart = append(apart, &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Events{
							Events: &zermelov1.Events{Events: []*zermelov1.Event{event}},
						}})
					}
				}
				return apart
			}
			trace := s.trace(t.Context(), &zermelov1.ExplainRequest{})
			trace.busyAttempts = test.attempts
			got, err := play(t, trace)
			if !slices.Equal(got, gapless(test.events)) || status.Code(err) != test.code {
				t.Errorf("%s: events %v and %v, want %d and %v", test.name, got, err, test.events, test.code)
			}
			if len(s.calls) != test.calls || trace.Resumed() != test.resumed {
				t.Errorf("%s: %d calls, resumed %d times; want %d and %d",
					test.name, len(s.calls), trace.Resumed(), test.calls, test.resumed)
			}
		})
	}
}

// A stream that ends at once and in order is not one that was refused.
func TestEmptyStreamIsNotRefused(t *testing.T) {
	s := &script{cut: func(int) (int, error) { return 0, io.EOF }, random: rand.New(rand.NewPCG(1, 1))}
	trace := s.trace(t.Context(), &zermelov1.ExplainRequest{})
	trace.busyAttempts = busyAttempts
	if _, err := play(t, trace); !errors.Is(err, ErrTruncated) || len(s.calls) != 1 {
		t.Errorf("%v after %d calls", err, len(s.calls))
	}
}
