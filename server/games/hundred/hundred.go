// Package hundred holds the rules of the 100 game for any step and total, its notation and its closed form.
//
// It is a subtraction game with one heap, what is missing to the total: a move takes 1 to n from it, and who takes the
// last of it wins. Here the last move may take more than is there. (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning
// Ways for your Mathematical Plays, 1982, chapter 4.)
package hundred

import (
	"math"
	"strconv"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Position is the total so far; one above the desired total stands as the desired total. It is its own exact key.
type Position uint64

// Move is the integer to add.
type Move uint64

// Game is the 100 game from a given position. It is an engine.Game.
type Game struct {
	n, total uint64
	root     Position
}

var (
	_ engine.Game[Position, Move, Position] = (*Game)(nil)
	_ engine.Sized                          = (*Game)(nil)
	_ engine.ClosedForm[Move]               = (*Game)(nil)
)

// New returns the game with the integers 1..n to the total, from current on. n and total are from 1 to 2^63-1.
func New(n, total, current uint64) *Game {
	return &Game{n: n, total: total, root: Position(min(current, total))}
}

// Objective is WinLoss.
func (g *Game) Objective() engine.Objective { return engine.WinLoss }

// Root is the position that New was given.
func (g *Game) Root() Position { return g.root }

// Over is true when the total is reached: the other player reached it.
func (g *Game) Over(p Position) (int64, bool) { return engine.Loss, uint64(p) >= g.total }

// First is 1.
func (g *Game) First(Position) Move { return 1 }

// Next is one more, to n: overshooting is legal.
func (g *Game) Next(_ Position, m Move) (Move, bool) { return m + 1, uint64(m) < g.n }

// After adds m.
func (g *Game) After(p Position, m Move, branch int) (Position, bool) {
	return min(p+Position(m), Position(g.total)), branch == 0 // both below 2^63: no wrap
}

// Key is p.
func (g *Game) Key(p Position) Position { return p }

// Hash mixes the bits of p.
func (g *Game) Hash(p Position) uint64 { return engine.HashWord(uint64(p)) }

// Choices is n, unless the game is over.
func (g *Game) Choices() uint64 {
	if g.Plies() == 0 {
		return 0
	}
	return g.n
}

// Reachable counts the totals from the root's on: steps of one reach them all.
func (g *Game) Reachable(uint64) uint64 { return g.Plies() + 1 }

// Plies is what is missing: each move adds at least one.
func (g *Game) Plies() uint64 { return g.total - uint64(g.root) }

// AppendPosition writes the total.
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	return strconv.AppendUint(dst, uint64(p), 10)
}

// AppendMove writes the integer.
func (g *Game) AppendMove(dst []byte, m Move) []byte { return strconv.AppendUint(dst, uint64(m), 10) }

// Decide evaluates the closed form, which decides every position. What is missing to the total is lost for the player to
// move exactly when it is a multiple of n+1: from there, m by the one is answered with n+1-m by the other, down to 0,
// which is lost; from anywhere else one move leads to such a multiple. (C. G. Bachet, Problèmes plaisans et délectables,
// 1612.) Near the end every move that reaches the total or passes it wins.
func (g *Game) Decide(maxMoves int) (engine.Solution[Move], bool) {
	s := engine.Solution[Move]{Value: engine.Loss, BestKnown: true}
	missing := g.Plies()
	if missing == 0 {
		return s, true
	}
	first, last := uint64(1), g.n // lost: all moves are equal
	switch residue := missing % (g.n + 1); {
	case missing <= g.n:
		s.Value, first = engine.Win, missing
	case residue != 0:
		s.Value, first, last = engine.Win, residue, residue
	}
	s.BestCount = int64(min(last-first+1, math.MaxInt64))
	for m := first; m <= last && len(s.Best) < maxMoves; m++ {
		s.Best = append(s.Best, Move(m))
	}
	return s, true
}
