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
	for n, c := range choices {
		var answer int64
		for branch, next := range c.next {
			after := in.walk(next)
			j.height = max(j.height, after.height+1)
			if v := in.forMover(after.value); branch == 0 || v > answer {
				answer = v
			}
		}
		in.weigh(j, n == 0, c.gain+answer, c.text)
	}
	j.open = false
	if canonical, err := in.game.ParsePosition(in.text(p)); err == nil {
		same := in.walk(canonical)
		if !in.full && !same.open && same.value != j.value {
			in.faultf("%s is worth %d, and %d when read back from its text", name, j.value, same.value)
		}
	}
	return j
}

// forMover is a position's value for the player who moved there.
func (in *inspection[P, M, K]) forMover(value int64) int64 {
	if in.game.Objective() == engine.Cost {
		return value
	}
	return -value
}

// weigh adds a move's worth to a judgement.
func (in *inspection[P, M, K]) weigh(j *judged, first bool, value int64, text string) {
	better := value > j.value
	if in.game.Objective() == engine.Cost {
		better = value < j.value
	}
	if first || better {
		j.value, j.best = value, nil
	}
	if value == j.value && !slices.Contains(j.best, text) {
		j.best = append(j.best, text)
	}
}

// playOut inspects the positions of one random game.
func (in *inspection[P, M, K]) playOut() {
	p := in.game.Root()
	for moves := uint64(0); ; moves++ {
		if moves > in.game.Plies() {
			in.faultf("Plies is %d; a play has gone on longer", in.game.Plies())
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
