package interceptor

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"

	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// TimeLimit is how long a call may take, whatever its own deadline is.
type TimeLimit struct {
	Limit time.Duration
	// Setting is the flag that sets it, which the error names: --max-stream-time.
	Setting string
}

// A call with a deadline ends earlier by deadlineShare of the time that it has, and by mostEarly at most. At the deadline
// itself the transport resets the call, which some clients take for a cancellation by the server; a status that is there
// before the reset says what it was.
const (
	deadlineShare = 5
	mostEarly     = 100 * time.Millisecond
)

// drained cancels the context of every call when draining is cancelled, with the same cause. It tells the handler that the
// server is shutting down, and not that the caller has left. The transport's own context stays alive, so that the handler
// can still answer. The calls of the service also end when their time is over, with a [rpc.TimeLimitError], and shortly
// before their deadline, with [context.DeadlineExceeded].
func drained(draining context.Context, solve, stream TimeLimit) Stage {
	return Stage{
		Name: StageDrain,
		Unary: func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			either := newEither(ctx, draining, solve, info.FullMethod)
			defer either.release()
			return handler(either, req)
		},
		Stream: func(srv any, s grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			either := newEither(s.Context(), draining, stream, info.FullMethod)
			defer either.release()
			return handler(srv, &streamWithContext{s, either})
		},
	}
}

// newEither makes the context of a call.
func newEither(ctx, draining context.Context, limit TimeLimit, method string) *eitherContext {
	either := &eitherContext{Context: ctx, other: draining}
	if !isOwn(method) {
		return either
	}
	now := call.Of(ctx).Began
	if limit.Limit > 0 {
		either.limit, either.ends = limit, now.Add(limit.Limit)
	}
	if deadline, ok := ctx.Deadline(); ok {
		early := deadline.Add(-min(deadline.Sub(now)/deadlineShare, mostEarly))
		if either.ends.IsZero() || early.Before(either.ends) {
			either.limit, either.ends = TimeLimit{}, early
		}
	}
	return either
}

// eitherContext is a context that is also cancelled when other is, with the cause of other, and when its time is over. It
// must be released.
//
// Waiting for its end takes another context that is hooked into both, which costs more than a small answer. That one is
// made only when somebody waits for the end or derives a context; most calls only ask whether the context has ended.
type eitherContext struct {
	context.Context
	other context.Context
	// ends is when the time is over; zero for never. limit is what says so, or zero where it is the call's deadline.
	ends  time.Time
	limit TimeLimit

	hooked   atomic.Pointer[hookedContext]
	mu       sync.Mutex // Held while hooked is made, and for what follows.
	released bool
}

type hookedContext struct {
	context.Context
	cancel context.CancelCauseFunc
	stop   func() bool
	timer  *time.Timer // Nil without a limit.
}

// hook makes the context that is hooked into both.
func (c *eitherContext) hook() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.hooked.Load(); h != nil {
		return h
	}
	ctx, cancel := context.WithCancelCause(c.Context)
	h := &hookedContext{Context: ctx, cancel: cancel}
	if !c.ends.IsZero() {
		over := func() { cancel(context.DeadlineExceeded) }
		if c.limit.Limit > 0 {
			over = func() { cancel(&rpc.TimeLimitError{Limit: c.limit.Limit, Setting: c.limit.Setting}) }
		}
		if left := time.Until(c.ends); left > 0 {
			h.timer = time.AfterFunc(left, over)
		} else {
			over()
		}
	}
	if c.other.Err() != nil {
		// At once, and not a moment later in another goroutine: every call that comes in after the drain has begun ends in
		// the same way.
		cancel(context.Cause(c.other))
	}
	h.stop = context.AfterFunc(c.other, func() { cancel(context.Cause(c.other)) })
	if c.released {
		h.end()
	}
	c.hooked.Store(h)
	return h
}

// current is the context to ask: the one that is hooked into both where there is one, or where other or the time has
// ended; else that of the call.
func (c *eitherContext) current() context.Context {
	if h := c.hooked.Load(); h != nil {
		return h
	}
	if c.other.Err() != nil || !c.ends.IsZero() && time.Now().After(c.ends) {
		return c.hook()
	}
	return c.Context
}

// Done is closed when either context has ended.
func (c *eitherContext) Done() <-chan struct{} {
	if h := c.hooked.Load(); h != nil {
		return h.Done()
	}
	return c.hook().Done()
}

// Err is nil until either context has ended.
func (c *eitherContext) Err() error { return c.current().Err() }

// Value is that of the call's context. This is also where [context.Cause] asks, and contexts that are derived.
func (c *eitherContext) Value(key any) any { return c.current().Value(key) }

// release ends the context.
func (c *eitherContext) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released = true
	if h := c.hooked.Load(); h != nil {
		h.end()
	}
}

func (h *hookedContext) end() {
	h.stop()
	if h.timer != nil {
		h.timer.Stop()
	}
	h.cancel(nil)
}
