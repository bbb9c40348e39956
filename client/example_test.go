package client_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// misere753 is the position of the examples: piles of 7, 5 and 3, and who takes the last stone loses.
var misere753 = &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{
	Piles:      []uint64{7, 5, 3},
	Convention: zermelov1.PlayConvention_PLAY_CONVENTION_MISERE,
}}}

// exampleClient is a client of a server in this process. To reach one elsewhere, its address is enough:
// client.New("localhost:50051").
func exampleClient() (c *client.Client, stop func()) {
	server, stopServer, err := servertest.Run()
	if err != nil {
		log.Fatal(err)
	}
	c, err = client.New(server.Target(), client.WithDialOptions(server.DialOptions()...))
	if err != nil {
		log.Fatal(err)
	}
	return c, func() {
		_ = c.Close()
		stopServer()
	}
}

func Example() {
	c, stop := exampleClient()
	defer stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	solution, err := c.Solve(ctx, &zermelov1.SolveRequest{Position: misere753})
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(solution.GetOutcome())
	for _, best := range solution.GetBestMoves() {
		fmt.Println(best.GetNotation(), "leads to", best.GetNext()[0].GetNim().GetPiles())
	}
	// Output:
	// OUTCOME_WIN
	// 7>6 leads to [6 5 3]
	// 5>4 leads to [7 4 3]
	// 3>2 leads to [7 5 2]
}

func ExampleClient_Explain() {
	c, stop := exampleClient()
	defer stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	trace := c.Explain(ctx, &zermelov1.ExplainRequest{Position: misere753})
	for event, err := range trace.Events() {
		if err != nil {
			log.Print(err)
			return
		}
		if event.GetOutcome() == zermelov1.Outcome_OUTCOME_LOSS {
			fmt.Printf("%d: who has to move at %s loses\n", event.GetSequence(), event.GetPosition())
		}
	}
	fmt.Println(trace.Summary().GetEventCount(), "decisions, and", trace.Summary().GetSolution().GetOutcome())
	// Output:
	// 1: who has to move at 1-0-0 loses
	// 6: who has to move at 2-2-0 loses
	// 8: who has to move at 3-3-0 loses
	// 11: who has to move at 1-1-1 loses
	// 15: who has to move at 3-2-1 loses
	// 26: who has to move at 4-4-0 loses
	// 37: who has to move at 5-4-1 loses
	// 39: who has to move at 5-5-0 loses
	// 54: who has to move at 6-4-2 loses
	// 60: who has to move at 6-5-3 loses
	// 61 decisions, and OUTCOME_WIN
}

// Leaving the loop ends the call, and the search on the server with it.
func ExampleTrace_Events() {
	c, stop := exampleClient()
	defer stop()

	trace := c.Explain(context.Background(), &zermelov1.ExplainRequest{Position: misere753})
	for event, err := range trace.Events() {
		if err != nil {
			log.Print(err)
			return
		}
		fmt.Println(event.GetSequence(), event.GetPosition(), event.GetOutcome())
		if event.GetSequence() == 3 {
			break
		}
	}
	fmt.Println("a summary:", trace.Summary() != nil)
	// Output:
	// 1 1-0-0 OUTCOME_LOSS
	// 2 3-0-0 OUTCOME_WIN
	// 3 3-1-0 OUTCOME_WIN
	// a summary: false
}

func ExampleClient_EnumeratePositions() {
	c, stop := exampleClient()
	defer stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	lost := c.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{
		Position: misere753,
		Outcome:  zermelov1.Outcome_OUTCOME_LOSS,
	})
	for position, err := range lost.Positions() {
		if err != nil {
			log.Print(err)
			return
		}
		fmt.Println(position.GetNotation())
	}
	fmt.Println(lost.Summary().GetPositionCount(), "in all")
	// Output:
	// 1-0-0
	// 2-2-0
	// 3-3-0
	// 1-1-1
	// 3-2-1
	// 4-4-0
	// 5-4-1
	// 5-5-0
	// 6-4-2
	// 6-5-3
	// 7-4-3
	// 7-5-2
	// 12 in all
}

