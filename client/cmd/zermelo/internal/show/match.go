package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/match"
	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// namedMost is how many moves a sentence names.
const namedMost = 3

// Match shows a match to the person who plays it.
type Match struct {
	out   *Output
	match *match.Match
	title string
	// alone says that there is one player, who guesses.
	alone bool
}

// NewMatch makes one. The error says that the game is not known here.
func NewMatch(out *Output, position *zermelov1.Position, m *match.Match) (*Match, error) {
	words, err := games.All().Describe(position)
	if err != nil {
		return nil, err
	}
	return &Match{out: out, match: m, title: words.Title(), alone: position.GetGuessNumber() != nil}, nil
}

// words are those of where the match stands. Its game is known.
func inWords(p *zermelov1.Position) words.Position {
	w, _ := games.All().Describe(p)
	return w
}

// Begin says what is played and how. without says that distances are not known.
func (v *Match) Begin(without bool) {
	v.out.Line(v.out.Style.Strong(v.title))
	if len(v.match.Analysis().GetMoves()) == 0 {
		return
	}
	who := "The solver moves first, you second."
	switch {
	case v.alone:
		who = "You guess; the solver answers so that you pay most."
	case v.match.PersonsTurn():
		who = "You move first, the solver second."
	}
	v.out.wrap("", plain, v.rules())
	v.out.wrap("", plain, who)
	v.out.wrap("", faint, fmt.Sprintf("Type a move, such as %s.", v.example()))
	v.out.wrap("", faint, "Or type hint, moves, undo, give up or help.")
	if without {
		v.out.wrap("", faint, "The game is too large to know how far its end is: the solver does not hurry to win, nor "+
			"choose what lasts longest when it loses.")
	}
}

// rules are those of the game.
func (v *Match) rules() string { return inWords(v.match.Position()).Rules() }

// example is a legal move and what it does.
func (v *Match) example() string {
	move := legal(v.match.Analysis())[0]
	return fmt.Sprintf("%s (%s)", move, inWords(v.match.Position()).Move(move))
}

// Board draws where the match stands.
func (v *Match) Board() {
	v.out.Line()
	v.board()
	if s := v.match.Analysis().GetSolution(); s.Margin != nil {
		if lead := leadOf(v.match.Position()); lead != 0 {
			v.out.Line(tableMargin, v.out.Style.Faint("you are "+aheadBy(lead)))
		}
	}
	if v.alone && v.match.Paid() > 0 {
		v.out.Line(tableMargin, v.out.Style.Faint("paid so far: "+Count(v.match.Paid())))
	}
}

// board writes the rows of the board, wrapped behind their labels.
func (v *Match) board() {
	const gap = "  "
	rows := inWords(v.match.Position()).Board()
	label := 0
	for _, row := range rows {
		label = max(label, width(row.Label))
	}
	indent := 0
	if label > 0 {
		indent = label + len(gap)
	}
	for _, row := range rows {
		left := ""
		if label > 0 {
			left = strings.Repeat(" ", label-width(row.Label)) + v.out.Style.Faint(row.Label) + gap
		}
		lines := wrapped(row.Text, v.out.Style.width()-len(tableMargin)-indent)
		if len(lines) == 0 { // a pile without stones
			lines = []string{""}
		}
		for _, line := range lines {
			v.out.Line(tableMargin, left, line)
			left = strings.Repeat(" ", indent)
		}
	}
}

// leadOf is by how much the player to move is ahead.
func leadOf(p *zermelov1.Position) int64 {
	if g := p.GetStoneGame(); g != nil {
		return g.GetLead()
	}
	return p.GetPredictTheWinner().GetLead()
}

func aheadBy(lead int64) string {
	if lead < 0 {
		return "behind by " + strings.TrimPrefix(Count(lead), "-")
	}
	return "ahead by " + Count(lead)
}

// Help tells the rules again and lists what can be typed.
func (v *Match) Help() {
	v.out.wrap("", plain, v.rules())
	for _, line := range [][2]string{
		{legal(v.match.Analysis())[0], "a move: " + inWords(v.match.Position()).Move(legal(v.match.Analysis())[0])},
		{"moves", "list the moves with what each is worth; moves all: every one"},
		{"hint", "name a best move"},
		{"undo", "take back your last move, and the solver's answer"},
		{"give up", "end the match, and see the best play from here; so does quit"},
		{"help", "this list"},
	} {
		v.out.Line(tableMargin, v.out.Style.Strong(line[0]), strings.Repeat(" ", max(helpIndent-width(line[0]), 1)), line[1])
	}
}

