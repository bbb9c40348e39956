package rpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
)

// EnumeratePositions streams the reachable positions.
func (s *Service) EnumeratePositions(
	r *zermelov1.EnumeratePositionsRequest, stream grpc.ServerStreamingServer[zermelov1.EnumeratePositionsResponse],
) error {
	sent := &zermelov1.EnumerationSummary{LastSequence: r.GetResumeAfterSequence()}
	if err := s.enumerate(stream.Context(), r, stream, sent); err != nil {
		return toStatus(stream.Context(), &streamError{err: err, lastSequence: sent.GetLastSequence()})
	}
	return nil
}

// enumerate counts in sent what was sent.
func (s *Service) enumerate(
	ctx context.Context, r *zermelov1.EnumeratePositionsRequest,
	stream grpc.ServerStreamingServer[zermelov1.EnumeratePositionsResponse], sent *zermelov1.EnumerationSummary,
) error {
	c, game := call.Of(ctx), catalog.GameOf(r.GetPosition())
	c.SetGame(game)
	walk, opening, err := s.openEnumeration(r)
	if err != nil {
		return err
	}
	c.SetPrice(walk.Price())
	ticket, err := s.admit(ctx, admission.KindStream, walk.Price())
	if err != nil {
		return err
	}
	defer ticket.Release()
	work := c.Work(game)
	defer func() {
		work.SoFar(walk.Statistics())
		work.Over()
	}()
	sendProgress := func() error {
		statistics := walk.Statistics()
		work.SoFar(statistics)
		return stream.Send(&zermelov1.EnumeratePositionsResponse{
			Payload: &zermelov1.EnumeratePositionsResponse_Progress{Progress: &zermelov1.Progress{Statistics: statistics}},
		})
	}
	if err := stream.Send(&zermelov1.EnumeratePositionsResponse{
		Payload: &zermelov1.EnumeratePositionsResponse_Opening{Opening: opening},
	}); err != nil {
		return err
	}
	completion := zermelov1.Completion_COMPLETION_COMPLETE
	var gathered []*zermelov1.EnumeratedPosition
	frame := newFrame(c, func() error {
		work.SoFar(walk.Statistics())
		positions := gathered
		gathered = nil // something may still read a message after it was sent
		if err := stream.Send(&zermelov1.EnumeratePositionsResponse{
			Payload: &zermelov1.EnumeratePositionsResponse_Positions{
				Positions: &zermelov1.EnumeratedPositions{Positions: positions},
			},
		}); err != nil {
			return err
		}
		count(sent, positions)
		return nil
	})
	skip, limit := r.GetResumeAfterSequence(), r.GetMaxPositions() // what was received before is found again, and not sent
	for event, err := range walk.Events(ctx) {
		if err != nil {
			return err
		}
		if event == nil {
			if err := frame.tick(sendProgress); err != nil {
				return err
			}
			continue
		}
		if skip > 0 {
			skip--
			continue
		}
		if limit > 0 && frame.count == limit {
			completion = zermelov1.Completion_COMPLETION_LIMIT_REACHED
			break
		}
		position := enumerated(event, !r.GetSkipDistance())
		size := proto.Size(position) + entryBytes
		if err := frame.makeRoom(size); err != nil {
			return err
		}
		gathered = append(gathered, position)
		frame.add(size)
	}
	if err := frame.flush(); err != nil {
		return err
	}
	sent.Completion = completion
	return stream.Send(&zermelov1.EnumeratePositionsResponse{
		Payload: &zermelov1.EnumeratePositionsResponse_Summary{Summary: sent},
	})
}

// enumerated is what an enumeration says of an event's position.
func enumerated(e *catalog.Event, withDistance bool) *zermelov1.EnumeratedPosition {
	p := &zermelov1.EnumeratedPosition{Notation: string(e.Position), Outcome: e.Outcome}
	switch {
	case !e.HasValue:
	case e.Outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED:
		p.Cost = new(e.Value)
	default:
		p.Margin = new(e.Value)
	}
	if withDistance {
		p.MovesToEnd = new(e.MovesToEnd)
	}
	return p
}

// openEnumeration checks a request and prepares its enumeration.
func (s *Service) openEnumeration(
	r *zermelov1.EnumeratePositionsRequest,
) (catalog.Trace, *zermelov1.EnumerationOpening, error) {
	limit, after := r.GetMaxPositions(), r.GetResumeAfterSequence()
	if limit < 0 {
		return nil, nil, catalog.InvalidField("max_positions", "is %d; it must be 0, for no limit, or more", limit)
	}
	instance, err := s.catalog.Open(r.GetPosition(), "position")
	if err != nil {
		return nil, nil, err
	}
	token, err := enumerationToken(r)
	if err != nil {
		return nil, nil, err
	}
	if err := checkResume(r, token); err != nil {
		return nil, nil, err
	}
	if limit > 0 {
		if limit += after; limit < 0 { // of the whole enumeration; beyond 2^63-1 there is none
			limit = 0
		}
	}
	walk, err := instance.Enumerate(r.GetOutcome(), limit, !r.GetSkipDistance())
	if err != nil {
		return nil, nil, err
	}
	return walk, &zermelov1.EnumerationOpening{
		Position: r.GetPosition(), EngineVersion: engine.Version, ResumeToken: token,
	}, nil
}

// entryBytes is what a repeated field adds to a message that is no larger than a frame: its tag and its length.
const entryBytes = 4

// count adds positions that were sent.
func count(s *zermelov1.EnumerationSummary, positions []*zermelov1.EnumeratedPosition) {
	s.PositionCount += int64(len(positions))
	s.LastSequence += int64(len(positions))
	for _, p := range positions {
		switch p.GetOutcome() {
		case zermelov1.Outcome_OUTCOME_WIN:
			s.Wins++
		case zermelov1.Outcome_OUTCOME_LOSS:
			s.Losses++
		case zermelov1.Outcome_OUTCOME_DRAW:
			s.Draws++
		default: // a game without outcomes
		}
	}
}
