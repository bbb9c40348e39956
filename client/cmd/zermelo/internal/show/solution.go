package show

import (
	"fmt"

	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// answer begins a page about a position: its title, its value, and what else there is to say about that.
func answer(out *Output, root words.Position, s *zermelov1.Solution) {
	out.heading(root.Title(), ": ", out.Style.verdict(s))
	if len(s.GetBestMoves()) == 0 {
		out.Paragraph(root.Over())
	} else if result := root.Result(s); result != "" {
		out.Paragraph(result)
	}
	if remark := root.Remark(s); remark != "" {
		out.wrap("", faint, remark)
	}
}

// Solution writes the solution of a position. more is what to type for more best moves than are listed.
func Solution(out *Output, position *zermelov1.Position, s *zermelov1.Solution, more string) error {
	root, err := out.Games.Describe(position)
	if err != nil {
		return err
	}
	answer(out, root, s)
	if len(s.GetBestMoves()) == 0 {
		return nil
	}
	out.Line()
	if equalLosses(s) {
		out.Line("Every move loses:")
	}
	bestMoves(out, root, s)
	out.Line()
	out.wrap("", faint, listed(s, more)+" "+how(s))
	return nil
}

// bestMoves writes the table of the best moves.
func bestMoves(out *Output, root words.Position, s *zermelov1.Solution) {
	head := "Best move"
	if equalLosses(s) {
		head = "Move"
	}
	t := newRows(out, len(s.GetBestMoves()), Column{Head: head}, Column{Head: "What it does", Wrap: true}, Column{Head: "Leaves", Wrap: true})
	for _, move := range s.GetBestMoves() {
		leaves := Text(root.Leaves(move.GetNext()))
		if move.GetNextOmitted() {
			leaves = Cell{"(left out: too large)", faint}
		}
		t.add(Cell{move.GetNotation(), strong}, Text(root.Move(move.GetNotation())), leaves)
	}
	t.end()
}

// listed says how many best moves there are, and how many of them are listed.
func listed(s *zermelov1.Solution, more string) string {
	shown, thing := int64(len(s.GetBestMoves())), "best move"
	if equalLosses(s) {
		thing = "move"
	}
	switch {
	case s.BestMoveCount == nil:
		return Counted(shown, thing) + " listed; there may be others" + more + "."
	case s.GetBestMoveCount() > shown:
		return fmt.Sprintf("The first %d of %s%s.", shown, Counted(s.GetBestMoveCount(), thing), more)
	default:
		return Counted(shown, thing) + "."
	}
}
