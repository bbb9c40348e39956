package tracefile

import (
	"errors"
	"fmt"

	"github.com/zermelo-games/zermelo/client/internal/order"
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
