package nim_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

// lost is Bouton's law for the player to move, written once more: by the exclusive or of all piles, and in misère play
// by the number of ones when no pile has more.
func lost(piles []uint64, convention nim.Convention) bool {
	var sum uint64
	for _, pile := range piles {
		sum ^= pile
	}
	if convention == nim.Misere && slices.Max(piles) <= 1 {
		return sum == 1 // so many ones that their number is odd
	}
	return sum == 0
}

// TestDecideFollowsTheLawOnLargePiles compares values and all best moves with the law, for random piles up to 2^62. Only
// three sizes can turn a pile into what makes the position lost: none, one, and what makes the exclusive or 0.
func TestDecideFollowsTheLawOnLargePiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1901, 3))
	for range 20_000 {
		piles := make([]uint64, 1+random.IntN(7))
		for i := range piles {
			piles[i] = random.Uint64N(1<<random.IntN(63)) + 1
		}
		if random.IntN(2) == 0 { // half of them lost, or nearly
			piles[0] = 0
			for _, pile := range piles[1:] {
				piles[0] ^= pile
			}
			if slices.Max(piles) == 0 {
				continue
			}
		}
		for _, convention := range conventions {
			s, ok := nim.New(piles, convention).Decide(100)
			isLost := lost(piles, convention)
			if !ok || (s.Value == engine.Loss) != isLost {
				t.Fatalf("%v, %v: %+v, by the law lost is %t", piles, convention, s, isLost)
			}
			if isLost {
				continue // every move is as good
			}
			var want []nim.Move
			for i, pile := range piles {
				if slices.Index(piles, pile) < i {
					continue
				}
				var sum uint64
				for _, p := range piles {
					sum ^= p
				}
				targets := []uint64{0, 1, pile ^ sum}
				slices.Sort(targets)
				for _, after := range slices.Compact(targets) {
					next := slices.Clone(piles)
					next[i] = after
					if after < pile && (slices.Max(next) > 0 && lost(next, convention) || slices.Max(next) == 0 && convention == nim.Normal) {
						want = append(want, nim.Move{Pile: i, Before: pile, After: after})
					}
				}
			}
			if !slices.Equal(s.Best, want) || s.BestCount != int64(len(want)) {
				t.Fatalf("%v, %v: best moves %v, by the law %v", piles, convention, s.Best, want)
			}
		}
	}
}
