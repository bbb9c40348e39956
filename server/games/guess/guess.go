// Package guess holds the rules of Guess Number Higher or Lower II (LeetCode 375) and its notation.
package guess

import (
	"strconv"

	"github.com/zermelo-games/zermelo/server/engine"
)

// MaxHigh is the largest number that may be hidden.
const MaxHigh = 1 << 31

// Position is the range in which the number is hidden, both ends included. It is its own exact key.
type Position struct {
	Low, High uint32
}

// Move is a guess.
type Move uint32

// Game is the search for a number in a range. It is an engine.Game.
type Game struct {
	root Position
}

var (
	_ engine.Game[Position, Move, Position] = (*Game)(nil)
	_ engine.Gainer[Position, Move]         = (*Game)(nil)
	_ engine.Sized                          = (*Game)(nil)
)

// New returns the game for a number in low..high: 1 ≤ low ≤ high ≤ MaxHigh.
func New(low, high uint32) *Game { return &Game{root: Position{Low: low, High: high}} }

// Objective is Cost.
func (g *Game) Objective() engine.Objective { return engine.Cost }

// Root is the whole range.
func (g *Game) Root() Position { return g.root }

// Over is true when one number is left: guessing it is free.
func (g *Game) Over(p Position) (int64, bool) { return 0, p.Low == p.High }

// First is the smallest number.
func (g *Game) First(p Position) Move { return Move(p.Low) }

// Next is the next larger one.
func (g *Game) Next(p Position, m Move) (Move, bool) { return m + 1, uint32(m) < p.High }

// After is what remains when the guess was wrong: the numbers below it, then those above, where there are any.
func (g *Game) After(p Position, m Move, branch int) (Position, bool) {
	below := Position{Low: p.Low, High: uint32(m) - 1}
	above := Position{Low: uint32(m) + 1, High: p.High}
	hasBelow, hasAbove := uint32(m) > p.Low, uint32(m) < p.High
	switch {
	case branch == 0 && hasBelow:
		return below, true
	case branch == 0, branch == 1 && hasBelow && hasAbove:
		return above, hasAbove
	default:
		return Position{}, false
	}
}

// Gain is the guess itself: that is what it costs when it is wrong.
func (g *Game) Gain(_ Position, m Move) int64 { return int64(m) }

// Key is p.
func (g *Game) Key(p Position) Position { return p }

// Hash mixes the bits of p.
func (g *Game) Hash(p Position) uint64 { return engine.HashWord(uint64(p.Low)<<32 | uint64(p.High)) }

// Choices is how many numbers there are to guess, unless only one is left.
func (g *Game) Choices() uint64 {
	if g.Plies() == 0 {
		return 0
	}
	return g.Plies() + 1
}

// Reachable counts the ranges within the root's: w(w+1)/2 for w numbers.
func (g *Game) Reachable(uint64) uint64 {
	w := g.Plies() + 1
	return w * (w + 1) / 2
}

// Plies is one less than there are numbers: each guess rules out at least itself.
func (g *Game) Plies() uint64 { return uint64(g.root.High - g.root.Low) }

// AppendPosition writes the range: 8..10.
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	dst = strconv.AppendUint(dst, uint64(p.Low), 10)
	dst = append(dst, ".."...)
	return strconv.AppendUint(dst, uint64(p.High), 10)
}

// AppendMove writes the guess.
func (g *Game) AppendMove(dst []byte, m Move) []byte { return strconv.AppendUint(dst, uint64(m), 10) }
