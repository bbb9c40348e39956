package show

import (
	"fmt"
	"strings"

	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// TreeMost is how many positions a trace has at most to be drawn as a tree. Until there are more, its events are held
// back, since the root position is decided last.
const TreeMost = 400

// TraceOptions change how a trace is laid out.
type TraceOptions struct {
	// List has it be a list even when it is small.
	List bool
	// MoreEvents is what to type for more events than the limit allowed, in parentheses.
	MoreEvents string
}

// Trace writes a trace as text: as a tree when it is small, as a list while it streams otherwise.
type Trace struct {
	out     *Output
	options TraceOptions
	opening *zermelov1.Opening
	root    words.Position
	held    []*zermelov1.Event // while it may still become a tree
	tree    *tree              // what is held, as a tree; nil for a list
	list    *rows              // nil until it has begun
	theorem *zermelov1.Event   // the one that decides the position; nil while there is none
}

// NewTrace makes the text of a trace, to which the messages of the trace are given in their order.
func NewTrace(out *Output, options TraceOptions) *Trace { return &Trace{out: out, options: options} }

// Opening begins the text. The error says that the game is not known here.
func (t *Trace) Opening(opening *zermelov1.Opening) (err error) {
	t.opening = opening
	if t.root, err = t.out.Games.Describe(opening.GetPosition()); err != nil {
		return err
	}
	if !t.options.List {
		t.tree = newTree()
	}
	kind := map[zermelov1.MemoPolicy]string{
		zermelov1.MemoPolicy_MEMO_POLICY_ALL:    "every position is remembered",
		zermelov1.MemoPolicy_MEMO_POLICY_LOSSES: "only lost positions are remembered",
		zermelov1.MemoPolicy_MEMO_POLICY_NONE:   "nothing is remembered",
	}[opening.GetMemoPolicy()]
	if t.proof() {
		kind = "a proof"
	}
	t.out.heading(t.root.Title(), " · ", t.out.Style.Faint(kind))
	return nil
}

// legend says how to read what follows.
func (t *Trace) legend() {
	counts := "events of the search"
	if t.proof() {
		counts = "decisions of the proof"
	}
	legend := t.root.Reading() + " # numbers the " + counts + ". Because is the number of the decision about the position " +
		"after the move."
	if t.everything() && t.tree == nil {
		legend += " Where nothing is decided, the move is the one that led to the position."
	}
	t.out.wrap("", faint, legend)
	t.out.Line()
}

// everything reports whether the trace has more than decisions.
func (t *Trace) everything() bool { return t.opening.GetDetail() == zermelov1.Detail_DETAIL_SEARCH }

// proof reports whether the trace is a proof.
func (t *Trace) proof() bool { return t.opening.GetDetail() == zermelov1.Detail_DETAIL_PROOF }

// Event takes the next event. There is no error.
func (t *Trace) Event(e *zermelov1.Event) error {
	if e.GetKind() == zermelov1.EventKind_EVENT_KIND_THEOREM {
		t.theorem = e
	}
	if t.tree == nil {
		t.row(e)
		return nil
	}
	t.held = append(t.held, e)
	t.tree.add(e)
	if t.tree.size > TreeMost {
		t.listAll()
	}
	return nil
}

// listAll lists the events that are held back; what follows is listed too.
func (t *Trace) listAll() {
	held := t.held
	t.tree, t.held = nil, nil
	for _, e := range held {
		t.row(e)
	}
}

// row writes an event of the list.
func (t *Trace) row(e *zermelov1.Event) {
	if t.list == nil {
		t.legend()
		columns := []Column{{Head: "#", Right: true, least: 5}, {Head: "Depth", Right: true},
			{Head: "Event", least: len("remembered")}, {Head: "Position"}, {Head: "Value", least: len("LOSS")}, {Head: "Move"},
			{Head: "Because"}}
		if !t.everything() {
			columns = append(columns[:2], columns[3:]...)
		}
		t.list = newRows(t.out, TreeMost, columns...)
	}
	cells := []Cell{
		{number(e.GetSequence()), faint}, {number(int64(e.GetDepth())), faint}, Text(happened(e.GetKind())),
		{e.GetPosition(), strong}, value(e.GetOutcome(), e.Value), Text(e.GetMove()), t.because(e),
	}
	if !t.everything() {
		cells = append(cells[:2], cells[3:]...)
	}
	t.list.add(cells...)
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
	default:
		return strings.ToLower(strings.TrimPrefix(kind.String(), "EVENT_KIND_"))
	}
}

