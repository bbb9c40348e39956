package rpc_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/rpc"
)

func wantCode(t testing.TB, err error, code codes.Code) {
	t.Helper()
	if got := status.Code(err); got != code {
		t.Errorf("got %v, want %v", err, code)
	}
}

// TestEveryErrorHasItsStatus, bare and wrapped, with a live context and with one that ended.
func TestEveryErrorHasItsStatus(t *testing.T) {
	live := call.New(t.Context(), "", "request-7", nil)
	ended := func(cause error) context.Context {
		ctx, cancel := context.WithCancelCause(live)
		cancel(cause)
		return ctx
	}
	for name, test := range map[string]struct {
		ctx    context.Context
		err    error
		code   codes.Code
		reason zermelov1.ErrorReason
	}{
		"field": {live, catalog.InvalidField("max_events", "is -1"), codes.InvalidArgument, invalidField},
		"size": {
			live, &catalog.RequestError{Reason: sizeLimit, Violations: []catalog.Violation{{Field: "position", Description: "is large"}}},
			codes.InvalidArgument, sizeLimit,
		},
		"budget": {
			live, &engine.BudgetError{Budget: 1, Expanded: 2}, codes.ResourceExhausted,
			zermelov1.ErrorReason_ERROR_REASON_MEMO_BUDGET,
		},
		"busy": {
			live, &admission.BusyError{Full: admission.CauseSolves, RetryAfter: time.Second}, codes.ResourceExhausted, serverBusy,
		},
		"draining": {live, rpc.ErrDraining, codes.Unavailable, zermelov1.ErrorReason_ERROR_REASON_SERVER_DRAINING},
		"deadline": {
			live, context.DeadlineExceeded, codes.DeadlineExceeded, zermelov1.ErrorReason_ERROR_REASON_DEADLINE_EXCEEDED,
		},
		"cancel": {live, context.Canceled, codes.Canceled, zermelov1.ErrorReason_ERROR_REASON_CANCELLED},
		"time limit": {
			ended(&rpc.TimeLimitError{Limit: time.Minute}), context.DeadlineExceeded, codes.ResourceExhausted,
			zermelov1.ErrorReason_ERROR_REASON_TIME_LIMIT,
		},
		"a send that failed, before the context knew why": {
			live, status.Error(codes.Canceled, "context canceled"), codes.Canceled, zermelov1.ErrorReason_ERROR_REASON_CANCELLED,
		},
		"a send that failed at the deadline, before the context knew": {
			live, status.Error(codes.DeadlineExceeded, "context deadline exceeded"), codes.DeadlineExceeded,
			zermelov1.ErrorReason_ERROR_REASON_DEADLINE_EXCEEDED,
		},
		"a send into a connection that is gone": {
			live, status.Error(codes.Unavailable, "transport is closing"), codes.Canceled,
			zermelov1.ErrorReason_ERROR_REASON_CANCELLED,
		},
		"unknown": {live, errors.New("disk on fire"), codes.Internal, zermelov1.ErrorReason_ERROR_REASON_INTERNAL},
		"a send that failed because of the drain": {
			ended(rpc.ErrDraining), status.Error(codes.Unavailable, "transport is closing"), codes.Unavailable,
			zermelov1.ErrorReason_ERROR_REASON_SERVER_DRAINING,
		},
		"a send that failed because the caller left": {
			ended(nil), status.Error(codes.Unavailable, "transport is closing"), codes.Canceled,
			zermelov1.ErrorReason_ERROR_REASON_CANCELLED,
		},
		"a cause that nobody knows": {
			ended(errors.New("because")), errors.New("because"), codes.Canceled,
			zermelov1.ErrorReason_ERROR_REASON_CANCELLED,
		},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, rpc.ToStatus(test.ctx, test.err), test.code, test.reason)
			wantError(t, rpc.ToStatus(test.ctx, fmt.Errorf("wrapped: %w", test.err)), test.code, test.reason)
		})
	}
}

// TestInternalErrorsKeepTheirSecrets: the caller sees a fixed text and the request's id; the log sees the cause.
func TestInternalErrorsKeepTheirSecrets(t *testing.T) {
	ctx := call.New(t.Context(), "", "request-7", nil)
	err := rpc.ToStatus(ctx, errors.New("disk on fire"))
	if got, want := status.Convert(err).Message(), status.Convert(rpc.InternalError(ctx)).Message(); got != want {
		t.Errorf("the caller sees %q, want the fixed text %q", got, want)
	}
	if err.Error() != "disk on fire" {
		t.Errorf("the log sees %q", err)
	}
}

// TestStatusesOfTheChain: those that interceptors give carry one ErrorInfo with their variables.
func TestStatusesOfTheChain(t *testing.T) {
	for _, test := range []struct {
		err      error
		code     codes.Code
		reason   zermelov1.ErrorReason
		metadata map[string]string
	}{
		{
			rpc.ClientLimit("client-rate", 7, "seven are enough"), codes.ResourceExhausted,
			zermelov1.ErrorReason_ERROR_REASON_CLIENT_LIMIT, map[string]string{"limit": "client-rate", "value": "7"},
		},
		{rpc.Unauthenticated(rpc.ErrNoToken), codes.Unauthenticated, zermelov1.ErrorReason_ERROR_REASON_UNAUTHENTICATED, nil},
		{rpc.Unauthenticated(rpc.ErrWrongToken), codes.Unauthenticated, zermelov1.ErrorReason_ERROR_REASON_UNAUTHENTICATED, nil},
	} {
		wantError(t, test.err, test.code, test.reason)
		for _, detail := range status.Convert(test.err).Details() {
			if got := detail.(*errdetails.ErrorInfo).GetMetadata(); !maps.Equal(got, test.metadata) {
				t.Errorf("%v: the metadata is %v, want %v", test.err, got, test.metadata)
			}
		}
	}
}
