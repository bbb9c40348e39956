package interceptor

import (
	"context"
	"errors"
	"testing"
)

type (
	key      struct{}
	otherKey struct{}
)

var errOver = errors.New("over")

// TestEitherContext: whoever asks, and in whatever way, sees the end of either context with its cause; also when nobody
// waited for it before.
func TestEitherContext(t *testing.T) {
	for name, wait := range map[string]func(context.Context) context.Context{
		"asks":    func(ctx context.Context) context.Context { return ctx },
		"waits":   func(ctx context.Context) context.Context { _ = ctx.Done(); return ctx },
		"derives": func(ctx context.Context) context.Context { return context.WithValue(ctx, otherKey{}, 1) },
		"derives a cancellable one": func(ctx context.Context) context.Context {
			derived, cancel := context.WithCancel(ctx)
			t.Cleanup(cancel)
			return derived
		},
	} {
		for _, first := range []bool{true, false} {
			for end, cause := range map[string]error{"call": errors.New("left"), "other": errOver} {
				t.Run(name+"/"+end, func(t *testing.T) {
					call, endCall := context.WithCancelCause(context.WithValue(t.Context(), key{}, "the call's"))
					other, endOther := context.WithCancelCause(context.Background())
					defer endCall(nil)
					defer endOther(nil)
					either := &eitherContext{Context: call, other: other}
					defer either.release()
					finish := map[string]context.CancelCauseFunc{"call": endCall, "other": endOther}[end]
					if first {
						finish(cause)
					}
					ctx := wait(either)
					if !first {
						if ctx.Err() != nil || context.Cause(ctx) != nil {
							t.Fatalf("before the end: %v, %v", ctx.Err(), context.Cause(ctx))
						}
						finish(cause)
					}
					<-ctx.Done()
					if !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(context.Cause(ctx), cause) {
						t.Errorf("at the end: %v, %v", ctx.Err(), context.Cause(ctx))
					}
					if v := ctx.Value(key{}); v != "the call's" {
						t.Errorf("the value is %v", v)
					}
				})
			}
		}
	}
}

// TestReleaseLeavesNothingHooked, neither what was hooked before it nor what a handler that goes on hooks after it.
func TestReleaseLeavesNothingHooked(t *testing.T) {
	for _, before := range []bool{true, false} {
		either := &eitherContext{Context: t.Context(), other: t.Context()}
		if before {
			_ = either.Done()
		}
		either.release()
		<-either.Done()
		if either.hooked.Load().stop() {
			t.Errorf("hooked before the release: %v; it still was", before)
		}
		if !errors.Is(either.Err(), context.Canceled) {
			t.Errorf("after the release: %v", either.Err())
		}
	}
	either := &eitherContext{Context: t.Context(), other: t.Context()}
	if either.Err() != nil || either.Value(key{}) != nil || either.hooked.Load() != nil {
		t.Error("to ask hooks it")
	}
}
