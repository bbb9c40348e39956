package catalog

import (
	"context"
	"errors"
	"iter"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
)

// Instance is a position of one of the games, checked and ready to be asked about. It hides the types of the game.
type Instance interface {
	// Solve finds the value and the best moves, maxMoves of them at most. Errors: ctx's cause, a *engine.BudgetError, a
	// *RequestError when it is refused for its size.
	Solve(ctx context.Context, maxMoves int) (*zermelov1.Solution, error)
	// SolvePrice is what Solve takes.
	SolvePrice() Price
	// AnalyzePrice is what Analyze takes.
	AnalyzePrice(skipDistance bool) Price
	// Analyze ranks every move, with distances unless skipDistance. Errors: ctx's cause, a *engine.BudgetError, a
	// *RequestError when it is refused for its size.
	Analyze(ctx context.Context, skipDistance bool) (*zermelov1.AnalyzeResponse, error)
	// Explain prepares a trace. Errors: a *RequestError.
	Explain(options TraceOptions) (Trace, error)
	// Enumerate prepares the list of the reachable positions with an outcome, or of all when it is unspecified. limit
	// is how many of them the caller will take at most, 0 for all. Errors: a *RequestError.
	Enumerate(outcome zermelov1.Outcome, limit int64, withDistance bool) (Enumeration, error)
}

// Enumeration is a walk through the reachable positions.
type Enumeration interface {
	// Positions runs the search, once, as it is ranged over. A nil position is a tick; see Trace.Events.
	Positions(ctx context.Context) iter.Seq2[*zermelov1.EnumeratedPosition, error]
	// Statistics is the work so far.
	Statistics() *zermelov1.Statistics
	// Price is what Positions takes.
	Price() Price
}

// instance is a position of the game with positions P, moves M and keys K.
type instance[P, M any, K comparable] struct {
	// path is where the game stands in the request.
	path     string
	game     engine.Game[P, M, K]
	limits   Limits
	policies []zermelov1.MemoPolicy
	// theorem is what a closed form of the game rests on, where it has one.
	theorem zermelov1.Theorem
	// lead is by how much the player to move is ahead already; only Margin games have one.
	lead int64
	// shortcut is what the game's closed form or kernel takes; zero where that is next to nothing.
	shortcut shortcut
	// trace bounds what can be written into events.
	trace sizeBound
	// request writes a position that can be reached as a request, with the lead of the player to move there.
	request func(p P, lead int64) *zermelov1.Position
}

// shortcut is what a closed form or a kernel takes for a position.
type shortcut struct {
	bytes uint64
	// solving and ranking are the work of Solve and of Analyze; see Price.
	solving, ranking uint64
	// distances is what Analyze takes where it needs a table of all distances; zero where it needs none.
	distances Price
	// field is what decides that. asked says what was asked for, and fits what would fit, for whom it is refused.
	field, asked, fits string
}

// errLeft ends a search whose consumer has left.
var errLeft = errors.New("the consumer left")

// sizeBound is a bound on the size of a field.
type sizeBound struct {
	field      string
	size, most int
	unit       string
}

// check notes in c when the bound is exceeded.
func (b sizeBound) check(c *checker, what string) {
	if b.size > b.most {
		c.tooLargef(b.field, "has %d %s; %s accepts at most %d", b.size, b.unit, what, b.most)
	}
}

// Element is the path of an element of a repeated field.
func Element(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }

func (i *instance[P, M, K]) Solve(ctx context.Context, maxMoves int) (*zermelov1.Solution, error) {
	return i.solve(ctx, maxMoves, nil)
}

// solve is Solve with ticks, unless tick is nil: it is called every now and then, and when it is false, solve ends with
// errLeft.
func (i *instance[P, M, K]) solve(ctx context.Context, maxMoves int, tick func() bool) (*zermelov1.Solution, error) {
	if theorem, ok := i.game.(engine.ClosedForm[M]); ok {
		if decided, ok := theorem.Decide(maxMoves); ok {
			return i.solution(decided, zermelov1.Method_METHOD_CLOSED_FORM, search.Statistics{}), nil
		}
	}
	kernel, ok := i.game.(engine.Kernel[M])
	if ok && i.shortcutFits() {
		solved, err := runKernel(ctx, kernel, maxMoves, tick)
		if !errors.Is(err, engine.ErrNoKernel) {
			if err != nil {
				return nil, err
			}
			return i.solution(solved, zermelov1.Method_METHOD_GAME_ALGORITHM, search.Statistics{}), nil
		}
	}
	// A search is started only if it surely comes to its end.
	if fit := search.FitPositions(i.game, i.limits.MemoBudget); i.game.Reachable() > fit {
		return nil, i.tooLargeToSolve()
	}
	s := search.New(i.game, search.Options{Budget: i.limits.MemoBudget, AllRootMoves: true, MaxBest: maxMoves})
	for _, err := range s.Events(ctx) { // a silent search: ticks only
		if err != nil {
			return nil, err
		}
		if tick != nil && !tick() {
			return nil, errLeft
		}
	}
	return i.solution(s.Result(), zermelov1.Method_METHOD_SEARCH, s.Statistics()), nil
}

// tooLargeToSolve is the error of a position that neither a kernel nor a search has room for.
func (i *instance[P, M, K]) tooLargeToSolve() error {
	c := checker{path: i.path}
	c.tooLargef(i.shortcut.field, "%s; a memo budget of %d bytes has room for %s", i.shortcut.asked, i.limits.MemoBudget,
		i.shortcut.fits)
	return c.err()
}

