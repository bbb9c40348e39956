package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// demoCommand solves the examples of the articles that the games come from, and compares with the figures that these
// report.
type demoCommand struct{}

// example is a position that a source gives, and what is right about it.
type example struct {
	name     string
	position *zermelov1.Position
	says     string // the source

	worth string // as the page shows it
	moves string // all best moves; "" where every move is as good
}

// examples are those of the sources.
func examples() []example {
	ends := func(scores ...int64) *zermelov1.Position {
		return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
			PredictTheWinner: &zermelov1.PredictTheWinner{Scores: scores},
		}}
	}
	canIWin := func(n, total uint32) *zermelov1.Position {
		return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{
			CanIWin: &zermelov1.CanIWin{MaxChoosableInteger: n, DesiredTotal: total},
		}}
	}
	return []example{
		{"Nim 7 5 3, last stone loses", sevenFiveThree(zermelov1.PlayConvention_PLAY_CONVENTION_MISERE),
			"a win by 7>6", "WIN", "7>6 5>4 3>2"},
		{"Nim 7 5 3, last stone wins", sevenFiveThree(zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL),
			"a win: 7^5^3 is not 0", "WIN", "7>6 5>4 3>2"},
		{"Can I Win, 1 to 10, total 11", canIWin(10, 11), "false", "LOSS", ""},
		{"Can I Win, 1 to 15, total 100", canIWin(15, 100), "(only asked)", "WIN", "1 2 4 5 10 11 12 13 14 15"},
		{"100 game, 1 to 10, total 100", &zermelov1.Position{Game: &zermelov1.Position_HundredGame{
			HundredGame: &zermelov1.HundredGame{MaxChoosableInteger: 10, DesiredTotal: 100},
		}}, "(only asked)", "WIN", "1"},
		{"Predict the Winner 1 5 2", ends(1, 5, 2), "false, 3 to 5", "LOSS -2", "L R"},
		{"Predict the Winner 1 5 233 7", ends(1, 5, 233, 7), "true, 234 to 12", "WIN +222", "L"},
		{"Stone Game 5 3 4 5", &zermelov1.Position{Game: &zermelov1.Position_StoneGame{
			StoneGame: &zermelov1.StoneGame{Piles: []uint64{5, 3, 4, 5}},
		}}, "(named only)", "WIN +1", "L R"},
		{"Guess Number 1..10", &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
			GuessNumber: &zermelov1.GuessNumber{Low: 1, High: 10},
		}}, "5, 7, 9 would pay 21", "cost 16", "7"},
	}
}

func sevenFiveThree(convention zermelov1.PlayConvention) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_Nim{
		Nim: &zermelov1.Nim{Piles: []uint64{7, 5, 3}, Convention: convention},
	}}
}

// calls are what the search of 7-5-3, misère, enters with each memo policy.
var calls = []struct {
	what   string
	policy zermelov1.MemoPolicy
	source int64 // 0: the source has none
	right  int64
}{
	{"nothing", zermelov1.MemoPolicy_MEMO_POLICY_NONE, 98_708, 98_708},
	{"lost positions", zermelov1.MemoPolicy_MEMO_POLICY_LOSSES, 5_592, 5_592},
	{"every position", zermelov1.MemoPolicy_MEMO_POLICY_ALL, 0, 61},
}

// The lost positions below 7-5-3, misère: those that the source's search found, and those that it did not come to.
var (
	lostFound  = []string{"1-0-0", "1-1-1", "2-2-0", "3-2-1", "3-3-0", "4-4-0", "5-4-1", "5-5-0", "6-4-2", "6-5-3"}
	lostBeyond = []string{"7-4-3", "7-5-2"}
)

// differences is the error of a demo in which figures are not what they have to be.
type differences struct{ list []string }

func (d *differences) Error() string {
	return "the demo differs from what is right:\n  " + strings.Join(d.list, "\n  ")
}

// expect notes a figure that differs.
func (d *differences) expect(what, got, want string) show.Cell {
	if got == want {
		return show.Good(got)
	}
	d.list = append(d.list, fmt.Sprintf("%s: got %s, want %s", what, got, want))
	return show.Bad(got + " (not " + want + ")")
}

