package show

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/list"
	"github.com/jedib0t/go-pretty/v6/text"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// node is a position of a tree: one that was decided, remembered, or over.
type node struct {
	event    *zermelov1.Event
	came     string // the move that led the search to it, where the trace has it
	cutoff   bool   // moves were left untried
	children []*node
}

// tree gathers the events of a trace. A search decides a position after those that it looked at on the way, so that
// children come before their parent; the tree stands the right way up.
type tree struct {
	size int
	// open are the nodes without a parent yet, by depth; entered and cut are what is known of those being searched.
	open    map[uint32][]*node
	entered map[uint32]string
	cut     map[uint32]bool
	// positions are those decided, by sequence number.
	positions map[int64]string
}

func newTree() *tree {
	return &tree{
		open: map[uint32][]*node{}, entered: map[uint32]string{}, cut: map[uint32]bool{}, positions: map[int64]string{},
	}
}

// add takes the next event.
func (t *tree) add(e *zermelov1.Event) {
	depth := e.GetDepth()
	n := &node{event: e}
	switch e.GetKind() {
	case zermelov1.EventKind_EVENT_KIND_ENTER:
		t.entered[depth] = e.GetMove()
		return
	case zermelov1.EventKind_EVENT_KIND_CUTOFF:
		t.cut[depth] = true
		return
	case zermelov1.EventKind_EVENT_KIND_DECIDED:
		n.came, n.cutoff = t.entered[depth], t.cut[depth]
		n.children = t.open[depth+1]
		delete(t.open, depth+1)
		delete(t.entered, depth)
		delete(t.cut, depth)
		t.positions[e.GetSequence()] = e.GetPosition()
	case zermelov1.EventKind_EVENT_KIND_THEOREM:
	case zermelov1.EventKind_EVENT_KIND_MEMO_HIT, zermelov1.EventKind_EVENT_KIND_TERMINAL:
		n.came = e.GetMove()
	default: // a kind that is newer than this program
		return
	}
	t.open[depth] = append(t.open[depth], n)
	t.size++
}

// root is the root position; nil while it is not decided.
func (t *tree) root() *node {
	if roots := t.open[0]; len(roots) == 1 {
		return roots[0]
	}
	return nil
}

// treeColumns is what the columns right of a tree take.
const treeColumns = 40

// branches are the lines of a tree below its root.
var branches = list.Style{
	CharItemSingle: "└─", CharItemTop: "├─", CharItemFirst: "├─", CharItemMiddle: "├─", CharItemVertical: "│  ", CharItemBottom: "└─",
	CharNewline: "\n",
}

// lines are the labels of a tree, behind its branches, and the nodes that they are of: the root first.
func (n *node) lines() (labels []string, nodes []*node) {
	drawing := list.NewWriter()
	drawing.SetStyle(branches)
	nodes = []*node{n}
	var below func(*node)
	below = func(n *node) {
		for _, child := range n.children {
			drawing.AppendItem(child.label())
			nodes = append(nodes, child)
			drawing.Indent()
			below(child)
			drawing.UnIndent()
		}
	}
	below(n)
	labels = []string{n.label()}
	if len(nodes) > 1 {
		labels = append(labels, strings.Split(drawing.Render(), "\n")...)
	}
	return labels, nodes
}

// label names a node: the move that led to it, where the trace has it, and the position.
func (n *node) label() string {
	if n.came == "" {
		return n.event.GetPosition()
	}
	return n.came + " " + n.event.GetPosition()
}

// draw writes the tree, its root first. It reports whether it is whole and fits the page; otherwise nothing is written.
func (t *Trace) draw() bool {
	root := t.tree.root()
	if root == nil {
		return false
	}
	labels, nodes := root.lines()
	if text.LongestLineLen(strings.Join(labels, "\n"))+treeColumns > t.out.Style.width() {
		return false
	}
	t.legend()
	table := newRows(t.out, len(nodes), Column{Head: "Position"}, Column{Head: "#", Right: true}, Column{Head: "Value"},
		Column{Head: "Move"}, Column{Head: "Because"})
	for i, n := range nodes {
		e := n.event
		move := e.GetMove()
		if e.GetKind() == zermelov1.EventKind_EVENT_KIND_MEMO_HIT || e.GetKind() == zermelov1.EventKind_EVENT_KIND_TERMINAL {
			move = "" // it is how the search came here, and in the label
		}
		table.add(Text(labels[i]), Cell{number(e.GetSequence()), faint}, value(e.GetOutcome(), e.Value), Cell{move, strong},
			t.reason(n))
	}
	table.end()
	return true
}

// reason says what a node rests on.
func (t *Trace) reason(n *node) Cell {
	var c Cell
	switch e := n.event; e.GetKind() {
	case zermelov1.EventKind_EVENT_KIND_MEMO_HIT:
		c = Cell{fmt.Sprintf("remembered from %d", e.GetBecause()), faint}
	case zermelov1.EventKind_EVENT_KIND_TERMINAL:
		c = Cell{"the game is over", faint}
	default:
		c = t.because(e)
		if position, here := t.tree.positions[e.GetBecause()]; here {
			c.text += ": " + position
		} else if e.GetBecause() != 0 {
			c.text += " (left out)" // deeper than was asked for
		}
	}
	if n.cutoff {
		c.text += "; the rest untried"
	}
	return c
}
