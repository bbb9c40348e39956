package proof

import (
	"errors"
	"fmt"
	"iter"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Check reads a proof of what asked is worth and accepts it, or names the first event that is wrong, with a
// [*WrongError]. It reads no further than to that event, nor beyond an error of events, which is returned as it is. The
// error wraps [ErrPosition] when asked is not a legal position, and [ErrIncomplete] when the events end too early.
func Check(asked *zermelov1.Position, events iter.Seq2[*zermelov1.Event, error]) (*Verdict, error) {
	checker, err := NewChecker(asked)
	if err != nil {
		return nil, err
	}
	for event, err := range events {
		if err != nil {
			return nil, err
		}
		if err := checker.Add(event); err != nil {
			return nil, err
		}
	}
	return checker.Verdict()
}

// Checker checks a proof event by event. It holds what is proved so far, and no event. It is for one goroutine.
type Checker struct {
	game     game
	accepted int64
	verdict  *Verdict
	wrong    *WrongError
}

// game is what the checker knows of one game: its rules, as seen from the asked position, and what is proved. There is
// always a current position: in the beginning the asked one, then the one that was last read.
type game interface {
	// read makes the position that text names the current one. The error says why text does not name a position that
	// play can reach from the asked one; then the current position is undefined.
	read(text string) error
	// over says whether the game is over at the current position.
	over() bool
	// proved says whether the current position is proved.
	proved() bool
	// plays is how many moves the shortest and the longest play from the asked position to the current one have, at which
	// the game is not over. There is a play for every number between them. Both are 0 at the asked position only.
	plays() (shortest, longest uint64)
	// decide proves the current position by a decision, if it follows from what is proved. The error says why it does
	// not.
	decide(event *zermelov1.Event, number int64) error
	// apply proves the current position, which is the asked one, by a theorem. The error says why it does not follow.
	apply(event *zermelov1.Event) error
	// conclude is what the current position, the asked one, is worth. It is over or was just proved.
	conclude() *Verdict
	// keeps says whether a move at the current position, the asked one, keeps what it is worth, as far as the rules and
	// the proof tell. The error says why the move is not legal.
	keeps(move string) (kept, known bool, err error)
}

// NewChecker begins to check a proof of what asked is worth. asked is neither changed nor kept. The error wraps
// [ErrPosition] and says why asked is not a legal position.
func NewChecker(asked *zermelov1.Position) (*Checker, error) {
	game, err := newGame(asked)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	c := &Checker{game: game}
	if game.over() {
		c.verdict = game.conclude()
	}
	return c, nil
}

func newGame(asked *zermelov1.Position) (game, error) {
	switch asked := asked.GetGame().(type) {
	case *zermelov1.Position_Nim:
		return newNim(asked.Nim)
	case *zermelov1.Position_CanIWin:
		return newCanIWin(asked.CanIWin)
	case *zermelov1.Position_HundredGame:
		return newHundred(asked.HundredGame)
	case *zermelov1.Position_PredictTheWinner:
		return newPredictTheWinner(asked.PredictTheWinner)
	case *zermelov1.Position_StoneGame:
		return newStoneGame(asked.StoneGame)
	case *zermelov1.Position_GuessNumber:
		return newGuess(asked.GuessNumber)
	default:
		return nil, errors.New("it has no game that is known here")
	}
}

// Add checks the next event. It does not keep the event. The error is a [*WrongError]; after one, it is the same for
// every further event, and nothing is proved any more.
func (c *Checker) Add(event *zermelov1.Event) error {
	if c.wrong != nil {
		return c.wrong
	}
	last, err := c.check(event)
	if err != nil {
		c.wrong = &WrongError{Sequence: c.accepted + 1, Position: event.GetPosition(), Why: err.Error()}
		return c.wrong
	}
	c.accepted++
	if last {
		c.verdict = c.game.conclude()
		c.verdict.Move = event.GetMove()
		c.verdict.Decisions = c.accepted
		if c.verdict.Theorem = event.GetTheorem(); c.verdict.Theorem != zermelov1.Theorem_THEOREM_UNSPECIFIED {
			c.verdict.Decisions = 0
		}
	}
	return nil
}

// check checks what is the same for all games, and then has the game check the rest. last says that the event was about
// the asked position.
func (c *Checker) check(event *zermelov1.Event) (last bool, err error) {
	switch {
	case c.verdict != nil && c.accepted == 0:
		return false, errors.New("the game is over at the asked position, which leaves nothing to prove")
	case c.verdict != nil:
		return false, errors.New("it follows the decision about the asked position, which is the last of a proof")
	case event.GetSequence() != c.accepted+1:
		return false, fmt.Errorf("it has the number %d; the next one is %d", event.GetSequence(), c.accepted+1)
	}
	if err := c.game.read(event.GetPosition()); err != nil {
		return false, fmt.Errorf("its position %w", err)
	}
	switch {
	case c.game.over():
		return false, errors.New("the game is over at its position, which leaves nothing to decide")
	case c.game.proved():
		return false, errors.New("its position was decided before")
	}
	shortest, longest := c.game.plays()
	if depth := uint64(event.GetDepth()); depth < shortest || depth > longest {
		return false, fmt.Errorf("no play of %d moves leads to its position", depth)
	}
	last = longest == 0
	switch event.GetKind() {
	case zermelov1.EventKind_EVENT_KIND_DECIDED:
		if event.GetTheorem() != zermelov1.Theorem_THEOREM_UNSPECIFIED {
			return false, errors.New("it is a decision, and names a theorem")
		}
		return last, c.game.decide(event, c.accepted+1)
	case zermelov1.EventKind_EVENT_KIND_THEOREM:
		if !last || c.accepted > 0 {
			return false, errors.New("a theorem about the asked position has to be the whole proof")
		}
		return last, c.game.apply(event)
	default:
		return false, fmt.Errorf("its kind is %v; a proof has decisions, or one theorem", event.GetKind())
	}
}

// Verdict is what the proof proves. The error is the [*WrongError] of the first wrong event, or it wraps
// [ErrIncomplete] when the asked position has not been decided yet.
func (c *Checker) Verdict() (*Verdict, error) {
	switch {
	case c.wrong != nil:
		return nil, c.wrong
	case c.verdict == nil:
		return nil, fmt.Errorf("%w: the proof ends after %d events", ErrIncomplete, c.accepted)
	default:
		return c.verdict, nil
	}
}
