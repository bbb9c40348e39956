package catalog

import (
	"context"
	"time"

	"github.com/zermelo-games/zermelo/server/engine"
)

// kernelTick is how often tick is called while a kernel runs.
const kernelTick = 100 * time.Millisecond

// runKernel runs a kernel. With a tick that is not nil, it calls that every now and then while the kernel runs, in this
// goroutine, and ends with errLeft when it is false. A kernel has no moments of its own in which to do so, so that it
// runs in a goroutine of its own; it has ended when runKernel returns.
func runKernel[M any](
	ctx context.Context, kernel engine.Kernel[M], maxMoves int, tick func() bool,
) (engine.Solution[M], error) {
	if tick == nil {
		return kernel.Solve(ctx, maxMoves)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var solved engine.Solution[M]
	var err error
	var worker engine.Workers // hands a panic on to this goroutine, where the call is recovered
	done := make(chan struct{})
	worker.Go(func() {
		defer close(done)
		solved, err = kernel.Solve(ctx, maxMoves)
	})
	ticker := time.NewTicker(kernelTick)
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
