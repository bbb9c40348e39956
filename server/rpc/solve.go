package rpc

import (
	"context"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// Solve answers with the solution of a position.
func (s *Service) Solve(ctx context.Context, r *zermelov1.SolveRequest) (*zermelov1.SolveResponse, error) {
	solution, err := s.solve(ctx, r)
	if err != nil {
		return nil, toStatus(ctx, err)
	}
	return &zermelov1.SolveResponse{Solution: solution}, nil
}

func (s *Service) solve(ctx context.Context, r *zermelov1.SolveRequest) (*zermelov1.Solution, error) {
	c, game := call.Of(ctx), catalog.GameOf(r.GetPosition())
	c.SetGame(game)
	instance, maxMoves, err := s.openSolve(r)
	if err != nil {
		return nil, err
	}
	price, err := instance.SolvePrice()
	if err != nil {
		return nil, err
	}
	c.SetPrice(price)
	solution, err := share(ctx, s.answers, solutionKey(price, r.GetPosition(), maxMoves), knownSolution,
		func(ctx context.Context) (*zermelov1.Solution, error) {
			ticket, err := s.admit(ctx, admission.KindSolve, price)
			if err != nil {
				return nil, err
			}
			defer ticket.Release()
			return solve(ctx, game, instance, maxMoves)
		})
	if err != nil {
		return nil, err
	}
	c.Solved(solution)
	return solution, nil
}

// solve finds the solution of a position of this game, with so many of the best moves, and notes the work.
func solve(ctx context.Context, game string, instance catalog.Instance, maxMoves int) (*zermelov1.Solution, error) {
	work := call.Of(ctx).Work(game)
	defer work.Over()
	solution, err := instance.Solve(ctx, maxMoves, work)
	work.SoFar(solution.GetStatistics())
	return solution, err
}

// openSolve opens the position of a request, and says how many best moves are to be listed.
func (s *Service) openSolve(r *zermelov1.SolveRequest) (catalog.Instance, int, error) {
	maxMoves, err := movesToList(r.GetMaxMoves(), catalog.DefaultMaxMoves)
	if err != nil {
		return nil, 0, err
	}
	instance, err := s.catalog.Open(r.GetPosition(), "position")
	return instance, maxMoves, err
}

// movesToList is how many best moves are to be listed.
func movesToList(asked int32, unless int) (int, error) {
	switch {
	case asked < 0 || asked > catalog.MaxMaxMoves:
		return 0, catalog.InvalidField("max_moves", "is %d; it must be from 0, which stands for %d, to %d", asked, unless,
			catalog.MaxMaxMoves)
	case asked == 0:
		return unless, nil
	default:
		return int(asked), nil
	}
}

// Analyze answers with every legal move, best first.
func (s *Service) Analyze(ctx context.Context, r *zermelov1.AnalyzeRequest) (*zermelov1.AnalyzeResponse, error) {
	response, err := s.analyze(ctx, r)
	if err != nil {
		return nil, toStatus(ctx, err)
	}
	return response, nil
}

func (s *Service) analyze(ctx context.Context, r *zermelov1.AnalyzeRequest) (*zermelov1.AnalyzeResponse, error) {
	c, game := call.Of(ctx), catalog.GameOf(r.GetPosition())
	c.SetGame(game)
	instance, err := s.catalog.Open(r.GetPosition(), "position")
	if err != nil {
		return nil, err
	}
	price, err := instance.AnalyzePrice(r.GetSkipDistance())
	if err != nil {
		return nil, err
	}
	c.SetPrice(price)
	response, err := share(ctx, s.answers, analysisKey(price, r), knownAnalysis,
		func(ctx context.Context) (*zermelov1.AnalyzeResponse, error) {
			ticket, err := s.admit(ctx, admission.KindSolve, price)
			if err != nil {
				return nil, err
			}
			defer ticket.Release()
			work := call.Of(ctx).Work(game)
			defer work.Over()
			response, err := instance.Analyze(ctx, r.GetSkipDistance(), work)
			work.SoFar(response.GetSolution().GetStatistics())
			return response, err
		})
	if err != nil {
		return nil, err
	}
	c.Solved(response.GetSolution())
	return response, nil
}
