package proof

import (
	"errors"
	"fmt"

	"github.com/zermelo-games/zermelo/client/rules"
)

// ErrPosition is wrapped by the error about an root position that is not legal, or has no game known here.
var ErrPosition = errors.New("proof: the root position is not legal")

// ErrIncomplete is wrapped by the error about a proof that stops before the root position is decided.
var ErrIncomplete = errors.New("proof: the root position is not decided")

// ErrDisagrees is wrapped by the error about a solution that says something else than what was proved.
var ErrDisagrees = errors.New("proof: the solution is not what was proved")

// WrongError names the first event of a proof that is wrong.
type WrongError struct {
	// Sequence is the place of the event in the proof, counted from 1. An event that is right about its own number says
	// the same.
	Sequence int64
	// Position is the position that the event names, whether or not there is one.
	Position string
	// Why is what is wrong with the event.
	Why string
}

// Error quotes the position, cut where it is long.
func (e *WrongError) Error() string {
	return fmt.Sprintf("proof: event %d, about %s: %s", e.Sequence, rules.Quote(e.Position), e.Why)
}
