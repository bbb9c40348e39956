package client

import (
	"errors"
	"fmt"
)

// ErrTruncated is the cause of a [ProtocolError] when a stream ended with the status OK but without a summary. What
// was yielded until then is right, but not all there is.
var ErrTruncated = errors.New("the stream ended without a summary")

// ErrRanged is yielded when an explanation or an enumeration is ranged over a second time. Each is one call; ask for
// another.
var ErrRanged = errors.New("client: a stream can be ranged over once only")

// errNoSolution is the cause of a ProtocolError of Solve and Analyze.
var errNoSolution = errors.New("the answer has no solution")

// ProtocolError says that a server, or something between here and it, broke the contract of zermelo.v1: a stream that
// breaks off, repeats or skips something, or whose summary does not fit. It is not a gRPC status.
type ProtocolError struct {
	// Method is the RPC: "Explain".
	Method string
	// LastSequence is how far the stream was right: in Explain the sequence number of the last event yielded, without
	// one the request's `resume_after_sequence`; in EnumeratePositions the number of positions yielded.
	LastSequence int64
	// Err is what was wrong; [ErrTruncated] where that applies.
	Err error
}

// Error names the RPC, what was wrong, and how far the stream was right.
func (e *ProtocolError) Error() string {
	switch e.Method {
	case "Explain":
		return fmt.Sprintf("client: Explain: after event %d: %v", e.LastSequence, e.Err)
	case "EnumeratePositions":
		return fmt.Sprintf("client: EnumeratePositions: after %d positions: %v", e.LastSequence, e.Err)
	default:
		return fmt.Sprintf("client: %s: %v", e.Method, e.Err)
	}
}

// Unwrap is what was wrong.
func (e *ProtocolError) Unwrap() error { return e.Err }

// What can be wrong with a message of a stream, whatever it carries.
var (
	errEmptyMessage = errors.New("a message carries nothing")
	errEmptyBatch   = errors.New("a batch is empty")
	errAfterSummary = errors.New("a message follows the summary")
)

// differs is the error of a summary whose count is not what was received.
func differs(what string, said, received int64) error {
	return fmt.Errorf("the summary says %s %d where %d was received", what, said, received)
}
