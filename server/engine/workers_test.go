package engine_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
)

// faulty panics; its name is looked for in stacks.
func faulty() { panic("a fault") }

// TestWorkersHandTheirPanicsOn, with the stack of where they happened, when all others have ended.
func TestWorkersHandTheirPanicsOn(t *testing.T) {
	for name, start := range map[string]func(*engine.Workers, func()){
		"in a goroutine": (*engine.Workers).Go,
		"here":           (*engine.Workers).Do,
		"nested": func(outer *engine.Workers, f func()) {
			outer.Go(func() {
				var inner engine.Workers
				inner.Go(f)
				inner.Wait()
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var ended atomic.Int64
			defer func() {
				p, ok := recover().(*engine.Panic)
				if !ok || p.Value != "a fault" || fmt.Sprint(p) != "a fault" || !strings.Contains(string(p.Stack()), "faulty") {
					t.Errorf("recovered %v", p)
				}
				if n := ended.Load(); n != 3 {
					t.Errorf("%d of 3 others had ended", n)
				}
			}()
			var w engine.Workers
			for range 3 {
				w.Go(func() { ended.Add(1) })
			}
			start(&w, faulty)
			w.Wait()
			t.Error("nothing was handed on")
		})
	}
}

func TestWorkersWithoutPanics(t *testing.T) {
	var w engine.Workers
	var sum atomic.Int64
	for i := range 10 {
		w.Go(func() { sum.Add(int64(i)) })
	}
	w.Do(func() { sum.Add(100) })
	w.Wait()
	if sum.Load() != 145 {
		t.Errorf("the sum is %d", sum.Load())
	}
}
