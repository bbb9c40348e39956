package catalog

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zermelo-games/zermelo/server/engine"
)

// slowKernel takes its time, or panics.
type slowKernel struct {
	takes  time.Duration
	panics bool
}

func (k slowKernel) Solve(ctx context.Context, _ int) (engine.Solution[int], error) {
	if k.panics {
		panic("a fault")
	}
	select {
	case <-time.After(k.takes):
		return engine.Solution[int]{Value: 7}, nil
	case <-ctx.Done():
		return engine.Solution[int]{}, context.Cause(ctx)
	}
}

func TestKernelsTickWhileTheyRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticks := 0
		s, err := runKernel[int](t.Context(), slowKernel{takes: 3*time.Second + 1}, 1, func() bool { ticks++; return true })
		if err != nil || s.Value != 7 || ticks != 30 {
			t.Errorf("%+v, %v, %d ticks", s, err, ticks)
		}
		ticks = 0
		_, err = runKernel[int](t.Context(), slowKernel{takes: time.Hour}, 1, func() bool { ticks++; return ticks < 3 })
		if !errors.Is(err, errLeft) || ticks != 3 {
			t.Errorf("%v after %d ticks", err, ticks)
		}
		if s, err = runKernel[int](t.Context(), slowKernel{}, 1, nil); err != nil || s.Value != 7 {
			t.Errorf("without ticks: %+v, %v", s, err)
		}
	})
}

// TestKernelPanicsReachTheirCaller, who recovers from them; in a goroutine of their own they would end the process.
func TestKernelPanicsReachTheirCaller(t *testing.T) {
	defer func() {
		p, ok := recover().(*engine.Panic)
		if !ok || p.Value != "a fault" || !strings.Contains(string(p.Stack()), "slowKernel") {
			t.Errorf("recovered %v", p)
		}
	}()
	_, _ = runKernel[int](t.Context(), slowKernel{panics: true}, 1, func() bool { return true })
}
