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

// slowAlgorithm takes its time, or panics.
type slowAlgorithm struct {
	takes  time.Duration
	panics bool
}

func (k slowAlgorithm) Solve(ctx context.Context, _ int) (engine.Solution[int], error) {
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

func TestAlgorithmsTickWhileTheyRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticks := 0
		s, err := runAlgorithm[int](t.Context(), slowAlgorithm{takes: 3*time.Second + 1}, 1, func() bool { ticks++; return true })
		if err != nil || s.Value != 7 || ticks != 30 {
			t.Errorf("%+v, %v, %d ticks", s, err, ticks)
		}
		ticks = 0
		_, err = runAlgorithm[int](t.Context(), slowAlgorithm{takes: time.Hour}, 1, func() bool { ticks++; return ticks < 3 })
		if !errors.Is(err, errLeft) || ticks != 3 {
			t.Errorf("%v after %d ticks", err, ticks)
		}
		if s, err = runAlgorithm[int](t.Context(), slowAlgorithm{}, 1, nil); err != nil || s.Value != 7 {
			t.Errorf("without ticks: %+v, %v", s, err)
		}
	})
}

// TestAlgorithmPanicsReachTheirCaller, who recovers from them; in a goroutine of their own they would end the process.
func TestAlgorithmPanicsReachTheirCaller(t *testing.T) {
	defer func() {
		p, ok := recover().(*engine.Panic)
		if !ok || p.Value != "a fault" || !strings.Contains(string(p.Stack()), "slowAlgorithm") {
			t.Errorf("recovered %v", p)
		}
	}()
	_, _ = runAlgorithm[int](t.Context(), slowAlgorithm{panics: true}, 1, func() bool { return true })
}
