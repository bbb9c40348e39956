package gametest

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/zermelo-games/zermelo/server/engine"
)

// mostMoves is more than any position under test has.
const mostMoves = 1 << 20

// choice is a legal move with what it does.
type choice[P, M any] struct {
	move M
	text string
	gain int64
	next []P
}

// inspect checks what can be seen at one position, and returns its legal moves.
func (in *inspection[P, M, K]) inspect(p P) []choice[P, M] {
	g, was := in.game, printed(p)
	in.kept = append(in.kept, kept[P]{position: p, printed: was})
	value, over := g.Over(p)
	if again, still := g.Over(p); again != value || still != over {
		in.faultf("%s: Over changes its mind", was)
	}
	if over && g.Objective() == engine.WinLoss && (value < engine.Loss || value > engine.Win) {
		in.faultf("%s: a win/loss game ends with %d", was, value)
	}
	in.checkKey(p)
	var choices []choice[P, M]
	if !over {
		choices = in.choices(p)
	}
	in.checkAlike(p, look{was, value, over, effects(in.game, choices)})
	in.unchanged("a position", p, was)
	return choices
}

// checkKey checks that keys and texts tell the same positions apart.
func (in *inspection[P, M, K]) checkKey(p P) {
	key, text := in.game.Key(p), in.text(p)
	if in.game.Key(p) != key {
		in.faultf("%s: Key changes its mind", text)
	} else if hash := in.game.Hash(key); in.game.Hash(key) != hash {
		in.faultf("%s: Hash changes its mind", text)
	}
	if other, ok := in.texts[key]; ok && other != text {
		in.faultf("%s and %s have the same key", text, other)
	}
	if other, ok := in.keys[text]; ok && other != key {
		in.faultf("%s has the keys %v and %v", text, key, other)
	}
	in.texts[key], in.keys[text] = text, key
	if g, ok := in.game.(engine.Indexed[P, M]); ok && g.Indexes() < math.MaxUint64 {
		index := g.Index(p)
		if other, ok := in.indexes[index]; index >= g.Indexes() || ok && other != text {
			in.faultf("%s has the index %d of %d, that of %q", text, index, g.Indexes(), other)
		}
		in.indexes[index] = text
	}
	if got := string(in.game.AppendPosition([]byte("before"), p)); got != "before"+text {
		in.faultf("%s: appended to \"before\", it makes %q", text, got)
	}
}

// choices lists the legal moves at p, which is not over, and checks them.
func (in *inspection[P, M, K]) choices(p P) []choice[P, M] {
	g := in.game
	var choices []choice[P, M]
	var moves []any
	identities := make(map[string]bool)
	m, more := g.First(p), true
	for ; more; m, more = g.Next(p, m) {
		if len(moves) == mostMoves {
			in.faultf("%s: the moves do not end", in.text(p))
			return nil
		}
		moves = append(moves, m)
		c := choice[P, M]{move: m, text: string(g.AppendMove(nil, m)), gain: in.gains(p, m), next: in.branches(p, m)}
		choices = append(choices, c)
		identity := c.text
		if in.options.Identity != nil {
			identity = in.options.Identity(m)
		}
		if identities[identity] {
			in.faultf("%s: the move %s comes twice (%s)", in.text(p), c.text, identity)
		}
		identities[identity] = true
		if c.gain != 0 && g.Objective() == engine.WinLoss {
			in.faultf("%s: the move %s earns %d in a win/loss game", in.text(p), c.text, c.gain)
		}
		if got := string(g.AppendMove([]byte("before"), m)); got != "before"+c.text {
			in.faultf("%s: the move %s, appended to \"before\", makes %q", in.text(p), c.text, got)
		}
		in.checkRepeats(p, choices)
	}
	if in.options.Legal != nil {
		var legal []any
		for _, m := range in.options.Legal(p) {
			legal = append(legal, m)
		}
		if !slices.Equal(moves, legal) {
			in.faultf("%s: the moves are %+v; they should be %+v", in.text(p), moves, legal)
		}
	}
	return choices
}

