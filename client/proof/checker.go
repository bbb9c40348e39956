package proof

import (
	"errors"
	"fmt"
	"iter"

	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/rules"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Check reads a proof of the value of a root position and accepts it, or names the first event that is wrong, with a
// [*WrongError]. It reads no further than to that event, nor beyond an error of events, which is returned as it is. The
// error wraps [ErrPosition] when root is not a legal position, and [ErrIncomplete] when the events end too early.
func Check(
	root *zermelov1.Position, events iter.Seq2[*zermelov1.Event, error], options ...Option,
) (*Verdict, error) {
	checker, err := NewChecker(root, options...)
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
	game     rules.Game
	accepted int64
	verdict  *Verdict
	wrong    *WrongError
}

// Option changes how a proof is checked.
type Option func(*settings)

type settings struct{ known games.List }

// With has the checker know these games instead of [games.All].
func With(known games.List) Option { return func(s *settings) { s.known = known } }

// NewChecker begins to check a proof of the value of a root position. That is neither changed nor kept. The error wraps
// [ErrPosition] and says why it is not a legal position.
func NewChecker(root *zermelov1.Position, options ...Option) (*Checker, error) {
	s := settings{known: games.All()}
	for _, option := range options {
		option(&s)
	}
	entry, err := s.known.Of(root)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	game, err := entry.Rules(root)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	c := &Checker{game: game}
	if game.Over() {
		c.verdict = c.conclude()
	}
	return c, nil
}

func (c *Checker) conclude() *Verdict {
	result := c.game.Conclude()
	return &Verdict{Outcome: result.Outcome, Value: result.Value, Margin: result.Margin, game: c.game}
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
		c.verdict = c.conclude()
		c.verdict.Move = event.GetMove()
		c.verdict.Decisions = c.accepted
		if c.verdict.Theorem = event.GetTheorem(); c.verdict.Theorem != zermelov1.Theorem_THEOREM_UNSPECIFIED {
			c.verdict.Decisions = 0
		}
	}
	return nil
}

// check checks what is the same for all games, and then has the game check the rest. last says that the event was about
// the root position.
func (c *Checker) check(event *zermelov1.Event) (last bool, err error) {
	switch {
	case c.verdict != nil && c.accepted == 0:
		return false, errors.New("the game is over at the root position, which leaves nothing to prove")
	case c.verdict != nil:
		return false, errors.New("it follows the decision about the root position, which is the last of a proof")
	case event.GetSequence() != c.accepted+1:
		return false, fmt.Errorf("it has the number %d; the next one is %d", event.GetSequence(), c.accepted+1)
	}
	if err := c.game.Read(event.GetPosition()); err != nil {
		return false, fmt.Errorf("its position %w", err)
	}
	switch {
	case c.game.Over():
		return false, errors.New("the game is over at its position, which leaves nothing to decide")
	case c.game.Proved():
		return false, errors.New("its position was decided before")
	}
	shortest, longest := c.game.Plays()
	if depth := uint64(event.GetDepth()); depth < shortest || depth > longest {
		return false, fmt.Errorf("no play of %d moves leads to its position", depth)
	}
	last = longest == 0
	switch event.GetKind() {
	case zermelov1.EventKind_EVENT_KIND_DECIDED:
		if event.GetTheorem() != zermelov1.Theorem_THEOREM_UNSPECIFIED {
			return false, errors.New("it is a decision, and names a theorem")
		}
		return last, c.game.Decide(event, c.accepted+1)
	case zermelov1.EventKind_EVENT_KIND_THEOREM:
		if !last || c.accepted > 0 {
			return false, errors.New("a theorem about the root position has to be the whole proof")
		}
		return last, c.game.Apply(event)
	default:
		return false, fmt.Errorf("its kind is %v; a proof has decisions, or one theorem", event.GetKind())
	}
}

// Verdict is what the proof proves. The error is the [*WrongError] of the first wrong event, or it wraps
// [ErrIncomplete] when the root position has not been decided yet.
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
