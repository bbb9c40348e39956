package client

import (
	"context"
	"errors"
	"io"
	"iter"

	"google.golang.org/grpc"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// frames is one streaming call as a sequence of its messages: made when ranging begins, cancelled when it ends. A
// status other than OK comes once, last. While there is no message yet, a busy server is asked up to so many times.
func frames[R any](
	ctx context.Context,
	attempts int,
	open func(context.Context) (grpc.ServerStreamingClient[R], error),
) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		// Cancelling is how a stream that is not read to its end gives back its goroutine, on either side.
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stream, frame, err := begin(ctx, attempts, open)
		for {
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(frame, nil) {
				return
			}
			frame, err = stream.Recv()
		}
	}
}

// begin opens a stream and receives its first message, or how it ended without one.
func begin[R any](
	ctx context.Context,
	attempts int,
	open func(context.Context) (grpc.ServerStreamingClient[R], error),
) (grpc.ServerStreamingClient[R], *R, error) {
	for attempt := 1; ; attempt++ {
		stream, err := open(ctx)
		var first *R
		if err == nil {
			first, err = stream.Recv()
		}
		if err == nil {
			return stream, first, nil
		}
		// A stream has ended when its error is there, and holds nothing.
		if err = refused(ctx, err, attempt, attempts); err != nil {
			return nil, nil, err
		}
	}
}

// progressFunc is told the work done so far; nil when nobody wants to know.
type progressFunc func(*zermelov1.Statistics)

// report calls f, never with nil.
func (f progressFunc) report(progress *zermelov1.Progress) {
	if f == nil {
		return
	}
	statistics := progress.GetStatistics()
	if statistics == nil {
		statistics = &zermelov1.Statistics{}
	}
	f(statistics)
}
