package main

import (
	"context"
	"math"

	"github.com/alecthomas/kong"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

type analyzeCommand struct {
	Games        kong.Plugins `embed:""`
	SkipDistance bool         `name:"skip-distance" help:"Leave out how far each move is from the end. Larger positions can be analyzed then."`
	Rows         limit        `name:"rows" placeholder:"N" help:"The most moves to list; 0: all. Default: 20."`
}

func (c *analyzeCommand) run(ctx context.Context, s *session) error {
	position, err := s.arguments.Position(s.stdin)
	if err != nil {
		return err
	}
	response, err := s.analyze(ctx, position, c.SkipDistance)
	if err != nil {
		return err
	}
	if s.settings.json() {
		return show.JSON(s.out, response)
	}
	rows := movesShown
	if s.given["rows"] {
		rows = int(min(c.Rows, math.MaxInt32))
		if rows == 0 {
			rows = math.MaxInt32
		}
	}
	return show.Analysis(s.out, position, response, rows, " (--rows N lists more, --rows 0 all)")
}

// analyze asks for the value of every move of a position.
func (s *session) analyze(
	ctx context.Context, p *zermelov1.Position, skipDistance bool,
) (*zermelov1.AnalyzeResponse, error) {
	return s.client.Analyze(ctx, &zermelov1.AnalyzeRequest{Position: p, SkipDistance: skipDistance})
}
