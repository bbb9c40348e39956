// Package caniwin holds the rules of Can I Win (LeetCode 464), its notation and its closed cases.
package caniwin

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/zermelo-games/zermelo/server/engine"
)

// MaxInteger is the largest integer that may be chosen from: one bit each.
const MaxInteger = 64

// Position is the set of chosen integers: bit i-1 stands for i. It is its own exact key: the sum that has been reached
// follows from it. The remaining total alone would not do: from 1..4 to 9, a memo keyed by it says won, and it is lost.
type Position uint64

// Move is an integer from 1 to MaxInteger.
type Move uint8

// Game is Can I Win from a given position. It is an engine.Game.
type Game struct {
	n     int
	all   Position // 1..n
	total int64
	root  Position
}

var (
	_ engine.Game[Position, Move, Position] = (*Game)(nil)
	_ engine.Sized                          = (*Game)(nil)
	_ engine.Indexed[Position, Move]        = (*Game)(nil)
	_ engine.ClosedForm[Move]               = (*Game)(nil)
)

// New returns the game with the integers 1..n, n from 1 to MaxInteger, to the total, from the chosen ones on.
func New(n int, total int64, chosen Position) *Game {
	return &Game{n: n, all: 1<<n - 1, total: total, root: chosen}
}

// Objective is WinLoss.
func (g *Game) Objective() engine.Objective { return engine.WinLoss }

// Root is the position that New was given.
func (g *Game) Root() Position { return g.root }

// Sum adds up the chosen integers.
func (p Position) Sum() int64 {
	sum := byteSums[0][byte(p)] + byteSums[1][byte(p>>8)] + byteSums[2][byte(p>>16)] + byteSums[3][byte(p>>24)]
	if p>>32 != 0 {
		sum += byteSums[4][byte(p>>32)] + byteSums[5][byte(p>>40)] + byteSums[6][byte(p>>48)] + byteSums[7][byte(p>>56)]
	}
	return int64(sum)
}

// byteSums are the sums of the integers in each byte of a position: it is what a search asks for most.
var byteSums = func() (sums [8][256]uint16) {
	for i := range sums {
		for set := range sums[i] {
			for bit := range 8 {
				if set>>bit&1 != 0 {
					sums[i][set] += uint16(8*i + bit + 1)
				}
			}
		}
	}
	return sums
}()

// With is p with m chosen too.
func (p Position) With(m Move) Position { return p | 1<<((m-1)%MaxInteger) }

// Chosen lists the chosen integers, ascending.
func (p Position) Chosen() []uint32 {
	chosen := make([]uint32, 0, bits.OnesCount64(uint64(p)))
	for rest := uint64(p); rest != 0; rest &= rest - 1 {
		chosen = append(chosen, uint32(bits.TrailingZeros64(rest))+1)
	}
	return chosen
}

// free is the set of integers not yet chosen.
func (g *Game) free(p Position) Position { return g.all &^ p }

// Over is true when the total is reached: the other player reached it. Only the total 0, reached before anyone moved,
// is won. It is true as well when no integer is left: nobody could reach it.
func (g *Game) Over(p Position) (int64, bool) {
	switch {
	case p.Sum() < g.total:
		return engine.Draw, g.free(p) == 0
	case g.total == 0 && p == 0:
		return engine.Win, true
	default:
		return engine.Loss, true
	}
}

// First is the smallest integer left.
func (g *Game) First(p Position) Move {
	return Move(bits.TrailingZeros64(uint64(g.free(p)))) + 1
}

// Next is the next larger integer left.
func (g *Game) Next(p Position, m Move) (Move, bool) {
	larger := g.free(p) &^ (1<<m - 1)
	return Move(bits.TrailingZeros64(uint64(larger))) + 1, larger != 0
}

// After has m chosen too.
func (g *Game) After(p Position, m Move, branch int) (Position, bool) {
	return p.With(m), branch == 0
}

// Key is p.
func (g *Game) Key(p Position) Position { return p }

// Hash mixes the bits of p.
func (g *Game) Hash(p Position) uint64 { return engine.HashWord(uint64(p)) }

// Indexes is the number of sets of integers.
func (g *Game) Indexes() uint64 {
	if g.n == MaxInteger {
		return math.MaxUint64
	}
	return 1 << g.n
}

// Index has the bits of p in reverse: the large integers vary most from one position that a search meets to the next, and
// count least.
func (g *Game) Index(p Position) uint64 { return bits.Reverse64(uint64(p)) >> (MaxInteger - g.n) }

// Follow is After, Index and Over.
func (g *Game) Follow(
	p Position, index uint64, m Move, branch int,
) (next Position, nextIndex uint64, value int64, over, ok bool) {
	next = p.With(m)
	index |= 1 << ((g.n - int(m)) % MaxInteger)
	if next.Sum() < g.total {
		return next, index, engine.Draw, g.free(next) == 0, branch == 0
	}
	return next, index, engine.Loss, true, branch == 0
}

// Reachable counts the sets of integers that can come to be chosen: with what is missing at the root called need, a set
// is reachable when it stays below need without its largest, which can be taken last.
func (g *Game) Reachable(limit uint64) uint64 {
	if _, over := g.Over(g.root); over {
		return 1
	}
	need := int(min(g.total-g.root.Sum(), MaxInteger*(MaxInteger+1)/2+1))
	below := []uint64{1} // below[s]: sets of the integers so far whose sum is s, for the sums below need
	count := uint64(1)
	for rest := uint64(g.free(g.root)); rest != 0 && count < limit; rest &= rest - 1 {
		for _, sets := range below {
			count = engine.AddSaturating(count, sets)
		}
		m := bits.TrailingZeros64(rest) + 1
		sums := len(below)
		below = append(below, make([]uint64, min(m, need-sums))...)
		for s := min(sums+m, need) - 1; s >= m; s-- {
			below[s] = engine.AddSaturating(below[s], below[s-m])
		}
	}
	return count
}

// Choices is the number of integers left, unless the game is over.
func (g *Game) Choices() uint64 {
	if _, over := g.Over(g.root); over {
		return 0
	}
	return g.Plies()
}

// Plies is the number of integers left.
func (g *Game) Plies() uint64 { return uint64(bits.OnesCount64(uint64(g.free(g.root)))) }

// AppendPosition writes the chosen integers ascending: 1,4. None: -.
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	if p == 0 {
		return append(dst, '-')
	}
	for rest := uint64(p); rest != 0; rest &= rest - 1 {
		m := bits.TrailingZeros64(rest) + 1
		if m >= 10 {
			dst = append(dst, '0'+byte(m/10)) // by hand: a trace is mostly positions
		}
		dst = append(dst, '0'+byte(m%10), ',')
	}
	return dst[:len(dst)-1]
}

// AppendMove writes the integer.
func (g *Game) AppendMove(dst []byte, m Move) []byte { return strconv.AppendUint(dst, uint64(m), 10) }

// Decide answers the positions that need no search: those at which the game is over, and those whose total is out of
// reach even with every integer, which are drawn whatever is played.
func (g *Game) Decide(maxMoves int) (engine.Solution[Move], bool) {
	s := engine.Solution[Move]{BestKnown: true}
	if value, over := g.Over(g.root); over {
		s.Value = value
		return s, true
	}
	free := g.free(g.root)
	if (g.root | free).Sum() >= g.total {
		return s, false
	}
	s.Value = engine.Draw
	s.BestCount = int64(bits.OnesCount64(uint64(free)))
	for m := range engine.Moves(g, g.root) {
		if len(s.Best) == maxMoves {
			break
		}
		s.Best = append(s.Best, m)
	}
	return s, true
}