// branches lists the positions that may follow m at p, and checks that they are counted without a gap.
func (in *inspection[P, M, K]) branches(p P, m M) []P {
	const beyond = 3
	var next []P
	for branch, ended := 0, 0; ended < beyond; branch++ {
		q, ok := in.game.After(p, m, branch)
		in.checkFollow(p, m, branch, q, ok)
		switch {
		case !ok:
			ended++
		case ended > 0:
			in.faultf("%s: a gap before branch %d of the move %s", in.text(p), branch, in.game.AppendMove(nil, m))
			return next
		default:
			next = append(next, q)
		}
	}
	if len(next) == 0 || len(next) > 1 && in.game.Objective() != engine.Cost {
		in.faultf("%s: the move %s has %d branches", in.text(p), in.game.AppendMove(nil, m), len(next))
	}
	return next
}

// checkFollow checks that Follow says what After, Over and Index do: q, if ok.
func (in *inspection[P, M, K]) checkFollow(p P, m M, branch int, q P, ok bool) {
	g, isIndexed := in.game.(engine.Indexed[P, M])
	if !isIndexed || g.Indexes() == math.MaxUint64 {
		return
	}
	next, index, value, over, followed := g.Follow(p, g.Index(p), m, branch)
	if !ok && !followed {
		return
	}
	wantValue, wantOver := in.game.Over(q)
	if followed != ok || printed(next) != printed(q) || index != g.Index(q) || over != wantOver || over && value != wantValue {
		in.faultf("%s: Follow of branch %d of the move %s differs from After, Over and Index", in.text(p), branch,
			in.game.AppendMove(nil, m))
	}
}

// checkRepeats checks that the game says of the last of some moves whether an earlier one has its text, and that both do
// the same.
func (in *inspection[P, M, K]) checkRepeats(p P, choices []choice[P, M]) {
	last := choices[len(choices)-1]
	first := slices.IndexFunc(choices, func(c choice[P, M]) bool { return c.text == last.text })
	repeats := first < len(choices)-1
	if says := in.repeats != nil && in.repeats(p, last.move); says != repeats {
		in.faultf("%s: the move %s repeats an earlier one: %t; the game says %t", in.text(p), last.text, repeats, says)
	}
	if !in.sameEffect(choices[first], last) {
		in.faultf("%s: moves with the text %s do different things", in.text(p), last.text)
	}
}

// sameEffect reports whether two moves earn the same and lead to positions with the same keys.
func (in *inspection[P, M, K]) sameEffect(a, b choice[P, M]) bool {
	return a.gain == b.gain && slices.EqualFunc(a.next, b.next, func(p, q P) bool { return in.game.Key(p) == in.game.Key(q) })
}

// look is what can be seen at a position: whether the game is over there, and what each move does, by its text.
type look struct {
	printed string
	value   int64
	over    bool
	effects map[string]string
}

// effects writes what moves do: what they earn and the keys that they lead to.
func effects[P, M any, K comparable](g engine.Game[P, M, K], choices []choice[P, M]) map[string]string {
	done := make(map[string]string)
	for _, c := range choices {
		effect := fmt.Sprint(c.gain)
		for _, next := range c.next {
			effect += fmt.Sprint(" ", g.Key(next))
		}
		done[c.text] = effect
	}
	return done
}

// checkAlike checks that p cannot be told from the first position with its text: both are over with the same value, or
// have moves with the same texts and effects. When that holds everywhere, so that it holds after each move again, their
// values are the same too.
func (in *inspection[P, M, K]) checkAlike(p P, now look) {
	first, ok := in.looks[in.text(p)]
	if !ok {
		in.looks[in.text(p)] = now
		return
	}
	if now.value != first.value || now.over != first.over {
		in.faultf("%s: over is %t with %d; at %s, which has the same text, %t with %d", now.printed, now.over, now.value,
			first.printed, first.over, first.value)
	}
	if !maps.Equal(now.effects, first.effects) {
		in.faultf("%s: the moves do %v; at %s, which has the same text, %v", now.printed, now.effects, first.printed,
			first.effects)
	}
}
