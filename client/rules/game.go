// Package rules is the kit of the rules by which package proof checks proofs: what the checker asks of a game
// ([Game]); how outcomes follow from each other in games that are won or lost ([WinLoss]); and how positions and moves are
// written. The rooms of package games have the rules of each game.
//
// All of it has to be believed by whoever believes a proof. It imports the generated messages and the standard library,
// and shares no code with the solver.
package rules

import (
	"errors"
	"fmt"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Game is what the checker knows of one game: its rules, as seen from the root position, and what is proved. There is
// always a current position: in the beginning the root position, then the one that was last read.
type Game interface {
	// Read makes the position that text names the current one. The error says why text does not name a position that
	// play can reach from the root position; then the current position is undefined.
	Read(text string) error
	// Over says whether the game is over at the current position.
	Over() bool
	// Proved says whether the current position is proved.
	Proved() bool
	// Plays is how many moves the shortest and the longest play from the root position to the current one have, at which
	// the game is not over. There is a play for every number between them. Both are 0 at the root position only.
	Plays() (shortest, longest uint64)
	// Decide proves the current position by a decision, if it follows from what is proved. number is that of the
	// decision, from 1. The error says why it does not follow.
	Decide(event *zermelov1.Event, number int64) error
	// Apply proves the current position, which is the root position, by a theorem. The error says why it does not follow.
	Apply(event *zermelov1.Event) error
	// Conclude is the value of the current position, the root position. The game is over there, or it was just proved.
	Conclude() Result
	// Keeps says whether a move at the current position, the root position, keeps its value, as far as the rules and the
	// proof tell. The error says why the move is not legal.
	Keeps(move string) (kept, known bool, err error)
}

// Result is the value of the root position, for the player to move.
type Result struct {
	// Outcome is who wins, with `lead` counted where there is one; unset in a game of one player.
	Outcome zermelov1.Outcome
	// Value is what is still to come, a margin or a cost; nil in games that are won or lost.
	Value *int64
	// Margin is the margin with `lead`; nil in games without one.
	Margin *int64
}

// ErrNotation says that a text is not how the contract writes the positions of the game, or its moves.
var ErrNotation = errors.New("is not written as the contract writes it")

// ErrNoTheorem is the answer to a theorem of games about which none is known.
var ErrNoTheorem = errors.New("there is no theorem about this game")

// CheckBecause checks the number of the decision about the position after the move of an event. number is the right one;
// 0 when the game is over there.
func CheckBecause(event *zermelov1.Event, number int64) error {
	switch {
	case event.GetBecause() == number:
		return nil
	case number == 0:
		return fmt.Errorf("it rests on decision %d; no decision is needed, the game being over after its move",
			event.GetBecause())
	default:
		return fmt.Errorf("it rests on decision %d; its move leads to the position of decision %d",
			event.GetBecause(), number)
	}
}

// quotedMost is how many bytes of a position or a move a message shows; a position of Nim can have a million.
const quotedMost = 80

// Quote quotes a text of an event, cut where it is long.
func Quote(text string) string {
	if len(text) > quotedMost {
		return fmt.Sprintf("%q…", text[:quotedMost])
	}
	return fmt.Sprintf("%q", text)
}