// helpIndent is where the explanations of [Match.Help] begin.
const helpIndent = 10

// Hint names the best move.
func (v *Match) Hint() {
	moves := v.match.Analysis().GetMoves()
	best := moves[0]
	text := best.GetMove().GetNotation() + " is best"
	if len(moves) == 1 {
		text = best.GetMove().GetNotation() + " is the only move"
	}
	switch {
	case v.alone:
		text += fmt.Sprintf(": with it, %s more will do", Count(best.GetCost()))
	case best.Margin != nil:
		text += ": with it you end " + endsAt(best.GetMargin())
	case best.GetOutcome() == zermelov1.Outcome_OUTCOME_WIN:
		text += ": it wins"
	case best.GetOutcome() == zermelov1.Outcome_OUTCOME_DRAW:
		text += ": it keeps the draw"
	case len(moves) == 1:
		text += ": it loses"
	case best.MovesToEnd == nil:
		text = "There is no good move: every one loses"
	default:
		text += ": every move loses, and with this one it takes longest"
	}
	if best.MovesToEnd != nil && !v.alone && best.Margin == nil {
		text += fmt.Sprintf(" (%s to the end)", Counted(best.GetMovesToEnd(), "move"))
	}
	v.out.wrap("", plain, text+".")
}

// endsAt is a margin in words.
func endsAt(margin int64) string {
	if margin == 0 {
		return "level"
	}
	return aheadBy(margin)
}

// Moves lists the first rows of the moves.
func (v *Match) Moves(rows int) {
	a := v.match.Analysis()
	v.out.Line()
	Moves(v.out, inWords(v.match.Position()), a, rows)
	if left := len(a.GetMoves()) - rows; left > 0 {
		v.out.wrap(tableMargin, faint, Count(int64(left))+" more (moves all lists them)")
	}
}

