package client_test

import (
	"fmt"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// realServer is a client of the real server, run in memory until the test ends.
func realServer(t *testing.T) *client.Client {
	t.Helper()
	server := servertest.Start(t)
	c, err := client.New(server.Target(), client.WithDialOptions(server.DialOptions()...))
	if err != nil {
		t.Fatal(err)
	}
	closeAtTheEnd(t, c)
	return c
}

// small has positions of each game with few enough reachable ones to ask the server about every one of them.
var small = []*zermelov1.Position{
	nim(7, 5, 3),
	normal(3, 7, 5),
	normal(2, 0, 2),
	normal(),
	canIWin(6, 14),
	canIWin(5, 40, 3, 1),
	canIWin(10, 0),
	hundredGame(10, 100, 0),
	hundredGame(3, 20, 25),
	predictTheWinner(0, 1, 5, 233, 7),
	predictTheWinner(-4, 0, -3, 5, 5, -7, 2),
	predictTheWinner(3),
	stoneGame(2, 5, 3, 4, 5),
	guessNumber(1, 12),
	guessNumber(7, 7),
}

// worth is what a position is worth, in the terms of its game.
type worth struct {
	outcome zermelov1.Outcome
	value   int64 // margin or cost
	valued  bool
}

func (w worth) String() string { return fmt.Sprintf("%v %d (%v)", w.outcome, w.value, w.valued) }

// solve asks the server what a position is worth.
func solve(t *testing.T, c *client.Client, position *zermelov1.Position) worth {
	t.Helper()
	solution, err := c.Solve(within(t), &zermelov1.SolveRequest{Position: position})
	if err != nil {
		t.Fatalf("solving %v: %v", position, err)
	}
	return worthOf(solution)
}

// worthOf is what a solution says.
func worthOf(solution *zermelov1.Solution) worth {
	w := worth{outcome: solution.GetOutcome()}
	if solution.Margin != nil {
		w.value, w.valued = solution.GetMargin(), true
	}
	if solution.Cost != nil {
		w.value, w.valued = solution.GetCost(), true
	}
	return w
}

// The position of every event, made whole and sent back, is worth what the event says, and its move can be read.
func TestEventsCanBeSentBack(t *testing.T) {
	c := realServer(t)
	for _, asked := range small {
		t.Run(fmt.Sprint(asked), func(t *testing.T) {
			trace := c.Explain(within(t), &zermelov1.ExplainRequest{Position: asked, Detail: zermelov1.Detail_DETAIL_SEARCH})
			solved := make(map[string]worth)
			for event, err := range trace.Events() {
				if err != nil {
					t.Fatal(err)
				}
				position, err := client.PositionAt(trace.Opening().GetPosition(), event.GetPosition())
				if err != nil {
					t.Fatal(err)
				}
				if event.GetMove() != "" {
					move, err := client.ParseMove(trace.Opening().GetPosition(), event.GetMove())
					if err != nil {
						t.Fatal(err)
					}
					if move.String() != event.GetMove() {
						t.Errorf("move %q reads as %v", event.GetMove(), move)
					}
				}
				if event.GetKind() == zermelov1.EventKind_EVENT_KIND_ENTER {
					continue
				}
				if _, known := solved[event.GetPosition()]; !known {
					solved[event.GetPosition()] = solve(t, c, position)
				}
				said := worth{event.GetOutcome(), event.GetValue(), event.Value != nil}
				if got := solved[event.GetPosition()]; got != said {
					t.Errorf("event %d says %v of %s, Solve %v", event.GetSequence(), said, event.GetPosition(), got)
				}
			}
			if trace.Summary().GetCompletion() != zermelov1.Completion_COMPLETION_COMPLETE {
				t.Errorf("summary %v", trace.Summary())
			}
			// As the search sees it, so does Solve; and the moves it names can be made.
			for _, move := range trace.Summary().GetSolution().GetBestMoves() {
				if _, err := client.ParseMove(asked, move.GetNotation()); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// Analyze and Solve agree about a position, and the best of the moves is worth what the position is.
func TestAnalysesAgreeWithSolutions(t *testing.T) {
	c := realServer(t)
	for _, asked := range small {
		answer, err := c.Analyze(within(t), &zermelov1.AnalyzeRequest{Position: asked})
		if err != nil {
			t.Errorf("%v: %v", asked, err)
			continue
		}
		want := solve(t, c, asked)
		if got := worthOf(answer.GetSolution()); got != want {
			t.Errorf("%v: Analyze says %v, Solve %v", asked, got, want)
		}
		if answer.MovesToEnd == nil || answer.GetMainLineLength() != answer.GetMovesToEnd() {
			t.Errorf("%v: a main line of %d moves, %d to the end", asked, answer.GetMainLineLength(), answer.GetMovesToEnd())
		}
		for i, move := range answer.GetMoves() {
			if _, err := client.ParseMove(asked, move.GetMove().GetNotation()); err != nil {
				t.Error(err)
			}
			got := worth{outcome: move.GetOutcome(), valued: move.Margin != nil || move.Cost != nil}
			if got.value = move.GetMargin(); move.Cost != nil {
				got.value = move.GetCost()
			}
			if i == 0 && got != want {
				t.Errorf("%v: the best move is worth %v, the position %v", asked, got, want)
			}
		}
		without, err := c.Analyze(within(t), &zermelov1.AnalyzeRequest{Position: asked, SkipDistance: true})
		if err != nil || without.MovesToEnd != nil || len(without.GetMoves()) != len(answer.GetMoves()) {
			t.Errorf("%v: without distances %v, %v", asked, without, err)
		}
	}
}

// A batch has the results of its positions in order, and the error of one is that which Solve gives it.
func TestBatchesAgreeWithSolutions(t *testing.T) {
	c := realServer(t)
	unsaid := nim(7, 5, 3)
	unsaid.GetNim().Convention = zermelov1.PlayConvention_PLAY_CONVENTION_UNSPECIFIED
	asked := slices.Concat(small, []*zermelov1.Position{unsaid}, small)
	results, err := c.BatchSolve(within(t), &zermelov1.BatchSolveRequest{Positions: asked, MaxMoves: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, result := range results {
		if asked[i] == unsaid {
			continue
		}
		if err := client.BatchError(result.GetError()); err != nil {
			t.Errorf("result %d: %v", i, err)
		} else if got, want := worthOf(result.GetSolution()), solve(t, c, asked[i]); got != want {
			t.Errorf("result %d is %v, want %v", i, got, want)
		}
		if got := len(result.GetSolution().GetBestMoves()); got > 3 {
			t.Errorf("result %d has %d moves, and 3 were asked for", i, got)
		}
	}
	_, alone := c.Solve(within(t), &zermelov1.SolveRequest{Position: unsaid})
	among := client.BatchError(results[len(small)].GetError())
	if status.Code(among) != status.Code(alone) || client.Reason(among) != client.Reason(alone) {
		t.Errorf("in a batch the error is %v, alone %v", among, alone)
	}
	violations := client.Violations(among)
	if field := fmt.Sprintf("positions[%d].nim.convention", len(small)); len(violations) != 1 || violations[0].Field != field {
		t.Errorf("violations %v, want one of %s", violations, field)
	}
}

// The same of every position enumerated; which are all different, and hold the one asked about.
func TestEnumeratedPositionsCanBeSentBack(t *testing.T) {
	c := realServer(t)
	for _, asked := range small {
		t.Run(fmt.Sprint(asked), func(t *testing.T) {
			enumeration := c.EnumeratePositions(within(t), &zermelov1.EnumeratePositionsRequest{Position: asked})
			seen := make(map[string]bool)
			for enumerated, err := range enumeration.Positions() {
				if err != nil {
					t.Fatal(err)
				}
				if seen[enumerated.GetNotation()] {
					t.Errorf("%s comes twice", enumerated.GetNotation())
				}
				seen[enumerated.GetNotation()] = true
				position, err := client.PositionAt(asked, enumerated.GetNotation())
				if err != nil {
					t.Fatal(err)
				}
				said := worth{outcome: enumerated.GetOutcome()}
				if enumerated.Margin != nil {
					said.value, said.valued = enumerated.GetMargin(), true
				}
				if enumerated.Cost != nil {
					said.value, said.valued = enumerated.GetCost(), true
				}
				if got := solve(t, c, position); got != said {
					t.Errorf("%s is said to be %v, Solve says %v", enumerated.GetNotation(), said, got)
				}
			}
			if got := enumeration.Summary().GetPositionCount(); got != int64(len(seen)) || got == 0 {
				t.Errorf("%d positions, %d different ones", got, len(seen))
			}
		})
	}
}

// The article's own example: Nim with 7, 5 and 3, the last stone loses.
func TestNimOfTheArticle(t *testing.T) {
	c := realServer(t)
	asked := nim(7, 5, 3)

	trace := c.Explain(within(t), &zermelov1.ExplainRequest{Position: asked})
	expanded, err := drain(t, trace.Events())
	if err != nil {
		t.Fatal(err)
	}
	if got := trace.Summary().GetStatistics().GetPositionsExpanded(); got != 61 || expanded != 61 {
		t.Errorf("%d positions expanded in %d events, want 61", got, expanded)
	}
	opening := trace.Opening()
	if !proto.Equal(opening.GetPosition(), asked) || opening.GetDetail() != zermelov1.Detail_DETAIL_DECISIONS {
		t.Errorf("opening %v", opening)
	}

	// With only lost positions remembered, the source's count; and the winning moves.
	trace = c.Explain(within(t), &zermelov1.ExplainRequest{
		Position: asked, MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_LOSSES,
	})
	if _, err := drain(t, trace.Events()); err != nil {
		t.Fatal(err)
	}
	if got := trace.Summary().GetStatistics().GetPositionsExpanded(); got != 5592 {
		t.Errorf("%d positions expanded, want 5592", got)
	}

	lost := c.EnumeratePositions(within(t), &zermelov1.EnumeratePositionsRequest{Position: asked, Outcome: loss})
	var notations []string
	for position, err := range lost.Positions() {
		if err != nil {
			t.Fatal(err)
		}
		notations = append(notations, position.GetNotation())
	}
	slices.Sort(notations)
	want := []string{
		"1-0-0", "1-1-1", "2-2-0", "3-2-1", "3-3-0", "4-4-0", "5-4-1", "5-5-0", "6-4-2", "6-5-3", "7-4-3", "7-5-2",
	}
	if !slices.Equal(notations, want) {
		t.Errorf("lost are %v, want %v", notations, want)
	}

	solution, err := c.Solve(within(t), &zermelov1.SolveRequest{Position: asked})
	if err != nil {
		t.Fatal(err)
	}
	moves := make([]client.Move, 0, len(solution.GetBestMoves()))
	for _, move := range solution.GetBestMoves() {
		parsed, err := client.ParseMove(asked, move.GetNotation())
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, parsed)
	}
	best := []client.Move{
		client.NimMove{Before: 7, After: 6}, client.NimMove{Before: 5, After: 4}, client.NimMove{Before: 3, After: 2},
	}
	if solution.GetOutcome() != win || !slices.Equal(moves, best) {
		t.Errorf("%v by %v, want a win by %v", solution.GetOutcome(), moves, best)
	}
}

func TestLimitsOfStreams(t *testing.T) {
	c := realServer(t)
	const limit = 10
	trace := c.Explain(within(t), &zermelov1.ExplainRequest{Position: nim(7, 5, 3), MaxEvents: limit})
	count, err := drain(t, trace.Events())
	if err != nil || count != limit {
		t.Errorf("%d events and %v, want %d", count, err, limit)
	}
	if got := trace.Summary().GetCompletion(); got != zermelov1.Completion_COMPLETION_LIMIT_REACHED {
		t.Errorf("completion %v", got)
	}
	enumeration := c.EnumeratePositions(within(t), &zermelov1.EnumeratePositionsRequest{
		Position: nim(7, 5, 3), MaxPositions: limit,
	})
	count, err = drain(t, enumeration.Positions())
	if err != nil || count != limit {
		t.Errorf("%d positions and %v, want %d", count, err, limit)
	}
	if got := enumeration.Summary().GetCompletion(); got != zermelov1.Completion_COMPLETION_LIMIT_REACHED {
		t.Errorf("completion %v", got)
	}
}

func TestErrorsOfTheServer(t *testing.T) {
	c := realServer(t)
	unsaid := nim(7, 5, 3)
	unsaid.GetNim().Convention = zermelov1.PlayConvention_PLAY_CONVENTION_UNSPECIFIED
	_, solving := c.Solve(within(t), &zermelov1.SolveRequest{Position: unsaid})
	_, explaining := drain(t, c.Explain(within(t), &zermelov1.ExplainRequest{Position: unsaid}).Events())
	request := &zermelov1.EnumeratePositionsRequest{Position: unsaid}
	_, enumerating := drain(t, c.EnumeratePositions(within(t), request).Positions())
	for _, err := range []error{solving, explaining, enumerating} {
		if status.Code(err) != codes.InvalidArgument {
			t.Errorf("error %v, want InvalidArgument", err)
		}
		if got := client.Reason(err); got != zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD {
			t.Errorf("reason %v, want INVALID_FIELD", got)
		}
		violations := client.Violations(err)
		if len(violations) != 1 || violations[0].Field != "position.nim.convention" || violations[0].Description == "" {
			t.Errorf("violations %v", violations)
		}
	}
}

// Every example of the catalogue can be sent as it is.
func TestExamplesOfTheCatalogue(t *testing.T) {
	c := realServer(t)
	catalogue, err := c.ListGames(within(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(catalogue.GetGames()); got != 6 {
		t.Errorf("%d games, want 6", got)
	}
	for _, game := range catalogue.GetGames() {
		if _, err := c.Solve(within(t), &zermelov1.SolveRequest{Position: game.GetExample()}); err != nil {
			t.Errorf("%s: %v", game.GetName(), err)
		}
	}
}
