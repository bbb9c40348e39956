package rpc

import (
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// Service answers the calls of zermelo.v1.SolverService. Its methods return final statuses.
type Service struct {
	zermelov1.UnsafeSolverServiceServer
	catalog *catalog.Catalog
	gate    *admission.Gate
	answers *answers
	// streamEnded is told the work of each stream when its handler ends; nil unless a test listens.
	streamEnded func(*zermelov1.Statistics)
}

var _ zermelov1.SolverServiceServer = (*Service)(nil)

// Option changes a service.
type Option func(*Service)

// WithCache bounds the memory of the answers that are kept, in bytes. Default: 0, none are.
func WithCache(bytes uint64) Option {
	return func(s *Service) { s.answers = newAnswers(bytes) }
}

// NewService returns a service of these games, whose calls run as the gate admits them.
func NewService(games *catalog.Catalog, gate *admission.Gate, opts ...Option) *Service {
	s := &Service{catalog: games, gate: gate, answers: newAnswers(0)}
	for _, opt := range opts {
		opt(s)
	}
	return s
}