// Illegal says that what was typed is no legal move.
func (v *Match) Illegal(typed string) {
	moves := legal(v.match.Analysis())
	v.out.wrap("", plain, fmt.Sprintf("%q is not a legal move here; %s would be, and moves lists them all.", Cut(typed),
		either(moves[:min(len(moves), namedMost)])))
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

// either joins moves by commas and "or".
func either(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " or " + texts[len(texts)-1]
}

// best names the best moves of a turn, some of them.
func best(t match.Turn) string {
	moves := t.Analysis.GetSolution().GetBestMoves()
	named := make([]string, 0, namedMost)
	for _, m := range moves[:min(len(moves), namedMost)] {
		named = append(named, m.GetNotation())
	}
	return either(named)
}

// Judge says whether a move of the person kept the value, and what became of a guess.
func (v *Match) Judge(t match.Turn) {
	text, p := verdict(t)
	v.out.wrap("", p, text)
	if v.alone {
		v.answer(t)
	}
}

// verdict is what there is to say of a move.
func verdict(t match.Turn) (string, paint) {
	top := t.Best()
	switch {
	case top.Cost != nil && t.Kept():
		return "That is a best guess.", good
	case top.Cost != nil:
		return fmt.Sprintf("That may cost %s more than %s would.", Count(t.Move.GetCost()-top.GetCost()), best(t)), bad
	case top.Margin != nil && t.Kept():
		return "That is a best move: with it you end " + endsAt(top.GetMargin()) + ".", good
	case top.Margin != nil && t.Worse():
		return fmt.Sprintf("That gives away %s, and with it the %s: %s would have kept it.",
			Count(top.GetMargin()-t.Move.GetMargin()), prize(top), best(t)), bad
	case top.Margin != nil:
		return fmt.Sprintf("That gives away %s; %s would not have.", Count(top.GetMargin()-t.Move.GetMargin()), best(t)), bad
	case !t.Kept():
		return fmt.Sprintf("That gives the %s away: %s would have kept it.", prize(top), best(t)), bad
	case top.GetOutcome() == zermelov1.Outcome_OUTCOME_LOSS:
		return lost(t), plain
	case top.GetOutcome() == zermelov1.Outcome_OUTCOME_WIN && t.Move.GetMovesToEnd() > top.GetMovesToEnd():
		return fmt.Sprintf("That keeps the win; %s would win sooner.", top.GetMove().GetNotation()), good
	default:
		return "That keeps the " + prize(top) + ".", good
	}
}

// lost is what there is to say of a move where every one loses.
func lost(t match.Turn) string {
	top := t.Best()
	switch {
	case len(t.Analysis.GetMoves()) == 1:
		return "That was the only move, and it loses."
	case t.Move.MovesToEnd == nil:
		return "Every move loses here."
	case t.Move.GetMovesToEnd() < top.GetMovesToEnd():
		return fmt.Sprintf("Every move loses here; %s would have lasted longest.", top.GetMove().GetNotation())
	default:
		return "Every move loses here, and none lasts longer than yours."
	}
}

// prize is what a move that is not lost holds.
func prize(m *zermelov1.RankedMove) string {
	if m.GetOutcome() == zermelov1.Outcome_OUTCOME_DRAW {
		return "draw"
	}
	return "win"
}

// answer says in which range the solver lets the number be.
func (v *Match) answer(t match.Turn) {
	side := "higher"
	if v.match.Position().GetGuessNumber().GetLow() == t.Position.GetGuessNumber().GetLow() {
		side = "lower"
	}
	v.out.wrap("", plain, fmt.Sprintf("The number is %s.", side))
}

// Reply tells the solver's move.
func (v *Match) Reply(t match.Turn) {
	notation := t.Move.GetMove().GetNotation()
	v.out.wrap("", plain, fmt.Sprintf("The solver plays %s (%s).", notation, inWords(t.Position).Move(notation)))
}

// Undone says what was taken back.
func (v *Match) Undone(mine match.Turn) {
	v.out.wrap("", plain, fmt.Sprintf("Your %s is taken back.", mine.Move.GetMove().GetNotation()))
}

// GiveUp ends the match, and shows the best play and where it was decided so far.
func (v *Match) GiveUp() {
	a := v.match.Analysis()
	from, to := "The best play of both from here", "a draw"
	switch s := a.GetSolution(); {
	case v.alone:
		from, to = "The best guesses from here", "find it for "+Count(s.GetCost())+" more at worst"
	case s.Margin != nil:
		to = "an end with you " + endsAt(s.GetMargin())
	case s.GetOutcome() == zermelov1.Outcome_OUTCOME_WIN:
		to = "a win for you"
	case s.GetOutcome() == zermelov1.Outcome_OUTCOME_LOSS:
		to = "a win for the solver"
	}
	v.out.wrap("", plain, fmt.Sprintf("The match ends here. %s, to %s:", from, to))
	v.out.wrap(tableMargin, plain, mainLine(a))
	v.decided()
}

// decided says where the person gave away who wins. It reports whether there was such a move.
func (v *Match) decided() bool {
	turn, before := v.match.Decided()
	if turn != nil {
		v.out.wrap("", plain, fmt.Sprintf("It was decided at move %d, your %s: %s would have kept the %s.", before+1,
			turn.Move.GetMove().GetNotation(), best(*turn), prize(turn.Best())))
	}
	return turn != nil
}

// End says who has won, and where it was decided.
func (v *Match) End() {
	if len(v.match.Turns()) == 0 { // nothing was to be played
		v.out.wrap("", plain, inWords(v.match.Position()).Over())
		return
	}
	v.out.Line()
	v.board()
	v.out.Line()
	if v.alone {
		v.endOfGuessing()
		return
	}
	outcome, margin := v.match.Outcome(), ""
	if s := v.match.Analysis().GetSolution(); s.Margin != nil && s.GetMargin() != 0 {
		margin = " by " + strings.TrimPrefix(Count(s.GetMargin()), "-")
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
		v.out.wrap("", plain, "You could not help it: the position was lost from the beginning.")
	case outcome == zermelov1.Outcome_OUTCOME_WIN:
		v.out.wrap("", plain, "You kept the win from the beginning to the end.")
	default:
		v.out.wrap("", plain, "It was a draw from the beginning, and both kept it.")
	}
}

// endOfGuessing says what was paid, and what would have been enough.
func (v *Match) endOfGuessing() {
	turns := v.match.Turns()
	enough := turns[0].Analysis.GetSolution().GetCost()
	text := fmt.Sprintf("You have found it for %s; ", Count(v.match.Paid()))
	if v.match.Paid() <= enough {
		v.out.wrap("", good, text+"nobody can be sure to do it for less.")
		return
	}
	v.out.wrap("", bad, text+Count(enough)+" would have been enough.")
	for i, t := range turns {
		if !t.Kept() {
			v.out.wrap("", plain, fmt.Sprintf("Guess %d, your %s, cost %s of that: %s would have been best.", i+1,
				t.Move.GetMove().GetNotation(), Count(t.Move.GetCost()-t.Best().GetCost()), best(t)))
		}
	}
}
