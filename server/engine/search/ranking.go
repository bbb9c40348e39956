package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Ranking is an engine.Ranking, with distances, for any game: it searches the whole game first.
type Ranking[P, M any, K comparable] struct {
	search *Search[P, M, K]
}

// Rank searches the whole game. progress, unless nil, is told the work so far every now and then. The search surely fits the budget when Reachable is at most what FitPositions says.
// Errors: ctx's cause, a *engine.BudgetError.
func Rank[P, M any, K comparable](
	ctx context.Context, game engine.Game[P, M, K], budget int64, progress func(Statistics),
) (*Ranking[P, M, K], error) {
	s := New(game, Options{Budget: budget, Exhaustive: true, Distances: true})
	for _, err := range s.Events(ctx) { // a silent search: ticks only
		if err != nil {
			return nil, err
		}
		if progress != nil {
			progress(s.Statistics())
		}
	}
	return &Ranking[P, M, K]{search: s}, nil
}

// Statistics is the work of the search.
func (r *Ranking[P, M, K]) Statistics() Statistics { return r.search.Statistics() }

// Rank returns the legal moves at p, which can be reached from the root. It is an engine.Ranking's.
func (r *Ranking[P, M, K]) Rank(ctx context.Context, p P) ([]engine.Ranked[M], error) {
	s := r.search
	var ranked []engine.Ranked[M]
	_, at := s.place(p)
	untilLook := TickPositions
	for m := range engine.Moves(s.game, p) {
		if untilLook -= s.weight; untilLook <= 0 {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			untilLook = TickPositions
		}
		if s.repeats != nil && s.repeats(p, m) {
			continue
		}
		var f frame[P, M]
		chosen := 0
		for {
			branch := f.branch
			_, key, next, _, _, ok := s.follow(p, at, m, branch)
			if !ok {
				break
			}
			if known, _ := s.memo.find(key, next); s.take(&f, known) {
				chosen = int(branch)
			}
		}
		value := f.answer.value
		if s.gain != nil {
			value += s.gain(p, m)
		}
		ranked = append(ranked, engine.Ranked[M]{
			Move: m, Value: value, Distance: f.answer.figure.remoteness(), Branch: chosen,
		})
	}
	return ranked, nil
}

// Close has nothing to give back.
func (r *Ranking[P, M, K]) Close() {}

// Order sorts ranked moves, best first: by value; then by distance, short when winning and in Cost games, long
// otherwise; then as they were.
func Order[M any](objective engine.Objective, moves []engine.Ranked[M]) {
	slices.SortStableFunc(moves, func(a, b engine.Ranked[M]) int { return order(objective, a, b) })
}

// Best is the first move of Order. There must be one.
func Best[M any](objective engine.Objective, moves []engine.Ranked[M]) engine.Ranked[M] {
	return slices.MinFunc(moves, func(a, b engine.Ranked[M]) int { return order(objective, a, b) })
}

func order[M any](objective engine.Objective, a, b engine.Ranked[M]) int {
	switch {
	case a.Value != b.Value && objective == engine.Cost:
		return cmp.Compare(a.Value, b.Value)
	case a.Value != b.Value:
		return cmp.Compare(b.Value, a.Value)
	case nearer(objective, a.Value, a.Distance, b.Distance):
		return -1
	case nearer(objective, a.Value, b.Distance, a.Distance):
		return 1
	default:
		return 0
	}
}

// nearer reports whether, of two moves of this value, the player to move prefers the one at distance a to that at b.
func nearer(objective engine.Objective, value, a, b int64) bool {
	if objective == engine.Cost || objective == engine.WinLoss && value == engine.Win {
		return a < b
	}
	return a > b
}