func (c *demoCommand) run(ctx context.Context, s *session) error {
	if s.settings.json() {
		return usagef(s.typed, "the demo is for people: it has no -o json")
	}
	began := time.Now()
	d := &differences{}
	s.out.Line(s.out.Style.Strong("The examples of the sources, solved over gRPC"))
	s.out.Line()
	if err := demoExamples(ctx, s, d); err != nil {
		return err
	}
	if err := demoProof(ctx, s, d); err != nil {
		return err
	}
	if err := demoTrace(ctx, s, d); err != nil {
		return err
	}
	if err := demoCalls(ctx, s, d); err != nil {
		return err
	}
	if len(d.list) > 0 {
		return d
	}
	s.out.Line()
	show.Paragraph(s.out, fmt.Sprintf("All of it as it should be, in %.1f s.", time.Since(began).Seconds()))
	return nil
}

// bestShown is how many best moves of an example are shown.
const bestShown = 3

// demoExamples solves the examples.
func demoExamples(ctx context.Context, s *session, d *differences) error {
	var rows [][]show.Cell
	for _, e := range examples() {
		solution, err := s.client.Solve(ctx, &zermelov1.SolveRequest{Position: e.position})
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		worth := show.Worth(solution)
		if got := worth.String(); got != e.worth {
			worth = d.expect(e.name, got, e.worth)
		}
		best := "any"
		if e.moves != "" {
			var names []string
			for _, move := range solution.GetBestMoves() {
				names = append(names, move.GetNotation())
			}
			best = strings.Join(names, " ")
			d.expect(e.name+", best moves", best, e.moves)
			if len(names) > bestShown {
				best = strings.Join(names[:bestShown], " ") + " ..."
			}
		}
		rows = append(rows, []show.Cell{show.Text(e.name), worth, show.Text(best), show.Text(e.says)})
	}
	show.Table(s.out, []show.Column{{Head: "Position"}, {Head: "Worth"}, {Head: "Best moves"}, {Head: "The source says"}}, rows)
	return nil
}

// disputed is a position about which there are public complaints that LeetCode's answer, a loss, is wrong.
var disputed = &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
	PredictTheWinner: &zermelov1.PredictTheWinner{Scores: []int64{0, 0, 7, 6, 5, 6, 1}},
}}

// demoProof has the disputed position proved, checks the proof, and shows how the first player is beaten.
func demoProof(ctx context.Context, s *session, d *differences) error {
	s.out.Line()
	s.out.Line(s.out.Style.Strong("Predict the Winner 0 0 7 6 5 6 1: a win, say three bug reports"))
	show.Paragraph(s.out, "LeetCode-Feedback #15120, #15107 and #39650. It is lost: the second player can always get 13 of the 25.")
	s.out.Line()
	solution, err := s.client.Solve(ctx, &zermelov1.SolveRequest{Position: disputed})
	if err != nil {
		return err
	}
	d.expect("the disputed position", show.Worth(solution).String(), "LOSS -1")
	checker, err := proof.NewChecker(disputed)
	if err != nil {
		return err
	}
	trace := s.client.Explain(ctx, &zermelov1.ExplainRequest{Position: disputed, Detail: zermelov1.Detail_DETAIL_PROOF})
	var decisions []*zermelov1.Event
	for event, err := range trace.Events() {
		if err != nil {
			return err
		}
		if err := checker.Add(event); err != nil {
			d.list = append(d.list, "the proof of the disputed position: "+err.Error())
			return nil
		}
		decisions = append(decisions, event)
	}
	verdict, err := checker.Verdict()
	if err == nil {
		err = verdict.Agrees(solution)
	}
	if err == nil {
		err = verdict.Agrees(trace.Summary().GetSolution())
	}
	if err != nil {
		d.list = append(d.list, "the proof of the disputed position: "+err.Error())
		return nil
	}
	d.expect("what is proved of the disputed position", show.Count(*verdict.Margin), "-1")
	d.expect("decisions about the disputed position", show.Count(verdict.Decisions), "28")
	show.Paragraph(s.out, fmt.Sprintf("Checked here: %s; the first player loses by %s. Best play of both:",
		show.Counted(verdict.Decisions, "decision"), show.Count(-*verdict.Margin)))
	s.out.Line()
	played, err := show.BestPlay(s.out, disputed, decisions)
	if err == nil && !played {
		d.list = append(d.list, "the line of best play of the disputed position is not told by its proof")
	}
	return err
}

