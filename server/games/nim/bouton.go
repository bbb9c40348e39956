package nim

import (
	"math"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Decide evaluates Bouton's theorem (C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of
// Mathematics 3, 1901): in normal play a position is lost for the player to move exactly when the nim-sum of its piles,
// their bitwise exclusive or, is 0. In misère play the same holds as long as a pile has two stones or more; when all
// have at most one, the position is lost exactly when their number is odd.
//
// It decides every position, in time proportional to the number of piles.
func (g *Game) Decide(maxMoves int) (engine.Solution[Move], bool) {
	s := engine.Solution[Move]{BestKnown: true}
	value, over := g.Over(g.root)
	if over {
		s.Value = value
		return s, true
	}
	keep := g.keeper()
	s.Value = engine.Loss
	if keep != nil {
		s.Value = engine.Win
	}
	var seen sizes
	for i, pile := range g.root {
		if pile == 0 || !seen.add(pile) {
			continue // equal piles are interchangeable: their moves are the same
		}
		first, count := uint64(0), pile // lost: whatever is taken
		if keep != nil {
			var ok bool
			if first, ok = keep(pile); !ok {
				continue
			}
			count = 1
		}
		if count > uint64(math.MaxInt64-s.BestCount) {
			s.BestKnown = false // more than 2^63-1
			s.BestCount = math.MaxInt64
		} else if s.BestKnown {
			s.BestCount += int64(count)
		}
		for after := first; count > 0 && len(s.Best) < maxMoves; after, count = after+1, count-1 {
			s.Best = append(s.Best, Move{Pile: i, Before: pile, After: after})
		}
	}
	return s, true
}

// summary is what Bouton's theorem and distances ask of a position.
type summary struct {
	nimSum uint64
	// stones is their number, modulo 2^64.
	stones uint64
	// large counts the piles of two stones or more, ones those of one.
	large, ones int
}

func count(p Position) summary {
	var s summary
	for _, pile := range p {
		s = s.with(pile)
	}
	return s
}

func (s summary) with(pile uint64) summary {
	s.stones += pile
	return s.change(pile, 1)
}

func (s summary) without(pile uint64) summary {
	s.stones -= pile
	return s.change(pile, -1)
}

func (s summary) change(pile uint64, by int) summary {
	s.nimSum ^= pile
	switch {
	case pile > 1:
		s.large += by
	case pile == 1:
		s.ones += by
	}
	return s
}

// lost reports whether the player to move loses.
func (s summary) lost(convention Convention) bool {
	if convention == Misere && s.large == 0 {
		return s.ones%2 == 1
	}
	return s.nimSum == 0
}

// keeper returns the function that says to how many stones a pile must be reduced to win, if it can be; nil when the
// position, which is not over, is lost.
func (g *Game) keeper() func(pile uint64) (uint64, bool) {
	s := count(g.root)
	if s.lost(g.convention) {
		return nil
	}
	if g.convention == Misere && s.large <= 1 {
		// The end of the misère game: whoever can must leave an odd number of ones and nothing else.
		left := uint64(1 - s.ones%2) // what makes the number of ones odd
		return func(pile uint64) (uint64, bool) {
			if s.large == 1 {
				return left, pile > 1
			}
			return 0, true
		}
	}
	return func(pile uint64) (uint64, bool) {
		target := pile ^ s.nimSum
		return target, target < pile
	}
}

// sizes is a set of pile sizes other than 0: open addressing, at most half full. With many piles, all different, a map
// would take ten times as long as the theorem.
type sizes struct {
	slots []uint64
	used  int
}

const firstSlots = 8

// add reports whether the size is new.
func (s *sizes) add(size uint64) bool {
	if 2*s.used >= len(s.slots) {
		old := s.slots
		s.slots = make([]uint64, max(firstSlots, 4*len(old)))
		for _, known := range old {
			if known != 0 {
				*s.slot(known) = known
			}
		}
	}
	slot := s.slot(size)
	if *slot == size {
		return false
	}
	*slot = size
	s.used++
	return true
}

// has reports whether the size is there.
func (s *sizes) has(size uint64) bool { return s.used > 0 && *s.slot(size) == size }

// slot is where the size is, or the empty slot where it belongs.
func (s *sizes) slot(size uint64) *uint64 {
	mask := uint64(len(s.slots) - 1)
	for i := engine.HashWord(size) & mask; ; i = (i + 1) & mask {
		if slot := &s.slots[i]; *slot == size || *slot == 0 {
			return slot
		}
	}
}
