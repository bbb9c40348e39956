package proof

import (
	"errors"
	"fmt"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	unknown = zermelov1.Outcome_OUTCOME_UNSPECIFIED
	win     = zermelov1.Outcome_OUTCOME_WIN
	loss    = zermelov1.Outcome_OUTCOME_LOSS
	draw    = zermelov1.Outcome_OUTCOME_DRAW
)

// reverse is what an outcome is for the other player.
func reverse(outcome zermelov1.Outcome) zermelov1.Outcome {
	switch outcome {
	case win:
		return loss
	case loss:
		return win
	default:
		return outcome
	}
}

// worth is what is known of a position of a win/loss game: its outcome, and the number of the decision that proved it,
// which is 0 when the game is over there. The zero value is not known.
type worth uint64

func worthOf(outcome zermelov1.Outcome, number int64) worth { return worth(number)<<2 | worth(outcome) }

func (w worth) outcome() zermelov1.Outcome { return zermelov1.Outcome(w & 3) }

func (w worth) number() int64 { return int64(w >> 2) }

// rules are the rules of one win/loss game, as seen from the asked position, and what is proved. M is a move. Moves are
// those at the current position.
type rules[M any] interface {
	read(text string) error
	plays() (shortest, longest uint64)
	// ended is who has won when the game is over at the current position, and otherwise unknown.
	ended() zermelov1.Outcome
	// found is what is proved of the current position.
	found() worth
	// record remembers what is proved of the current position.
	record(worth)
	// first is a legal move, and next the one after it, until there is no further one. Moves that lead to the same
	// position may be left out, but for one of them. The game is not over.
	first() M
	next(M) (M, bool)
	// move reads a legal move. The error says why text is none.
	move(text string) (M, error)
	// after is what the rules or the proof tell of the position after a move.
	after(M) worth
	// print is the notation of a move.
	print(M) string
	// theorem is the theorem about this game. foretell is what it says of the current position, or unknown when it does
	// not apply, and foretellAfter of the position after a move, over or not, when it applies to the current one.
	theorem() zermelov1.Theorem
	foretell() zermelov1.Outcome
	foretellAfter(M) zermelov1.Outcome
}

// winLoss is the game with these rules: what all win/loss games have in common.
type winLoss[M any] struct {
	rules[M]
	// foretold says that the asked position is proved by the theorem.
	foretold bool
}

func (w *winLoss[M]) over() bool { return w.ended() != unknown }

func (w *winLoss[M]) proved() bool { return w.found() != 0 }

// decide is how outcomes follow from each other. A position is won when some move leads to one that is lost for the
// player who then moves; lost when every move leads to a won one; drawn when some move leads to a drawn one, and none to
// a lost one.
func (w *winLoss[M]) decide(event *zermelov1.Event, number int64) error {
	if event.Value != nil {
		return errors.New("it has a value; this game is won or lost, by nothing")
	}
	outcome := event.GetOutcome()
	if outcome != win && outcome != draw && outcome != loss {
		return fmt.Errorf("its outcome is %v", outcome)
	}
	if outcome == loss {
		if err := lacksMove(event); err != nil {
			return err
		}
	} else if err := w.checkMove(event); err != nil {
		return err
	}
	if outcome != win {
		if err := w.checkAll(outcome); err != nil {
			return err
		}
	}
	w.record(worthOf(outcome, number))
	return nil
}

// lacksMove is for a lost position, which no move decides.
func lacksMove(event *zermelov1.Event) error {
	switch {
	case event.GetMove() != "":
		return fmt.Errorf("it is lost, whatever is played, and has the move %s", quote(event.GetMove()))
	case event.GetBecause() != 0:
		return fmt.Errorf("it has no move, and rests on decision %d", event.GetBecause())
	default:
		return nil
	}
}

// checkMove checks that the move leads to the outcome, and that it is known because of the decision that is named.
func (w *winLoss[M]) checkMove(event *zermelov1.Event) error {
	move, err := w.move(event.GetMove())
	if err != nil {
		return fmt.Errorf("its move %w", err)
	}
	after := w.after(move)
	if after == 0 {
		return fmt.Errorf("its move %s leads to a position that is not proved", quote(event.GetMove()))
	}
	if reverse(after.outcome()) != event.GetOutcome() {
		return fmt.Errorf("its move %s leads to %v, which is not %v from the other side",
			quote(event.GetMove()), after.outcome(), event.GetOutcome())
	}
	return checkBecause(event, after.number())
}

// checkBecause checks the number of the decision about the position after the move.
func checkBecause(event *zermelov1.Event, number int64) error {
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

// checkAll checks that no move leads to something better than outcome, which is a loss or a draw.
func (w *winLoss[M]) checkAll(outcome zermelov1.Outcome) error {
	for move, more := w.first(), true; more; move, more = w.next(move) {
		switch after := w.after(move).outcome(); {
		case after == win || after == draw && outcome == draw:
		case after == unknown:
			return fmt.Errorf("it is said to be %v, and move %s leads to a position that is not proved",
				outcome, quote(w.print(move)))
		default:
			return fmt.Errorf("it is said to be %v, and move %s leads to %v from the other side",
				outcome, quote(w.print(move)), after)
		}
	}
	return nil
}

// apply checks that the theorem applies, that it says what the event says, and that the move is as good as it says.
func (w *winLoss[M]) apply(event *zermelov1.Event) error {
	if event.GetTheorem() != w.theorem() {
		return fmt.Errorf("%v is no theorem about this game; %v is", event.GetTheorem(), w.theorem())
	}
	if event.Value != nil {
		return errors.New("it has a value; this game is won or lost, by nothing")
	}
	switch outcome := w.foretell(); {
	case outcome == unknown:
		return fmt.Errorf("%v does not apply here", event.GetTheorem())
	case event.GetOutcome() != outcome:
		return fmt.Errorf("it says %v; by %v it is %v", event.GetOutcome(), event.GetTheorem(), outcome)
	case outcome == loss:
		if err := lacksMove(event); err != nil {
			return err
		}
	default:
		move, err := w.move(event.GetMove())
		if err != nil {
			return fmt.Errorf("its move %w", err)
		}
		if after := w.foretellAfter(move); reverse(after) != outcome {
			return fmt.Errorf("its move %s leads to %v from the other side", quote(event.GetMove()), after)
		}
		if event.GetBecause() != 0 {
			return fmt.Errorf("it rests on decision %d; a theorem rests on none", event.GetBecause())
		}
	}
	w.foretold = true
	return nil
}

func (w *winLoss[M]) conclude() *Verdict { return &Verdict{Outcome: w.outcome(), game: w} }

// outcome is that of the asked position, in the end.
func (w *winLoss[M]) outcome() zermelov1.Outcome {
	switch {
	case w.over():
		return w.ended()
	case w.foretold:
		return w.foretell()
	default:
		return w.found().outcome()
	}
}

func (w *winLoss[M]) keeps(text string) (kept, known bool, err error) {
	move, err := w.move(text)
	if err != nil {
		return false, false, err
	}
	after := w.after(move).outcome()
	if w.foretold {
		after = w.foretellAfter(move)
	}
	return reverse(after) == w.outcome(), after != unknown, nil
}
