package admission

import (
	"fmt"
	"time"
)

// The bounds of the advice when to try again. How much of it to wait is for the caller to vary, so that those refused
// together do not come back together.
const (
	// MinRetryAfter is the shortest advice.
	MinRetryAfter = 100 * time.Millisecond
	// MaxRetryAfter is the longest advice.
	MaxRetryAfter = 5 * time.Second
)

// Cause is why a call was not admitted.
type Cause uint8

// The causes.
const (
	// CauseMemory: the memory is taken, all of it or the part of it that streams may hold.
	CauseMemory Cause = iota
	// CauseSolves: as many solves as may are running.
	CauseSolves
	// CauseStreams: as many streams as may are running.
	CauseStreams
	// CauseQueue: and as many calls as may are waiting.
	CauseQueue
	// CauseTooLarge: the call asks for more memory than any may have.
	CauseTooLarge
	// CauseLeft: the context of the call ended before its turn came.
	CauseLeft

	causes
)

// Causes lists all causes.
func Causes() []Cause {
	return []Cause{CauseMemory, CauseSolves, CauseStreams, CauseQueue, CauseTooLarge, CauseLeft}
}

// String gives the name of the cause, as a metric has it.
func (c Cause) String() string {
	switch c {
	case CauseMemory:
		return "memory"
	case CauseSolves:
		return "solves"
	case CauseStreams:
		return "streams"
	case CauseQueue:
		return "queue"
	case CauseTooLarge:
		return "too_large"
	case CauseLeft:
		return "left"
	default:
		return "unknown"
	}
}

// BusyError says that the server is at work on as much as it may. The same call will be admitted later.
type BusyError struct {
	// Full is what there was not enough of: CauseMemory, CauseSolves, CauseStreams or CauseQueue.
	Full Cause
	// RetryAfter is when it makes sense to try again, from [MinRetryAfter] to [MaxRetryAfter]: about the time that the work
	// that was admitted, and that which waits, takes.
	RetryAfter time.Duration
}

// Error says what is full, and when to try again.
func (e *BusyError) Error() string {
	what := "all of its memory is taken"
	switch e.Full {
	case CauseSolves:
		what = "as many solves as it runs at a time are running"
	case CauseStreams:
		what = "as many streams as it runs at a time are open"
	case CauseQueue:
		what = "as many calls as may wait are waiting"
	default:
	}
	return fmt.Sprintf("the server is busy: %s; try again in %v, or another server now", what, e.RetryAfter)
}

// TooLargeError says that a call asks for more memory than this gate ever gives to one of its kind.
type TooLargeError struct {
	// Kind is the kind of the call.
	Kind Kind
	// Asked is the memory it asks for, in bytes.
	Asked uint64
	// Limit is the most that a call of this kind may ask for, in bytes.
	Limit uint64
}

// Error says what was asked and what the limit is.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("it takes up to %d bytes of memory, and the limit of a %s on this server is %d",
		e.Asked, e.Kind, e.Limit)
}
