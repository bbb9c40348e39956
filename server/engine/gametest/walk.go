package gametest

import (
	"slices"

	"github.com/zermelo-games/zermelo/server/engine"
)

// judged is what a walk finds out about a position.
type judged struct {
	open   bool // still being walked
	value  int64
	best   []string // texts, in natural order, each once
	height uint64   // the most moves from there to the end
	// distance is the number of moves to the end when best play hurries or delays.
	distance int64
	// moves are the legal moves by their texts, in natural order, each once.
	moves []weighed
}

// weighed is a move with its value.
type weighed struct {
	engine.Ranked[string]
	// plain is the adversary's choice for one who knows no distances: the costliest position, of these the first.
	plain int
}

// walk judges p and all positions after it by plain recursion. Positions are known again by what they print as and not
// by their keys: whether keys may stand for positions is what is being asked.
func (in *inspection[P, M, K]) walk(p P) *judged {
	name := printed(p)
	if j, ok := in.seen[name]; ok {
		if j.open {
			in.faultf("%s: play comes back to it", name)
		}
		return j
	}
	j := &judged{open: true}
	in.full = in.full || len(in.seen) == in.options.Positions
	if in.full || in.enough() {
		return j
	}
	in.seen[name] = j
	choices := in.inspect(p)
	if len(choices) == 0 {
		j.value, _ = in.game.Over(p)
	}
	for _, c := range choices {
		var m weighed
		for branch, next := range c.next {
			after := in.walk(next)
			j.height = max(j.height, after.height+1)
			value, distance := in.forMover(after.value), after.distance+1
			if branch == 0 || value > m.Value {
				m.plain = branch
			}
			if branch == 0 || value > m.Value || value == m.Value && distance > m.Distance {
				m.Value, m.Distance, m.Branch = value, distance, branch
			}
		}
		m.Move = c.text
		m.Value += c.gain
		in.weigh(j, m)
	}
	j.open = false
	return j
}

// forMover is a position's value for the player who moved there.
func (in *inspection[P, M, K]) forMover(value int64) int64 {
	if in.game.Objective() == engine.Cost {
		return value
	}
	return -value
}

// weigh adds a move to a judgement.
func (in *inspection[P, M, K]) weigh(j *judged, m weighed) {
	if slices.ContainsFunc(j.moves, func(other weighed) bool { return other.Move == m.Move }) {
		return // it does the same
	}
	better := m.Value > j.value
	if in.game.Objective() == engine.Cost {
		better = m.Value < j.value
	}
	first := len(j.moves) == 0
	j.moves = append(j.moves, m)
	switch {
	case first || better:
		j.value, j.distance, j.best = m.Value, m.Distance, []string{m.Move}
	case m.Value == j.value:
		j.best = append(j.best, m.Move)
		if sooner(in.game.Objective(), m.Value, m.Distance, j.distance) {
			j.distance = m.Distance
		}
	}
}

// playOut inspects the positions of one random game.
func (in *inspection[P, M, K]) playOut() {
	p := in.game.Root()
	for moves := uint64(0); ; moves++ {
		if moves > in.plies() {
			in.faultf("Plies is %d; a play has gone on longer", in.plies())
			return
		}
		choices := in.inspect(p)
		if len(choices) == 0 || in.enough() {
			return
		}
		next := choices[in.random.IntN(len(choices))].next
		if len(next) == 0 {
			return
		}
		p = next[in.random.IntN(len(next))]
	}
}
