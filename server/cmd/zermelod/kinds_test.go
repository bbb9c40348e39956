package main_test

import (
	"context"
	"time"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// The errors that kinds of calls may meet.
var (
	busy    = []string{"SERVER_BUSY"}
	refused = []string{"INVALID_FIELD", "SIZE_LIMIT", "BUDGET_LIMIT"}
)

// The kinds of calls.
var (
	SolveSmall   = Kind{"small solve", solveSmall, nil}
	SolveLarge   = Kind{"large solve", solveLarge, busy}
	AnalyzeSmall = Kind{"analyze", analyze, busy}
	Batch        = Kind{"batch", batch, busy}
	Prove        = Kind{"proof", prove, busy}
	Trace        = Kind{"trace", trace, append([]string{"INVALID_FIELD", "MEMO_BUDGET"}, busy...)}
	Enumerate    = Kind{"enumeration", enumerate, append([]string{"INVALID_FIELD"}, busy...)}
	ReadSlowly   = Kind{"slow trace", readSlowly, busy}
	LeaveTrace   = Kind{"trace left", leave, append([]string{"BUDGET_LIMIT"}, busy...)}
	CancelSolve  = Kind{"solve cancelled", cancelSolve, append([]string{"Canceled", "DeadlineExceeded"}, busy...)}
	AskBadly     = Kind{"bad input", askBadly, refused}
)

// solveSmall solves a small position and asks the oracle.
func solveSmall(ctx context.Context, c *Caller) error {
	p := c.Judge.Small(c.Random)
	s, err := c.Client.Solve(ctx, &zermelov1.SolveRequest{Position: p})
	if err != nil {
		return err
	}
	c.Answered(c.Judge.Agrees(p, s), "%v: %v", p, s)
	return nil
}

// solveLarge solves a position that takes long, and those after a best move, whose value has to fit.
func solveLarge(ctx context.Context, c *Caller) error {
	p := c.Judge.Large(c.Random)
	s, err := c.Client.Solve(ctx, &zermelov1.SolveRequest{Position: p, MaxMoves: 1})
	if err != nil || len(s.GetBestMoves()) == 0 || s.GetBestMoves()[0].GetNextOmitted() {
		return err
	}
	best := s.GetBestMoves()[0]
	for _, next := range best.GetNext() {
		after, err := c.Client.Solve(ctx, &zermelov1.SolveRequest{Position: next, MaxMoves: 1})
		if err != nil {
			return err
		}
		right := after.GetOutcome() == opposite(s.GetOutcome()) && after.GetMargin() == -s.GetMargin()
		if s.Cost != nil {
			right = after.GetCost() < s.GetCost()
		}
		c.Answered(right, "%v: %v, after %s %v", p, s, best.GetNotation(), after)
	}
	return nil
}

// mainLineMost is where the main line is cut.
const mainLineMost = 256

// analyze ranks the moves of a small position. The first has the position's value, which is what the oracle
// says.
func analyze(ctx context.Context, c *Caller) error {
	p := c.Judge.Small(c.Random)
	r, err := c.Client.Analyze(ctx, &zermelov1.AnalyzeRequest{Position: p})
	if err != nil {
		return err
	}
	right := c.Judge.Agrees(p, r.GetSolution()) && r.GetMainLineLength() == r.GetMovesToEnd() &&
		int64(len(r.GetMainLine())) == min(r.GetMovesToEnd(), mainLineMost)
	if len(r.GetMoves()) > 0 {
		first := r.GetMoves()[0]
		right = right && first.GetOutcome() == r.GetSolution().GetOutcome() && first.GetMargin() == r.GetSolution().GetMargin() &&
			first.GetCost() == r.GetSolution().GetCost() && first.GetMovesToEnd() == r.GetMovesToEnd()
	}
	c.Answered(right, "%v: %v", p, r)
	return nil
}

// batch solves some small positions, one of them bad.
func batch(ctx context.Context, c *Caller) error {
	positions := make([]*zermelov1.Position, 1+c.Random.IntN(100))
	for i := range positions {
		positions[i] = c.Judge.Small(c.Random)
	}
	positions[0] = c.Judge.Bad(c.Random)
	results, err := c.Client.BatchSolve(ctx, &zermelov1.BatchSolveRequest{Positions: positions, MaxMoves: 100})
	if err != nil {
		return err
	}
	c.Answered(results[0].GetError() != nil, "%v", results[0])
	for i, result := range results[1:] {
		c.Answered(c.Judge.Agrees(positions[i+1], result.GetSolution()), "%v: %v", positions[i+1], result)
	}
	return nil
}

// prove has a position proved.
func prove(ctx context.Context, c *Caller) error { return c.Prove(ctx, c.Judge.Middling(c.Random)) }

// Prove has a position proved, and checks the proof.
func (c *Caller) Prove(ctx context.Context, p *zermelov1.Position) error {
	trace := c.Client.Explain(ctx, &zermelov1.ExplainRequest{Position: p, Detail: zermelov1.Detail_DETAIL_PROOF})
	var broken error
	verdict, err := proof.Check(p, func(yield func(*zermelov1.Event, error) bool) {
		for event, err := range trace.Events() {
			broken = err
			if !yield(event, err) {
				return
			}
		}
	})
	if broken != nil {
		return broken
	}
	if err == nil {
		err = verdict.Agrees(trace.Summary().GetSolution())
	}
	c.Answered(err == nil, "%v: %v", p, err)
	return nil
}

// trace reads some of a trace of any detail and memo policy, also of those that the game does not have.
func trace(ctx context.Context, c *Caller) error {
	return read(ctx, c, 0, &zermelov1.ExplainRequest{
		Position: c.Judge.Small(c.Random), MaxEvents: 1 + c.Random.Int64N(200),
		Detail: zermelov1.Detail(c.Random.IntN(4)), MemoPolicy: zermelov1.MemoPolicy(c.Random.IntN(3)),
	})
}

// enumerate reads some of an enumeration, by any outcome.
func enumerate(ctx context.Context, c *Caller) error {
	p := c.Judge.Small(c.Random)
	enumeration := c.Client.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{
		Position: p, MaxPositions: 1 + c.Random.Int64N(200),
		Outcome: zermelov1.Outcome(c.Random.IntN(4)), SkipDistance: c.Random.IntN(2) == 0,
	})
	count := int64(0)
	for _, err := range enumeration.Positions() {
		if err != nil {
			return err
		}
		count++
	}
	c.Answered(enumeration.Summary().GetPositionCount() == count, "%v: %v after %d positions", p, enumeration.Summary(), count)
	return nil
}

