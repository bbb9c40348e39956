package rpc

import (
	"context"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/server/engine"
)

// flights finds each answer once for all callers that ask for it at the same time. Unlike golang.org/x/sync/singleflight,
// it stops the work when the last caller who waits for it has left, and not when the first one has.
type flights struct {
	mu     sync.Mutex
	flying map[string]*flight
}

// flight is the search for one answer.
type flight struct {
	// waiting is the number of callers who wait for the answer.
	waiting int
	cancel  context.CancelCauseFunc
	// done is closed when answer and err are set.
	done   chan struct{}
	answer proto.Message
	err    error
	// worker runs the search, and hands its panic on to the callers.
	worker engine.Workers
}

// share returns what find finds for the key. find runs in a goroutine of its own. Its context ends when the last caller
// has left, with the cause for which that one left, who then waits until find has returned.
func (f *flights) share(
	ctx context.Context, key string, find func(context.Context) (proto.Message, error),
) (proto.Message, error) {
	fl := f.join(ctx, key, find)
	select {
	case <-fl.done:
	case <-ctx.Done():
		if f.leave(key, fl) {
			fl.cancel(context.Cause(ctx))
			fl.worker.Wait()
		}
		return nil, context.Cause(ctx)
	}
	fl.worker.Wait() // A panic of find goes on in each caller, where it is recovered.
	return fl.answer, fl.err
}

// join adds a caller to those who wait for the key; the first one starts the search.
func (f *flights) join(ctx context.Context, key string, find func(context.Context) (proto.Message, error)) *flight {
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
		defer func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.remove(key, fl)
		}()
		fl.answer, fl.err = find(ctx)
	})
	return fl
}

// leave takes a caller away and reports whether it was the last. Whoever asks after that starts a new search.
func (f *flights) leave(key string, fl *flight) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl.waiting--; fl.waiting > 0 {
		return false
	}
	f.remove(key, fl)
	return true
}

// remove ends the sharing of a search, unless there is a newer one for the key. mu is held.
func (f *flights) remove(key string, fl *flight) {
	if f.flying[key] == fl {
		delete(f.flying, key)
	}
}
