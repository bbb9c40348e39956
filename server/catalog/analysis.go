package catalog

import (
	"context"
	"errors"
	"math"
	"strconv"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// analysis is what is known of a position's moves.
type analysis[P, M any] struct {
	// moves are those at the root, best first.
	moves []engine.Ranked[M]
	// line is the main line, cut.
	line   []step[P, M]
	method zermelov1.Method
	stats  search.Statistics
}

// step is a move of a line of play, with the position at which it is made and the lead of who makes it.
type step[P, M any] struct {
	from P
	lead int64
	move M
}

func (i *instance[P, M, K]) Analyze(
	ctx context.Context, skipDistance bool, progress Progress,
) (*zermelov1.AnalyzeResponse, error) {
	if _, err := i.AnalyzePrice(skipDistance); err != nil {
		return nil, err
	}
	if choices := i.rootMoves(); choices > MaxRankedMoves {
		return nil, i.tooManyMoves(choices)
	}
	a, err := i.analysis(ctx, !skipDistance, progress)
	if err != nil {
		return nil, err
	}
	response := &zermelov1.AnalyzeResponse{}
	for _, m := range a.moves {
		response.Moves = append(response.Moves, i.rankedMove(m, !skipDistance))
	}
	for _, s := range a.line {
		response.MainLine = append(response.MainLine, &zermelov1.Move{Notation: string(i.Game.AppendMove(nil, s.move))})
	}
	if !skipDistance {
		distance := int64(0)
		if len(a.moves) > 0 {
			distance = a.moves[0].Distance
		}
		response.MovesToEnd, response.MainLineLength = &distance, &distance
	}
	room := nextRoom{left: nextBytes}
	response.Solution = i.solution(i.solved(a.moves), a.method, a.stats)
	room.take(response)
	root := i.Game.Root()
	for n, m := range a.moves {
		i.fillNext(&room, response.Moves[n].Move, root, i.Lead, m.Move)
	}
	for n, s := range a.line {
		i.fillNext(&room, response.MainLine[n], s.from, s.lead, s.move)
	}
	return response, nil
}

// tooManyMoves is the error of a position with more legal moves than are listed.
func (i *instance[P, M, K]) tooManyMoves(choices uint64) error {
	v := violations{path: i.path}
	v.TooLargef("", "has %s legal moves; Analyze lists at most %d", atLeast(choices), MaxRankedMoves)
	return v.err()
}

// rootMoves is the number of legal moves at the root; where the game does not know, they are counted until they are too
// many to list.
func (i *instance[P, M, K]) rootMoves() uint64 {
	if sized, ok := i.Game.(engine.Sized); ok {
		return sized.Choices()
	}
	count := uint64(0)
	for range engine.Moves(i.Game, i.Game.Root()) {
		if count++; count > MaxRankedMoves {
			break
		}
	}
	return count
}

// analysis ranks the moves at the root, which are not too many, and follows the main line: as the game knows how to, or
// else by a search of the whole game.
func (i *instance[P, M, K]) analysis(ctx context.Context, distances bool, progress Progress) (*analysis[P, M], error) {
	ranker, ok := i.Game.(engine.Ranker[P, M])
	if ok && i.algorithmFits() {
		ranking, err := ranker.Ranking(ctx, distances)
		if err == nil {
			defer ranking.Close()
			var a *analysis[P, M]
			if a, err = i.analyze(ctx, ranking, distances); err == nil {
				a.method = i.withoutSearch()
				return a, nil
			}
		}
		if !errors.Is(err, engine.ErrNoAlgorithm) {
			return nil, err
		}
	}
	ranking, err := search.Rank(ctx, i.Game, i.limits.MemoBudget, func(s search.Statistics) {
		if progress != nil {
			progress.SoFar(statistics(s))
		}
	})
	if err != nil {
		return nil, err
	}
	a, err := i.analyze(ctx, ranking, distances)
	if err != nil {
		return nil, err
	}
	a.method, a.stats = zermelov1.Method_METHOD_SEARCH, ranking.Statistics()
	return a, nil
}

// withoutSearch says by which method the root is solved without a search.
func (i *instance[P, M, K]) withoutSearch() zermelov1.Method {
	if _, decided := i.decide(0); decided {
		return zermelov1.Method_METHOD_CLOSED_FORM
	}
	return zermelov1.Method_METHOD_GAME_ALGORITHM
}

// analyze ranks the moves at the root and plays the first of the ranked moves until the game is over or the line is long
// enough.
func (i *instance[P, M, K]) analyze(
	ctx context.Context, ranking engine.Ranking[P, M], distances bool,
) (*analysis[P, M], error) {
	p, lead := i.Game.Root(), i.Lead
	moves, err := i.ranked(ctx, ranking, p, distances)
	if err != nil {
		return nil, err
	}
	search.Order(i.Game.Objective(), moves)
	a := &analysis[P, M]{moves: moves}
	for len(moves) > 0 {
		best := search.Best(i.Game.Objective(), moves)
		a.line = append(a.line, step[P, M]{from: p, lead: lead, move: best.Move})
		if len(a.line) == MaxMainLine {
			break
		}
		lead = -(lead + i.gain(p, best.Move))
		p, _ = i.Game.After(p, best.Move, best.Branch)
		if moves, err = i.ranked(ctx, ranking, p, distances); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// ranked returns the moves at p, in natural order. Where distances are not wanted they play no part.
func (i *instance[P, M, K]) ranked(
	ctx context.Context, ranking engine.Ranking[P, M], p P, distances bool,
) ([]engine.Ranked[M], error) {
	moves, err := ranking.Rank(ctx, p)
	if !distances {
		for n := range moves {
			moves[n].Distance = 0
		}
	}
	return moves, err
}

// solved is the solution that a ranking of all moves at the root amounts to.
func (i *instance[P, M, K]) solved(moves []engine.Ranked[M]) engine.Solution[M] {
	s := engine.Solution[M]{BestKnown: true}
	if len(moves) == 0 {
		s.Value, _ = i.Game.Over(i.Game.Root())
		return s
	}
	s.Value = moves[0].Value
	for _, m := range moves {
		if m.Value != s.Value {
			break
		}
		if s.BestCount++; len(s.Best) < DefaultMaxMoves {
			s.Best = append(s.Best, m.Move)
		}
	}
	return s
}

// atLeast writes a count that may have stopped at the largest one.
func atLeast(n uint64) string {
	if n == math.MaxUint64 {
		return "2^64-1 or more"
	}
	return strconv.FormatUint(n, 10)
}
