package catalog

import (
	"context"
	"errors"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// Instance is a position of one of the games, checked and ready to be asked about. It hides the types of the game. Its
// prices, Explain and Enumerate take no longer than reading the position; all other work is done by Solve, by Analyze,
// and while a trace or an enumeration is ranged over.
type Instance interface {
	// Solve finds the value and the best moves, maxMoves of them at most. progress, which may be nil, is told of a search.
	// Errors: ctx's cause, a *engine.BudgetError, a *RequestError when it is refused for its size.
	Solve(ctx context.Context, maxMoves int, progress Progress) (*zermelov1.Solution, error)
	// SolvePrice is what Solve takes. The error is the *RequestError with which Solve is refused for its size.
	SolvePrice() (admission.Price, error)
	// Analyze ranks every move, with distances unless skipDistance. Errors: ctx's cause, a *engine.BudgetError, a
	// *RequestError when it is refused for its size.
	Analyze(ctx context.Context, skipDistance bool, progress Progress) (*zermelov1.AnalyzeResponse, error)
	// AnalyzePrice is what Analyze takes. The error is the *RequestError with which Analyze is refused for its size.
	AnalyzePrice(skipDistance bool) (admission.Price, error)
	// Explain prepares a trace. Errors: a *RequestError.
	Explain(options TraceOptions) (Trace, error)
	// Enumerate prepares the list of the reachable positions with an outcome, or of all when it is unspecified: one event
	// each. limit is how many of them the caller will take at most, 0 for all. Errors: a *RequestError.
	Enumerate(outcome zermelov1.Outcome, limit int64, withDistance bool) (Trace, error)
}

// Progress is told of the work of a search.
type Progress interface {
	// SoFar is told the work so far, every few thousand positions.
	SoFar(*zermelov1.Statistics)
}

// Opened is a position of a game with positions P, moves M and keys K, as the game's room opens it.
type Opened[P, M any, K comparable] struct {
	// Game is the game with the position as its root.
	Game engine.Game[P, M, K]
	// Message writes a position that can be reached as a request, with the lead of the player to move there.
	Message func(p P, lead int64) *zermelov1.Position
	// Lead is by how much the player to move is ahead already; only Margin games have one.
	Lead int64
	// Elements bounds how many elements the repeated fields of Message have.
	Elements int
	// Traced bounds them where positions are written into events; zero where they are few.
	Traced TraceLimit
	// Work is what the game's closed form or algorithm takes; zero where that is next to nothing.
	Work Work
}

// TraceLimit is how many elements a field may have for Explain and EnumeratePositions.
type TraceLimit struct {
	Field string
	Most  int
}

// Work is what a closed form or an algorithm takes for a position.
type Work struct {
	// Bytes is its memory.
	Bytes uint64
	// Solving and Ranking are the work of Solve and of Analyze; see admission.Price.
	Solving, Ranking uint64
	// Distances is what Analyze takes where it needs a table of all distances; zero where it needs none.
	Distances admission.Price
	// Refusal says what is wrong with a position for which there is no room. A game whose algorithm always fits has none.
	Refusal func() Refusal
}

// Refusal says of the field that decides how much room a position takes what was asked for, and what would fit.
type Refusal struct{ Field, Asked, Fits string }

// instance is an Instance. It is used by one goroutine at a time.
type instance[P, M any, K comparable] struct {
	Opened[P, M, K]
	// path is where the game stands in the request.
	path     string
	limits   Limits
	policies []zermelov1.MemoPolicy
	theorem  zermelov1.Theorem
	// counted is the extent, once it was asked for.
	counted *search.Extent
}

// NewInstance is the instance of a position that was opened.
func NewInstance[P, M any, K comparable](r *Request, o Opened[P, M, K]) Instance {
	return &instance[P, M, K]{
		Opened:   o,
		path:     r.path,
		limits:   r.Limits,
		policies: memoPolicies(r.entry.Objective),
		theorem:  r.entry.Theorem,
	}
}

// capabilities are what the game can do beyond the rules.
func (i *instance[P, M, K]) capabilities() []zermelov1.Capability {
	var all []zermelov1.Capability
	can := func(c zermelov1.Capability, ok bool) {
		if ok {
			all = append(all, c)
		}
	}
	_, theorem := i.Game.(engine.ClosedForm[M])
	_, algorithm := i.Game.(engine.Algorithm[M])
	ranker, ranking := i.Game.(engine.Ranker[P, M])
	can(zermelov1.Capability_CAPABILITY_THEOREM, theorem)
	can(zermelov1.Capability_CAPABILITY_GAME_ALGORITHM, algorithm)
	can(zermelov1.Capability_CAPABILITY_RANKING, ranking)
	can(zermelov1.Capability_CAPABILITY_DISTANCES, ranking && ranker.Ranks(true))
	return all
}

// errLeft ends a search whose consumer has left.
var errLeft = errors.New("the consumer left")

// extent is how large the game is. It is counted once.
func (i *instance[P, M, K]) extent() search.Extent {
	if i.counted == nil {
		i.counted = new(search.Measure(i.Game, i.limits.MemoBudget))
	}
	return *i.counted
}
