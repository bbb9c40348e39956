package interceptor_test

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// untilDone is a handler that waits for the end of its context and reports why it came.
func untilDone(entered chan<- struct{}, causes chan<- error) func(context.Context) error {
	return func(ctx context.Context) error {
		entered <- struct{}{}
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return status.Error(codes.Aborted, "the handler's own status")
	}
}

func TestDrainReachesHandlersWithItsCause(t *testing.T) {
	entered, causes := make(chan struct{}), make(chan error, 2)
	wait := untilDone(entered, causes)
	h := start(t, &service{solve: wait, explain: wait})

	ended := make(chan error, 2)
	go func() {
		_, err := h.Solve(h.ctx, &zermelov1.SolveRequest{})
		ended <- err
	}()
	go func() { ended <- h.explainError() }()
	receive(t, h, entered)
	receive(t, h, entered)
	h.drain(rpc.ErrDraining)
	for range 2 {
		if cause := receive(t, h, causes); !errors.Is(cause, rpc.ErrDraining) {
			t.Errorf("a handler sees the cause %v, want that of the drain", cause)
		}
		// What the handler returns reaches the caller: the transport is still there.
		if err := receive(t, h, ended); status.Code(err) != codes.Aborted {
			t.Errorf("a call ended %v, want the status of its handler", err)
		}
	}
}

func TestCallsAfterTheDrainBeganAreOverAtOnce(t *testing.T) {
	var atEntry error
	look := func(ctx context.Context) error {
		atEntry = context.Cause(ctx)
		return nil
	}
	h := start(t, &service{solve: look, explain: look})
	h.drain(rpc.ErrDraining)

	if _, err := h.Solve(h.ctx, &zermelov1.SolveRequest{}); err != nil || !errors.Is(atEntry, rpc.ErrDraining) {
		t.Errorf("a unary call begins with the cause %v (%v), want that of the drain", atEntry, err)
	}
	atEntry = nil
	if _ = h.explainError(); !errors.Is(atEntry, rpc.ErrDraining) {
		t.Errorf("a stream begins with the cause %v, want that of the drain", atEntry)
	}
}

func TestACallerThatLeavesIsNotADrain(t *testing.T) {
	entered, causes := make(chan struct{}), make(chan error, 1)
	h := start(t, &service{explain: untilDone(entered, causes)})
	ctx, leave := context.WithCancel(h.ctx)
	if _, err := h.Explain(ctx, &zermelov1.ExplainRequest{}); err != nil {
		t.Fatal(err)
	}
	receive(t, h, entered)
	leave()
	if cause := receive(t, h, causes); !errors.Is(cause, context.Canceled) {
		t.Errorf("the handler sees the cause %v, want that of a cancel", cause)
	}
}
