package show

import (
	"fmt"

	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	// lineMost is how many decisions are kept for the line of best play. A trace with more has none.
	lineMost = 10_000
	// lineShown is how many of its moves are shown.
	lineShown = 12
)

// bestLine is the play in which both players make the moves that decide: from the asked position on, the move of its
// decision and then what that decision rests on. It is for the games in which every position has such a move. A nil one
// takes nothing and has nothing to write.
type bestLine struct {
	words     words.Position
	decisions map[int64]*zermelov1.Event // nil once there were too many
	root      *zermelov1.Event
}

// newBestLine makes one for a position; nil where moves alone do not say more.
func newBestLine(words words.Position) *bestLine {
	if words.Play(nil) == nil {
		return nil
	}
	return &bestLine{words: words, decisions: map[int64]*zermelov1.Event{}}
}

// add takes the next event.
func (l *bestLine) add(e *zermelov1.Event) {
	if l == nil || l.decisions == nil || e.GetKind() != zermelov1.EventKind_EVENT_KIND_DECIDED {
		return
	}
	if len(l.decisions) == lineMost {
		l.decisions = nil
		return
	}
	l.decisions[e.GetSequence()] = e
	if e.GetDepth() == 0 {
		l.root = e
	}
}

// moves are those of the line; nil when it is not known to its end.
func (l *bestLine) moves() []string {
	if l.root == nil || l.decisions == nil {
		return nil
	}
	var moves []string
	for e := l.root; ; {
		moves = append(moves, e.GetMove())
		before := e.GetBecause()
		if before == 0 {
			return moves
		}
		// A decision rests on earlier ones, so that this comes to an end.
		next := l.decisions[before]
		if next == nil || before >= e.GetSequence() {
			return nil
		}
		e = next
	}
}

// write writes the line below what there is already.
func (l *bestLine) write(out *Output) {
	if l == nil {
		return
	}
	moves := l.moves()
	if turns := l.words.Play(moves); len(turns) > 0 {
		out.Line()
		out.Line(out.Style.Strong("Best play of both from here"))
		turnsTable(out, turns)
	}
}

// BestPlay writes the play in which both players make the moves that decide, out of all decisions about a position. It
// reports whether these tell.
func BestPlay(out *Output, position *zermelov1.Position, decisions []*zermelov1.Event) (played bool, err error) {
	words, err := games.All().Describe(position)
	if err != nil {
		return false, err
	}
	line := newBestLine(words)
	for _, e := range decisions {
		line.add(e)
	}
	if line == nil || len(line.moves()) == 0 {
		return false, nil
	}
	turnsTable(out, words.Play(line.moves()))
	return true, nil
}

// turnsTable writes a play, or its beginning.
func turnsTable(out *Output, turns []words.Turn) {
	shown := turns[:min(len(turns), lineShown)]
	t := newTable(out, len(shown), Column{Head: "Player"}, Column{Head: "Takes"}, Column{Head: "Leaves", cut: true},
		Column{Head: "First", Right: true}, Column{Head: "Second", Right: true})
	for i, turn := range shown {
		player := "first"
		if i%2 == 1 {
			player = "second"
		}
		t.row(Cell{player, plain}, Cell{turn.Takes, strong}, Cell{turn.Leaves, plain}, Cell{turn.Mine, plain}, Cell{turn.Theirs, plain})
	}
	t.end()
	if left := len(turns) - len(shown); left > 0 {
		last := turns[len(turns)-1]
		out.wrap(tableMargin, faint, fmt.Sprintf("%s later it ends with %s to %s.", Counted(int64(left), "move"), last.Mine, last.Theirs))
	}
}
