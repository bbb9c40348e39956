package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/internal/order"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// stream is a trace or an enumeration: items with sequence numbers, over as many calls as it takes. It belongs to the
// goroutine that ranges over it.
type stream struct {
	ctx          context.Context
	method, item string // the RPC, and what an item is: "event"
	resumes      bool
	busyAttempts int   // of each call while there is no message
	limit        int64 // the most items that are asked for; 0: all

	onProgress func(*zermelov1.Statistics)
	onResume   func(error)

	ranged   bool
	opening  opening // nil until it arrived
	received int64   // items that were in order
	last     int64   // sequence number of the last of them; before the first, where the request wants to go on
	resumed  int
}

// opening is the first message of a stream.
type opening interface {
	proto.Message
	GetResumeToken() string
}

// source is what traces and enumerations do differently. F is a message of the stream, I an item.
type source[F, I any] interface {
	// begin reads what the request says: the number after which it wants to go on, and the most items; 0: all.
	begin() (after, most int64)
	// ask prepares the next call: for the items after one, at most so many; 0: all. token is that of the opening, empty
	// before there is one. The order is the one in which they have to come.
	ask(token string, after, most int64) order.Order
	// open makes the call.
	open(context.Context) (grpc.ServerStreamingClient[F], error)
	// read tells what a message carries; all of it may be missing.
	read(*F) (o opening, items []*I, progress *zermelov1.Progress)
	// sequence is the number of an item that follows another one.
	sequence(item *I, before int64) int64
	// took counts an item that is going to be yielded.
	took(*I)
	// check compares the summary, which is the last message, with what came in this call.
	check(summary *F) error
	// end keeps the summary, as that of the whole stream.
	end(summary *F)
}

// items ranges over the items of a stream, once.
func items[F, I any](s *stream, from source[F, I]) iter.Seq2[*I, error] {
	return func(yield func(*I, error) bool) {
		if s.ranged {
			yield(nil, ErrRanged)
			return
		}
		s.ranged = true
		s.last, s.limit = from.begin()
		failed := 0 // attempts in a row that have brought no item
		for {
			before := s.received
			summary, err := oneCall(s, from, yield)
			if err == nil {
				if summary != nil { // or the loop was left
					from.end(summary)
				}
				return
			}
			failed++
			if s.received > before {
				failed = 0
			}
			if err = s.interrupted(err, failed); err != nil {
				yield(nil, err)
				return
			}
			s.resumed++
		}
	}
}

// oneCall asks for what is still missing and yields the items. It returns the message with the summary; neither that nor
// an error when the loop was left.
func oneCall[F, I any](s *stream, from source[F, I], yield func(*I, error) bool) (summary *F, err error) {
	token, after, most := "", s.last, s.limit
	again := false // the only item of this call is the last one so far, and not to be yielded again
	if s.opening != nil {
		token = s.opening.GetResumeToken()
		if s.limit > 0 && s.received > 0 {
			most -= s.received
		}
		if again = s.limit > 0 && most == 0; again {
			// Only the summary is missing, but 0 items would be all. To ask for the last one once more gives the summary
			// that the first call would have had: it tells whether others would follow.
			after, most = after-1, 1
		}
	}
	inOrder := from.ask(token, after, most)
	for frame, err := range frames(s.ctx, s.busyAttempts, from.open) {
		if err != nil {
			return nil, err
		}
		if err := inOrder.Take(any(frame).(proto.Message)); err != nil {
			return nil, s.broken(err)
		}
		opening, items, progress := from.read(frame)
		if err := s.opened(opening); err != nil {
			return nil, s.broken(err)
		}
		if progress != nil && s.onProgress != nil {
			statistics := progress.GetStatistics()
			if statistics == nil {
				statistics = &zermelov1.Statistics{}
			}
			s.onProgress(statistics)
		}
		for _, item := range items {
			sequence := from.sequence(item, inOrder.Last)
			if err := inOrder.Add(sequence); err != nil {
				return nil, s.broken(err)
			}
			if again {
				if sequence != s.last { // with a filter, a later one would be in order
					return nil, s.broken(inOrder.Unexpected(sequence))
				}
				continue
			}
			s.received++
			s.last = sequence
			from.took(item)
			if !yield(item, nil) {
				return nil, nil
			}
		}
		if inOrder.Ended {
			if err := from.check(frame); err != nil {
				return nil, s.broken(err)
			}
			if again && inOrder.Count == 0 {
				return nil, s.broken(fmt.Errorf("%s %d does not come again", s.item, s.last))
			}
			summary = frame // which counts only once the status OK has followed it
		}
	}
	if summary == nil {
		return nil, s.broken(ErrTruncated)
	}
	return summary, nil
}

// opened takes the opening of a call, if it is there: the first one of the stream, or one that agrees with it.
func (s *stream) opened(opening opening) error {
	if opening == nil {
		return nil
	}
	if s.opening == nil {
		s.opening = opening
		return nil
	}
	first, now := s.opening.ProtoReflect(), opening.ProtoReflect()
	fields := first.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if now.Has(field) != first.Has(field) || !now.Get(field).Equal(first.Get(field)) {
			return fmt.Errorf("the opening of the resumed stream has another %s than the first one", field.Name())
		}
	}
	return nil
}

// broken is the error of a stream that is not as it has to be.
func (s *stream) broken(err error) error {
	return &ProtocolError{Method: s.method, LastSequence: s.last, Err: err}
}

// OnProgress has f told the work done so far whenever the server gives a sign of life, which it does at least once a
// second while it has nothing else to send. f runs within the loop, between two items; it is never given nil. To be set
// before ranging; nil for nobody.
func (s *stream) OnProgress(f func(*zermelov1.Statistics)) { s.onProgress = f }

// Resumed is how often the call was made again after it had failed. Calls that a busy server refuses before the first
// message are not counted, nor told of.
func (s *stream) Resumed() int { return s.resumed }

// OnResume has f told why the call failed whenever it is going to be made again, before the pause that comes first. f
// runs within the loop, between two items. To be set before ranging; nil for nobody.
func (s *stream) OnResume(f func(error)) { s.onResume = f }

// frames is one streaming call as a sequence of its messages: made when ranging begins, cancelled when it ends. A
// status other than OK comes once, last. While there is no message yet, a busy server is asked up to so many times.
func frames[F any](
	ctx context.Context,
	attempts int,
	open func(context.Context) (grpc.ServerStreamingClient[F], error),
) iter.Seq2[*F, error] {
	return func(yield func(*F, error) bool) {
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
func begin[F any](
	ctx context.Context,
	attempts int,
	open func(context.Context) (grpc.ServerStreamingClient[F], error),
) (grpc.ServerStreamingClient[F], *F, error) {
	for attempt := 1; ; attempt++ {
		stream, err := open(ctx)
		var first *F
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
