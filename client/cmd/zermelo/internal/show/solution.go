package show

import (
	"fmt"

	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Solution writes the solution of a position. more is what to type for more best moves than are listed.
func Solution(out *Output, position *zermelov1.Position, s *zermelov1.Solution, more string) error {
	words, err := games.All().Describe(position)
	if err != nil {
		return err
	}
	out.heading(words.Title(), ": ", out.Style.Verdict(s), width(Style{}.Verdict(s)))
	if len(s.GetBestMoves()) == 0 {
		out.wrap("", plain, words.Over())
	} else if result := words.Result(s); result != "" {
		out.wrap("", plain, result)
	}
	if remark := words.Remark(s); remark != "" {
		out.wrap("", faint, remark)
	}
	if len(s.GetBestMoves()) == 0 { // nothing had to be found
		return nil
	}
	out.Line()
	if equalLosses(s) {
		out.Line("Every move loses:")
	}
	moves(out, words, s)
	out.Line()
	out.wrap("", faint, bestMoves(s, more)+how(s))
	return nil
}

// equalLosses reports whether the moves are those of a lost position of a win/loss game, where all are as good.
func equalLosses(s *zermelov1.Solution) bool {
	return s.GetOutcome() == zermelov1.Outcome_OUTCOME_LOSS && s.Margin == nil
}

// moves writes the table of the best moves.
func moves(out *Output, words words.Position, s *zermelov1.Solution) {
	heads := []Column{{Head: "Best move"}, {Head: "What it does", cut: true}, {Head: "Leaves the other", cut: true}}
	switch {
	case s.Cost != nil: // one player
		heads[0].Head, heads[2].Head = "Best guess", "Leaves"
	case equalLosses(s):
		heads[0].Head = "Move"
	}
	t := newTable(out, len(s.GetBestMoves()), heads...)
	for _, move := range s.GetBestMoves() {
		leaves := Cell{words.Leaves(move.GetNext()), plain}
		if move.GetNextOmitted() {
			leaves = Cell{"(left out: too large)", faint}
		}
		t.row(Cell{move.GetNotation(), strong}, Cell{words.Move(move.GetNotation()), plain}, leaves)
	}
	t.end()
}

// bestMoves says how many best moves there are.
func bestMoves(s *zermelov1.Solution, more string) string {
	shown := int64(len(s.GetBestMoves()))
	thing, things := "best move", "best moves"
	switch {
	case s.Cost != nil:
		thing, things = "best guess", "best guesses"
	case equalLosses(s):
		thing, things = "move", "moves"
	}
	listed := fmt.Sprintf("%d %s", shown, things)
	if shown == 1 {
		listed = "1 " + thing
	}
	switch {
	case s.BestMoveCount == nil:
		return listed + " listed; how many there are cannot be said" + more + ". "
	case s.GetBestMoveCount() > shown:
		return fmt.Sprintf("The first %d of %s %s%s. ", shown, Count(s.GetBestMoveCount()), things, more)
	default:
		return listed + ". "
	}
}

// how says by what work the answer was found.
func how(s *zermelov1.Solution) string {
	switch s.GetMethod() {
	case zermelov1.Method_METHOD_CLOSED_FORM:
		return "Found by a closed form, without a search."
	case zermelov1.Method_METHOD_GAME_ALGORITHM:
		return "Found by an algorithm made for this game."
	default:
		w := s.GetStatistics()
		return fmt.Sprintf("Found by searching %s, %s of them met again, in %s.",
			Counted(w.GetPositionsExpanded(), "position"), Count(w.GetMemoHits()), took(w.GetElapsed().AsDuration()))
	}
}
