package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

func (i *instance[P, M, K]) Solve(ctx context.Context, maxMoves int, progress Progress) (*zermelov1.Solution, error) {
	return i.solve(ctx, maxMoves, progress, nil)
}

// solve is Solve with ticks, unless tick is nil: it is called every now and then, and when it is false, solve ends with
// errLeft.
func (i *instance[P, M, K]) solve(
	ctx context.Context, maxMoves int, progress Progress, tick func() bool,
) (*zermelov1.Solution, error) {
	if decided, ok := i.decide(maxMoves); ok {
		return i.solution(decided, zermelov1.Method_METHOD_CLOSED_FORM, search.Statistics{}), nil
	}
	algorithm, ok := i.Game.(engine.Algorithm[M])
	if ok && i.algorithmFits() {
		solved, err := runAlgorithm(ctx, algorithm, maxMoves, tick)
		if !errors.Is(err, engine.ErrNoAlgorithm) {
			if err != nil {
				return nil, err
			}
			return i.solution(solved, zermelov1.Method_METHOD_GAME_ALGORITHM, search.Statistics{}), nil
		}
	}
	// A search that is known to be too large is not begun.
	if i.extent().Exceeds() {
		return nil, i.tooLargeToSolve()
	}
	s := search.New(i.Game, search.Options{Budget: i.limits.MemoBudget, AllRootMoves: true, MaxBest: maxMoves})
	for _, err := range s.Events(ctx) { // a silent search: ticks only
		if err != nil {
			return nil, err
		}
		if progress != nil {
			progress.SoFar(statistics(s.Statistics()))
		}
		if tick != nil && !tick() {
			return nil, errLeft
		}
	}
	return i.solution(s.Result(), zermelov1.Method_METHOD_SEARCH, s.Statistics()), nil
}

// decide is the closed form's solution, where the game has one that decides the root.
func (i *instance[P, M, K]) decide(maxMoves int) (engine.Solution[M], bool) {
	if theorem, ok := i.Game.(engine.ClosedForm[M]); ok {
		return theorem.Decide(maxMoves)
	}
	return engine.Solution[M]{}, false
}

// algorithmFits reports whether a closed form or an algorithm is what is tried first.
func (i *instance[P, M, K]) algorithmFits() bool {
	_, algorithm := i.Game.(engine.Algorithm[M])
	_, theorem := i.Game.(engine.ClosedForm[M])
	return (algorithm || theorem) && i.Work.Bytes <= i.limits.TableBudget()
}

// tooLargeToSolve is the error of a position that neither an algorithm nor a search has room for.
func (i *instance[P, M, K]) tooLargeToSolve() error {
	if i.Work.Refusal == nil {
		return i.overBudget(i.extent(), "has at least %d positions; %d surely fit a memo budget of %d bytes")
	}
	refusal, asked := i.Work.Refusal(), i.Work.Bytes/2 // a table may take twice the budget
	if i.Work.Bytes == math.MaxUint64 {
		asked = search.Bytes(i.Game, i.extent().Positions) // there is no table of that size
	}
	return i.refused("."+refusal.Field, asked, fmt.Sprintf("%s; a memo budget of %d bytes has room for %s", refusal.Asked,
		i.limits.MemoBudget, refusal.Fits))
}

// overBudget is the error of a search of this extent, which would not surely fit the memo budget. format tells of the
// positions, how many fit, and the memo budget.
func (i *instance[P, M, K]) overBudget(extent search.Extent, format string) error {
	return i.refused("", search.Bytes(i.Game, extent.Positions),
		fmt.Sprintf(format, extent.Positions, extent.Fit, i.limits.MemoBudget))
}

// refused is the error of a position, or of a field of it, that would need a memo budget of asked bytes.
func (i *instance[P, M, K]) refused(field string, asked uint64, description string) error {
	return OverBudget(i.path+field, Budget{Asked: asked, Limit: i.budget(), Setting: "--memo-budget"}, description)
}
