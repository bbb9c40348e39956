package rpc

import (
	"context"
	"math"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// EstimateCost answers with the price by which a call would be admitted.
func (s *Service) EstimateCost(
	ctx context.Context, r *zermelov1.EstimateCostRequest,
) (*zermelov1.EstimateCostResponse, error) {
	price, err := s.estimate(r)
	if err != nil {
		return nil, toStatus(ctx, err)
	}
	response := &zermelov1.EstimateCostResponse{MemoryBytes: int64(min(price.Bytes, math.MaxInt64))}
	if price.Positions <= math.MaxInt64 {
		response.Positions = new(int64(price.Positions))
	}
	return response, nil
}

// estimate prepares the call as its handler does, up to where it would be admitted.
func (s *Service) estimate(r *zermelov1.EstimateCostRequest) (admission.Price, error) {
	switch call := r.GetCall().(type) {
	case *zermelov1.EstimateCostRequest_Solve:
		instance, _, err := s.openSolve(call.Solve)
		if err != nil {
			return admission.Price{}, err
		}
		price, err := instance.SolvePrice()
		return s.admissible("position", price, err)
	case *zermelov1.EstimateCostRequest_Analyze:
		instance, err := s.catalog.Open(call.Analyze.GetPosition(), "position")
		if err != nil {
			return admission.Price{}, err
		}
		price, err := instance.AnalyzePrice(call.Analyze.GetSkipDistance())
		return s.admissible("position", price, err)
	case *zermelov1.EstimateCostRequest_BatchSolve:
		maxMoves, err := batchMoves(call.BatchSolve)
		if err != nil {
			return admission.Price{}, err
		}
		_, price := s.open(call.BatchSolve.GetPositions(), maxMoves)
		return price, nil
	case *zermelov1.EstimateCostRequest_Explain:
		x, err := s.openTrace(call.Explain, nil)
		if err != nil {
			return admission.Price{}, err
		}
		return s.admissible("position", x.trace.Price(), nil)
	case *zermelov1.EstimateCostRequest_EnumeratePositions:
		walk, _, err := s.openEnumeration(call.EnumeratePositions)
		if err != nil {
			return admission.Price{}, err
		}
		return s.admissible("position", walk.Price(), nil)
	default:
		return admission.Price{}, catalog.InvalidField("call", "is not set; set the request of the call that is meant")
	}
}
