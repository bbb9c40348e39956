package rpc

import (
	"context"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// Service answers the calls of zermelo.v1.SolverService. Its methods return final statuses.
type Service struct {
	zermelov1.UnsafeSolverServiceServer
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

// ListGames answers with the catalogue.
func (s *Service) ListGames(context.Context, *zermelov1.ListGamesRequest) (*zermelov1.ListGamesResponse, error) {
	return catalog.List(s.limits), nil
}
