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
	key := s.answers.key(r)
	if known := s.answers.find(key); known != nil {
		return known, nil
	}
	began := time.Now()
	solution, err := s.solve(ctx, r)
	if err != nil {
		return nil, toStatus(ctx, err)
	}
	answer := &zermelov1.SolveResponse{Solution: solution}
	s.answers.keep(key, answer, time.Since(began))
	return answer, nil
}

func (s *Service) solve(ctx context.Context, r *zermelov1.SolveRequest) (*zermelov1.Solution, error) {
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
	return instance.Solve(ctx, maxMoves)
}

// ListGames answers with the catalogue.
func (s *Service) ListGames(context.Context, *zermelov1.ListGamesRequest) (*zermelov1.ListGamesResponse, error) {
	return catalog.List(s.limits), nil
}
