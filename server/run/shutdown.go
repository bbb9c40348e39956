package run

import (
	"errors"
	"time"

	"github.com/zermelo-games/zermelo/server/rpc"
)

// ErrHandlersRunning says that handlers ignored the end of their context and were left running when the drain grace
// was over. Only the end of the process stops them.
var ErrHandlersRunning = errors.New("handlers were still running at the end of the drain grace")

// maxHandlerReserve is the most of the drain grace that is kept for handlers to return after their connections were
// closed under them.
const maxHandlerReserve = time.Second

// shutdown ends the server in seven steps; served is closed when the gRPC server has returned, and admin is nil where
// there is no admin port.
//
// The order is what keeps callers from seeing refused connections: first the world is told, then it is given time to
// look elsewhere, and only then do calls end, each with a status that says why. The gRPC server alone would wait for
// ever: its graceful stop never tells a handler to end.
func (s *Server) shutdown(served <-chan struct{}, admin *adminServer) error {
	s.logger.Info("shutdown 1/7: health says NOT_SERVING")
	s.phase.Store(phaseDraining)
	s.health.Shutdown()

	s.logger.Info("shutdown 2/7: lame duck, everything is still answered", "wait", s.cfg.DrainDelay)
	time.Sleep(s.cfg.DrainDelay)

	s.logger.Info("shutdown 3/7: calls in flight are told to end")
	s.endCalls(rpc.ErrDraining)

	reserve := min(s.cfg.DrainGrace/4, maxHandlerReserve)
	graceful := time.NewTimer(s.cfg.DrainGrace - reserve)
	defer graceful.Stop()
	grace := time.NewTimer(s.cfg.DrainGrace)
	defer grace.Stop()

	s.logger.Info("shutdown 4/7: waiting for calls to end", "at_most", s.cfg.DrainGrace-reserve)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.grpc.GracefulStop() // Returns when the last handler has.
		<-served
	}()
	select {
	case <-ended:
	case <-graceful.C:
	}

	s.logger.Info("shutdown 5/7: closing the connections that are left")
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		s.grpc.Stop()
	}()

	s.logger.Info("shutdown 6/7: waiting for handlers to return", "at_most", reserve)
	var err error
	if !closedBefore(grace.C, stopped, ended) {
		err = ErrHandlersRunning
		s.logger.Error("handlers ignore that their calls are over", "grace", s.cfg.DrainGrace)
	}

	// After the last call, before the last scrape.
	s.tracing.flush()

	s.logger.Info("shutdown 7/7: closing the admin port")
	admin.close()
	return err
}

// closedBefore waits until all channels are closed and tells whether they were before the timer fired.
func closedBefore(timer <-chan time.Time, channels ...<-chan struct{}) bool {
	for _, channel := range channels {
		select {
		case <-channel:
		case <-timer:
			return false
		}
	}
	return true
}
