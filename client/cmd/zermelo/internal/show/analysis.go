package show

import (
	"fmt"
	"strings"

	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	// lineMovesShown is how many moves of the main line are shown.
	lineMovesShown = 40
	// turnsShown is how many of them are shown with the score after each.
	turnsShown = 12
)

// Analysis writes the value of every move of a position, the first most of them. more is what to type for all.
func Analysis(out *Output, position *zermelov1.Position, a *zermelov1.AnalyzeResponse, most int, more string) error {
	root, err := out.Games.Describe(position)
	if err != nil {
		return err
	}
	answer(out, root, a.GetSolution())
	if len(a.GetMoves()) == 0 {
		return nil
	}
	out.Line()
	moves(out, root, a, most, more)
	out.Line()
	out.Line(out.Style.Strong("Best play from here"))
	// Of a line that was cut, the score at the end is not known.
	turns := root.Play(notations(a.GetMainLine(), len(a.GetMainLine())))
	if len(turns) > 0 && turns[len(turns)-1].Last {
		play(out, turns)
	} else {
		out.wrap(tableMargin, plain, mainLine(a))
	}
	out.Line()
	out.wrap("", faint, bestOf(a)+" "+how(a.GetSolution()))
	return nil
}

// moves writes the table of the first moves, as many as most.
func moves(out *Output, root words.Position, a *zermelov1.AnalyzeResponse, most int, more string) {
	shown := a.GetMoves()[:min(len(a.GetMoves()), max(most, 0))]
	columns := []Column{{Head: "Move"}, {Head: "Value"}, {Head: "Moves to end", Right: true}, {Head: "What it does", Wrap: true}}
	if a.GetSolution().Cost != nil { // one player, whose moves are answered
		columns[3].Head = "What it leaves"
	}
	distances := a.MovesToEnd != nil
	if !distances {
		columns = append(columns[:2], columns[3])
	}
	t := newRows(out, len(shown), columns...)
	for _, m := range shown {
		does := root.Move(m.GetMove().GetNotation())
		if m.Cost != nil {
			does = root.Leaves(m.GetMove().GetNext())
		}
		cells := []Cell{{m.GetMove().GetNotation(), strong}, valueOf(m)}
		if distances {
			cells = append(cells, Text(Count(m.GetMovesToEnd())))
		}
		t.add(append(cells, Text(does))...)
	}
	t.end()
	if left := len(a.GetMoves()) - len(shown); left > 0 {
		out.wrap(tableMargin, faint, Count(int64(left))+" more"+more)
	}
}

// play writes a play with the score after each move, or the beginning of it.
func play(out *Output, turns []words.Turn) {
	shown := turns[:min(len(turns), turnsShown)]
	t := newRows(out, len(shown), Column{Head: "Player"}, Column{Head: "Takes"}, Column{Head: "Leaves", Wrap: true},
		Column{Head: "First", Right: true}, Column{Head: "Second", Right: true})
	for i, turn := range shown {
		player := []string{"first", "second"}[i%2]
		t.add(Text(player), Cell{turn.Takes, strong}, Text(turn.Leaves), Text(turn.Mine), Text(turn.Theirs))
	}
	t.end()
	if left := len(turns) - len(shown); left > 0 {
		last := turns[len(turns)-1]
		out.wrap(tableMargin, faint, fmt.Sprintf("%s later it ends with %s to %s.", Counted(int64(left), "move"), last.Mine, last.Theirs))
	}
}

// mainLine is the main line, or its beginning.
func mainLine(a *zermelov1.AnalyzeResponse) string {
	shown := notations(a.GetMainLine(), lineMovesShown)
	line := strings.Join(shown, " ")
	switch {
	case a.MainLineLength != nil && a.GetMainLineLength() > int64(len(shown)):
		return fmt.Sprintf("%s ... (%s in all)", line, Counted(a.GetMainLineLength(), "move"))
	case len(a.GetMainLine()) > len(shown):
		return line + " ..."
	default:
		return line
	}
}

// bestOf says how many of the moves are best, and whether one is the only one.
func bestOf(a *zermelov1.AnalyzeResponse) string {
	s := a.GetSolution()
	best, all := s.GetBestMoveCount(), int64(len(a.GetMoves()))
	switch {
	case all == 1:
		return "It is the only move."
	case equalLosses(s) && all == 2:
		return "Both moves lose."
	case equalLosses(s):
		return "All " + Counted(all, "move") + " lose."
	case best == 2 && all == 2:
		return "Both moves are best."
	case best == 1:
		return "Only one of " + Counted(all, "move") + " is best."
	case best == all:
		return "All " + Counted(all, "move") + " are best."
	default:
		return Count(best) + " of " + Counted(all, "move") + " are best."
	}
}
