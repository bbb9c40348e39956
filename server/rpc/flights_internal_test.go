package rpc

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
)

var errGone = errors.New("the caller has left")

// key is what all callers ask for.
const key = "key"

type landed struct {
	answer proto.Message
	err    error
}

func TestAnAnswerIsFoundOnceForAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const callers = 50
		var f flights
		found, release := 0, make(chan struct{})
		find := func(ctx context.Context) (proto.Message, error) {
			found++ // in one goroutine at a time, or the race detector tells
			<-release
			return &zermelov1.SolveResponse{}, ctx.Err()
		}
		answers := make(chan landed, callers)
		for range callers {
			go func() {
				answer, err := f.share(t.Context(), key, find)
				answers <- landed{answer, err}
			}()
		}
		synctest.Wait() // until the callers wait
		close(release)
		first := <-answers
		for range callers - 1 {
			if next := <-answers; next != first || next.err != nil {
				t.Errorf("%v and %v", first, next)
			}
		}
		if found != 1 || len(f.flying) != 0 {
			t.Errorf("found %d times; %d left", found, len(f.flying))
		}
	})
}

func TestACallerWhoLeavesDoesNotEndTheWorkForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f flights
		release := make(chan struct{})
		find := func(ctx context.Context) (proto.Message, error) {
			<-release
			return &zermelov1.SolveResponse{}, ctx.Err()
		}
		ctx, leave := context.WithCancelCause(t.Context())
		first, second := make(chan landed, 1), make(chan landed, 1)
		go func() {
			answer, err := f.share(ctx, key, find)
			first <- landed{answer, err}
		}()
		synctest.Wait() // until the callers wait
		go func() {
			answer, err := f.share(t.Context(), key, find)
			second <- landed{answer, err}
		}()
		synctest.Wait() // until the callers wait
		leave(errGone)
		if got := <-first; !errors.Is(got.err, errGone) {
			t.Errorf("who left got %v", got)
		}
		close(release)
		if got := <-second; got.err != nil || got.answer == nil {
			t.Errorf("who stayed got %v", got)
		}
	})
}

func TestWorkEndsWithTheLastWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f flights
		ended := false
		find := func(ctx context.Context) (proto.Message, error) {
			<-ctx.Done()
			ended = errors.Is(context.Cause(ctx), errGone)
			return &zermelov1.SolveResponse{}, context.Cause(ctx)
		}
		ctx, leave := context.WithCancelCause(t.Context())
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if _, err := f.share(ctx, key, find); !errors.Is(err, errGone) {
					t.Errorf("%v", err)
				}
			})
		}
		synctest.Wait() // until the callers wait
		leave(errGone)
		all.Wait()
		if !ended || len(f.flying) != 0 {
			t.Errorf("ended is %t, %d left", ended, len(f.flying))
		}
	})
}

func TestAPanicReachesAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f flights
		release := make(chan struct{})
		find := func(context.Context) (proto.Message, error) {
			<-release
			panic("a fault")
		}
		panics := make(chan any, 2)
		for range 2 {
			go func() {
				defer func() { panics <- recover() }()
				_, _ = f.share(t.Context(), key, find)
			}()
		}
		synctest.Wait() // until the callers wait
		close(release)
		for range 2 {
			if p, ok := (<-panics).(*engine.Panic); !ok || p.Value != "a fault" {
				t.Errorf("recovered %v", p)
			}
		}
		if _, err := f.share(t.Context(), key, func(context.Context) (proto.Message, error) { return nil, errGone }); !errors.Is(err, errGone) {
			t.Errorf("after a panic: %v", err)
		}
	})
}
