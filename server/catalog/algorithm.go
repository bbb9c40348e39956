package catalog

import (
	"context"
	"time"

	"github.com/zermelo-games/zermelo/server/engine"
)

// algorithmTick is how often tick is called while an algorithm runs.
const algorithmTick = 100 * time.Millisecond

// runAlgorithm runs an algorithm. With a tick that is not nil, it calls that every now and then while the algorithm runs,
// in this goroutine, and ends with errLeft when it is false. An algorithm has no moments of its own in which to do so, so
// that it runs in a goroutine of its own; it has ended when runAlgorithm returns.
func runAlgorithm[M any](
	ctx context.Context, algorithm engine.Algorithm[M], maxMoves int, tick func() bool,
) (engine.Solution[M], error) {
	if tick == nil {
		return algorithm.Solve(ctx, maxMoves)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var solved engine.Solution[M]
	var err error
	var worker engine.Workers // hands a panic on to this goroutine, where the call is recovered
	done := make(chan struct{})
	worker.Go(func() {
		defer close(done)
		solved, err = algorithm.Solve(ctx, maxMoves)
	})
	ticker := time.NewTicker(algorithmTick)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			worker.Wait()
			return solved, err
		case <-ticker.C:
			if !tick() {
				cancel(errLeft)
				worker.Wait()
				return solved, errLeft
			}
		}
	}
}
