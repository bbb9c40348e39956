package rpc

import (
	"context"

	"google.golang.org/protobuf/proto"

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
	c := call.Of(ctx)
	c.SetGame(catalog.GameOf(r.GetPosition()))
	instance, maxMoves, err := s.openSolve(r)
	if err != nil {
		return nil, err
	}
	c.SetPrice(instance.SolvePrice())
	solution, err := s.solution(ctx, instance, r.GetPosition(), maxMoves, false)
	if err != nil {
		return nil, err
	}
	c.Solved(solution)
	return solution, nil
}

// openSolve opens the position of a request, and says how many best moves are to be listed.
func (s *Service) openSolve(r *zermelov1.SolveRequest) (catalog.Instance, int, error) {
	maxMoves, err := movesToList(r.GetMaxMoves(), catalog.DefaultMaxMoves)
	if err != nil {
		return nil, 0, err
	}
	instance, err := catalog.Open(r.GetPosition(), "position", s.limits)
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

// solution solves an instance of a position, or gives what is known of it; admitted says that it needs no ticket of its
// own. It must not be changed.
func (s *Service) solution(
	ctx context.Context, instance catalog.Instance, position *zermelov1.Position, maxMoves int, admitted bool,
) (*zermelov1.Solution, error) {
	return find(ctx, s, instance.SolvePrice(), admitted,
		func() proto.Message { return &zermelov1.SolveRequest{Position: position, MaxMoves: int32(maxMoves)} },
		knownSolution,
		func(ctx context.Context) (*zermelov1.Solution, error) {
			solution, err := instance.Solve(ctx, maxMoves)
			if n := solution.GetStatistics().GetPositionsExpanded(); n > 0 {
				call.Of(ctx).WorkedOne(catalog.GameOf(position), n)
			}
			return solution, err
		})
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
	c := call.Of(ctx)
	c.SetGame(catalog.GameOf(r.GetPosition()))
	instance, err := catalog.Open(r.GetPosition(), "position", s.limits)
	if err != nil {
		return nil, err
	}
	price := instance.AnalyzePrice(r.GetSkipDistance())
	c.SetPrice(price)
	response, err := find(ctx, s, price, false,
		func() proto.Message { return r },
		knownAnalysis,
		func(ctx context.Context) (*zermelov1.AnalyzeResponse, error) {
			response, err := instance.Analyze(ctx, r.GetSkipDistance())
			call.Of(ctx).Worked(response.GetSolution().GetStatistics().GetPositionsExpanded(), 0)
			return response, err
		})
	if err != nil {
		return nil, err
	}
	c.Solved(response.GetSolution())
	return response, nil
}

// smallPositions is up to which price an answer is neither shared nor kept: finding it takes well below a millisecond,
// and what it would take to know it again is no less.
const smallPositions = 1_000

// find finds an answer that has this price, when it is admitted. What takes long is shared with those who make the same
// request; asKnown makes of it what they are given later.
func find[A proto.Message](
	ctx context.Context, s *Service, price catalog.Price, admitted bool, request func() proto.Message, asKnown func(A) A,
	answer func(context.Context) (A, error),
) (A, error) {
	admit := func(ctx context.Context) (A, error) {
		if !admitted {
			ticket, err := s.admit(ctx, admission.KindSolve, price)
			if err != nil {
				var none A
				return none, err
			}
			defer ticket.Release()
		}
		return answer(ctx)
	}
	if price.Positions <= smallPositions {
		return admit(ctx)
	}
	return share(ctx, s.answers, request(), asKnown, admit)
}