// readSlowly reads a trace with pauses.
func readSlowly(ctx context.Context, c *Caller) error {
	return read(ctx, c, 20*time.Millisecond, &zermelov1.ExplainRequest{
		Position: c.Judge.Middling(c.Random), Detail: zermelov1.Detail_DETAIL_SEARCH, MaxEvents: 100_000,
	})
}

// read reads a trace to its end, with a pause every few thousand events.
func read(ctx context.Context, c *Caller, pause time.Duration, request *zermelov1.ExplainRequest) error {
	const pauseEvery = 5_000
	trace := c.Client.Explain(ctx, request)
	last := int64(0)
	for event, err := range trace.Events() {
		if err != nil {
			return err
		}
		if event.GetSequence() != last+1 {
			c.Answered(false, "event %d after %d", event.GetSequence(), last)
		}
		if last = event.GetSequence(); last%pauseEvery == 0 {
			time.Sleep(pause)
		}
	}
	c.Answered(trace.Summary().GetEventCount() == last, "%v after %d events", trace.Summary(), last)
	return nil
}

// leave leaves a long trace in its middle.
func leave(ctx context.Context, c *Caller) error {
	left := c.Random.IntN(3_000)
	for _, err := range c.Client.Explain(ctx, &zermelov1.ExplainRequest{Position: c.Judge.Long(c.Random)}).Events() {
		if err != nil {
			return err
		}
		if left--; left < 0 {
			return nil
		}
	}
	return nil
}

// cancelSolve cancels a long solve before it ends, if it is quick enough.
func cancelSolve(ctx context.Context, c *Caller) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.Random.IntN(30))*time.Millisecond)
	defer cancel()
	_, err := c.Client.Solve(ctx, &zermelov1.SolveRequest{Position: c.Judge.Large(c.Random)})
	return err
}

// askBadly asks what is never answered.
func askBadly(ctx context.Context, c *Caller) error {
	p := c.Judge.Bad(c.Random)
	_, err := c.Client.Solve(ctx, &zermelov1.SolveRequest{Position: p})
	c.Answered(err != nil, "%v is answered", p)
	return err
}

func opposite(o zermelov1.Outcome) zermelov1.Outcome {
	switch o {
	case zermelov1.Outcome_OUTCOME_WIN:
		return zermelov1.Outcome_OUTCOME_LOSS
	case zermelov1.Outcome_OUTCOME_LOSS:
		return zermelov1.Outcome_OUTCOME_WIN
	default:
		return o
	}
}
