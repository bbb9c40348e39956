package rpc

import (
	"context"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/server/engine"
)

// flights finds each answer once for all callers that ask for it at the same time. Unlike golang.org/x/sync/singleflight,
// it ends the work when nobody waits for it any more, and not when the first who asked has left.
type flights struct {
	mu     sync.Mutex
	flying map[string]*flight
}

// flight is an answer that is being found.
type flight struct {
	// waiting is how many callers wait for it.
	waiting int
	cancel  context.CancelCauseFunc
	// done is closed when what follows is set.
	done   chan struct{}
	answer proto.Message
	err    error
	// worker hands a panic on.
	worker engine.Workers
}

// share returns what find finds for the key. find runs in a goroutine of its own, under a context that ends when the last
// caller that waits for it has left, with the cause of that; it has then ended when share returns to that caller.
func (f *flights) share(
	ctx context.Context, key string, find func(context.Context) (proto.Message, error),
) (proto.Message, error) {
	fl := f.board(ctx, key, find)
	select {
	case <-fl.done:
	case <-ctx.Done():
		if f.leave(key, fl) {
			fl.cancel(context.Cause(ctx))
			fl.worker.Wait()
		}
		return nil, context.Cause(ctx)
	}
	fl.worker.Wait() // a panic goes on in each call, where it is recovered
	return fl.answer, fl.err
}

// board joins the flight for the key, or starts one.
func (f *flights) board(ctx context.Context, key string, find func(context.Context) (proto.Message, error)) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl, ok := f.flying[key]; ok {
		fl.waiting++
		return fl
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	fl := &flight{waiting: 1, cancel: cancel, done: make(chan struct{})}
	if f.flying == nil {
		f.flying = make(map[string]*flight)
	}
	f.flying[key] = fl
	fl.worker.Go(func() {
		defer cancel(nil)
		defer close(fl.done)
		defer f.land(key, fl)
		fl.answer, fl.err = find(ctx)
	})
	return fl
}

// leave reports whether the caller that leaves was the last. A caller that comes later starts a new flight.
func (f *flights) leave(key string, fl *flight) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl.waiting--; fl.waiting > 0 {
		return false
	}
	if f.flying[key] == fl {
		delete(f.flying, key)
	}
	return true
}

// land ends a flight: who asks now starts another, or finds the answer among those known.
func (f *flights) land(key string, fl *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.flying[key] == fl {
		delete(f.flying, key)
	}
}