// because says what an event of the list rests on.
func (t *Trace) because(e *zermelov1.Event) Cell {
	switch {
	case e.GetKind() == zermelov1.EventKind_EVENT_KIND_THEOREM:
		name, _ := theorem(t.root, e)
		return Text(name)
	case e.GetBecause() != 0:
		return Text(number(e.GetBecause()))
	case e.GetKind() != zermelov1.EventKind_EVENT_KIND_DECIDED && e.GetKind() != zermelov1.EventKind_EVENT_KIND_CUTOFF:
		return Cell{}
	case e.GetMove() == "":
		return Cell{"every move loses", faint}
	default:
		return Text("it ends the game")
	}
}

// Broken writes what is held of a trace that ends without a summary.
func (t *Trace) Broken() {
	if t.tree != nil && len(t.held) > 0 {
		t.listAll()
	}
	if t.list != nil {
		t.list.end()
	}
}

// rest writes what is held of a trace that has ended.
func (t *Trace) rest() {
	if t.tree == nil || !t.draw() {
		t.Broken()
	}
}

// Summary writes the rest and how the trace ended. There is no error.
func (t *Trace) Summary(s *zermelov1.Summary) error {
	t.rest()
	t.out.Line()
	t.conclude(s)
	if s.GetStatistics().GetPositionsExpanded() > 0 {
		work(t.out, s)
	}
	return nil
}

// Ended says how a trace ended that is not shown: what was found, or that it was cut. more is what to type for more events.
func Ended(out *Output, position *zermelov1.Position, s *zermelov1.Summary, more string) error {
	root, err := out.Games.Describe(position)
	switch {
	case err != nil:
		return err
	case s.GetSolution() == nil:
		out.wrap("", strong, root.Title())
		out.Paragraph("The trace was cut after " + Counted(s.GetEventCount(), "event") + more + ".")
	default:
		out.heading(root.Title(), ": ", out.Style.verdict(s.GetSolution()))
	}
	return nil
}

// theorem names the theorem of an event, and its premises.
func theorem(root words.Position, e *zermelov1.Event) (name, premises string) {
	if name, premises = root.Theorem(e.GetTheorem()); name == "" {
		// One that is newer than this program, or not about this game.
		name = "a theorem that is not known here, " + strings.ToLower(strings.TrimPrefix(e.GetTheorem().String(), "THEOREM_"))
	}
	return name, premises
}

// conclude says what was found.
func (t *Trace) conclude(s *zermelov1.Summary) {
	if t.theorem != nil {
		by, premises := theorem(t.root, t.theorem)
		if premises != "" {
			by += ": " + premises
		}
		t.out.Paragraph("By " + by + ".")
	}
	if s.GetCompletion() == zermelov1.Completion_COMPLETION_LIMIT_REACHED {
		t.out.Paragraph(fmt.Sprintf("The trace was cut after %s%s, before the position was decided.",
			Counted(s.GetEventCount(), "event"), t.options.MoreEvents))
		return
	}
	solution := s.GetSolution()
	if solution == nil {
		return
	}
	t.out.Line(t.out.Style.verdict(solution), ".", best(solution))
	if remark := t.root.Remark(solution); remark != "" {
		t.out.wrap("", faint, remark)
	}
	if len(solution.GetBestMoves()) == 0 {
		t.out.Paragraph(t.root.Over())
	}
}

// best names the best moves, a few of them.
func best(s *zermelov1.Solution) string {
	const most = 8
	names := notations(s.GetBestMoves(), most)
	switch {
	case len(names) == 0 || equalLosses(s):
		return ""
	case s.BestMoveCount == nil:
		return " A best move: " + names[0] + "; there may be others."
	case len(names) == 1:
		return " The best move: " + names[0] + "."
	case len(s.GetBestMoves()) > most:
		return " " + Counted(s.GetBestMoveCount(), "best move") + ", the first: " + strings.Join(names, ", ") + "."
	default:
		return " Best moves: " + Listed(names) + "."
	}
}

// work writes the counts of the search.
func work(out *Output, s *zermelov1.Summary) {
	w := s.GetStatistics()
	t := newRows(out, 7, Column{Right: true, least: 10}, Column{})
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
		t.add(Text(Count(line.n)), Text(line.what))
	}
	t.add(Text(took(w.GetElapsed().AsDuration())), Text("for "+Counted(s.GetEventCount(), "event")))
	t.end()
}
