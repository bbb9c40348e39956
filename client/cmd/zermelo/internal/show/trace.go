package show

import (
	"fmt"
	"strings"

	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// TreeMost is how many positions a trace has at most to be drawn as a tree. Until there are more, its events are held
// back, since the asked position, the root, is decided last.
const TreeMost = 400

// TraceOptions change how a trace is laid out.
type TraceOptions struct {
	// List has it be a list even when it is small.
	List bool
	// Depth leaves out of a tree what is more moves away from the asked position; 0: nothing.
	Depth int64
	// Filtered says that the server left events out.
	Filtered bool
	// MoreEvents is what to type for more events than the limit allowed, in parentheses.
	MoreEvents string
}

// Trace writes a trace as text: as a tree when it is small, as a list while it streams otherwise.
type Trace struct {
	out     *Output
	options TraceOptions
	opening *zermelov1.Opening
	words   words.Position
	held    []*zermelov1.Event // while it may still become a tree
	tree    *tree              // what is held, as a tree; nil for a list
	table   *table             // of the list, once it has begun
	theorem *zermelov1.Event   // the one that decides the position; nil while there is none
	play    *bestLine          // nil where it would not be shown
}

// NewTrace begins the text of a trace.
func NewTrace(out *Output, opening *zermelov1.Opening, options TraceOptions) (*Trace, error) {
	words, err := games.All().Describe(opening.GetPosition())
	if err != nil {
		return nil, err
	}
	remembered := map[zermelov1.MemoPolicy]string{
		zermelov1.MemoPolicy_MEMO_POLICY_ALL:    "every position is remembered",
		zermelov1.MemoPolicy_MEMO_POLICY_LOSSES: "only lost positions are remembered",
		zermelov1.MemoPolicy_MEMO_POLICY_NONE:   "nothing is remembered",
	}
	t := &Trace{out: out, options: options, opening: opening, words: words}
	if !options.List {
		t.tree = newTree()
	}
	policy := remembered[opening.GetMemoPolicy()]
	if t.proof() {
		policy = "a proof"
	}
	if !options.Filtered {
		t.play = newBestLine(words)
	}
	out.heading(words.Title(), " · ", out.Style.paint(faint, policy), width(policy))
	return t, nil
}

// legend says how to read what follows.
func (t *Trace) legend() {
	counts := "the events of the search"
	if t.proof() {
		counts = "the decisions of the proof"
	}
	text := t.words.Reading() + " # counts " + counts + "; Because is the one about the position after the move."
	if t.everything() && t.tree == nil {
		text += " Where nothing is decided, the move is the one that led there."
	}
	t.out.wrap("", faint, text)
	t.out.Line()
}

// everything reports whether the trace has more than decisions.
func (t *Trace) everything() bool { return t.opening.GetDetail() == zermelov1.Detail_DETAIL_SEARCH }

// proof reports whether the trace is a proof.
func (t *Trace) proof() bool { return t.opening.GetDetail() == zermelov1.Detail_DETAIL_PROOF }

// Event takes the next event.
func (t *Trace) Event(e *zermelov1.Event) {
	if e.GetKind() == zermelov1.EventKind_EVENT_KIND_THEOREM {
		t.theorem = e
	}
	t.play.add(e)
	if t.tree == nil {
		t.line(e)
		return
	}
	t.held = append(t.held, e)
	t.tree.add(e)
	if t.tree.size > TreeMost {
		t.giveUpTree()
	}
}

// giveUpTree goes over to a list.
func (t *Trace) giveUpTree() {
	held := t.held
	t.tree, t.held = nil, nil
	for _, e := range held {
		t.line(e)
	}
}

// line writes an event of the list.
func (t *Trace) line(e *zermelov1.Event) {
	if t.table == nil {
		t.legend()
		kind := Column{Head: "Event", least: len("remembered")}
		columns := []Column{{Head: "#", Right: true, least: 5}, {Head: "Depth", Right: true}, kind, {Head: "Position"},
			{Head: "Worth", least: len("LOSS")}, {Head: "Move"}, {Head: "Because"}}
		if !t.everything() {
			columns = append(columns[:2], columns[3:]...)
		}
		t.table = newTable(t.out, TreeMost, columns...)
	}
	cells := []Cell{
		{number(e.GetSequence()), faint}, {number(int64(e.GetDepth())), faint}, {happened(e.GetKind()), plain},
		{e.GetPosition(), strong}, worth(e.GetOutcome(), e.Value), {e.GetMove(), plain}, t.because(e),
	}
	if !t.everything() {
		cells = append(cells[:2], cells[3:]...)
	}
	t.table.row(cells...)
}

// happened is a kind of event in a word.
func happened(kind zermelov1.EventKind) string {
	switch kind {
	case zermelov1.EventKind_EVENT_KIND_ENTER:
		return "entered"
	case zermelov1.EventKind_EVENT_KIND_MEMO_HIT:
		return "remembered"
	case zermelov1.EventKind_EVENT_KIND_TERMINAL:
		return "over"
	case zermelov1.EventKind_EVENT_KIND_CUTOFF:
		return "cut off"
	case zermelov1.EventKind_EVENT_KIND_DECIDED:
		return "decided"
	case zermelov1.EventKind_EVENT_KIND_THEOREM:
		return "theorem"
	default:
		return strings.ToLower(strings.TrimPrefix(kind.String(), "EVENT_KIND_"))
	}
}

// because says what an event of the list rests on.
func (t *Trace) because(e *zermelov1.Event) Cell {
	switch {
	case e.GetKind() == zermelov1.EventKind_EVENT_KIND_THEOREM:
		name, _ := theorem(t.words, e)
		return Cell{name, plain}
	case e.GetBecause() != 0:
		return Cell{number(e.GetBecause()), plain}
	case e.GetKind() != zermelov1.EventKind_EVENT_KIND_DECIDED && e.GetKind() != zermelov1.EventKind_EVENT_KIND_CUTOFF:
		return Cell{}
	case e.GetMove() == "":
		return Cell{"every move loses", faint}
	default:
		return Cell{"it ends the game", plain}
	}
}

// Broken writes what is held of a trace that ends without a summary.
func (t *Trace) Broken() {
	if t.tree != nil && len(t.held) > 0 {
		t.giveUpTree()
	}
	if t.table != nil {
		t.table.end()
	}
}

// End writes the rest and how the trace ended.
func (t *Trace) End(s *zermelov1.Summary) {
	t.EndEvents()
	t.out.Line()
	t.conclude(s)
	if s.GetStatistics().GetPositionsExpanded() > 0 {
		work(t.out, s)
	}
	t.play.write(t.out)
}

// Ended says how a trace ended that is not shown: what was found, or that it was cut. more is what to type for more events.
func Ended(out *Output, position *zermelov1.Position, s *zermelov1.Summary, more string) error {
	words, err := games.All().Describe(position)
	if err != nil {
		return err
	}
	solution := s.GetSolution()
	if solution == nil {
		out.wrap("", strong, words.Title())
		out.wrap("", plain, fmt.Sprintf("The trace was cut after %s%s.", Counted(s.GetEventCount(), "event"), more))
		return nil
	}
	out.heading(words.Title(), ": ", out.Style.Verdict(solution), width(Style{}.Verdict(solution)))
	return nil
}

// EndEvents writes what is left of the events of a trace that has ended.
func (t *Trace) EndEvents() {
	if t.tree != nil && t.tree.root() != nil && t.tree.widest(t.options.Depth)+treeColumns <= t.out.Style.width() {
		t.draw(t.tree.root())
		return
	}
	t.Broken()
}

// theorem names the theorem of an event, and its premises.
func theorem(words words.Position, e *zermelov1.Event) (name, premises string) {
	if name, premises = words.Theorem(e.GetTheorem()); name == "" {
		// One that is newer than this program, or not about this game.
		name = "a theorem that is not known here, " + strings.ToLower(strings.TrimPrefix(e.GetTheorem().String(), "THEOREM_"))
	}
	return name, premises
}

// conclude says what was found.
func (t *Trace) conclude(s *zermelov1.Summary) {
	if t.theorem != nil {
		by, premises := theorem(t.words, t.theorem)
		if premises != "" {
			by += ": " + premises
		}
		t.out.wrap("", plain, "By "+by+".")
	}
	if s.GetCompletion() == zermelov1.Completion_COMPLETION_LIMIT_REACHED {
		t.out.wrap("", plain, fmt.Sprintf("The trace was cut after %s%s. The position was not decided by then.",
			Counted(s.GetEventCount(), "event"), t.options.MoreEvents))
		return
	}
	solution := s.GetSolution()
	if solution == nil {
		return
	}
	t.out.Line(t.out.Style.Verdict(solution), ".", t.best(solution))
	if remark := t.words.Remark(solution); remark != "" {
		t.out.wrap("", faint, remark)
	}
	if len(solution.GetBestMoves()) == 0 {
		t.out.wrap("", plain, t.words.Over())
	}
}

// best names the best moves, a few of them.
func (t *Trace) best(s *zermelov1.Solution) string {
	const most = 8
	moves := s.GetBestMoves()
	if len(moves) == 0 || equalLosses(s) {
		return ""
	}
	var names []string
	for _, move := range moves {
		if len(names) == most {
			break
		}
		names = append(names, move.GetNotation())
	}
	thing, things := "move", "moves"
	if s.Cost != nil {
		thing, things = "guess", "guesses"
	}
	switch {
	case s.BestMoveCount == nil:
		return " A best " + thing + ": " + names[0] + "; whether there are others was not looked at."
	case len(moves) == 1:
		return " The best " + thing + ": " + names[0] + "."
	case len(moves) > most:
		return fmt.Sprintf(" %s best %s, the first: %s.", Count(s.GetBestMoveCount()), things, strings.Join(names, ", "))
	default:
		return " Best " + things + ": " + Listed(names) + "."
	}
}

// work writes the counts of the search.
func work(out *Output, s *zermelov1.Summary) {
	w := s.GetStatistics()
	for _, line := range []struct {
		n    int64
		what string
	}{
		{w.GetPositionsExpanded(), "positions entered"},
		{w.GetMemoHits(), "met again and answered from the memo"},
		{w.GetTerminals(), "met at which the game was over"},
		{w.GetCutoffs(), "left at a winning move, with moves untried"},
		{w.GetMemoEntries(), "in the memo"},
		{w.GetMaxDepth(), "moves deep at most"},
	} {
		out.Line(fmt.Sprintf("%12s", Count(line.n)), "  ", line.what)
	}
	out.Line(fmt.Sprintf("%12s", took(w.GetElapsed().AsDuration())), "  for ", Counted(s.GetEventCount(), "event"))
}
