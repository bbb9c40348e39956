package client

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// How often and how soon the call of a stream is made again. While no server is there at all, a call waits, which is one
// attempt however long it takes. The pauses are drawn at random up to values that double from the first to the most: a
// server that ends every call at once is called for a quarter of a minute, more or less.
const (
	resumeAttempts   = 10 // in a row without a new item
	resumeFirstPause = 100 * time.Millisecond
	resumeMostPause  = 5 * time.Second
)

// longestPause is the most that is waited after so many attempts in a row without a new item.
func longestPause(failed int) time.Duration {
	pause := resumeFirstPause
	for range failed {
		pause = min(2*pause, resumeMostPause)
	}
	return pause
}

// interrupted decides whether a stream whose call has failed goes on, and waits until it may. The error is the one with
// which it ends instead.
func (s *stream) interrupted(err error, failed int) error {
	if !s.resumes || !s.isInterruption(err, failed) {
		return err
	}
	// Without a token, a call could only begin at the first item again.
	if s.received > 0 && s.opening.GetResumeToken() == "" {
		return err
	}
	if failed == resumeAttempts {
		return fmt.Errorf("client: %s: after %s %d: %d attempts in a row have brought no further one: %w",
			s.method, s.item, s.last, failed, err)
	}
	if s.onResume != nil {
		s.onResume(err)
	}
	return pause(s.ctx, rand.N(longestPause(failed)), err)
}

// isInterruption tells errors after which a stream can go on from those that would come again. One that has begun
// outlasts a busy server, too: those whose server was restarted all come at once. A call that was ended for the time it
// took is made again if it brought anything new: the next one gets further, since what was sent before is not sent again.
func (s *stream) isInterruption(err error, failed int) bool {
	_, busy := busyDelay(err)
	return status.Code(err) == codes.Unavailable || busy && s.busyAttempts > 1 && s.opening != nil ||
		failed == 0 && Reason(err) == zermelov1.ErrorReason_ERROR_REASON_TIME_LIMIT
}

// pause waits. The error is that of a context that ends meanwhile, as gRPC would give it, and says what the wait was
// for.
func pause(ctx context.Context, d time.Duration, cause error) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	// Both may be there at once: then the context goes before.
	if err := ctx.Err(); err != nil {
		return status.Errorf(status.FromContextError(err).Code(), "%v, before the call could be made again after: %v", err, cause)
	}
	return nil
}
