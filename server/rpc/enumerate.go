package rpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// EnumeratePositions streams the reachable positions.
func (s *Service) EnumeratePositions(
	r *zermelov1.EnumeratePositionsRequest, stream grpc.ServerStreamingServer[zermelov1.EnumeratePositionsResponse],
) error {
	if err := s.enumerate(stream.Context(), r, stream); err != nil {
		return toStatus(stream.Context(), err)
	}
	return nil
}

func (s *Service) enumerate(
	ctx context.Context, r *zermelov1.EnumeratePositionsRequest,
	stream grpc.ServerStreamingServer[zermelov1.EnumeratePositionsResponse],
) error {
	limit := r.GetMaxPositions()
	if limit < 0 {
		return catalog.InvalidField("max_positions", "is %d; it must be 0, for no limit, or more", limit)
	}
	c := call.Of(ctx)
	c.SetGame(catalog.GameOf(r.GetPosition()))
	instance, err := catalog.Open(r.GetPosition(), "position", s.limits)
	if err != nil {
		return err
	}
	walk, err := instance.Enumerate(r.GetOutcome(), limit, r.GetWithDistance())
	if err != nil {
		return err
	}
	c.SetPrice(walk.Price())
	ticket, err := s.admit(ctx, admission.KindStream, walk.Price())
	if err != nil {
		return err
	}
	defer ticket.Release()
	work := call.Work{Call: c}
	defer func() { work.Over(walk.Statistics()) }()
	sendProgress := func() error {
		statistics := walk.Statistics()
		work.SoFar(statistics)
		return stream.Send(&zermelov1.EnumeratePositionsResponse{
			Payload: &zermelov1.EnumeratePositionsResponse_Progress{Progress: &zermelov1.Progress{Statistics: statistics}},
		})
	}
	summary := &zermelov1.EnumerationSummary{Completion: zermelov1.Completion_COMPLETION_COMPLETE}
	var gathered []*zermelov1.EnumeratedPosition
	frame := newFrame(c, func() error {
		work.SoFar(walk.Statistics())
		positions := gathered
		gathered = nil // something may still read a message after it was sent
		return stream.Send(&zermelov1.EnumeratePositionsResponse{Payload: &zermelov1.EnumeratePositionsResponse_Positions{
			Positions: &zermelov1.EnumeratedPositions{Positions: positions},
		}})
	})
	for position, err := range walk.Positions(ctx) {
		if err != nil {
			return err
		}
		if position == nil {
			if err := frame.tick(sendProgress); err != nil {
				return err
			}
			continue
		}
		if limit > 0 && frame.count == limit {
			summary.Completion = zermelov1.Completion_COMPLETION_LIMIT_REACHED
			break
		}
		if err := frame.add(proto.Size(position)); err != nil {
			return err
		}
		gathered = append(gathered, position)
		count(summary, position.GetOutcome())
	}
	if err := frame.flush(); err != nil {
		return err
	}
	return stream.Send(&zermelov1.EnumeratePositionsResponse{
		Payload: &zermelov1.EnumeratePositionsResponse_Summary{Summary: summary},
	})
}

func count(s *zermelov1.EnumerationSummary, outcome zermelov1.Outcome) {
	s.PositionCount++
	switch outcome {
	case zermelov1.Outcome_OUTCOME_WIN:
		s.Wins++
	case zermelov1.Outcome_OUTCOME_LOSS:
		s.Losses++
	case zermelov1.Outcome_OUTCOME_DRAW:
		s.Draws++
	default: // a game without outcomes
	}
}
