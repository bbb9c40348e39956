package interceptor

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"

	"github.com/zermelo-games/zermelo/server/rpc"
)

// stalled ends a stream whose caller has stopped reading: when a single message has waited for longer than the limit to
// be taken by the transport, the call ends with the reason CLIENT_TOO_SLOW.
//
// A handler that is blocked in SendMsg cannot see that itself, and nothing can wake it but the end of the call. So it
// runs in a goroutine of its own, with a recovery of its own, and this stage returns without it: the transport then ends
// the stream, and with it the blocked SendMsg, and the handler returns. The handler of a unary call never waits: its one
// message is sent after it has returned.
func stalled(limit time.Duration, logger *slog.Logger, metrics *Metrics) Stage {
	recovery := recovered(logger, metrics)
	return Stage{
		Name: StageStall,
		Stream: func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			ctx, cancel := context.WithCancelCause(stream.Context())
			defer cancel(nil)
			watched := &watchedStream{streamWithContext: streamWithContext{stream, ctx}, limit: limit, stalled: make(chan struct{})}
			watched.timer = time.AfterFunc(limit, func() { watched.once.Do(func() { close(watched.stalled) }) })
			watched.timer.Stop()
			returned := make(chan error, 1)
			go func() { returned <- recovery.Stream(srv, watched, info, handler) }()
			select {
			case err := <-returned:
				return err
			case <-watched.stalled:
				metrics.stalls.Inc()
				cancel(rpc.ErrClientTooSlow)
				return rpc.ClientTooSlow(limit)
			case <-ctx.Done():
				// The server is shutting down, the time is over, or the caller has left. The handler sees that itself, unless it
				// is blocked: a caller that does not read must not hold up the server.
				select {
				case err := <-returned:
					return err
				case <-time.After(blockedPatience):
				}
				if !watched.sending.Load() {
					return <-returned
				}
				return rpc.Ended(ctx)
			}
		},
	}
}

// blockedPatience is how long a handler whose context has ended may stay blocked in SendMsg.
const blockedPatience = time.Second

// watchedStream is a stream that tells when sending a message takes longer than the limit.
type watchedStream struct {
	streamWithContext
	limit   time.Duration
	timer   *time.Timer
	once    sync.Once
	stalled chan struct{}
	// sending says that a message is being sent.
	sending atomic.Bool
}

// SendMsg sends a message while the timer runs.
func (s *watchedStream) SendMsg(m any) error {
	s.timer.Reset(s.limit)
	s.sending.Store(true)
	defer func() {
		s.sending.Store(false)
		s.timer.Stop()
	}()
	return s.ServerStream.SendMsg(m)
}
