package search

import "time"

// Kind is what an event tells.
type Kind uint8

const (
	// Tick is no event of the trace: it comes every few thousand positions, so that a consumer that waits for events
	// has its moment. It has no number and nothing else is set.
	Tick Kind = iota
	// Enter says that a position was entered: it is not over, and the memo does not know it.
	Enter
	// MemoHit says that a position was answered from the memo.
	MemoHit
	// Terminal says that a position was met at which the game is over.
	Terminal
	// Cutoff says that a winning move was found, and further legal moves are left untried.
	Cutoff
	// Decided says that a position that is not over was decided.
	Decided
)

// Event is one step of the search.
type Event[P, M any] struct {
	// Number counts the events of the trace from 1.
	Number int64
	// Kind is what happened.
	Kind Kind
	// Depth is the number of moves from the root to Position.
	Depth int
	// Position is where it happened.
	Position P
	// Move is, in Decided and Cutoff, the deciding move: the first best one in natural order; in the other kinds the
	// move by which the search came to Position.
	Move M
	// HasMove is false at the root of the other kinds, and in a Decided loss of a win/loss game, which no move decides.
	HasMove bool
	// Value is that of Position for the player to move there, from there on. Not set in Enter and Tick.
	Value int64
	// Because is, in Decided and Cutoff, the Number of the decision about the position after Move (in Cost games the
	// costlier one, on a tie the lower); in MemoHit that of the remembered decision. 0: there is none.
	Because int64
	// Distance is, in Decided and Terminal of a search for distances, the number of moves from Position to the end.
	Distance int64
}

// Statistics counts the work of a search. All but Elapsed are the same on every run.
type Statistics struct {
	// PositionsExpanded counts positions entered: not over, and not answered from the memo.
	PositionsExpanded int64
	// MemoHits counts positions answered from the memo.
	MemoHits int64
	// MemoEntries is the number of positions in the memo.
	MemoEntries int64
	// Terminals counts positions met that were over.
	Terminals int64
	// Cutoffs counts positions at which a winning move left further moves untried.
	Cutoffs int64
	// MaxDepth is the most moves from the root to any position that was looked at.
	MaxDepth int64
	// Elapsed is the time since the search began, until it ended.
	Elapsed time.Duration
}
