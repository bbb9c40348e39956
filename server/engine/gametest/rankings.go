package gametest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// checkRankings says in what a search of g, or the ranking that g itself has, is not what an oracle says about the moves
// at some positions: each move's value, distance and branch, and the order.
func checkRankings[P, M any, K comparable](
	ctx context.Context, g engine.Game[P, M, K], budget int64, positions []P, answer func(p P) oracle.Answer,
) error {
	searched, err := search.Rank(ctx, g, budget, nil)
	if err == nil {
		err = checkRanking(ctx, g, searched, true, positions, answer)
		searched.Close()
	}
	if err != nil {
		return fmt.Errorf("search.Rank: %w", err)
	}
	ranker, ok := g.(engine.Ranker[P, M])
	if !ok {
		return nil
	}
	for _, distances := range []bool{true, false} {
		r, err := ranker.Ranking(ctx, distances)
		if ranks := ranker.Ranks(distances); ranks == errors.Is(err, engine.ErrNoAlgorithm) {
			return fmt.Errorf("ranking with distances %t: Ranks is %t, and the error %w", distances, ranks, err)
		}
		if errors.Is(err, engine.ErrNoAlgorithm) {
			continue
		}
		if err == nil {
			err = checkRanking(ctx, g, r, distances, positions, answer)
			r.Close()
		}
		if err != nil {
			return fmt.Errorf("ranking with distances %t: %w", distances, err)
		}
	}
	return nil
}

// checkRanking is checkRankings for one of them. Without distances it need not know the moves everywhere.
func checkRanking[P, M any, K comparable](
	ctx context.Context, g engine.Game[P, M, K], r engine.Ranking[P, M], distances bool, positions []P,
	answer func(p P) oracle.Answer,
) error {
	for _, p := range positions {
		got, err := r.Rank(ctx, p)
		if errors.Is(err, engine.ErrNoAlgorithm) && !distances {
			continue
		}
		if err == nil {
			err = checkMoves(g, p, got, answer(p), distances)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", g.AppendPosition(nil, p), err)
		}
	}
	return nil
}

// checkMoves says in what ranked moves, in natural order, are not the answer. Without distances they need not hold any,
// and are compared in natural order only.
func checkMoves[P, M any, K comparable](
	g engine.Game[P, M, K], p P, got []engine.Ranked[M], want oracle.Answer, distances bool,
) error {
	if len(got) != len(want.Moves) {
		return fmt.Errorf("%d moves instead of %d", len(got), len(want.Moves))
	}
	for i, m := range got {
		should := want.Moves[i]
		branch := should.Branch
		if !distances && m.Distance == 0 {
			should.Distance, branch = 0, should.Costlier
		}
		if any(m.Move) != any(first(g, p, should.Text)) {
			return fmt.Errorf("move %d is %+v instead of %s", i, m.Move, should.Text)
		}
		if m.Value != should.Value || m.Distance != should.Distance || m.Branch != branch {
			return fmt.Errorf("the move is %+v; it should be %+v", m, should)
		}
	}
	if !distances || len(got) == 0 {
		return nil
	}
	ordered := slices.Clone(got)
	search.Order(g.Objective(), ordered)
	if best := search.Best(g.Objective(), got); any(best.Move) != any(ordered[0].Move) {
		return fmt.Errorf("the best move is %+v, the first in order %+v", best, ordered[0])
	}
	for i, m := range ordered {
		if text := string(g.AppendMove(nil, m.Move)); text != want.Ranked[i] {
			return fmt.Errorf("move %d in order is %s; the order should be %v", i, text, want.Ranked)
		}
	}
	return nil
}

// first is the first legal move at p with a text.
func first[P, M any, K comparable](g engine.Game[P, M, K], p P, text string) (none M) {
	for m := range engine.Moves(g, p) {
		if string(g.AppendMove(nil, m)) == text {
			return m
		}
	}
	return none
}
