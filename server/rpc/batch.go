package rpc

import (
	"context"
	"errors"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/catalog"
)

const (
	// batchViolations is how many violations the error of a position lists: a thousand errors have to fit into an answer.
	batchViolations = 2
	// batchNextBytes bounds the answer up to which the positions after the moves are filled in.
	batchNextBytes = 1 << 20
)

// BatchSolve answers with the solution, or the error, of each position.
func (s *Service) BatchSolve(
	ctx context.Context, r *zermelov1.BatchSolveRequest,
) (*zermelov1.BatchSolveResponse, error) {
	response, err := s.batchSolve(ctx, r)
	if err != nil {
		return nil, toStatus(ctx, err)
	}
	return response, nil
}

// batched is a position of a batch.
type batched struct {
	game     string
	instance catalog.Instance
	// key is that of its solution, which equal positions have in common; empty when it is not shared.
	key string
	err error
}

func (s *Service) batchSolve(
	ctx context.Context, r *zermelov1.BatchSolveRequest,
) (*zermelov1.BatchSolveResponse, error) {
	c := call.Of(ctx)
	c.SetGame(call.GameBatch)
	maxMoves, err := batchMoves(r)
	if err != nil {
		return nil, err
	}
	batch, price := s.open(r.GetPositions(), maxMoves)
	c.SetPrice(price)
	ticket, err := s.admit(ctx, admission.KindSolve, price)
	if err != nil {
		return nil, err
	}
	defer ticket.Release()
	response := &zermelov1.BatchSolveResponse{Results: make([]*zermelov1.BatchSolveResult, len(batch))}
	room := batchNextBytes
	solved := make(map[string]*zermelov1.Solution)
	for i, b := range batch {
		solution := solved[b.key]
		if solution == nil && b.err == nil {
			// No ticket: the batch was admitted with the price of all of them.
			solution, b.err = share(ctx, s.answers, b.key, knownSolution, func(ctx context.Context) (*zermelov1.Solution, error) {
				return solve(ctx, b.game, b.instance, maxMoves)
			})
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if b.err != nil {
			response.Results[i] = &zermelov1.BatchSolveResult{
				Result: &zermelov1.BatchSolveResult_Error{Error: batchError(ctx, b.err)},
			}
			continue
		}
		if b.key != "" {
			solved[b.key] = solution
		}
		c.SolvedOne(b.game, solution)
		if room -= proto.Size(solution); room < 0 {
			solution = withoutNext(solution)
		}
		response.Results[i] = &zermelov1.BatchSolveResult{Result: &zermelov1.BatchSolveResult_Solution{Solution: solution}}
	}
	return response, nil
}

// batchMoves is how many best moves are to be listed for each position of a batch that is neither empty nor too long.
func batchMoves(r *zermelov1.BatchSolveRequest) (int, error) {
	n := len(r.GetPositions())
	if n == 0 || n > catalog.MaxBatch {
		return 0, catalog.InvalidField("positions", "has %d entries; it must have from 1 to %d", n, catalog.MaxBatch)
	}
	maxMoves, err := movesToList(r.GetMaxMoves(), min(catalog.DefaultMaxMoves, catalog.MaxMaxMoves/n))
	if err == nil && n*maxMoves > catalog.MaxMaxMoves {
		err = catalog.InvalidField("max_moves", "is %d for each of %d positions; at most %d moves are listed for all "+
			"together, %d for each", maxMoves, n, catalog.MaxMaxMoves, catalog.MaxMaxMoves/n)
	}
	return maxMoves, err
}

// open opens the positions of a batch and adds up their prices. Positions that share a solution count once. A position that
// could not be admitted alone has that error.
func (s *Service) open(positions []*zermelov1.Position, maxMoves int) ([]batched, admission.Price) {
	batch := make([]batched, len(positions))
	var price admission.Price
	priced := make(map[string]bool)
	for i, p := range positions {
		b, path := &batch[i], catalog.Element("positions", i)
		b.game = catalog.GameOf(p)
		if b.instance, b.err = s.catalog.Open(p, path); b.err != nil {
			continue
		}
		each, err := b.instance.SolvePrice()
		if each, b.err = s.admissible(path, each, err); b.err != nil {
			continue
		}
		b.key = solutionKey(each, p, maxMoves)
		if b.key == "" || !priced[b.key] {
			priced[b.key] = true
			price = price.Then(each)
		}
	}
	return batch, price
}

// batchError is the error of one position: the status of a Solve of it, as a message.
func batchError(ctx context.Context, err error) *zermelov1.PositionError {
	var request *catalog.RequestError
	if errors.As(err, &request) {
		err = request.Shortened(batchViolations)
	}
	err = toStatus(ctx, err)
	call.Of(ctx).FailedOne(ReasonOf(err))
	st := status.Convert(err)
	e := &zermelov1.PositionError{Code: int32(st.Code()), Message: st.Message()}
	for _, detail := range st.Details() {
		switch d := detail.(type) {
		case *errdetails.ErrorInfo:
			e.Reason, e.Metadata = d.GetReason(), d.GetMetadata()
		case *errdetails.BadRequest:
			for _, v := range d.GetFieldViolations() {
				e.FieldViolations = append(e.FieldViolations,
					&zermelov1.FieldViolation{Field: v.GetField(), Description: v.GetDescription()})
			}
		}
	}
	return e
}

// withoutNext is a solution without the positions after its moves. The solution itself may be known to others, and stays
// as it is.
func withoutNext(s *zermelov1.Solution) *zermelov1.Solution {
	short := sameSolution(s)
	short.BestMoves = make([]*zermelov1.Move, len(s.GetBestMoves()))
	for i, m := range s.GetBestMoves() {
		short.BestMoves[i] = &zermelov1.Move{Notation: m.GetNotation(), NextOmitted: true}
	}
	return short
}
