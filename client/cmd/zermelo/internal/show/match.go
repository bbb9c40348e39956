package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/match"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// namedMost is how many moves a sentence names.
const namedMost = 3

// Match shows a match to the person who plays it.
type Match struct {
	out   *Output
	match *match.Match
}

// NewMatch makes one. The error says that the game is not known here.
func NewMatch(out *Output, m *match.Match) (*Match, error) {
	_, err := out.Games.Describe(m.Position())
	return &Match{out: out, match: m}, err
}

// at puts a position in words, whose game is known.
func (v *Match) at(p *zermelov1.Position) words.Position {
	described, _ := v.out.Games.Describe(p)
	return described
}

// here puts in words where the match stands.
func (v *Match) here() words.Position { return v.at(v.match.Position()) }

// Begin says what is played and how. without says that distances are not known.
func (v *Match) Begin(without bool) {
	v.out.Line(v.out.Style.Strong(v.here().Title()))
	if v.match.Over() {
		return
	}
	who := "The solver moves first, you second."
	switch {
	case v.match.Alone():
		who = "You play alone; the solver answers so that you pay most."
	case v.match.PersonsTurn():
		who = "You move first, the solver second."
	}
	example := legal(v.match.Analysis())[0]
	v.out.Paragraph(v.here().Rules())
	v.out.Paragraph(who)
	v.out.wrap("", faint, fmt.Sprintf("Type a move, such as %s (%s).", example, v.here().Move(example)))
	v.out.wrap("", faint, "Or type hint, moves, undo, give up or help.")
	if without {
		v.out.wrap("", faint, "The game is too large to know how far its end is. So the solver may win slowly, and may lose "+
			"quickly.")
	}
}

// Board draws where the match stands.
func (v *Match) Board() {
	v.out.Line()
	labelled(v.out, Column{Right: true}, faint, v.here().Board())
	if v.match.Paid() > 0 {
		v.out.Line(tableMargin, v.out.Style.Faint("paid so far: "+Count(v.match.Paid())))
	}
}

// Help tells the rules again and lists what can be typed.
func (v *Match) Help() {
	example := legal(v.match.Analysis())[0]
	v.out.Paragraph(v.here().Rules())
	labelled(v.out, Column{}, strong, []words.Row{
		{Label: example, Text: "a move: " + v.here().Move(example)},
		{Label: "moves", Text: "list the moves with the value of each; moves all: every one"},
		{Label: "hint", Text: "name a best move"},
		{Label: "undo", Text: "take back your last move, and the solver's answer"},
		{Label: "give up", Text: "end the match, and see the best play from here; quit is the same"},
		{Label: "help", Text: "this list"},
	})
}

// Hint names the best move.
func (v *Match) Hint() {
	s, best := v.match.Analysis().GetSolution(), v.match.Analysis().GetMoves()[0]
	hint := best.GetMove().GetNotation() + " is best: " + spoken(best)
	switch {
	case equalLosses(s) && best.MovesToEnd == nil:
		hint = "Every move loses"
	case equalLosses(s):
		hint = "Every move loses; " + best.GetMove().GetNotation() + " takes longest"
	}
	if best.MovesToEnd != nil {
		hint += ", " + Counted(best.GetMovesToEnd(), "move") + " to the end"
	}
	v.out.Paragraph(hint + ".")
}

// Moves lists the first moves, as many as most.
func (v *Match) Moves(most int) {
	v.out.Line()
	moves(v.out, v.here(), v.match.Analysis(), most, " (moves all lists them)")
}

// Illegal says that what was typed is no legal move.
func (v *Match) Illegal(typed string) {
	moves := legal(v.match.Analysis())
	v.out.Paragraph(fmt.Sprintf("%q is not a legal move here; %s would be, and moves lists them all.", Cut(typed),
		joined(moves[:min(len(moves), namedMost)], "or")))
}

