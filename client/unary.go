package client

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Solve returns the solution of a position: its outcome, margin or cost for the player to move, and the moves that
// keep it. The solution is never nil without an error. Errors are statuses, see [Reason]; a server that answers
// without a solution is a [ProtocolError].
//
// The call waits for a server and is tried again while it is UNAVAILABLE or busy, until ctx ends or, when ctx has no
// deadline, the timeout of [WithUnaryTimeout] is over.
func (c *Client) Solve(ctx context.Context, req *zermelov1.SolveRequest) (*zermelov1.Solution, error) {
	answer, err := unary(ctx, c, c.service.Solve, req)
	if err != nil {
		return nil, err
	}
	if answer.GetSolution() == nil {
		return nil, &ProtocolError{Method: "Solve", Err: errNoSolution}
	}
	return answer.GetSolution(), nil
}

// Analyze returns every legal move of a position, best first, each with its value and, unless `skip_distance`
// leaves them out, the number of moves to the end; and the main line of best play. The answer is never
// nil without an error, and has a solution. It waits, is tried again and fails as Solve does.
//
// A position that Solve answers at once may be too large here: distances take a search.
func (c *Client) Analyze(ctx context.Context, req *zermelov1.AnalyzeRequest) (*zermelov1.AnalyzeResponse, error) {
	answer, err := unary(ctx, c, c.service.Analyze, req)
	if err != nil {
		return nil, err
	}
	if answer.GetSolution() == nil {
		return nil, &ProtocolError{Method: "Analyze", Err: errNoSolution}
	}
	return answer, nil
}

// BatchSolve returns what became of each position of the request, in its order: as many results as there are
// positions, each with either a solution or an error of its own. [BatchError] makes the latter one like those of
// calls:
//
//	results, err := c.BatchSolve(ctx, request)
//	...
//	for i, result := range results {
//		if err := client.BatchError(result.GetError()); err != nil {
//			log.Printf("position %d: %v", i, err)
//			continue
//		}
//		use(result.GetSolution())
//	}
//
// The error of the call itself, with which there are no results, is about the request as a whole, or about the way to
// the server. It waits, is tried again and fails as Solve does; results that do not fit the request are a
// [ProtocolError].
func (c *Client) BatchSolve(ctx context.Context, req *zermelov1.BatchSolveRequest) ([]*zermelov1.BatchSolveResult, error) {
	answer, err := unary(ctx, c, c.service.BatchSolve, req)
	if err != nil {
		return nil, err
	}
	if err := checkBatch(req, answer); err != nil {
		return nil, &ProtocolError{Method: "BatchSolve", Err: err}
	}
	return answer.GetResults(), nil
}

// checkBatch compares the results of a batch with what was asked.
func checkBatch(req *zermelov1.BatchSolveRequest, answer *zermelov1.BatchSolveResponse) error {
	if asked, got := len(req.GetPositions()), len(answer.GetResults()); asked != got {
		return fmt.Errorf("%d results for %d positions", got, asked)
	}
	for i, result := range answer.GetResults() {
		var err error
		switch {
		case result.GetSolution() != nil:
		case result.GetError() == nil:
			err = errors.New("neither a solution nor an error")
		case codes.Code(result.GetError().GetCode()) == codes.OK:
			err = errors.New("an error with the code OK")
		}
		if err != nil {
			return fmt.Errorf("results[%d] is %w", i, err)
		}
	}
	return nil
}

// ListGames returns the catalogue, all of its pages: each game with its rules, its notation, the limits in force on the
// server, and a position to begin with. It waits and is tried again as Solve is; its errors are statuses, or a
// [ProtocolError] for pages that do not come to an end.
func (c *Client) ListGames(ctx context.Context) (*zermelov1.ListGamesResponse, error) {
	all := &zermelov1.ListGamesResponse{}
	for token := ""; ; {
		page, err := unary(ctx, c, c.service.ListGames, &zermelov1.ListGamesRequest{PageToken: token})
		if err != nil {
			return nil, err
		}
		all.Games = append(all.Games, page.GetGames()...)
		all.EngineVersion = page.GetEngineVersion()
		if token = page.GetNextPageToken(); token == "" {
			return all, nil
		}
		if len(page.GetGames()) == 0 {
			return nil, &ProtocolError{Method: "ListGames", Err: errEmptyPage}
		}
	}
}

// GetGame returns one game of the catalogue, by the name of its field in a position: "can_i_win". It waits, is tried
// again and fails as Solve does; a name that the server does not know is NOT_FOUND, the reason being GAME_UNKNOWN.
func (c *Client) GetGame(ctx context.Context, name string) (*zermelov1.GameInfo, error) {
	answer, err := unary(ctx, c, c.service.GetGame, &zermelov1.GetGameRequest{Name: name})
	if err != nil {
		return nil, err
	}
	if answer.GetGame() == nil {
		return nil, &ProtocolError{Method: "GetGame", Err: errNoGame}
	}
	return answer.GetGame(), nil
}

// EstimateCost returns what a call would take, in memory and in work, without making it. A call that the server would
// refuse for its fields or its size fails with the same error here. It waits, is tried again and fails as Solve does.
func (c *Client) EstimateCost(
	ctx context.Context, req *zermelov1.EstimateCostRequest,
) (*zermelov1.EstimateCostResponse, error) {
	return unary(ctx, c, c.service.EstimateCost, req)
}

// unary makes a unary call. It gives ctx a deadline when it has none.
func unary[Q, A any](
	ctx context.Context, c *Client, call func(context.Context, *Q, ...grpc.CallOption) (*A, error), req *Q,
) (*A, error) {
	if _, has := ctx.Deadline(); !has && c.unaryTimeout > 0 {
		timed, cancel := context.WithTimeout(ctx, c.unaryTimeout)
		defer cancel()
		ctx = timed
	}
	return call(ctx, req)
}
