package proof

import zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"

// This file has the theorems that a proof may consist of, as arithmetic.

// nimSum is what Bouton's theorem needs to know of the piles.
type nimSum struct {
	xor   uint64 // of the stones in each pile
	ones  int    // piles of one stone
	large int    // piles of two stones or more
}

// add adds a pile.
func (s *nimSum) add(pile uint64) { s.change(pile, 1) }

// remove takes a pile away that was added.
func (s *nimSum) remove(pile uint64) { s.change(pile, -1) }

func (s *nimSum) change(pile uint64, by int) {
	s.xor ^= pile
	switch {
	case pile == 1:
		s.ones += by
	case pile > 1:
		s.large += by
	}
}

// lost is the theorem of C. L. Bouton (Nim, a game with a complete mathematical theory, Annals of Mathematics 3, 1901).
// In normal play a position is lost exactly when the exclusive or of its piles is 0. So it is in misère play while there
// is a pile of two or more; when there is none, it is lost exactly when the number of piles of one is odd.
func (s *nimSum) lost(misere bool) bool {
	if misere && s.large == 0 {
		return s.ones%2 == 1
	}
	return s.xor == 0
}

// moduloLost says whether the 100 game, with integers from 1 to n, is lost when missing is still missing. It is exactly
// when missing is a multiple of n+1: then m is answered with n+1-m, down to 0, which is lost; otherwise one move makes
// it a multiple. A move beyond the total leaves 0 missing. n is below 2^64-1.
func moduloLost(missing, n uint64) bool { return missing%(n+1) == 0 }

// outOfReach says whether a total is above the sum of all integers from 1 to n, so that nobody can bring Can I Win to an
// end but by taking the last of them. n is at most 64.
func outOfReach(n, total uint64) bool { return n*(n+1)/2 < total }

// winUnless is for games in which nothing is drawn.
func winUnless(lost bool) zermelov1.Outcome {
	if lost {
		return loss
	}
	return win
}
