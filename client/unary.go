package client

import (
	"context"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Solve returns the solution of a position: its outcome, margin or cost for the player to move, and the moves that
// keep it. The solution is never nil without an error. Errors are statuses, see [Reason]; a server that answers
// without a solution is a [ProtocolError].
//
// The call waits for a server and is tried again while it is UNAVAILABLE, until ctx ends or, when ctx has no
// deadline, the timeout of [WithUnaryTimeout] is over.
func (c *Client) Solve(ctx context.Context, req *zermelov1.SolveRequest) (*zermelov1.Solution, error) {
	ctx, cancel := c.unaryContext(ctx)
	defer cancel()
	answer, err := c.service.Solve(ctx, req)
	if err != nil {
		return nil, err
	}
	if answer.GetSolution() == nil {
		return nil, &ProtocolError{Method: "Solve", Err: errNoSolution}
	}
	return answer.GetSolution(), nil
}

// ListGames returns the catalogue: each game with its rules, its notation, the limits in force on the server, and a
// position to begin with. It waits and is tried again as Solve is; its errors are statuses.
func (c *Client) ListGames(ctx context.Context) (*zermelov1.ListGamesResponse, error) {
	ctx, cancel := c.unaryContext(ctx)
	defer cancel()
	return c.service.ListGames(ctx, &zermelov1.ListGamesRequest{})
}

// unaryContext gives ctx a deadline when it has none.
func (c *Client) unaryContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has || c.unaryTimeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, c.unaryTimeout)
}
