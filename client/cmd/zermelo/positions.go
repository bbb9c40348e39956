package main

import (
	"context"

	"github.com/alecthomas/kong"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

type positionsCommand struct {
	Games        kong.Plugins              `embed:""`
	Outcome      choice[zermelov1.Outcome] `name:"outcome" placeholder:"WHICH" help:"Only positions that are a win, a loss or a draw for the player to move."`
	Distance     bool                      `name:"distance" help:"Tell how many moves each position is from the end."`
	MaxPositions limit                     `name:"max-positions" placeholder:"N" help:"The most positions to list. Default: all."`
}

func (c *positionsCommand) run(ctx context.Context, s *session) error {
	outcome := zermelov1.Outcome(c.Outcome)
	position, err := s.arguments.Position(s.stdin)
	if err != nil {
		return err
	}
	enumeration := s.client.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{
		Position: position, Outcome: outcome, MaxPositions: int64(c.MaxPositions), SkipDistance: !c.Distance,
	})
	known := &progress{thing: "position"}
	enumeration.OnProgress(func(w *zermelov1.Statistics) { known.working(s, w) })

	// Nothing is written before it is known that there is an answer.
	var text *show.Positions
	begin := func() (err error) {
		if text == nil && !s.settings.json() {
			text, err = show.NewPositions(s.out, position, outcome)
		}
		return err
	}
	for found, err := range enumeration.Positions() {
		if err != nil {
			if text != nil {
				text.Broken()
			}
			return &streamError{err: err, after: known.String(), begun: known.come > 0}
		}
		if err := begin(); err != nil {
			return err
		}
		if text != nil {
			text.Position(found)
		} else if err := show.JSONLine(s.out, &zermelov1.EnumeratePositionsResponse{
			Payload: &zermelov1.EnumeratePositionsResponse_Positions{
				Positions: &zermelov1.EnumeratedPositions{Positions: []*zermelov1.EnumeratedPosition{found}},
			},
		}); err != nil {
			return err
		}
		known.come++
		known.tell(s.counter)
		if err := s.out.Err(); err != nil {
			return err
		}
	}
	if err := begin(); err != nil {
		return err
	}
	if text != nil {
		text.End(enumeration.Summary(), " (--max-positions)")
		return nil
	}
	return show.JSONLine(s.out, &zermelov1.EnumeratePositionsResponse{
		Payload: &zermelov1.EnumeratePositionsResponse_Summary{Summary: enumeration.Summary()},
	})
}
