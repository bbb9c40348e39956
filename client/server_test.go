package client_test

import (
	"fmt"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

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

// small has positions of each game with few enough reachable ones to list them all: the examples of the catalogue, and
// the positions after their moves.
func small(t *testing.T, c *client.Client) []*zermelov1.Position {
	t.Helper()
	catalogue, err := c.ListGames(within(t))
	if err != nil || len(catalogue.GetGames()) == 0 {
		t.Fatal(catalogue, err)
	}
	var positions []*zermelov1.Position
	for _, game := range catalogue.GetGames() {
		positions = append(positions, game.GetExample())
		answer, err := c.Analyze(within(t), &zermelov1.AnalyzeRequest{Position: game.GetExample()})
		if err != nil {
			t.Fatal(err)
		}
		for _, move := range answer.GetMoves() {
			positions = append(positions, move.GetMove().GetNext()...)
		}
	}
	return positions
}

// value is the value of a position, in the terms of its game.
type value struct {
	outcome zermelov1.Outcome
	number  int64 // margin or cost
	known   bool  // that there is one
}

func (v value) String() string { return fmt.Sprintf("%v %d (%v)", v.outcome, v.number, v.known) }

// valued is what solutions, ranked moves and enumerated positions say.
type valued interface {
	GetOutcome() zermelov1.Outcome
	GetMargin() int64
	GetCost() int64
	ProtoReflect() protoreflect.Message
}

func valueOf(said valued) value {
	v := value{outcome: said.GetOutcome()}
	m := said.ProtoReflect()
	has := func(name protoreflect.Name) bool { return m.Has(m.Descriptor().Fields().ByName(name)) }
	if has("margin") {
		v.number, v.known = said.GetMargin(), true
	}
	if has("cost") {
		v.number, v.known = said.GetCost(), true
	}
	return v
}

// solve asks the server for the value of a position.
func solve(t *testing.T, c *client.Client, position *zermelov1.Position) value {
	t.Helper()
	solution, err := c.Solve(within(t), &zermelov1.SolveRequest{Position: position})
	if err != nil {
		t.Fatalf("solving %v: %v", position, err)
	}
	return valueOf(solution)
}

// A trace ends with what Solve says, and its last decision is about the root position.
func TestTracesAgreeWithSolutions(t *testing.T) {
	c := realServer(t)
	for _, root := range small(t, c) {
		trace := c.Explain(within(t), &zermelov1.ExplainRequest{Position: root})
		var last *zermelov1.Event
		for event, err := range trace.Events() {
			if err != nil {
				t.Fatal(err)
			}
			last = event
		}
		if trace.Summary().GetCompletion() != zermelov1.Completion_COMPLETION_COMPLETE || last != nil && last.GetDepth() != 0 {
			t.Errorf("%v: summary %v, last %v", root, trace.Summary(), last)
		}
		if got, want := valueOf(trace.Summary().GetSolution()), solve(t, c, root); got != want {
			t.Errorf("%v: the trace says %v, Solve %v", root, got, want)
		}
	}
}

// Analyze and Solve agree about a position, and the best of the moves has its value.
func TestAnalysesAgreeWithSolutions(t *testing.T) {
	c := realServer(t)
	for _, asked := range small(t, c) {
		answer, err := c.Analyze(within(t), &zermelov1.AnalyzeRequest{Position: asked})
		if err != nil {
			t.Errorf("%v: %v", asked, err)
			continue
		}
		want := solve(t, c, asked)
		if got := valueOf(answer.GetSolution()); got != want {
			t.Errorf("%v: Analyze says %v, Solve %v", asked, got, want)
		}
		if answer.MovesToEnd == nil || answer.GetMainLineLength() != answer.GetMovesToEnd() {
			t.Errorf("%v: a main line of %d moves, %d to the end", asked, answer.GetMainLineLength(), answer.GetMovesToEnd())
		}
		for i, move := range answer.GetMoves() {
			if got := valueOf(move); i == 0 && got != want {
				t.Errorf("%v: the best move has the value %v, the position %v", asked, got, want)
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
	some := small(t, c)
	asked := slices.Concat(some, []*zermelov1.Position{unsaid}, some)
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
		} else if got, want := valueOf(result.GetSolution()), solve(t, c, asked[i]); got != want {
			t.Errorf("result %d is %v, want %v", i, got, want)
		}
		if got := len(result.GetSolution().GetBestMoves()); got > 3 {
			t.Errorf("result %d has %d moves, and 3 were asked for", i, got)
		}
	}
	_, alone := c.Solve(within(t), &zermelov1.SolveRequest{Position: unsaid})
	among := client.BatchError(results[len(some)].GetError())
	if status.Code(among) != status.Code(alone) || client.Reason(among) != client.Reason(alone) {
		t.Errorf("in a batch the error is %v, alone %v", among, alone)
	}
	violations := client.Violations(among)
	if field := fmt.Sprintf("positions[%d].nim.convention", len(some)); len(violations) != 1 || violations[0].Field != field {
		t.Errorf("violations %v, want one of %s", violations, field)
	}
}

// The positions of an enumeration are all different, the last one has the value of the root position, and the summary
// counts them.
func TestEnumerationsAgreeWithSolutions(t *testing.T) {
	c := realServer(t)
	for _, root := range small(t, c) {
		enumeration := c.EnumeratePositions(within(t), &zermelov1.EnumeratePositionsRequest{Position: root})
		seen := make(map[string]bool)
		var last *zermelov1.EnumeratedPosition
		for position, err := range enumeration.Positions() {
			if err != nil {
				t.Fatal(err)
			}
			if seen[position.GetNotation()] {
				t.Errorf("%s comes twice", position.GetNotation())
			}
			seen[position.GetNotation()] = true
			last = position
		}
		if got := enumeration.Summary().GetPositionCount(); got != int64(len(seen)) || got == 0 {
			t.Errorf("%d positions, %d different ones", got, len(seen))
		}
		// What is enumerated has no lead in it.
		if got, want := valueOf(last), solve(t, c, withoutLead(root)); got != want {
			t.Errorf("%v: the enumeration ends with %v, Solve says %v", root, got, want)
		}
	}
}

// An enumeration that was left goes on where it was, in another call and with a limit too.
func TestCallerResumesAnEnumeration(t *testing.T) {
	c := realServer(t)
	for _, request := range []*zermelov1.EnumeratePositionsRequest{
		{Position: nim(7, 5, 3)}, {Position: nim(7, 5, 3), Outcome: loss}, {Position: guessNumber(3, 20), SkipDistance: true},
	} {
		var whole []*zermelov1.EnumeratedPosition
		for position, err := range c.EnumeratePositions(within(t), request).Positions() {
			if err != nil {
				t.Fatal(err)
			}
			whole = append(whole, position)
		}
		first := c.EnumeratePositions(within(t), request)
		for _, err := range first.Positions() {
			if err != nil {
				t.Fatal(err)
			}
			break // which leaves the rest for later
		}
		later := proto.CloneOf(request)
		later.ResumeToken = first.Opening().GetResumeToken()
		for later.ResumeAfterSequence = 1; later.GetResumeAfterSequence() < int64(len(whole)); {
			later.MaxPositions = 5
			rest := c.EnumeratePositions(within(t), later)
			at := later.GetResumeAfterSequence()
			for position, err := range rest.Positions() {
				if err != nil {
					t.Fatalf("after %d positions: %v", at, err)
				}
				if !proto.Equal(position, whole[at]) {
					t.Fatalf("position %d is %v, want %v", at+1, position, whole[at])
				}
				at++
			}
			if at == later.GetResumeAfterSequence() || rest.Summary().GetLastSequence() != at {
				t.Fatalf("after %d positions: %v", at, rest.Summary())
			}
			later.ResumeAfterSequence = at
		}
	}
}

// withoutLead is a position without what the player to move is ahead by, where there is such a thing.
func withoutLead(p *zermelov1.Position) *zermelov1.Position {
	p = proto.CloneOf(p)
	m := p.ProtoReflect()
	game := m.Get(m.WhichOneof(m.Descriptor().Oneofs().ByName("game"))).Message()
	if lead := game.Descriptor().Fields().ByName("lead"); lead != nil {
		game.Clear(lead)
	}
	return p
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
	var moves []string
	for _, move := range solution.GetBestMoves() {
		moves = append(moves, move.GetNotation())
	}
	best := []string{"7>6", "5>4", "3>2"}
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

// Each game of the catalogue can be asked for by its name, and what its example takes can be estimated.
func TestExamplesOfTheCatalogue(t *testing.T) {
	c := realServer(t)
	catalogue, err := c.ListGames(within(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range catalogue.GetGames() {
		if got, err := c.GetGame(within(t), game.GetName()); err != nil || !proto.Equal(got, game) {
			t.Errorf("%s: %v, %v", game.GetName(), got, err)
		}
		cost, err := c.EstimateCost(within(t), &zermelov1.EstimateCostRequest{
			Call: &zermelov1.EstimateCostRequest_Explain{Explain: &zermelov1.ExplainRequest{Position: game.GetExample()}},
		})
		if err != nil || cost.GetMemoryBytes() <= 0 {
			t.Errorf("%s: %v, %v", game.GetName(), cost, err)
		}
	}
	if _, err := c.GetGame(within(t), "chess"); client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_GAME_UNKNOWN {
		t.Errorf("an unknown game: %v", err)
	}
}
