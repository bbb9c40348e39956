package main

import (
	"context"
	"math/rand/v2"
	"strconv"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest/judge"
)

// caller makes calls one after the other, drawn at random.
type caller struct {
	client *client.Client
	book   *book
	random *rand.Rand
	judge  judge.Judge
}

func newCaller(c *client.Client, b *book, random *rand.Rand) *caller {
	return &caller{client: c, book: b, random: random}
}

// kinds are the kinds of calls, by how many of a hundred they are.
var kinds = []struct {
	name  string
	share int
	make  func(c *caller, ctx context.Context) error
	// may are the errors that this kind provokes.
	may []zermelov1.ErrorReason
}{
	{"small solve", 47, (*caller).solveSmall, nil},
	{"large solve", 4, (*caller).solveLarge, busy},
	{"analyze", 12, (*caller).analyze, busy},
	{"batch", 6, (*caller).batch, busy},
	{"proof", 8, (*caller).prove, busy},
	{"slow trace", 2, (*caller).readSlowly, busy},
	{"trace left", 6, (*caller).leave, busy},
	{"solve cancelled", 5, (*caller).cancel, append([]zermelov1.ErrorReason{
		zermelov1.ErrorReason_ERROR_REASON_CANCELLED, zermelov1.ErrorReason_ERROR_REASON_DEADLINE_EXCEEDED,
	}, busy...)},
	{"bad input", 10, (*caller).askBadly, []zermelov1.ErrorReason{
		zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD, zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT,
	}},
}

// busy is what calls that take a place may meet.
var busy = []zermelov1.ErrorReason{zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY}

// guard is how long a call may take at most.
const guard = 2 * time.Minute

// call makes one call.
func (c *caller) call(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, guard)
	defer cancel()
	draw := c.random.IntN(100)
	for _, kind := range kinds {
		if draw -= kind.share; draw >= 0 {
			continue
		}
		began := time.Now()
		err := kind.make(c, ctx)
		c.book.made(kind.name, time.Since(began))
		if err == nil {
			return
		}
		reason, wanted := client.Reason(err), false
		for _, may := range kind.may {
			wanted = wanted || reason == may
		}
		text := reason.String()[len("ERROR_REASON_"):]
		if reason == zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED {
			text = status.Code(err).String()
			wanted = kind.name == "solve cancelled" && (text == codes.Canceled.String() || text == codes.DeadlineExceeded.String())
		}
		c.book.failed(kind.name, text, wanted, err)
		return
	}
}

// solveSmall solves a small position and asks the oracle.
func (c *caller) solveSmall(ctx context.Context) error {
	p := judge.Small(c.random)
	s, err := c.client.Solve(ctx, &zermelov1.SolveRequest{Position: p})
	if err != nil {
		return err
	}
	c.book.answered(c.judge.Agrees(p, s), "%v: %v", p, s)
	return nil
}

// solveLarge solves a position that takes long, and one after a best move, which has to be worth the same.
func (c *caller) solveLarge(ctx context.Context) error {
	p := c.large()
	s, err := c.client.Solve(ctx, &zermelov1.SolveRequest{Position: p, MaxMoves: 1})
	if err != nil || len(s.GetBestMoves()) == 0 || s.GetBestMoves()[0].GetNextOmitted() {
		return err
	}
	best := s.GetBestMoves()[0]
	cost := int64(0)
	for _, next := range best.GetNext() {
		after, err := c.client.Solve(ctx, &zermelov1.SolveRequest{Position: next, MaxMoves: 1})
		if err != nil {
			return err
		}
		cost = max(cost, after.GetCost())
		if s.Cost == nil {
			c.book.answered(after.GetOutcome() == opposite(s.GetOutcome()) && after.GetMargin() == -s.GetMargin(),
				"%v: %v, after %s %v", p, s, best.GetNotation(), after)
		}
	}
	if s.Cost != nil {
		guess, err := strconv.ParseInt(best.GetNotation(), 10, 64)
		c.book.answered(err == nil && guess+cost == s.GetCost(), "%v: %v, after %s %d", p, s, best.GetNotation(), cost)
	}
	return nil
}

