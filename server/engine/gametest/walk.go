package gametest

import (
	"slices"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
)

// visited is what a walk finds at a position.
type visited[P, M any] struct {
	open    bool // still being walked
	choices []choice[P, M]
	height  uint64 // the most moves from there to the end
}

// walk inspects p and all positions after it. Positions are known again by what they print as and not by their keys:
// whether keys may stand for positions is what is being asked.
func (in *inspection[P, M, K]) walk(p P) *visited[P, M] {
	name := printed(p)
	if v, ok := in.seen[name]; ok {
		if v.open {
			in.faultf("%s: play comes back to it", name)
		}
		return v
	}
	v := &visited[P, M]{open: true}
	in.full = in.full || len(in.seen) == in.options.Positions
	if in.full || in.enough() {
		return v
	}
	in.seen[name] = v
	v.choices = in.inspect(p)
	for _, c := range v.choices {
		for _, next := range c.next {
			v.height = max(v.height, in.walk(next).height+1)
		}
	}
	v.open = false
	return v
}

// judge returns an oracle for the positions walked: the moves that were found there, by plain recursion.
func (in *inspection[P, M, K]) judge() func(p P) oracle.Answer {
	rules := &oracle.Rules[P]{
		OnePlayer: in.game.Objective() == engine.Cost,
		SoonWins:  in.game.Objective() == engine.WinLoss,
		Moves: func(p P) []oracle.Move[P] {
			var moves []oracle.Move[P]
			for _, c := range in.seen[printed(p)].choices {
				if !slices.ContainsFunc(moves, func(m oracle.Move[P]) bool { return m.Text == c.text }) {
					moves = append(moves, oracle.Move[P]{Text: c.text, Gain: c.gain, To: c.next})
				}
			}
			return moves
		},
		Over: func(p P) int64 {
			value, _ := in.game.Over(p)
			return value
		},
	}
	return rules.Solve
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
