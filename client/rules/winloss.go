package rules

import (
	"errors"
	"fmt"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Outcomes, shorter.
const (
	// Unknown is no outcome.
	Unknown = zermelov1.Outcome_OUTCOME_UNSPECIFIED
	// Win is a position that is won for the player to move.
	Win = zermelov1.Outcome_OUTCOME_WIN
	// Loss is one that is lost.
	Loss = zermelov1.Outcome_OUTCOME_LOSS
	// Draw is one that is neither.
	Draw = zermelov1.Outcome_OUTCOME_DRAW
)

// WinUnless is the outcome in games in which nothing is drawn.
func WinUnless(lost bool) zermelov1.Outcome {
	if lost {
		return Loss
	}
	return Win
}

// reverse is what an outcome is for the other player.
func reverse(outcome zermelov1.Outcome) zermelov1.Outcome {
	switch outcome {
	case Win:
		return Loss
	case Loss:
		return Win
	default:
		return outcome
	}
}

// Known is what is known of a position of a win/loss game: its outcome, and the number of the decision that proved it,
// which is 0 when the game is over there. The zero value is that nothing is known.
type Known uint64

// KnownAs is this outcome, proved by the decision of this number.
func KnownAs(outcome zermelov1.Outcome, number int64) Known { return Known(number)<<2 | Known(outcome) }

func (k Known) outcome() zermelov1.Outcome { return zermelov1.Outcome(k & 3) }

func (k Known) number() int64 { return int64(k >> 2) }

// WinLoss are the rules of one win/loss game, as seen from the root position, and what is proved. M is a move. Moves are
// those at the current position.
type WinLoss[M any] interface {
	// Read and Plays are those of [Game].
	Read(text string) error
	Plays() (shortest, longest uint64)
	// Ended is who has won when the game is over at the current position, and otherwise [Unknown].
	Ended() zermelov1.Outcome
	// Found is what is proved of the current position.
	Found() Known
	// Record remembers what is proved of the current position.
	Record(Known)
	// First is a legal move, and Next the one after it, until there is no further one. Moves that lead to the same
	// position may be left out, but for one of them. The game is not over.
	First() M
	Next(M) (M, bool)
	// Move reads a legal move. The error says why text is none.
	Move(text string) (M, error)
	// After is what the rules or the proof tell of the position after a move.
	After(M) Known
	// Print is the notation of a move.
	Print(M) string
}

// Foreteller is implemented by rules of games about which there is a theorem.
type Foreteller[M any] interface {
	// Theorem is the theorem.
	Theorem() zermelov1.Theorem
	// Foretell is what it says of the current position, or [Unknown] when it does not apply.
	Foretell() zermelov1.Outcome
	// ForetellAfter is what it says of the position after a move, over or not, when it applies to the current one.
	ForetellAfter(M) zermelov1.Outcome
}

// NewWinLoss is the game with these rules.
func NewWinLoss[M any](rules WinLoss[M]) Game {
	foreteller, _ := rules.(Foreteller[M])
	return &winLoss[M]{WinLoss: rules, theorem: foreteller}
}

// winLoss is what all win/loss games have in common.
type winLoss[M any] struct {
	WinLoss[M]
	theorem Foreteller[M] // nil where there is none
	// foretold says that the root position is proved by the theorem.
	foretold bool
}

// Over is that of Game, like all that is exported below.
func (w *winLoss[M]) Over() bool { return w.Ended() != Unknown }

func (w *winLoss[M]) Proved() bool { return w.Found() != 0 }

// Decide is how outcomes follow from each other. A position is won when some move leads to one that is lost for the
// player who then moves; lost when every move leads to a won one; drawn when some move leads to a drawn one, and none to
// a lost one.
func (w *winLoss[M]) Decide(event *zermelov1.Event, number int64) error {
	if event.Value != nil {
		return errors.New("it has a value; this game is won or lost, by nothing")
	}
	outcome := event.GetOutcome()
	if outcome != Win && outcome != Draw && outcome != Loss {
		return fmt.Errorf("its outcome is %v", outcome)
	}
	if outcome == Loss {
		if err := lacksMove(event); err != nil {
			return err
		}
	} else if err := w.checkMove(event); err != nil {
		return err
	}
	if outcome != Win {
		if err := w.checkAll(outcome); err != nil {
			return err
		}
	}
	w.Record(KnownAs(outcome, number))
	return nil
}

// lacksMove is for a lost position, which no move decides.
func lacksMove(event *zermelov1.Event) error {
	switch {
	case event.GetMove() != "":
		return fmt.Errorf("it is lost, whatever is played, and has the move %s", Quote(event.GetMove()))
	case event.GetBecause() != 0:
		return fmt.Errorf("it has no move, and rests on decision %d", event.GetBecause())
	default:
		return nil
	}
}

// checkMove checks that the move leads to the outcome, and that it is known because of the decision that is named.
func (w *winLoss[M]) checkMove(event *zermelov1.Event) error {
	move, err := w.Move(event.GetMove())
	if err != nil {
		return fmt.Errorf("its move %w", err)
	}
	after := w.After(move)
	if after == 0 {
		return fmt.Errorf("its move %s leads to a position that is not proved", Quote(event.GetMove()))
	}
	if reverse(after.outcome()) != event.GetOutcome() {
		return fmt.Errorf("its move %s leads to %v, which is not %v from the other side",
			Quote(event.GetMove()), after.outcome(), event.GetOutcome())
	}
	return CheckBecause(event, after.number())
}

// checkAll checks that no move leads to something better than outcome, which is a loss or a draw.
func (w *winLoss[M]) checkAll(outcome zermelov1.Outcome) error {
	for move, more := w.First(), true; more; move, more = w.Next(move) {
		switch after := w.After(move).outcome(); {
		case after == Win || after == Draw && outcome == Draw:
		case after == Unknown:
			return fmt.Errorf("it is said to be %v, and move %s leads to a position that is not proved",
				outcome, Quote(w.Print(move)))
		default:
			return fmt.Errorf("it is said to be %v, and move %s leads to %v from the other side",
				outcome, Quote(w.Print(move)), after)
		}
	}
	return nil
}

// Apply checks that the theorem applies, that it says what the event says, and that the move is as good as it says.
func (w *winLoss[M]) Apply(event *zermelov1.Event) error {
	if w.theorem == nil {
		return ErrNoTheorem
	}
	if event.GetTheorem() != w.theorem.Theorem() {
		return fmt.Errorf("%v is no theorem about this game; %v is", event.GetTheorem(), w.theorem.Theorem())
	}
	if event.Value != nil {
		return errors.New("it has a value; this game is won or lost, by nothing")
	}
	switch outcome := w.theorem.Foretell(); {
	case outcome == Unknown:
		return fmt.Errorf("%v does not apply here", event.GetTheorem())
	case event.GetOutcome() != outcome:
		return fmt.Errorf("it says %v; by %v it is %v", event.GetOutcome(), event.GetTheorem(), outcome)
	case outcome == Loss:
		if err := lacksMove(event); err != nil {
			return err
		}
	default:
		move, err := w.Move(event.GetMove())
		if err != nil {
			return fmt.Errorf("its move %w", err)
		}
		if after := w.theorem.ForetellAfter(move); reverse(after) != outcome {
			return fmt.Errorf("its move %s leads to %v from the other side", Quote(event.GetMove()), after)
		}
		if event.GetBecause() != 0 {
			return fmt.Errorf("it rests on decision %d; a theorem rests on none", event.GetBecause())
		}
	}
	w.foretold = true
	return nil
}

func (w *winLoss[M]) Conclude() Result { return Result{Outcome: w.outcome()} }

// outcome is that of the root position, in the end.
func (w *winLoss[M]) outcome() zermelov1.Outcome {
	switch {
	case w.Over():
		return w.Ended()
	case w.foretold:
		return w.theorem.Foretell()
	default:
		return w.Found().outcome()
	}
}

func (w *winLoss[M]) Keeps(text string) (kept, known bool, err error) {
	move, err := w.Move(text)
	if err != nil {
		return false, false, err
	}
	after := w.After(move).outcome()
	if w.foretold {
		after = w.theorem.ForetellAfter(move)
	}
	return reverse(after) == w.outcome(), after != Unknown, nil
}