// solution writes a solution in the terms of the contract.
func (i *instance[P, M, K]) solution(
	solved engine.Solution[M], method zermelov1.Method, stats search.Statistics,
) *zermelov1.Solution {
	s := &zermelov1.Solution{Method: method, Statistics: statistics(stats)}
	switch i.game.Objective() {
	case engine.Margin:
		s.Margin = new(i.lead + solved.Value)
		s.Outcome = outcomeOf(engine.Margin, i.lead+solved.Value)
	case engine.Cost:
		s.Cost = &solved.Value
	default:
		s.Outcome = outcomeOf(engine.WinLoss, solved.Value)
	}
	if solved.BestKnown {
		s.BestMoveCount = &solved.BestCount
	}
	room := nextRoom{left: nextBytes, plenty: i.surelyFit(len(solved.Best))}
	moves := make([]zermelov1.Move, len(solved.Best))
	s.BestMoves = make([]*zermelov1.Move, len(solved.Best))
	for n, m := range solved.Best {
		moves[n].Notation = string(i.game.AppendMove(nil, m))
		s.BestMoves[n] = &moves[n]
	}
	room.take(s)
	root := i.game.Root()
	for n, m := range solved.Best {
		i.fillNext(&room, s.BestMoves[n], root, i.lead, m)
	}
	return s
}

// surelyFit reports whether there is room for the positions after so many moves, whatever these are: they have about as
// many elements as the root, or at most as many as Can I Win has integers, and an element takes at most 10 bytes. To add
// up what they take would be a fifth of the time of a small answer.
func (i *instance[P, M, K]) surelyFit(moves int) bool {
	const mostBranches, moveAndFields = 2, 256
	return moves < 1000 && mostBranches*moves*(10*(i.trace.size+caniwin.MaxInteger)+moveAndFields) < nextBytes
}

// nextRoom is how many bytes a response may still grow by; plenty says that they are enough, and need not be counted.
type nextRoom struct {
	left   int
	plenty bool
}

// entryBytes is what an entry of a repeated field takes beyond the message itself, up to 1 MiB.
const entryBytes = 6

// take takes the room of a message that is in the response.
func (r *nextRoom) take(m proto.Message) {
	if !r.plenty {
		r.left -= proto.Size(m) + 2*entryBytes
	}
}

// fillNext fills in the positions after a move at p, as long as there is room.
func (i *instance[P, M, K]) fillNext(room *nextRoom, move *zermelov1.Move, p P, lead int64, m M) {
	if room.left > 0 {
		for branch := 0; ; branch++ {
			q, ok := i.game.After(p, m, branch)
			if !ok {
				break
			}
			move.Next = append(move.Next, i.request(q, -(lead+i.game.Gain(p, m))))
		}
		for _, next := range move.Next {
			room.take(next)
		}
	}
	if room.left <= 0 {
		move.Next, move.NextOmitted = nil, true
	}
}

func (i *instance[P, M, K]) Enumerate(
	outcome zermelov1.Outcome, limit int64, withDistance bool,
) (Enumeration, error) {
	switch {
	case outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED:
	case i.game.Objective() == engine.Cost:
		return nil, InvalidField("outcome", "%s is asked for, but this game has one player and no outcomes; leave it unset",
			outcome)
	case zermelov1.Outcome_name[int32(outcome)] == "":
		return nil, InvalidField("outcome", "has the unknown value %d; OUTCOME_WIN, OUTCOME_LOSS or OUTCOME_DRAW would do",
			outcome)
	}
	c := checker{path: i.path}
	i.trace.check(&c, "EnumeratePositions")
	options := search.Options{Budget: i.limits.MemoBudget, Detail: search.Decisions, Exhaustive: true, Distances: withDistance}
	positions := i.game.Reachable()
	if limit > 0 && outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED {
		positions = min(positions, uint64(limit)) // each position decided is one that is sent
	}
	if fit := search.FitPositions(i.game, options.Budget); positions > fit {
		c.tooLargef("", "%d positions are to be remembered; %d surely fit the memo budget of %d bytes", positions, fit,
			options.Budget)
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	return &enumeration[P, M, K]{
		instance: i, outcome: outcome, distances: withDistance,
		price: i.unboundedPrice(positions), search: search.New(i.game, options),
	}, nil
}

// outcomeOf is the outcome that a value stands for; a Cost has none.
func outcomeOf(objective engine.Objective, value int64) zermelov1.Outcome {
	switch {
	case objective == engine.Cost:
		return zermelov1.Outcome_OUTCOME_UNSPECIFIED
	case value > 0:
		return zermelov1.Outcome_OUTCOME_WIN
	case value < 0:
		return zermelov1.Outcome_OUTCOME_LOSS
	default:
		return zermelov1.Outcome_OUTCOME_DRAW
	}
}

func statistics(s search.Statistics) *zermelov1.Statistics {
	return &zermelov1.Statistics{
		PositionsExpanded: s.PositionsExpanded,
		MemoHits:          s.MemoHits,
		MemoEntries:       s.MemoEntries,
		Terminals:         s.Terminals,
		Cutoffs:           s.Cutoffs,
		MaxDepth:          s.MaxDepth,
		Elapsed:           durationpb.New(s.Elapsed),
	}
}