// demoTrace streams the trace of 7-5-3 and draws the top of its tree.
func demoTrace(ctx context.Context, s *session, d *differences) error {
	s.out.Line()
	trace := s.client.Explain(ctx, &zermelov1.ExplainRequest{
		Position: sevenFiveThree(zermelov1.PlayConvention_PLAY_CONVENTION_MISERE),
	})
	var text *show.Trace
	for event, err := range trace.Events() {
		if err != nil {
			return err
		}
		if text == nil {
			if text, err = show.NewTrace(s.out, trace.Opening(), show.TraceOptions{Depth: 1}); err != nil {
				return err
			}
		}
		text.Event(event)
	}
	if text == nil {
		return errors.New("the trace of 7-5-3 has no events")
	}
	text.EndEvents()
	decisions := trace.Summary().GetEventCount()
	d.expect("decisions about 7-5-3", show.Count(decisions), "61")
	s.out.Line()
	show.Paragraph(s.out, fmt.Sprintf("%s in all: %s explain nim --misere 7 5 3 draws them.",
		show.Counted(decisions, "decision"), program))
	return nil
}

// demoCalls measures the search with each memo policy, and lists the lost positions.
func demoCalls(ctx context.Context, s *session, d *differences) error {
	s.out.Line()
	s.out.Line(s.out.Style.Strong("Calls of the search for 7 5 3, last stone loses"))
	s.out.Line()
	var rows [][]show.Cell
	var found []string
	for _, call := range calls {
		entered, lost, err := measure(ctx, s, call.policy)
		if err != nil {
			return err
		}
		if call.policy == zermelov1.MemoPolicy_MEMO_POLICY_LOSSES {
			found = lost
		}
		source := "-"
		if call.source != 0 {
			source = show.Count(call.source)
		}
		here := d.expect("calls with "+call.what+" remembered", show.Count(entered), show.Count(call.right))
		rows = append(rows, []show.Cell{show.Text(call.what), show.Text(source), here})
	}
	show.Table(s.out, []show.Column{{Head: "What is remembered"}, {Head: "The source", Right: true}, {Head: "Here", Right: true}}, rows)

	all, err := lostPositions(ctx, s)
	if err != nil {
		return err
	}
	d.expect("lost positions met", strings.Join(found, " "), strings.Join(lostFound, " "))
	d.expect("lost positions that there are", strings.Join(all, " "), strings.Join(slices.Concat(lostFound, lostBeyond), " "))
	s.out.Line()
	s.out.Line(s.out.Style.Strong(fmt.Sprintf("The %d lost positions that the source's search met", len(found))))
	show.Grid(s.out, found)
	s.out.Line()
	s.out.Line(s.out.Style.Strong(fmt.Sprintf("The %d that there are: it did not come to %s", len(all), show.Listed(lostBeyond))))
	show.Grid(s.out, all)
	return nil
}

// measure explains 7-5-3, misère, with a memo policy. It returns how many positions the search entered and which lost
// positions it decided, sorted, each once.
func measure(ctx context.Context, s *session, policy zermelov1.MemoPolicy) (entered int64, lost []string, err error) {
	trace := s.client.Explain(ctx, &zermelov1.ExplainRequest{
		Position: sevenFiveThree(zermelov1.PlayConvention_PLAY_CONVENTION_MISERE), MemoPolicy: policy,
	})
	met := map[string]bool{}
	for event, err := range trace.Events() {
		if err != nil {
			return 0, nil, err
		}
		if event.GetOutcome() == zermelov1.Outcome_OUTCOME_LOSS && !met[event.GetPosition()] {
			met[event.GetPosition()] = true
			lost = append(lost, event.GetPosition())
		}
	}
	slices.Sort(lost)
	return trace.Summary().GetStatistics().GetPositionsExpanded(), lost, nil
}

// lostPositions enumerates those below 7-5-3, misère, sorted.
func lostPositions(ctx context.Context, s *session) ([]string, error) {
	enumeration := s.client.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{
		Position: sevenFiveThree(zermelov1.PlayConvention_PLAY_CONVENTION_MISERE),
		Outcome:  zermelov1.Outcome_OUTCOME_LOSS,
	})
	var lost []string
	for position, err := range enumeration.Positions() {
		if err != nil {
			return nil, err
		}
		lost = append(lost, position.GetNotation())
	}
	slices.Sort(lost)
	return lost, nil
}
