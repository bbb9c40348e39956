package gametest

import (
	"fmt"
	"slices"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Graph is a game given as an explicit graph without cycles. Its positions are names. It is an engine.Game.
type Graph struct {
	// Values is what values mean.
	Values engine.Objective
	// Start is the root.
	Start string
	// Ends holds the positions at which the game is over, with their values.
	Ends map[string]int64
	// Moves holds the moves at the others, in natural order.
	Moves map[string][]Edge
	// Same gives a position the key and the text of another, from which no play can tell it.
	Same map[string]string
	// Size is the bulk of the game.
	Size engine.Bulk
}

// Edge is a move of a Graph.
type Edge struct {
	// Text is its notation. Moves of one position may share it when they do the same.
	Text string
	// Gain is what it earns or costs.
	Gain int64
	// To holds the positions that may follow: one, or in Cost games one for each branch.
	To []string
}

// GraphMove is a move of a Graph: its place among those of its position, and its text.
type GraphMove struct {
	Index int
	Text  string
}

var _ engine.Game[string, GraphMove, string] = (*Graph)(nil)

// Objective is Values.
func (g *Graph) Objective() engine.Objective { return g.Values }

// Root is Start.
func (g *Graph) Root() string { return g.Start }

// Over looks p up among the ends. It panics when p is neither there nor has moves: the graph is wrong.
func (g *Graph) Over(p string) (int64, bool) {
	value, over := g.Ends[p]
	if !over && len(g.Moves[p]) == 0 {
		panic(fmt.Sprintf("gametest: the position %q has no moves and is no end", p))
	}
	return value, over
}

func (g *Graph) move(p string, index int) GraphMove {
	return GraphMove{Index: index, Text: g.Moves[p][index].Text}
}

// First is the first of p's moves.
func (g *Graph) First(p string) GraphMove { return g.move(p, 0) }

// Next is the one after m.
func (g *Graph) Next(p string, m GraphMove) (GraphMove, bool) {
	if m.Index+1 == len(g.Moves[p]) {
		return GraphMove{}, false
	}
	return g.move(p, m.Index+1), true
}

// After is where the edge leads.
func (g *Graph) After(p string, m GraphMove, branch int) (string, bool) {
	to := g.Moves[p][m.Index].To
	if branch >= len(to) {
		return "", false
	}
	return to[branch], true
}

// Gain is the edge's.
func (g *Graph) Gain(p string, m GraphMove) int64 { return g.Moves[p][m.Index].Gain }

// Repeats is true where an earlier edge has the same text.
func (g *Graph) Repeats(p string, m GraphMove) bool {
	return slices.ContainsFunc(g.Moves[p][:m.Index], func(e Edge) bool { return e.Text == m.Text })
}

// Key is p's name, or that of the position that is the same.
func (g *Graph) Key(p string) string {
	if same, ok := g.Same[p]; ok {
		return same
	}
	return p
}

// Hash mixes the bytes of the name.
func (g *Graph) Hash(key string) uint64 { return engine.HashBytes(key) }

// Choices counts the different texts.
func (g *Graph) Choices() uint64 {
	texts := make(map[string]bool)
	for _, edge := range g.Moves[g.Start] {
		texts[edge.Text] = true
	}
	return uint64(len(texts))
}

// Reachable counts the keys by walking.
func (g *Graph) Reachable(uint64) uint64 {
	keys := make(map[string]bool)
	g.walk(g.Start, make(map[string]uint64), func(p string) { keys[g.Key(p)] = true })
	return uint64(len(keys))
}

// Plies is the length of the longest play.
func (g *Graph) Plies() uint64 {
	return g.walk(g.Start, make(map[string]uint64), func(string) {})
}

// walk visits each position from p on once, and returns the length of the longest play.
func (g *Graph) walk(p string, lengths map[string]uint64, visit func(p string)) uint64 {
	if length, ok := lengths[p]; ok {
		return length
	}
	lengths[p] = 0 // a cycle, which the kit reports, ends here
	visit(p)
	var length uint64
	for _, edge := range g.Moves[p] {
		for _, to := range edge.To {
			length = max(length, g.walk(to, lengths, visit)+1)
		}
	}
	lengths[p] = length
	return length
}

// Bulk is Size.
func (g *Graph) Bulk() engine.Bulk { return g.Size }

// AppendPosition writes the key.
func (g *Graph) AppendPosition(dst []byte, p string) []byte { return append(dst, g.Key(p)...) }

// AppendMove writes the edge's text.
func (g *Graph) AppendMove(dst []byte, m GraphMove) []byte { return append(dst, m.Text...) }
