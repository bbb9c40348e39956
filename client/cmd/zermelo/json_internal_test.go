package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// lines parses one message a line.
func lines[M proto.Message](t *testing.T, text string, next func() M) []M {
	t.Helper()
	var messages []M
	for line := range strings.Lines(text) {
		message := next()
		if err := protojson.Unmarshal([]byte(line), message); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		messages = append(messages, message)
	}
	return messages
}

func TestSolveJSON(t *testing.T) {
	t.Parallel()
	got := invoke(t, fields("solve nim --misere 7 5 3 -o json")...)
	if got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	answer := &zermelov1.SolveResponse{}
	if err := protojson.Unmarshal([]byte(got.stdout), answer); err != nil {
		t.Fatal(err)
	}
	next := func(piles ...uint64) []*zermelov1.Position {
		return []*zermelov1.Position{{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{
			Piles: piles, Convention: zermelov1.PlayConvention_PLAY_CONVENTION_MISERE,
		}}}}
	}
	want := &zermelov1.SolveResponse{Solution: &zermelov1.Solution{
		Outcome: zermelov1.Outcome_OUTCOME_WIN,
		BestMoves: []*zermelov1.Move{
			{Notation: "7>6", Next: next(6, 5, 3)}, {Notation: "5>4", Next: next(7, 4, 3)}, {Notation: "3>2", Next: next(7, 5, 2)},
		},
		BestMoveCount: proto.Int64(3),
		Method:        zermelov1.Method_METHOD_CLOSED_FORM,
	}}
	if diff := cmp.Diff(want, answer, protocmp.Transform(), protocmp.IgnoreFields(&zermelov1.Solution{}, "statistics")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// The spaces are the same in every build.
	if !strings.HasPrefix(got.stdout, "{\n  \"solution\": {\n    \"outcome\": \"OUTCOME_WIN\",\n    \"bestMoves\": [\n") {
		t.Errorf("laid out as\n%s", got.stdout)
	}
}

// Programs get as many moves as the service gives by itself, people as many as they read.
func TestSolveMoves(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"solve nim --normal 127 64 63 -o json":           100,
		"solve nim --normal 127 64 63 -o json --moves 7": 7,
		"solve can-i-win --max 33 --total 1 -o json":     33,
		"solve guess-number --low 1 --high 1 -o json":    0,
	} {
		got := invoke(t, fields(line)...)
		answer := &zermelov1.SolveResponse{}
		if err := protojson.Unmarshal([]byte(got.stdout), answer); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if got := len(answer.GetSolution().GetBestMoves()); got != want {
			t.Errorf("%s: %d moves, want %d", line, got, want)
		}
	}
	if got := invoke(t, fields("solve nim --normal 127 64 63")...); strings.Count(got.stdout, "from a pile of") != 20 {
		t.Errorf("text has not 20 moves:\n%s", got.stdout)
	}
}

func TestExplainJSON(t *testing.T) {
	t.Parallel()
	got := invoke(t, fields("explain nim --misere 5 4 3 -o json --detail search --memo losses")...)
	if got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	messages := lines(t, got.stdout, func() *zermelov1.ExplainResponse { return &zermelov1.ExplainResponse{} })
	opening, summary := messages[0].GetOpening(), messages[len(messages)-1].GetSummary()
	if opening.GetDetail() != zermelov1.Detail_DETAIL_SEARCH || opening.GetMemoPolicy() != zermelov1.MemoPolicy_MEMO_POLICY_LOSSES ||
		len(opening.GetPosition().GetNim().GetPiles()) != 3 {
		t.Errorf("the first line is %v", messages[0])
	}
	if summary.GetStatistics().GetPositionsExpanded() != 592 ||
		summary.GetCompletion() != zermelov1.Completion_COMPLETION_COMPLETE {
		t.Errorf("the last line is %v", messages[len(messages)-1])
	}
	events := messages[1 : len(messages)-1]
	for i, message := range events {
		if batch := message.GetEvents().GetEvents(); len(batch) != 1 || batch[0].GetSequence() != int64(i+1) {
			t.Fatalf("line %d is %v", i+2, message)
		}
	}
	if summary.GetEventCount() != int64(len(events)) {
		t.Errorf("the summary counts %d events, there are %d", summary.GetEventCount(), len(events))
	}
}

func TestAnalyzeJSON(t *testing.T) {
	t.Parallel()
	for _, skip := range []bool{false, true} {
		line := "analyze nim --misere 7 5 3 -o json --rows 1"
		if skip {
			line += " --skip-distance"
		}
		answer := &zermelov1.AnalyzeResponse{}
		got := invoke(t, fields(line)...)
		if err := protojson.Unmarshal([]byte(got.stdout), answer); err != nil || got.code != exitOK {
			t.Fatalf("exit code %d, %s: %v", got.code, got.stderr, err)
		}
		// All moves: the rows are for people.
		if len(answer.GetMoves()) != 15 || answer.GetSolution().GetBestMoveCount() != 3 || (answer.MovesToEnd == nil) != skip {
			t.Errorf("%v", answer)
		}
	}
}

func TestPositionsJSON(t *testing.T) {
	t.Parallel()
	got := invoke(t, fields("positions nim --misere --outcome loss 7 5 3 -o json")...)
	if got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	messages := lines(t, got.stdout, func() *zermelov1.EnumeratePositionsResponse { return &zermelov1.EnumeratePositionsResponse{} })
	if len(messages) != 13 || messages[12].GetSummary().GetLosses() != 12 {
		t.Fatalf("%d lines, the last is %v", len(messages), messages[len(messages)-1])
	}
	for _, message := range messages[:12] {
		if found := message.GetPositions().GetPositions(); len(found) != 1 || found[0].GetOutcome() != zermelov1.Outcome_OUTCOME_LOSS {
			t.Errorf("%v", message)
		}
	}
}

func TestGamesJSON(t *testing.T) {
	t.Parallel()
	catalogue := &zermelov1.ListGamesResponse{}
	if err := protojson.Unmarshal([]byte(invoke(t, "games", "-o", "json").stdout), catalogue); err != nil {
		t.Fatal(err)
	}
	if len(catalogue.GetGames()) != 6 {
		t.Errorf("%d games", len(catalogue.GetGames()))
	}
	game := &zermelov1.GameInfo{}
	if err := protojson.Unmarshal([]byte(invoke(t, "games", "can-i-win", "-o", "json").stdout), game); err != nil {
		t.Fatal(err)
	}
	if game.GetName() != "can_i_win" {
		t.Errorf("%v", game)
	}
}

// What the program prints about a position after a move can be asked about again.
func TestJSONGoesRound(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"nim --normal 7 5 3", "can-i-win --max 10 --total 40 --chosen 1,4", "hundred-game", "predict-the-winner -3 5 -7 2",
		"stone-game 5 3 4 5", "guess-number --high 10",
	} {
		answer := &zermelov1.SolveResponse{}
		if err := protojson.Unmarshal([]byte(invoke(t, fields("solve -o json "+line)...).stdout), answer); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for _, move := range answer.GetSolution().GetBestMoves() {
			for _, next := range move.GetNext() {
				position, err := protojson.Marshal(next)
				if err != nil {
					t.Fatal(err)
				}
				if got := invokeWith(t, nil, string(position), "solve", "position", "-"); got.code != exitOK {
					t.Errorf("%s, %s: exit code %d: %s", line, position, got.code, got.stderr)
				}
			}
		}
	}
}
