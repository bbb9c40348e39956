package catalog

import zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"

// Limits are what a server accepts. They are fixed for its lifetime and published by ListGames.
type Limits struct {
	// MemoBudget bounds the bytes that one request may use for the memo and the stack of its search.
	MemoBudget int64
}

// TableBudget bounds the bytes of the table of an algorithm: twice the memo budget. A table is an array whose size is
// known before it is made and which is given back at once, while a memo grows, and is garbage for a while.
func (l Limits) TableBudget() uint64 { return 2 * uint64(max(l.MemoBudget, 0)) }

// Sizes that are the same on every server.
const (
	// DefaultMemoBudget is the memo budget of a request unless the operator sets another.
	DefaultMemoBudget = 512 << 20
	// DefaultMaxMoves is how many best moves a solution lists when the request does not say.
	DefaultMaxMoves = 100
	// MaxMaxMoves is how many a request may ask for: their notations stay well below the 4 MiB that a gRPC client
	// receives by default.
	MaxMaxMoves = 50_000

	// MaxBatch is how many positions BatchSolve takes.
	MaxBatch = 1_000

	// MaxRankedMoves is how many moves Analyze lists: without the positions after them, they stay below 3 MiB.
	MaxRankedMoves = 32_768
	// MaxMainLine is how many moves of the main line Analyze lists.
	MaxMainLine = 256
	// nextBytes bounds the response up to which the positions after the moves are filled in.
	nextBytes = 1 << 20
)

// RankedMovesLimit is the limit on the moves that Analyze lists, of what decides how many there are.
func RankedMovesLimit(subject string) *zermelov1.Limit {
	return &zermelov1.Limit{Rpc: "Analyze", Subject: subject, Maximum: MaxRankedMoves, Unit: "moves"}
}

// DefaultLimits are the limits of a server whose operator sets none.
func DefaultLimits() Limits { return Limits{MemoBudget: DefaultMemoBudget} }
