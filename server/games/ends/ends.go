// Package ends holds the rules of the games in which two players take from either end of a row: Predict the Winner
// (LeetCode 486) and Stone Game (LeetCode 877), and their notation.
package ends

import (
	"math"
	"strconv"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Position is what remains of the row: the indices From ≤ i < To. It is its own exact key.
type Position struct {
	From, To uint32
}

// Move is an end of the row.
type Move byte

const (
	// Left takes the first score that remains.
	Left Move = 'L'
	// Right takes the last one.
	Right Move = 'R'
)

// MaxScores is the longest row that positions can index.
const MaxScores = math.MaxUint32

// Game is a row from its beginning. It is an engine.Game.
type Game struct {
	scores []int64
}

var (
	_ engine.Game[Position, Move, Position] = (*Game)(nil)
	_ engine.Gainer[Position, Move]         = (*Game)(nil)
	_ engine.Sized                          = (*Game)(nil)
)

// New returns the game with the row of scores; the sum of their absolute values is at most 2^63-1. The slice is kept.
func New(scores []int64) *Game { return &Game{scores: scores} }

// Objective is Margin.
func (g *Game) Objective() engine.Objective { return engine.Margin }

// Root is the whole row.
func (g *Game) Root() Position { return Position{To: uint32(len(g.scores))} }

// Over is true when nothing is left.
func (g *Game) Over(p Position) (int64, bool) { return 0, p.From == p.To }

// First is Left.
func (g *Game) First(Position) Move { return Left }

// Next is Right after Left. A row of one has both.
func (g *Game) Next(_ Position, m Move) (Move, bool) { return Right, m == Left }

// After is the row without that end.
func (g *Game) After(p Position, m Move, branch int) (Position, bool) {
	if m == Left {
		p.From++
	} else {
		p.To--
	}
	return p, branch == 0
}

// Gain is the score at that end.
func (g *Game) Gain(p Position, m Move) int64 {
	if m == Left {
		return g.scores[p.From]
	}
	return g.scores[p.To-1]
}

// Key is p.
func (g *Game) Key(p Position) Position { return p }

// Hash mixes the bits of p.
func (g *Game) Hash(p Position) uint64 { return engine.HashWord(uint64(p.From)<<32 | uint64(p.To)) }

// Choices is two, unless the game is over.
func (g *Game) Choices() uint64 {
	if len(g.scores) == 0 {
		return 0
	}
	return 2
}

// Reachable counts the ranges of the row: n(n+1)/2 with something in them, and n+1 empty ones.
func (g *Game) Reachable(uint64) uint64 {
	n := uint64(len(g.scores))
	return n*(n+1)/2 + n + 1
}

// Plies is the length of the row.
func (g *Game) Plies() uint64 { return uint64(len(g.scores)) }

// AppendPosition writes the range: 2..6.
func (g *Game) AppendPosition(dst []byte, p Position) []byte {
	dst = strconv.AppendUint(dst, uint64(p.From), 10)
	dst = append(dst, ".."...)
	return strconv.AppendUint(dst, uint64(p.To), 10)
}

// AppendMove writes L or R.
func (g *Game) AppendMove(dst []byte, m Move) []byte { return append(dst, byte(m)) }
