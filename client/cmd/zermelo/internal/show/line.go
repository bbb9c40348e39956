package show

import (
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// lineMost is how many decisions are kept for the line of best play. A trace with more has none.
const lineMost = 10_000

// bestLine finds the play in which both players make the moves that decide: from the root position on, the move of its
// decision and then that of the decision it rests on. It is for the games in which every position has such a move. A
// nil one takes nothing and finds nothing.
type bestLine struct {
	decisions map[int64]*zermelov1.Event // nil once there were too many
	root      *zermelov1.Event
}

// newBestLine makes one for a position; nil where moves alone do not say more.
func newBestLine(root words.Position) *bestLine {
	if root.Play(nil) == nil {
		return nil
	}
	return &bestLine{decisions: map[int64]*zermelov1.Event{}}
}

// add takes the next event.
func (l *bestLine) add(e *zermelov1.Event) {
	switch {
	case l == nil || l.decisions == nil || e.GetKind() != zermelov1.EventKind_EVENT_KIND_DECIDED:
	case len(l.decisions) == lineMost:
		l.decisions = nil
	default:
		l.decisions[e.GetSequence()] = e
		if e.GetDepth() == 0 {
			l.root = e
		}
	}
}

// moves are those of the line; nil when it is not known to its end.
func (l *bestLine) moves() []string {
	if l == nil || l.decisions == nil || l.root == nil {
		return nil
	}
	var moves []string
	for e := l.root; ; {
		moves = append(moves, e.GetMove())
		if e.GetBecause() == 0 {
			return moves
		}
		// A decision rests on an earlier one, so that this ends.
		next := l.decisions[e.GetBecause()]
		if next == nil || next.GetSequence() >= e.GetSequence() {
			return nil
		}
		e = next
	}
}

// BestPlay writes the play in which both players make the moves that decide, out of all decisions about a position. It
// reports whether they tell.
func BestPlay(out *Output, position *zermelov1.Position, decisions []*zermelov1.Event) (known bool, err error) {
	root, err := out.Games.Describe(position)
	if err != nil {
		return false, err
	}
	line := newBestLine(root)
	for _, e := range decisions {
		line.add(e)
	}
	turns := root.Play(line.moves())
	play(out, turns)
	return len(turns) > 0, nil
}
