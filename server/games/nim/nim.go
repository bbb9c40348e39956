// Package nim holds the rules of Nim in both conventions, its notation and its closed form.
package nim

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Convention says who wins the game whose last stone decides.
type Convention uint8

const (
	// Normal play: who takes the last stone wins.
	Normal Convention = iota + 1
	// Misere play: who takes the last stone loses.
	Misere
)

// Position holds the stones in each pile, in the order in which they were given.
type Position []uint64

// Move takes stones from a pile.
type Move struct {
	// Pile is the index of the pile, from 0.
	Pile int
	// Before and After are its stones before and after the move; After is less.
	Before, After uint64
}

// Key is the exact key of a position: its piles, largest first, in as many bytes each as the root's largest needs.
type Key string

// Game is Nim from a given position. It is an engine.Game.
type Game struct {
	root       Position
	convention Convention
	keyWidth   int
}

var (
	_ engine.Game[Position, Move, Key] = (*Game)(nil)
	_ engine.Repeater[Position, Move]  = (*Game)(nil)
	_ engine.Sized                     = (*Game)(nil)
	_ engine.Bulky                     = (*Game)(nil)
	_ engine.ClosedForm[Move]          = (*Game)(nil)
)

// New returns the game from piles on; each is below 2^63. The slice is kept.
func New(piles []uint64, convention Convention) *Game {
	width := 1
	if len(piles) > 0 {
		width = max(1, (bits.Len64(slices.Max(piles))+7)/8)
	}
	return &Game{root: piles, convention: convention, keyWidth: width}
}

// Objective is WinLoss.
func (g *Game) Objective() engine.Objective { return engine.WinLoss }

// Root is the position that New was given.
func (g *Game) Root() Position { return g.root }

// Over is true when nothing is left: the other player took the last stone.
func (g *Game) Over(p Position) (int64, bool) {
	for _, pile := range p {
		if pile > 0 {
			return 0, false
		}
	}
	if g.convention == Misere {
		return engine.Win, true
	}
	return engine.Loss, true
}

// First takes the whole first pile that has stones.
func (g *Game) First(p Position) Move {
	m, _ := firstFrom(p, 0)
	return m
}

// Next takes one stone less from the same pile, then the whole next one: pile by pile as given, equal piles one after
// the other.
func (g *Game) Next(p Position, m Move) (Move, bool) {
	if m.After+1 < m.Before {
		m.After++
		return m, true
	}
	return firstFrom(p, m.Pile+1)
}

func firstFrom(p Position, pile int) (Move, bool) {
	for ; pile < len(p); pile++ {
		if p[pile] > 0 {
			return Move{Pile: pile, Before: p[pile]}, true
		}
	}
	return Move{}, false
}

// Repeats is true where an earlier pile is as large.
func (g *Game) Repeats(p Position, m Move) bool { return slices.Index(p, m.Before) < m.Pile }

// After is a copy of p with the stones taken.
func (g *Game) After(p Position, m Move, branch int) (Position, bool) {
	if branch > 0 {
		return nil, false
	}
	next := slices.Clone(p)
	next[m.Pile] = m.After
	return next, true
}

// Key sorts the piles: their order does not matter to play.
func (g *Game) Key(p Position) Key {
	var few [8]uint64
	var fewBytes [64]byte
	sorted := append(few[:0], p...)
	descending(sorted)
	key := fewBytes[:0]
	var wide [8]byte
	for _, pile := range sorted {
		binary.BigEndian.PutUint64(wide[:], pile)
		key = append(key, wide[8-g.keyWidth:]...)
	}
	return Key(key)
}

// Hash mixes the bytes of the key.
func (g *Game) Hash(key Key) uint64 { return engine.HashBytes(string(key)) }

func descending(piles []uint64) {
	slices.SortFunc(piles, func(a, b uint64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		default:
			return 0
		}
	})
}

// Choices adds up the different piles: stones can be taken from each, from one to all of them.
func (g *Game) Choices() uint64 {
	var seen sizes
	var choices uint64
	for _, pile := range g.root {
		if pile != 0 && seen.add(pile) {
			choices = engine.AddSaturating(choices, pile)
		}
	}
	return choices
}

// manyPositions is where Reachable stops counting whatever the limit is: far more than any memory holds.
const manyPositions = 1 << 40

// Reachable counts the multisets of piles below the root's: the ascending sequences b with b[i] ≤ a[i], where a is the
// root in ascending order. ways[v] is the number of such beginnings that end with at most v. Each beginning goes on in
// one way at least, so that counting stops when there are limit of them; and the two largest piles alone, of which the
// smaller is s, make (s+1)(s+2)/2, so that no more than √(2·limit) ways are ever looked at together.
func (g *Game) Reachable(limit uint64) uint64 {
	enough := min(limit, manyPositions)
	piles := slices.DeleteFunc(slices.Clone(g.root), func(pile uint64) bool { return pile == 0 })
	slices.Sort(piles)
	n := len(piles)
	if n == 0 {
		return 1
	}
	largest := piles[n-1]
	if n == 1 {
		return largest + 1
	}
	second := piles[n-2]
	if pairs := engine.MulSaturating(second+1, second+2) / 2; pairs >= enough {
		return limit
	}
	ways := make([]uint64, 1, second+1)
	ways[0] = 1 // the empty beginning counts as one that ends with 0
	for _, pile := range piles[:n-1] {
		for last := ways[len(ways)-1]; uint64(len(ways)) <= pile; {
			ways = append(ways, last)
		}
		var sum uint64
		for v := range ways {
			sum = engine.AddSaturating(sum, ways[v])
			ways[v] = sum
		}
		if sum >= enough {
			return limit
		}
	}
	var sum uint64
	for _, w := range ways {
		sum = engine.AddSaturating(sum, w)
	}
	beyond := largest - second
	return engine.AddSaturating(sum, engine.MulSaturating(beyond, ways[len(ways)-1]))
}

// Plies is the number of stones: each move takes at least one.
func (g *Game) Plies() uint64 {
	var stones uint64
	for _, pile := range g.root {
		stones = engine.AddSaturating(stones, pile)
	}
	return stones
}

// Bulk counts the piles. What is kept is rounded up to blocks as the allocator makes them; it puts several short strings
// into one, which any of them keeps.
func (g *Game) Bulk() engine.Bulk {
	const block = 16
	n := len(g.root)
	blocks := func(bytes int) int { return (bytes + block - 1) / block * block }
	return engine.Bulk{Work: n / 8, PositionBytes: blocks(8 * n), KeyBytes: blocks(g.keyWidth * n)}
}

// AppendPosition writes the piles, largest first: 6-5-3. No piles: -.
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	if len(p) == 0 {
		return append(dst, '-')
	}
	var few [8]uint64
	sorted := append(few[:0], p...)
	descending(sorted)
	for i, pile := range sorted {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = strconv.AppendUint(dst, pile, 10)
	}
	return dst
}

// AppendMove writes the pile before and after: 7>6.
func (g *Game) AppendMove(dst []byte, m Move) []byte {
	dst = strconv.AppendUint(dst, m.Before, 10)
	dst = append(dst, '>')
	return strconv.AppendUint(dst, m.After, 10)
}
