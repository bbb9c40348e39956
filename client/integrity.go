package client

import (
	"errors"
	"fmt"

	"github.com/zermelo-games/zermelo/client/internal/order"
)

// ErrTruncated is the cause of a [ProtocolError] when a stream ended with the status OK but without a summary. What
// was yielded until then is right, but not all there is.
var ErrTruncated = errors.New("the stream ended without a summary")

// ErrRanged is yielded when an explanation or an enumeration is ranged over a second time. Ask for another.
var ErrRanged = order.ErrRanged

// What can be wrong with the answer of a unary call.
var (
	errNoSolution = errors.New("the answer has no solution")
	errNoGame     = errors.New("the answer has no game")
	errEmptyPage  = errors.New("a page without games is followed by another one")
)

// ProtocolError says that a server, or something between here and it, broke the contract of zermelo.v1: a stream that
// breaks off, repeats or skips something, or whose summary does not fit. It is not a gRPC status.
type ProtocolError struct {
	// Method is the RPC: "Explain".
	Method string
	// LastSequence is how far a stream was right: the sequence number of the last event, or the place of the last
	// position, that was yielded; without one the request's `resume_after_sequence`.
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
		return fmt.Sprintf("client: EnumeratePositions: after position %d: %v", e.LastSequence, e.Err)
	default:
		return fmt.Sprintf("client: %s: %v", e.Method, e.Err)
	}
}

// Unwrap is what was wrong.
func (e *ProtocolError) Unwrap() error { return e.Err }
