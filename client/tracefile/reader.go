package tracefile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/internal/order"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// ErrTruncated is the cause of a [ReadError] when a file ends before its summary does. What was yielded until then is
// right, but not all there is.
var ErrTruncated = errors.New("the file ends before the trace does")

// ErrRanged is yielded when the events of a [Reader] are ranged over a second time.
var ErrRanged = order.ErrRanged

// ReadError says why a file cannot be read on, and how far it was right.
type ReadError struct {
	// Message is the number of the message that was wrong or missing, from 1, which is the request.
	Message int64
	// LastSequence is the sequence number of the last event that was right; without one, the `resume_after_sequence` of
	// the request.
	LastSequence int64
	// Err is what was wrong; it wraps [ErrTruncated] where that applies.
	Err error
}

// Error says after which event the file is wrong, and how.
func (e *ReadError) Error() string {
	return fmt.Sprintf("tracefile: after event %d: message %d: %v", e.LastSequence, e.Message, e.Err)
}

// Unwrap is what was wrong.
func (e *ReadError) Unwrap() error { return e.Err }

// What can be wrong with the request and the opening of a file.
var (
	errNoPosition    = errors.New("the request has no position")
	errOtherPosition = errors.New("the opening is about another position than the request")
)

// Reader reads one trace. It is for one goroutine.
type Reader struct {
	next  func(into proto.Message) error
	count int64 // messages begun
	order order.Order
	file  io.Closer // nil when there is none to close

	ranged  bool
	request *zermelov1.ExplainRequest
	opening *zermelov1.Opening
	summary *zermelov1.Summary
}

// NewReader reads the request and the opening of a trace. The error is a [*ReadError]: a file in which these are not
// whole is of no use.
func NewReader(r io.Reader, f Format) (*Reader, error) {
	reader := &Reader{next: f.messages(r), count: 1, request: &zermelov1.ExplainRequest{}}
	if err := reader.begin(); err != nil {
		return nil, reader.wrong(err)
	}
	return reader, nil
}

// Open reads the file at a path, in the format of its name; see [FormatOf]. The reader must be closed. The error is that
// of the operating system or, as for NewReader, a [*ReadError].
func Open(path string) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	reader, err := NewReader(file, FormatOf(path))
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	reader.file = file
	return reader, nil
}

// Close closes the file of a reader that Open made; otherwise it does nothing.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Request is what was asked; never nil. It has a position.
func (r *Reader) Request() *zermelov1.ExplainRequest { return r.request }

// Opening says what is explained; never nil. Its position is that of the request.
func (r *Reader) Opening() *zermelov1.Opening { return r.opening }

// Events ranges over the events, once; a second time yields [ErrRanged]. Their numbers increase, without gaps unless the
// request has a filter.
//
// An error, a [*ReadError], comes once, last, with a nil event. When the loop ends by itself and without an error, the
// file was read to its end, and the trace in it is whole.
func (r *Reader) Events() iter.Seq2[*zermelov1.Event, error] {
	return func(yield func(*zermelov1.Event, error) bool) {
		if r.ranged {
			yield(nil, ErrRanged)
			return
		}
		r.ranged = true
		var summary *zermelov1.Summary // counts only when nothing follows it
		for {
			frame, err := r.message()
			if errors.Is(err, io.EOF) && summary != nil {
				r.summary = summary
				return
			}
			if err != nil {
				yield(nil, r.wrong(err))
				return
			}
			summary = frame.GetSummary()
			for _, event := range frame.GetEvents().GetEvents() {
				if err := r.order.Add(event.GetSequence()); err != nil {
					yield(nil, r.wrong(err))
					return
				}
				if !yield(event, nil) {
					return
				}
			}
		}
	}
}

// Summary says how the trace ended: nil until the loop over its events ended by itself and without an error.
func (r *Reader) Summary() *zermelov1.Summary { return r.summary }

// begin reads the request and the opening.
func (r *Reader) begin() error {
	if err := r.next(r.request); err != nil {
		return err
	}
	if r.request.GetPosition() == nil {
		return errNoPosition
	}
	r.order = order.OfTrace(r.request)
	frame, err := r.message()
	if err != nil {
		return err
	}
	if r.opening = frame.GetOpening(); !proto.Equal(r.opening.GetPosition(), r.request.GetPosition()) {
		return errOtherPosition
	}
	return nil
}

// message reads the next message of the trace, which has to be in order. In JSON, a newer kind of message has a name that
// is not known, and is an error.
func (r *Reader) message() (*zermelov1.ExplainResponse, error) {
	r.count++
	frame := &zermelov1.ExplainResponse{}
	if err := r.next(frame); err != nil {
		return nil, err
	}
	return frame, r.order.Take(frame)
}

// wrong is the error of the message that was begun last.
func (r *Reader) wrong(err error) error {
	if errors.Is(err, io.EOF) {
		err = ErrTruncated
	} else if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w, within a message", ErrTruncated)
	}
	return &ReadError{Message: r.count, LastSequence: r.order.Last, Err: err}
}
