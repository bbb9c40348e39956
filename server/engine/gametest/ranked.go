package gametest

import (
	"context"
	"errors"
	"slices"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// rankings checks what is said about every move, by a search and by the game itself, at each position walked.
func (in *inspection[P, M, K]) rankings(budget int64) {
	ctx := context.Background()
	searched, err := search.Rank(ctx, in.game, budget, nil)
	if err != nil {
		in.faultf("search.Rank: %v", err)
		return
	}
	in.ranked("search.Rank", searched, true)
	searched.Close()
	ranker, ok := any(in.game).(engine.Ranker[P, M])
	if !ok {
		return
	}
	for _, distances := range []bool{true, false} {
		what := "Ranking with distances"
		if !distances {
			what = "Ranking without distances"
		}
		r, err := ranker.Ranking(ctx, distances)
		if ranks := ranker.Ranks(distances); ranks == errors.Is(err, engine.ErrNoAlgorithm) {
			in.faultf("%s: Ranks is %t, and the error %v", what, ranks, err)
		}
		switch {
		case errors.Is(err, engine.ErrNoAlgorithm):
		case err != nil:
			in.faultf("%s: %v", what, err)
		default:
			in.ranked(what, r, distances)
			r.Close()
		}
	}
}

// ranked checks a ranking at each position walked. Without distances it need not know them.
func (in *inspection[P, M, K]) ranked(what string, r engine.Ranking[P, M], distances bool) {
	values := in.game.Objective()
	for _, k := range in.kept {
		p, want := k.position, in.seen[k.printed]
		got, err := r.Rank(context.Background(), p)
		if errors.Is(err, engine.ErrNoAlgorithm) && !distances {
			continue
		}
		if err != nil {
			in.faultf("%s: %s: %v", what, in.text(p), err)
			return
		}
		if len(got) != len(want.moves) {
			in.faultf("%s: %s: %d moves instead of %d", what, in.text(p), len(got), len(want.moves))
			return
		}
		for i, m := range got {
			should := want.moves[i]
			if any(m.Move) != any(in.first(p, should.Move)) {
				in.faultf("%s: %s: move %d is %+v instead of %s", what, in.text(p), i, m.Move, should.Move)
				return
			}
			if m.Distance == 0 && !distances {
				should.Distance, should.Branch = 0, should.plain
			}
			if m.Value != should.Value || m.Distance != should.Distance || m.Branch != should.Branch {
				in.faultf("%s: %s: the move is %+v; it should be %+v", what, in.text(p), m, should)
				return
			}
		}
		if len(got) == 0 {
			continue
		}
		best := search.Best(values, got)
		if best.Value != want.value || distances && best.Distance != want.distance {
			in.faultf("%s: %s: the best move is %+v; it should have the value %d, %d moves from the end", what, in.text(p), best,
				want.value, want.distance)
		}
		in.ordered(what, p, got)
	}
}

// first is the first legal move at p with a text.
func (in *inspection[P, M, K]) first(p P, text string) (first M) {
	for m := range engine.Moves(in.game, p) {
		if string(in.game.AppendMove(nil, m)) == text {
			return m
		}
	}
	return first
}

// ordered checks what search.Order makes of ranked moves: of two neighbours the first is worth more, or preferred for its
// distance, or comes first in natural order; and that search.Best is its first.
func (in *inspection[P, M, K]) ordered(what string, p P, natural []engine.Ranked[M]) {
	values := in.game.Objective()
	moves := slices.Clone(natural)
	search.Order(values, moves)
	if best := search.Best(values, natural); any(best.Move) != any(moves[0].Move) {
		in.faultf("%s: %s: the best move is %+v, the first in order %+v", what, in.text(p), best, moves[0])
	}
	place := func(m engine.Ranked[M]) int {
		return slices.IndexFunc(natural, func(other engine.Ranked[M]) bool { return any(other.Move) == any(m.Move) })
	}
	for i := range len(moves) - 1 {
		a, b := moves[i], moves[i+1]
		inOrder := a.Value > b.Value
		switch {
		case a.Value != b.Value:
			inOrder = inOrder != (values == engine.Cost)
		case a.Distance != b.Distance:
			inOrder = sooner(values, a.Value, a.Distance, b.Distance)
		default:
			inOrder = place(a) < place(b)
		}
		if !inOrder {
			in.faultf("%s: %s: %+v comes before %+v", what, in.text(p), a, b)
			return
		}
	}
}
