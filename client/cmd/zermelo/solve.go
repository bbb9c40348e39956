package main

import (
	"context"
	"math"

	"github.com/alecthomas/kong"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// movesShown is how many best moves a page of text shows, unless more are asked for.
const movesShown = 20

type solveCommand struct {
	Games kong.Plugins `embed:""`
	Moves limit        `name:"moves" placeholder:"N" help:"The most best moves to list. Default: 20, and the server's own 100 with -o json."`
}

func (c *solveCommand) run(ctx context.Context, s *session) error {
	position, err := s.arguments.Position(s.stdin)
	if err != nil {
		return err
	}
	// A number that the field cannot hold is one that the server refuses as well.
	request := &zermelov1.SolveRequest{Position: position, MaxMoves: int32(min(c.Moves, math.MaxInt32))}
	if request.MaxMoves == 0 && !s.settings.json() {
		request.MaxMoves = movesShown
	}
	solution, err := s.client.Solve(ctx, request)
	if err != nil {
		return err
	}
	if s.settings.json() {
		return show.JSON(s.out, &zermelov1.SolveResponse{Solution: solution})
	}
	return show.Solution(s.out, position, solution, " (--moves N lists more)")
}
