// Package engine says what a finite game is. It and everything below it is pure: standard library only, no transport,
// no logging, no global state. What is done with games lives in search/; the games themselves have rooms of their own.
package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Version names the behaviour of the engine. The same request under the same version gives the same events in the
// same order; a change of the order of moves, of what counts as an event or of the games' rules is a new version.
const Version = "1"

// Objective is what the values of a game mean.
type Objective uint8

const (
	// WinLoss games end in +1, 0 or −1 for the player to move; moves earn nothing on the way.
	WinLoss Objective = iota + 1
	// Margin games earn points on the way; a value is by how much the player to move outscores the other from here on.
	Margin
	// Cost games have one player, who pays for moves and minimises, and an adversary, who chooses what follows a move
	// and maximises.
	Cost
)

// Values of WinLoss positions, for the player to move.
const (
	Loss int64 = -1
	Draw int64 = 0
	Win  int64 = 1
)

// Game is one position of one game, the root, with the rules that lead on from there. P is a position, M a move, which
// can be compared with ==, and K the exact key of a position: two positions have the same key only if no play can tell
// them apart.
//
// The value of a position that is not over is the best, over its moves m, of what m earns combined with what follows: in
// WinLoss and Margin games minus the value of the position after m, in Cost games plus the largest value among the
// positions that the adversary may choose.
//
// A Game is immutable. Methods must not keep or change what they are given. What a game may know beyond this are
// interfaces of their own: [Gainer], [Repeater], [Sized], [Indexed], [Bulky], [ClosedForm], [Algorithm] and [Ranker].
type Game[P, M any, K comparable] interface {
	// Objective says what values mean.
	Objective() Objective
	// Root is the root position.
	Root() P
	// Over reports whether the game is over at p, and the value of p for the player to move if it is.
	Over(p P) (value int64, over bool)
	// First is the first legal move at p in natural order. p is not over.
	First(p P) M
	// Next is the legal move that follows m at p in natural order; false after the last.
	Next(p P, m M) (M, bool)
	// After is the position after move m at p. In Cost games branch counts what the adversary may choose, from 0, the
	// lower first, with at least one; in the others only branch 0 exists. False when there is no such branch.
	After(p P, m M, branch int) (P, bool)
	// Key is the exact key of p's canonical form.
	Key(p P) K
	// Hash spreads keys over 64 bits. It is the same on every run, so that a memo is too: also in when it is full.
	Hash(key K) uint64
	// AppendPosition appends the notation of p's canonical form to dst.
	AppendPosition(dst []byte, p P) []byte
	// AppendMove appends the notation of m to dst. Legal moves with the same text have the same effect.
	AppendMove(dst []byte, m M) []byte
}

// Gainer is implemented by Margin and Cost games: their moves earn or cost something. Without it moves earn nothing.
type Gainer[P, M any] interface {
	// Gain is what move m at p earns (Margin) or costs (Cost).
	Gain(p P, m M) int64
}

// Repeater is implemented by games in which legal moves of a position may have the same text, and so the same effect.
// Without it no two have.
type Repeater[P, M any] interface {
	// Repeats reports whether an earlier legal move at p has the same text as m.
	Repeats(p P, m M) bool
}

// Sized is implemented by games that can say how large they are without being played. Without it nothing is known: a
// search of the game may or may not fit its budget.
type Sized interface {
	// Choices is the number of legal moves at the root, each text counted once; 2^64-1 when that or more.
	Choices() uint64
	// Reachable is the number of distinct keys reachable from the root, the root included, where that is below limit.
	// Otherwise it is limit, or more but no more than there are. Counting takes no longer than reading the root and some
	// multiple of limit's square root; it may stop at 2^40, more than any memory holds, as if that were the limit.
	Reachable(limit uint64) uint64
	// Plies bounds the number of moves from the root to the end of the game; 2^64-1 when that or more.
	Plies() uint64
}

// Indexed is implemented by games that count their positions without large gaps. A search then remembers decisions in an
// array, where that takes no more memory than a table of keys, and asks about a position once. The game must be Sized.
type Indexed[P, M any] interface {
	// Indexes is how many indexes there are; 2^64-1 when that or more, and nothing else is asked then.
	Indexes() uint64
	// Index is where p, which the root can lead to, stands: below Indexes. Positions have the same index exactly when they
	// have the same key. What a search meets one after the other should stand near each other.
	Index(p P) uint64
	// Follow returns the position after move m at p, whose index is given, as After does; with its Index and what Over
	// says of it.
	Follow(p P, index uint64, m M, branch int) (next P, nextIndex uint64, value int64, over, ok bool)
}

// Bulky is implemented by games whose positions are of variable size. Without it a position is a fixed struct.
type Bulky interface {
	// Bulk says what a position takes beyond the fixed size of its type.
	Bulk() Bulk
}

// BulkOf is what g's positions take beyond the fixed size of their type.
func BulkOf(g any) Bulk {
	if b, ok := g.(Bulky); ok {
		return b.Bulk()
	}
	return Bulk{}
}