// mainLineMost is where the main line is cut.
const mainLineMost = 256

// analyze ranks the moves of a small position. The first is worth what the position is, and what the oracle says.
func (c *caller) analyze(ctx context.Context) error {
	p := judge.Small(c.random)
	r, err := c.client.Analyze(ctx, &zermelov1.AnalyzeRequest{Position: p})
	if err != nil {
		return err
	}
	right := c.judge.Agrees(p, r.GetSolution()) && r.GetMainLineLength() == r.GetMovesToEnd() &&
		int64(len(r.GetMainLine())) == min(r.GetMovesToEnd(), mainLineMost)
	if len(r.GetMoves()) > 0 {
		first := r.GetMoves()[0]
		right = right && first.GetOutcome() == r.GetSolution().GetOutcome() && first.GetMargin() == r.GetSolution().GetMargin() &&
			first.GetCost() == r.GetSolution().GetCost() && first.GetMovesToEnd() == r.GetMovesToEnd()
	}
	c.book.answered(right, "%v: %v", p, r)
	return nil
}

// batch solves some small positions, one of them bad.
func (c *caller) batch(ctx context.Context) error {
	positions := make([]*zermelov1.Position, 1+c.random.IntN(100))
	for i := range positions {
		positions[i] = judge.Small(c.random)
	}
	positions[0] = judge.Bad(c.random)
	results, err := c.client.BatchSolve(ctx, &zermelov1.BatchSolveRequest{Positions: positions, MaxMoves: 100})
	if err != nil {
		return err
	}
	c.book.answered(results[0].GetError() != nil, "%v", results[0])
	for i, result := range results[1:] {
		c.book.answered(c.judge.Agrees(positions[i+1], result.GetSolution()), "%v: %v", positions[i+1], result)
	}
	return nil
}

// prove has a position proved and checks the proof.
func (c *caller) prove(ctx context.Context) error {
	p := c.middling()
	trace := c.client.Explain(ctx, &zermelov1.ExplainRequest{Position: p, Detail: zermelov1.Detail_DETAIL_PROOF})
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
	c.book.answered(err == nil, "%v: %v", p, err)
	return nil
}

// readSlowly reads a trace with pauses.
func (c *caller) readSlowly(ctx context.Context) error {
	const pauseEvery, pause = 5_000, 20 * time.Millisecond
	trace := c.client.Explain(ctx, &zermelov1.ExplainRequest{
		Position: c.middling(), Detail: zermelov1.Detail_DETAIL_SEARCH, MaxEvents: 100_000,
	})
	last := int64(0)
	for event, err := range trace.Events() {
		if err != nil {
			return err
		}
		if event.GetSequence() != last+1 {
			c.book.answered(false, "event %d after %d", event.GetSequence(), last)
		}
		if last = event.GetSequence(); last%pauseEvery == 0 {
			time.Sleep(pause)
		}
	}
	c.book.answered(trace.Summary().GetEventCount() == last, "%v after %d events", trace.Summary(), last)
	return nil
}

// leave leaves a long trace in its middle.
func (c *caller) leave(ctx context.Context) error {
	left := c.random.IntN(3_000)
	for _, err := range c.client.Explain(ctx, &zermelov1.ExplainRequest{Position: c.large()}).Events() {
		if err != nil {
			return err
		}
		if left--; left < 0 {
			return nil
		}
	}
	return nil
}

// cancel cancels a long solve before it ends, if it is quick enough.
func (c *caller) cancel(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.random.IntN(30))*time.Millisecond)
	defer cancel()
	_, err := c.client.Solve(ctx, &zermelov1.SolveRequest{Position: c.large()})
	return err
}

// askBadly asks what is never answered.
func (c *caller) askBadly(ctx context.Context) error {
	p := judge.Bad(c.random)
	_, err := c.client.Solve(ctx, &zermelov1.SolveRequest{Position: p})
	c.book.answered(err != nil, "%v is answered", p)
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
