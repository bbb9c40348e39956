package catalog

import zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"

// Limits are what a server accepts. They are fixed for its lifetime and published by ListGames.
type Limits struct {
	// MemoBudget bounds the bytes that one request may use for the memo and the stack of its search.
	MemoBudget int64
}

// tableBudget bounds the bytes of the table of a kernel: twice the memo budget. A table is an array whose size is known
// before it is made and which is given back at once, while a memo grows, and is garbage for a while.
func (l Limits) tableBudget() uint64 { return 2 * uint64(max(l.MemoBudget, 0)) }

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

	maxPiles  = 100_000
	maxScores = 1_000_000
	// Explain and EnumeratePositions write positions into events. Their size is bounded so that an event, and the
	// opening with the position as asked, fit well within a frame of 1 MiB.
	maxTracePiles  = 10_000
	maxTraceScores = 50_000
	// maxRankedMoves is how many moves Analyze lists: without the positions after them, they stay below 3 MiB.
	maxRankedMoves = 32_768
	// maxMainLine is how many moves of the main line Analyze lists.
	maxMainLine = 256
	// nextBytes bounds the response up to which the positions after the moves are filled in.
	nextBytes = 1 << 20
)

// analyzeLimit is the limit on the moves that Analyze lists, of what decides how many there are.
func analyzeLimit(subject string) *zermelov1.Limit {
	return &zermelov1.Limit{Rpc: "Analyze", Subject: subject, Maximum: maxRankedMoves, Unit: "moves"}
}

// DefaultLimits are the limits of a server whose operator sets none.
func DefaultLimits() Limits { return Limits{MemoBudget: DefaultMemoBudget} }
