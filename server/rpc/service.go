package rpc

import (
	"context"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// Service answers the calls of zermelo.v1.SolverService. Its methods return final statuses.
type Service struct {
	zermelov1.UnsafeSolverServiceServer
	limits  catalog.Limits
	gate    *admission.Gate
	answers *answers
	// streamEnded is told the work of each stream when its handler ends; nil unless a test listens.
	streamEnded func(*zermelov1.Statistics)
}

var _ zermelov1.SolverServiceServer = (*Service)(nil)

// NewService returns a service with these limits, whose calls run as the gate admits them.
func NewService(limits catalog.Limits, gate *admission.Gate) *Service {
	return &Service{limits: limits, gate: gate, answers: newAnswers()}
}

// ListGames answers with the catalogue.
func (s *Service) ListGames(context.Context, *zermelov1.ListGamesRequest) (*zermelov1.ListGamesResponse, error) {
	return catalog.List(s.limits), nil
}