// GainOf is what g's moves earn or cost; nil where they earn nothing.
func GainOf[P, M any, K comparable](g Game[P, M, K]) func(p P, m M) int64 {
	if gainer, ok := g.(Gainer[P, M]); ok {
		return gainer.Gain
	}
	return nil
}

// RepeatsOf reports of a move whether an earlier one at p has the same text; nil where none has.
func RepeatsOf[P, M any, K comparable](g Game[P, M, K]) func(p P, m M) bool {
	if repeater, ok := g.(Repeater[P, M]); ok {
		return repeater.Repeats
	}
	return nil
}

// Bulk is what positions of variable size take. The zero value is right for games whose position is a fixed struct.
type Bulk struct {
	// Work is how many ordinary steps one step of the search costs beyond the first.
	Work int
	// PositionBytes is what one position keeps on the heap.
	PositionBytes int
	// KeyBytes is what one key keeps on the heap.
	KeyBytes int
}

// Solution is the value of a game's root and the moves that keep it.
type Solution[M any] struct {
	// Value is the root's value; see Game.
	Value int64
	// Best holds the moves that keep the value, in natural order, one for each text, cut as asked.
	Best []M
	// BestCount is how many there are; BestKnown says whether that is known and fits.
	BestCount int64
	BestKnown bool
}

// ClosedForm is implemented by games that a theorem decides, wholly or in some positions.
type ClosedForm[M any] interface {
	// Decide evaluates the theorem at the root and returns the solution with at most maxMoves best moves; false when it
	// does not decide the root. It takes no longer than reading the root.
	Decide(maxMoves int) (Solution[M], bool)
}

// Algorithm is implemented by games that know a faster way to their solution than a search.
type Algorithm[M any] interface {
	// Solve returns the solution with at most maxMoves best moves. ErrNoAlgorithm means that there is no faster way for
	// this position. Otherwise the errors are ctx's cause and a *BudgetError.
	Solve(ctx context.Context, maxMoves int) (Solution[M], error)
}

// Ranked is a legal move with its value for the player who makes it.
type Ranked[M any] struct {
	Move M
	// Value is what the move earns or costs, combined with the value of what follows; see Game. It is exact also where
	// the move is not a best one.
	Value int64
	// Distance is the number of moves to the end of the game with this move, itself included, when from then on the
	// winner hurries and the loser delays (remoteness; C. A. B. Smith, "Graphs and composite games", Journal of
	// Combinatorial Theory 1, 1966). In Margin games and in a draw both delay. In Cost games the one player hurries, and
	// the adversary, among the positions that cost as much, delays. 0: not known.
	Distance int64
	// Branch is what the adversary of a Cost game then chooses: the costlier position, of these the farther from the end
	// where distances are known, of these the first. 0 in all other games.
	Branch int
}

// Ranking knows the value of every move at the positions that can be reached from a root. It is used by one goroutine at
// a time.
type Ranking[P, M any] interface {
	// Rank returns the legal moves at p, which the root can lead to, in natural order, one for each text; none where the
	// game is over. Errors: ctx's cause, a *BudgetError, and ErrNoAlgorithm where a Ranker's way turns out not to lead to p's
	// values.
	Rank(ctx context.Context, p P) ([]Ranked[M], error)
	// Close gives back what the ranking holds. It must be called once, when no Rank runs.
	Close()
}

// Ranker is implemented by games that know a faster way to a Ranking than a search.
type Ranker[P, M any] interface {
	// Ranks reports, at once, whether there is a faster way for this root, with distances or without them.
	Ranks(distances bool) bool
	// Ranking prepares a ranking, which may take as long as all the rest. With distances every move has one; without,
	// those that the game knows anyway. The error is ErrNoAlgorithm where Ranks is false; otherwise the errors are those of
	// Rank.
	Ranking(ctx context.Context, distances bool) (Ranking[P, M], error)
}

// ErrNoAlgorithm is returned by an Algorithm or a Ranker that has no answer for this position; a search has.
var ErrNoAlgorithm = errors.New("no algorithm for this position")

// ErrMemoBudget is the class of every *BudgetError.
var ErrMemoBudget = errors.New("memo budget spent")

// BudgetError says that the memory allowed for a search ran out. It is an ErrMemoBudget.
type BudgetError struct {
	// Budget is what was allowed, in bytes.
	Budget int64
	// Expanded is how many positions were entered until then.
	Expanded int64
}

// Error states the budget and how far it went.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("the memo budget of %d bytes was spent after %d positions", e.Budget, e.Expanded)
}

// Is makes every BudgetError an ErrMemoBudget.
func (e *BudgetError) Is(target error) bool { return target == ErrMemoBudget }

// Moves ranges over the legal moves at p in natural order.
func Moves[P, M any, K comparable](g Game[P, M, K], p P) iter.Seq[M] {
	return func(yield func(M) bool) {
		if _, over := g.Over(p); over {
			return
		}
		for m, ok := g.First(p), true; ok; m, ok = g.Next(p, m) {
			if !yield(m) {
				return
			}
		}
	}
}
