package nim

import (
	"context"
	"math"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Ranking knows the outcome of every move by Bouton's theorem, see Decide, and distances by what follows from it, see
// distance. These it does not know where there are 2^63 stones or more.
func (g *Game) Ranking(_ context.Context, distances bool) (engine.Ranking[Position, Move], error) {
	if !g.Ranks(distances) {
		return nil, engine.ErrNoAlgorithm
	}
	return ranking{convention: g.convention, distances: distances}, nil
}

// Ranks is Ranking's.
func (g *Game) Ranks(distances bool) bool { return !distances || g.Plies() <= math.MaxInt64 }

var _ engine.Ranker[Position, Move] = (*Game)(nil)

type ranking struct {
	convention Convention
	distances  bool
}

// Close has nothing to give back.
func (r ranking) Close() {}

// stepsBetweenLooks is how many moves are ranked, or piles looked at for their distances, between two looks at the
// context: well below a millisecond.
const stepsBetweenLooks = 1 << 14

// Rank takes time proportional to the number of piles and moves; with distances, to that of moves times different piles.
func (r ranking) Rank(ctx context.Context, p Position) ([]engine.Ranked[Move], error) {
	all := count(p)
	var seen, twice sizes
	var first []int // where each size comes first
	for i, pile := range p {
		switch {
		case pile == 0:
		case seen.add(pile):
			first = append(first, i)
		default:
			twice.add(pile)
		}
	}
	var ranked []engine.Ranked[Move]
	steps := 0
	for _, i := range first {
		pile := p[i]
		others, stays := all.without(pile), twice.has(pile)
		for after := range pile {
			if steps--; steps < 0 {
				if ctx.Err() != nil {
					return nil, context.Cause(ctx)
				}
				steps = stepsBetweenLooks
			}
			m := engine.Ranked[Move]{Move: Move{Pile: i, Before: pile, After: after}, Value: engine.Loss}
			left := others.with(after)
			lost := left.lost(r.convention)
			if lost {
				m.Value = engine.Win
			}
			if r.distances {
				most := after & left.nimSum
				if !lost {
					for _, j := range first {
						if j != i || stays {
							most = max(most, p[j]&left.nimSum)
						}
					}
					steps -= len(first)
				}
				m.Distance = 1 + left.distance(r.convention, most)
			}
			ranked = append(ranked, m)
		}
	}
	return ranked, nil
}

// distance is the number of moves to the end when the winner hurries and the loser delays. most is the largest bitwise
// and of any pile with the nim-sum; it counts where the position is won.
//
// A lost position of n stones is n moves from the end, but n−1 in misère play when a pile has two stones or more: the
// loser takes single stones, and lets the winner take no more.
//
// No play is longer. Each move takes a stone or more. And in misère play the loser, who moves first, takes the last
// stone, after an odd number of moves, while n is even: the nim-sum is 0.
//
// The loser can make it last as long. When all piles are ones, each move takes one stone. Otherwise the nim-sum is 0. Let
// 2^k be the greatest power of two that divides all piles, and let the loser take one stone from a pile that 2^(k+1) does
// not divide. This leaves the nim-sum 2^(k+1)−1, and in normal play the winner has to bring it back to 0, from a pile
// with bit k. The one just taken from has lost it; any other is still divided by 2^k, so that it loses just one stone.
// That leaves a lost position of n−2 stones: the same again. In misère play it goes on like this as long as two piles of
// two stones or more are left to the winner. When only one is, there were two before the loser's move, which were equal,
// and the loser took from a pile of two. Then there were no ones, as the loser takes from an odd pile where there are
// such, and the position was 2-2: the loser takes one stone, the winner both of the other pile, and the loser the last
// one, which makes three moves for four stones.
//
// The winner of any other position therefore hurries by taking as many stones as a winning move can. To bring the
// nim-sum s to 0 is to make x of a pile x XOR s, which takes 2·(x AND s) − s stones if that is positive, and it is for
// the largest x AND s.
func (s summary) distance(convention Convention, most uint64) int64 {
	misere := convention == Misere
	switch {
	case s.lost(convention) && misere && s.large > 0:
		return int64(s.stones - 1)
	case s.lost(convention):
		return int64(s.stones)
	case s.stones == 0:
		return 0
	case misere && s.large == 0:
		return int64(s.ones)
	case misere && s.large == 1:
		return int64(1 + s.ones + 1 - s.ones%2) // an odd number of ones is left, and nothing else; see keeper
	case misere:
		return int64(1 + s.stones - (2*most - s.nimSum) - 1)
	default:
		return int64(1 + s.stones - (2*most - s.nimSum))
	}
}
