package show

import (
	"fmt"
	"strings"

	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// lineMovesShown is how many moves of the main line are shown.
const lineMovesShown = 40

// Analysis writes what every move of a position is worth, the first rows of them. more is what to type for all.
func Analysis(out *Output, position *zermelov1.Position, a *zermelov1.AnalyzeResponse, rows int, more string) error {
	words, err := games.All().Describe(position)
	if err != nil {
		return err
	}
	s := a.GetSolution()
	out.heading(words.Title(), ": ", out.Style.Verdict(s), width(Style{}.Verdict(s)))
	if len(a.GetMoves()) == 0 {
		out.wrap("", plain, words.Over())
		return nil
	}
	if result := words.Result(s); result != "" {
		out.wrap("", plain, result)
	}
	if remark := words.Remark(s); remark != "" {
		out.wrap("", faint, remark)
	}
	out.Line()
	Moves(out, words, a, rows)
	if left := len(a.GetMoves()) - rows; left > 0 {
		out.wrap(tableMargin, faint, fmt.Sprintf("%s more%s", Count(int64(left)), more))
	}
	out.Line()
	bestPlay(out, words, a)
	out.Line()
	out.wrap("", faint, bestOf(a)+" "+how(s))
	return nil
}

// Moves writes the table of the first rows of the moves.
func Moves(out *Output, words words.Position, a *zermelov1.AnalyzeResponse, rows int) {
	shown := a.GetMoves()[:min(len(a.GetMoves()), max(rows, 0))]
	columns := []Column{{Head: "Move"}, {Head: "Worth"}, {Head: "Moves to end", Right: true}, {Head: "What it does", cut: true}}
	if a.GetSolution().Cost != nil { // one player
		columns[0].Head, columns[1].Head, columns[2].Head, columns[3].Head = "Guess", "At worst", "Wrong guesses", "What it leaves"
	}
	distances := a.MovesToEnd != nil
	if !distances {
		columns = append(columns[:2], columns[3])
	}
	t := newTable(out, len(shown), columns...)
	for _, m := range shown {
		does := words.Move(m.GetMove().GetNotation())
		if m.Cost != nil {
			does = words.Leaves(m.GetMove().GetNext())
		}
		cells := []Cell{{m.GetMove().GetNotation(), strong}, rankedWorth(m)}
		if distances {
			cells = append(cells, Cell{Count(m.GetMovesToEnd()), plain})
		}
		t.row(append(cells, Cell{does, plain})...)
	}
	t.end()
}

// rankedWorth is what a move is worth to who makes it.
func rankedWorth(m *zermelov1.RankedMove) Cell {
	value := m.Margin
	if m.Cost != nil {
		value = m.Cost
	}
	return worth(m.GetOutcome(), value)
}

// bestPlay writes the main line: with the running score where players look at that, as moves alone otherwise.
func bestPlay(out *Output, words words.Position, a *zermelov1.AnalyzeResponse) {
	head := "Best play of both from here"
	if a.GetSolution().Cost != nil {
		head = "Best guesses against the worst answers"
	}
	out.Line(out.Style.Strong(head))
	moves := make([]string, 0, len(a.GetMainLine()))
	for _, m := range a.GetMainLine() {
		moves = append(moves, m.GetNotation())
	}
	// Of a line that was cut, the score at the end is not known.
	if turns := words.Play(moves); len(turns) > 0 && turns[len(turns)-1].Last {
		turnsTable(out, turns)
		return
	}
	out.wrap(tableMargin, plain, mainLine(a))
}

// mainLine writes the main line, or its beginning.
func mainLine(a *zermelov1.AnalyzeResponse) string {
	moves := make([]string, 0, lineMovesShown)
	for _, m := range a.GetMainLine()[:min(len(a.GetMainLine()), lineMovesShown)] {
		moves = append(moves, m.GetNotation())
	}
	line := strings.Join(moves, "  ")
	left := a.GetMainLineLength() - int64(len(moves))
	switch {
	case a.MainLineLength != nil && left > 0:
		return fmt.Sprintf("%s  ... (%s in all)", line, Counted(a.GetMainLineLength(), "move"))
	case len(a.GetMainLine()) > lineMovesShown:
		return line + "  ..."
	default:
		return line
	}
}

// bestOf says how many of the moves are best, and whether one is the only one.
func bestOf(a *zermelov1.AnalyzeResponse) string {
	best, all := a.GetSolution().GetBestMoveCount(), int64(len(a.GetMoves()))
	thing := "move"
	if a.GetSolution().Cost != nil {
		thing = "guess"
	}
	switch {
	case all == 1:
		return "It is the only " + thing + "."
	case equalLosses(a.GetSolution()) && all == 2:
		return "Both moves lose."
	case equalLosses(a.GetSolution()):
		return fmt.Sprintf("All %s moves lose.", Count(all))
	case best == 2 && all == 2:
		return "Both " + manyOf(2, thing)[2:] + " are best."
	case best == 1:
		return fmt.Sprintf("Only one of %s is best.", manyOf(all, thing))
	case best == all:
		return fmt.Sprintf("All %s are best.", manyOf(all, thing))
	default:
		return fmt.Sprintf("%s of %s are best.", Count(best), manyOf(all, thing))
	}
}

// manyOf writes a number of moves or guesses.
func manyOf(n int64, thing string) string {
	if thing == "guess" && n != 1 {
		return Count(n) + " guesses"
	}
	return Counted(n, thing)
}
