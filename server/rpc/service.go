package rpc

import (
	"context"
	"time"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// Service answers the calls of zermelo.v1.SolverService. Its methods return final statuses.
type Service struct {
	zermelov1.UnimplementedSolverServiceServer
	limits  catalog.Limits
	answers *answers
	// streamEnded is told the work of each stream when its handler ends; nil unless a test listens.
	streamEnded func(*zermelov1.Statistics)
}

var _ zermelov1.SolverServiceServer = (*Service)(nil)

// NewService returns a service with these limits.
func NewService(limits catalog.Limits) *Service {
	return &Service{limits: limits, answers: newAnswers()}
}

// Solve answers with the solution of a position.
func (s *Service) Solve(ctx context.Context, r *zermelov1.SolveRequest) (*zermelov1.SolveResponse, error) {
	answer, err := s.solve(ctx, r)
	if err != nil {
		return nil, toStatus(ctx, err)
	}
	return answer, nil
}

func (s *Service) solve(ctx context.Context, r *zermelov1.SolveRequest) (*zermelov1.SolveResponse, error) {
	call := CallOf(ctx)
	call.SetGame(catalog.GameOf(r.GetPosition()))
	maxMoves := int(r.GetMaxMoves())
	switch {
	case maxMoves < 0 || maxMoves > catalog.MaxMaxMoves:
		return nil, catalog.InvalidField("max_moves", "is %d; it must be from 0, which stands for %d, to %d", maxMoves,
			catalog.DefaultMaxMoves, catalog.MaxMaxMoves)
	case maxMoves == 0:
		maxMoves = catalog.DefaultMaxMoves
	}
	instance, err := catalog.Open(r.GetPosition(), "position", s.limits)
	if err != nil {
		return nil, err
	}
	// A theorem takes less than looking for its answer among those that are kept.
	if solution := instance.ByTheorem(maxMoves); solution != nil {
		call.Solved(solution)
		return &zermelov1.SolveResponse{Solution: solution}, nil
	}
	key := s.answers.key(r)
	known := s.answers.find(key)
	if key != "" {
		call.Looked(known != nil)
	}
	if known != nil {
		call.Solved(known.GetSolution())
		return known, nil
	}
	began := time.Now()
	solution, err := instance.Solve(ctx, maxMoves)
	if err != nil {
		return nil, err
	}
	call.Solved(solution)
	call.Worked(solution.GetStatistics().GetPositionsExpanded(), 0)
	answer := &zermelov1.SolveResponse{Solution: solution}
	s.answers.keep(key, answer, time.Since(began))
	return answer, nil
}

// ListGames answers with the catalogue.
func (s *Service) ListGames(context.Context, *zermelov1.ListGamesRequest) (*zermelov1.ListGamesResponse, error) {
	return catalog.List(s.limits), nil
}
