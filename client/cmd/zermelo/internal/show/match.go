package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/games"
	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/match"
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
	words, err := games.Describe(position)
	if err != nil {
		return nil, err
	}
	return &Match{out: out, match: m, title: words.Title(), alone: position.GetGuessNumber() != nil}, nil
}

// words are those of where the match stands. Its game is known.
func words(p *zermelov1.Position) games.Words {
	w, _ := games.Describe(p)
	return w
}

// Begin says what is played and how. without says that distances are not known.
func (v *Match) Begin(without bool) {
	v.out.Line(v.out.Style.Strong(v.title))
	moves := v.match.Analysis().GetMoves()
	switch {
	case len(moves) == 0:
		return
	case v.alone:
		v.out.wrap("", plain, "You guess. A wrong guess costs its number; the solver answers so that you pay most.")
	case v.match.PersonsTurn():
		v.out.wrap("", plain, "You move first, the solver second.")
	default:
		v.out.wrap("", plain, "The solver moves first, you second.")
	}
	v.out.wrap("", faint, fmt.Sprintf("Type a move, such as %s, or hint, moves, undo, give up, help.", legal(v.match.Analysis())[0]))
	if without {
		v.out.wrap("", faint, "The game is too large to know how far its end is: the solver does not choose by that.")
	}
}

// Board draws where the match stands.
func (v *Match) Board() {
	v.out.Line()
	for _, line := range words(v.match.Position()).Board() {
		v.out.Line(tableMargin, line)
	}
	if s := v.match.Analysis().GetSolution(); s.Margin != nil {
		if lead := leadOf(v.match.Position()); lead != 0 {
			v.out.Line(tableMargin, v.out.Style.Faint("you are "+aheadBy(lead)))
		}
	}
	if v.alone && v.match.Paid() > 0 {
		v.out.Line(tableMargin, v.out.Style.Faint("paid so far: "+Count(v.match.Paid())))
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

// Help lists what can be typed.
func (v *Match) Help() {
	p := func(word, does string) {
		v.out.Line(tableMargin, v.out.Style.Strong(fmt.Sprintf("%-8s", word)), "  ", does)
	}
	p(legal(v.match.Analysis())[0], "a move, as moves lists them")
	p("moves", "list every move with what it is worth")
	p("hint", "name a best move")
	p("undo", "take back your last move")
	p("give up", "end the match, and see the best play from here")
	p("help", "this list")
}

// Hint names the best move.
func (v *Match) Hint() {
	best := v.match.Analysis().GetMoves()[0]
	text := best.GetMove().GetNotation() + " is best"
	switch {
	case v.alone:
		text += fmt.Sprintf(": with it, %s more will do", Count(best.GetCost()))
	case best.Margin != nil:
		text += ": with it you end " + endsAt(best.GetMargin())
	case best.GetOutcome() == zermelov1.Outcome_OUTCOME_WIN:
		text += ": it wins"
	case best.GetOutcome() == zermelov1.Outcome_OUTCOME_DRAW:
		text += ": it keeps the draw"
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
	Moves(v.out, words(v.match.Position()), a, rows)
	if left := len(a.GetMoves()) - rows; left > 0 {
		v.out.wrap(tableMargin, faint, Count(int64(left))+" more")
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
		return "That is a best move.", good
	case top.Margin != nil:
		text := "That gives away " + Count(top.GetMargin()-t.Move.GetMargin())
		if t.Worse() {
			text += ", and with it the " + prize(top)
		}
		return fmt.Sprintf("%s: %s would have kept it.", text, best(t)), bad
	case !t.Kept():
		return fmt.Sprintf("That gives the %s away: %s would have kept it.", prize(top), best(t)), bad
	case top.GetOutcome() == zermelov1.Outcome_OUTCOME_LOSS:
		if t.Move.MovesToEnd != nil && t.Move.GetMovesToEnd() < top.GetMovesToEnd() {
			return fmt.Sprintf("Every move loses here; %s would have lasted longest.", top.GetMove().GetNotation()), plain
		}
		return "Every move loses here.", plain
	default:
		return "That keeps the " + prize(top) + ".", good
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
	v.out.wrap("", plain, fmt.Sprintf("The solver plays %s (%s).", notation, words(t.Position).Move(notation)))
}

// GiveUp ends the match and shows the best play.
func (v *Match) GiveUp() {
	v.out.wrap("", plain, "The match ends here. The best play from here would be")
	v.out.wrap(tableMargin, plain, mainLine(v.match.Analysis()))
}

// End says who has won, and where it was decided.
func (v *Match) End() {
	if len(v.match.Turns()) == 0 { // nothing was to be played
		v.out.wrap("", plain, words(v.match.Position()).Over())
		return
	}
	v.out.Line()
	for _, line := range words(v.match.Position()).Board() {
		v.out.Line(tableMargin, line)
	}
	v.out.Line()
	if v.alone {
		v.endOfGuessing()
		return
	}
	outcome, margin := v.match.Outcome(), ""
	if s := v.match.Analysis().GetSolution(); s.Margin != nil && s.GetMargin() != 0 {
		margin = " by " + strings.TrimPrefix(Count(s.GetMargin()), "-")
	}
	turn, before := v.match.Decided()
	switch outcome {
	case zermelov1.Outcome_OUTCOME_WIN:
		v.out.wrap("", good, "You win"+margin+".")
	case zermelov1.Outcome_OUTCOME_LOSS:
		v.out.wrap("", bad, "The solver wins"+margin+".")
	default:
		v.out.wrap("", even, "A draw.")
	}
	switch {
	case turn != nil:
		v.out.wrap("", plain, fmt.Sprintf("It was decided at move %d, your %s: %s would have kept the %s.", before+1,
			turn.Move.GetMove().GetNotation(), best(*turn), prize(turn.Best())))
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
			v.out.wrap("", plain, fmt.Sprintf("It was decided at guess %d, %s: %s would have been better.", i+1,
				t.Move.GetMove().GetNotation(), best(t)))
			return
		}
	}
}