func ExampleClient_Analyze() {
	c, stop := exampleClient()
	defer stop()

	answer, err := c.Analyze(context.Background(), &zermelov1.AnalyzeRequest{Position: misere753})
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(len(answer.GetMoves()), "moves, of which the first and the last are")
	for _, i := range []int{0, len(answer.GetMoves()) - 1} {
		move := answer.GetMoves()[i]
		fmt.Println(move.GetMove().GetNotation(), move.GetOutcome(), "in", move.GetMovesToEnd())
	}
	fmt.Println("best play takes", answer.GetMovesToEnd(), "moves and begins with", answer.GetMainLine()[0].GetNotation())
	// Output:
	// 15 moves, of which the first and the last are
	// 7>6 OUTCOME_WIN in 14
	// 5>3 OUTCOME_LOSS in 7
	// best play takes 14 moves and begins with 7>6
}

// The error of one position leaves the others alone.
func ExampleClient_BatchSolve() {
	c, stop := exampleClient()
	defer stop()

	results, err := c.BatchSolve(context.Background(), &zermelov1.BatchSolveRequest{
		Positions: []*zermelov1.Position{misere753, {}},
	})
	if err != nil {
		log.Print(err)
		return
	}
	for i, result := range results {
		if err := client.BatchError(result.GetError()); err != nil {
			fmt.Printf("position %d: %v\n", i, client.Reason(err))
			continue
		}
		fmt.Printf("position %d: %v\n", i, result.GetSolution().GetOutcome())
	}
	// Output:
	// position 0: OUTCOME_WIN
	// position 1: ERROR_REASON_INVALID_FIELD
}

// Nothing that a server says has to be believed: package proof checks its proof with rules of its own.
func Example_proof() {
	c, stop := exampleClient()
	defer stop()

	trace := c.Explain(context.Background(), &zermelov1.ExplainRequest{
		Position: misere753, Detail: zermelov1.Detail_DETAIL_PROOF,
	})
	verdict, err := proof.Check(misere753, trace.Events())
	if err != nil {
		log.Print(err)
		return
	}
	fmt.Println(verdict.Outcome, "by", verdict.Move, "is proved in", verdict.Decisions, "decisions")
	fmt.Println("the server says the same:", verdict.Agrees(trace.Summary().GetSolution()) == nil)
	// Output:
	// OUTCOME_WIN by 5>4 is proved in 53 decisions
	// the server says the same: true
}

func ExampleReason() {
	c, stop := exampleClient()
	defer stop()

	// Half the world plays Nim one way, half the other: the request has to say which.
	_, err := c.Solve(context.Background(), &zermelov1.SolveRequest{Position: &zermelov1.Position{
		Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{Piles: []uint64{7, 5, 3}}},
	}})
	if client.Reason(err) == zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD {
		for _, violation := range client.Violations(err) {
			fmt.Println("wrong:", violation.Field)
		}
	}
	// Output:
	// wrong: position.nim.convention
}

// What is left of a trace, when its caller has left the loop or has itself gone away, can be asked for later.
func ExampleClient_Explain_resume() {
	c, stop := exampleClient()
	defer stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	request := &zermelov1.ExplainRequest{Position: misere753, SampleEvery: 20}
	first := c.Explain(ctx, request)
	for event, err := range first.Events() {
		if err != nil {
			log.Print(err)
			return
		}
		fmt.Println(event.GetSequence(), event.GetPosition(), event.GetOutcome())
		if event.GetSequence() == 21 {
			request.ResumeToken, request.ResumeAfterSequence = first.Opening().GetResumeToken(), event.GetSequence()
			break
		}
	}
	fmt.Println("and later")
	for event, err := range c.Explain(ctx, request).Events() {
		if err != nil {
			log.Print(err)
			return
		}
		fmt.Println(event.GetSequence(), event.GetPosition(), event.GetOutcome())
	}
	// Output:
	// 1 1-0-0 OUTCOME_LOSS
	// 21 4-3-2 OUTCOME_WIN
	// and later
	// 41 6-3-0 OUTCOME_WIN
	// 61 7-5-3 OUTCOME_WIN
}