// legal lists the moves in an order that does not tell which are good.
func legal(a *zermelov1.AnalyzeResponse) []string {
	moves := make([]string, 0, len(a.GetMoves()))
	for _, m := range a.GetMoves() {
		moves = append(moves, m.GetMove().GetNotation())
	}
	slices.SortFunc(moves, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	return moves
}

// bestIn names the best moves of a turn, some of them.
func bestIn(t match.Turn) string {
	return joined(notations(t.Analysis.GetSolution().GetBestMoves(), namedMost), "or")
}

// Judge says whether a move of the person kept the value, and how it was answered.
func (v *Match) Judge(t match.Turn) {
	text, p := verdict(t)
	v.out.wrap("", p, text)
	if answer := v.at(t.Position).Answer(v.match.Position()); answer != "" {
		v.out.Paragraph(answer)
	}
}

// verdict is what there is to say of a move.
func verdict(t match.Turn) (string, paint) {
	top, made := t.Best(), spoken(t.Move)
	switch {
	case !t.Kept():
		return fmt.Sprintf("That makes it %s, not %s: %s would have kept it.", made, spoken(top), bestIn(t)), bad
	case !equalLosses(t.Analysis.GetSolution()) && (top.Margin != nil || t.Move.GetMovesToEnd() <= top.GetMovesToEnd()):
		return "That is a best move: " + made + ".", good
	case !equalLosses(t.Analysis.GetSolution()):
		return fmt.Sprintf("That keeps %s; %s would be quicker.", made, top.GetMove().GetNotation()), good
	case t.Move.MovesToEnd == nil:
		return "Every move loses here.", plain
	case t.Move.GetMovesToEnd() < top.GetMovesToEnd():
		return fmt.Sprintf("Every move loses here; %s would have lasted longest.", top.GetMove().GetNotation()), plain
	default:
		return "Every move loses here, and none lasts longer than yours.", plain
	}
}

// Reply tells the solver's move.
func (v *Match) Reply(t match.Turn) {
	notation := t.Move.GetMove().GetNotation()
	v.out.Paragraph(fmt.Sprintf("The solver plays %s (%s).", notation, v.at(t.Position).Move(notation)))
}

// Undone says what was taken back.
func (v *Match) Undone(mine match.Turn) {
	v.out.Paragraph(fmt.Sprintf("Your %s is taken back.", mine.Move.GetMove().GetNotation()))
}

// GiveUp ends the match, and shows the best play and where it was decided so far.
func (v *Match) GiveUp() {
	a := v.match.Analysis()
	v.out.Paragraph("The match ends here. From here it is " + spoken(a.GetSolution()) + " for you, with the best play:")
	v.out.wrap(tableMargin, plain, mainLine(a))
	v.decided()
}

// decided says where the person gave away who wins. It reports whether there was such a move.
func (v *Match) decided() bool {
	turn, before := v.match.Decided()
	if turn != nil {
		v.out.Paragraph(fmt.Sprintf("It was decided at move %d, your %s: %s would have kept %s.", before+1,
			turn.Move.GetMove().GetNotation(), bestIn(*turn), spoken(turn.Best())))
	}
	return turn != nil
}

// End says who has won, and where it was decided.
func (v *Match) End() {
	if len(v.match.Turns()) == 0 { // nothing was to be played
		v.out.Paragraph(v.here().Over())
		return
	}
	v.out.Line()
	labelled(v.out, Column{Right: true}, faint, v.here().Board())
	v.out.Line()
	if v.match.Alone() {
		v.endAlone()
		return
	}
	outcome, margin := v.match.Outcome(), ""
	if s := v.match.Analysis().GetSolution(); s.Margin != nil && s.GetMargin() != 0 {
		margin = " by " + size(s.GetMargin())
	}
	switch outcome {
	case zermelov1.Outcome_OUTCOME_WIN:
		v.out.wrap("", good, "You win"+margin+".")
	case zermelov1.Outcome_OUTCOME_LOSS:
		v.out.wrap("", bad, "The solver wins"+margin+".")
	default:
		v.out.wrap("", even, "A draw.")
	}
	switch {
	case v.decided():
	case outcome == zermelov1.Outcome_OUTCOME_LOSS:
		v.out.Paragraph("You could not help it: the position was lost from the beginning.")
	case outcome == zermelov1.Outcome_OUTCOME_WIN:
		v.out.Paragraph("You kept the win from the beginning to the end.")
	default:
		v.out.Paragraph("It was a draw from the beginning, and both kept it.")
	}
}

// endAlone says what was paid, and what would have been enough.
func (v *Match) endAlone() {
	turns := v.match.Turns()
	enough := turns[0].Analysis.GetSolution().GetCost()
	text := fmt.Sprintf("You have paid %s; ", Count(v.match.Paid()))
	if v.match.Paid() <= enough {
		v.out.wrap("", good, text+"nobody can be sure to pay less.")
		return
	}
	v.out.wrap("", bad, text+Count(enough)+" would have been enough.")
	for i, t := range turns {
		if !t.Kept() {
			v.out.Paragraph(fmt.Sprintf("Move %d, your %s, cost %s of that: %s would have been best.", i+1,
				t.Move.GetMove().GetNotation(), Count(t.Move.GetCost()-t.Best().GetCost()), bestIn(t)))
		}
	}
}
