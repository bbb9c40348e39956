package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// demoCommand solves the examples of the articles that the games come from, and compares with the figures that these
// report. It is a check, too: it fails where a figure differs.
type demoCommand struct{}

// demoJSON has the positions of the sources, what the sources say, and what is right.
//
//go:embed demo.json
var demoJSON []byte

type demoData struct {
	Examples []struct {
		Position demoPosition
		Says     string // the source
		Value    string // as a table shows it
		Moves    string // all best moves; "" where every move is as good
	}
	// Proof is a position about whose value there are public complaints.
	Proof struct {
		Position      demoPosition
		Says, Reports string
		Value         string
		Decisions     int64 // of the proof
	}
	Search struct {
		Position demoPosition
		Calls    []struct {
			Remembered    string
			Memo          choice[zermelov1.MemoPolicy]
			Source, Calls int64 // Source is 0 where it has no figure
		}
		// The lost positions that the search met, sorted, and those that it did not meet.
		LostMet, LostNotMet []string
	}
}

// demoPosition is a position in the JSON of protobuf.
type demoPosition struct{ *zermelov1.Position }

// UnmarshalJSON reads it.
func (p *demoPosition) UnmarshalJSON(text []byte) error {
	p.Position = &zermelov1.Position{}
	return protojson.Unmarshal(text, p.Position)
}

// demo is a run of the demo.
type demo struct {
	*session
	demoData
	differences []string
}

// expect notes a figure that differs.
func (d *demo) expect(what, got, want string) show.Cell {
	if got == want {
		return show.Good(got)
	}
	d.differences = append(d.differences, fmt.Sprintf("%s: got %s, want %s", what, got, want))
	return show.Bad(got + " (not " + want + ")")
}

// title names a position.
func (d *demo) title(p demoPosition) string {
	root, err := d.games.Describe(p.Position)
	if err != nil {
		return err.Error()
	}
	return root.Title()
}

func (c *demoCommand) run(ctx context.Context, s *session) error {
	if s.settings.json() {
		return usagef(s.typed, "the demo is for people: it has no -o json")
	}
	began := time.Now()
	d := &demo{session: s}
	if err := json.Unmarshal(demoJSON, &d.demoData); err != nil {
		return fmt.Errorf("reading the examples of the demo: %w", err)
	}
	for _, part := range []func(context.Context) error{d.examples, d.proof, d.trace, d.search} {
		if err := part(ctx); err != nil {
			return err
		}
		s.out.Line()
	}
	if len(d.differences) > 0 {
		return fmt.Errorf("the demo differs from what is right:\n  %s", strings.Join(d.differences, "\n  "))
	}
	s.out.Paragraph(fmt.Sprintf("All of it is as it should be, in %.1f s.", time.Since(began).Seconds()))
	return nil
}

// examples solves the examples.
func (d *demo) examples(ctx context.Context) error {
	const bestShown = 3
	d.out.Line(d.out.Style.Strong("The examples of the sources, solved over gRPC"))
	d.out.Line()
	var rows [][]show.Cell
	for _, e := range d.Examples {
		name := d.title(e.Position)
		solution, err := d.client.Solve(ctx, &zermelov1.SolveRequest{Position: e.Position.Position})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		best := "any"
		if e.Moves != "" {
			var names []string
			for _, move := range solution.GetBestMoves() {
				names = append(names, move.GetNotation())
			}
			best = strings.Join(names, " ")
			d.expect(name+", best moves", best, e.Moves)
			if len(names) > bestShown {
				best = strings.Join(names[:bestShown], " ") + " ..."
			}
		}
		rows = append(rows, []show.Cell{
			show.Text(name), d.expect(name, show.Value(solution), e.Value), show.Text(best), show.Text(e.Says),
		})
	}
	show.Table(d.out, []show.Column{{Head: "Position", Wrap: true}, {Head: "Value"}, {Head: "Best moves"}, {Head: "The source says"}}, rows)
	return nil
}

// proof has the disputed position proved, checks the proof, and shows how the first player is beaten.
func (d *demo) proof(ctx context.Context) error {
	position := d.Proof.Position.Position
	d.out.Line(d.out.Style.Strong(d.title(d.Proof.Position) + ": " + d.Proof.Says))
	d.out.Paragraph(d.Proof.Reports)
	d.out.Line()
	analysis, err := d.analyze(ctx, position, false)
	if err != nil {
		return err
	}
	d.expect("the disputed position", show.Value(analysis.GetSolution()), d.Proof.Value)
	check, err := newCheck(position)
	if err != nil {
		return err
	}
	err = follow(ctx, d.session, &zermelov1.ExplainRequest{Position: position, Detail: zermelov1.Detail_DETAIL_PROOF},
		&progress{}, check)
	if err == nil {
		err = check.compare("Analyze", analysis.GetSolution())
	}
	var wrong *proofError
	switch {
	case errors.As(err, &wrong):
		d.differences = append(d.differences, "the disputed position: "+wrong.Error())
		return nil
	case err != nil:
		return err
	}
	d.expect("decisions about the disputed position", show.Count(check.verdict.Decisions), show.Count(d.Proof.Decisions))
	d.out.Paragraph(fmt.Sprintf("A proof of it has %s, each checked here. The best play of both:",
		show.Counted(check.verdict.Decisions, "decision")))
	d.out.Line()
	return show.BestPlay(d.out, position, analysis)
}

// trace streams the trace of a search and draws the top of its tree.
func (d *demo) trace(ctx context.Context) error {
	trace := d.client.Explain(ctx, &zermelov1.ExplainRequest{Position: d.Search.Position.Position})
	text := show.NewTrace(d.out, show.TraceOptions{Depth: 1})
	decisions := int64(0)
	for event, err := range trace.Events() {
		if err == nil && decisions == 0 {
			err = text.Opening(trace.Opening())
		}
		if err == nil {
			err = text.Event(event)
		}
		if err != nil {
			return err
		}
		decisions++
	}
	text.EndEvents()
	game, err := d.games.Of(d.Search.Position.Position)
	if err != nil {
		return err
	}
	d.out.Line()
	d.out.Paragraph(fmt.Sprintf("%s in all: %s explain %s draws them.", show.Counted(decisions, "decision"), program,
		game.Arguments(d.Search.Position.Position)))
	return nil
}

// search counts the calls of the search with each memo policy, and lists the lost positions.
func (d *demo) search(ctx context.Context) error {
	d.out.Line(d.out.Style.Strong("Calls of the search for " + d.title(d.Search.Position)))
	d.out.Line()
	var rows [][]show.Cell
	var met []string
	for _, call := range d.Search.Calls {
		entered, lost, err := d.measure(ctx, zermelov1.MemoPolicy(call.Memo))
		if err != nil {
			return err
		}
		if zermelov1.MemoPolicy(call.Memo) == zermelov1.MemoPolicy_MEMO_POLICY_LOSSES {
			met = lost
		}
		source := "-"
		if call.Source != 0 {
			source = show.Count(call.Source)
		}
		rows = append(rows, []show.Cell{show.Text(call.Remembered), show.Text(source),
			d.expect("calls with "+call.Remembered+" remembered", show.Count(entered), show.Count(call.Calls))})
	}
	show.Table(d.out, []show.Column{{Head: "What is remembered"}, {Head: "The source", Right: true}, {Head: "Here", Right: true}}, rows)

	all, err := d.lost(ctx)
	if err != nil {
		return err
	}
	d.expect("lost positions met", strings.Join(met, " "), strings.Join(d.Search.LostMet, " "))
	d.expect("lost positions that there are", strings.Join(all, " "),
		strings.Join(slices.Concat(d.Search.LostMet, d.Search.LostNotMet), " "))
	d.out.Line()
	d.out.Line(d.out.Style.Strong(fmt.Sprintf("The %d lost positions that the source's search met", len(met))))
	show.Grid(d.out, met)
	d.out.Line()
	d.out.Line(d.out.Style.Strong(fmt.Sprintf("All %d: that search did not meet %s", len(all), show.Listed(d.Search.LostNotMet))))
	show.Grid(d.out, all)
	return nil
}

// measure explains the position with a memo policy. It returns how many positions the search entered and which lost
// positions it decided, sorted, each once.
func (d *demo) measure(ctx context.Context, policy zermelov1.MemoPolicy) (entered int64, lost []string, err error) {
	trace := d.client.Explain(ctx, &zermelov1.ExplainRequest{Position: d.Search.Position.Position, MemoPolicy: policy})
	met := map[string]bool{}
	for event, err := range trace.Events() {
		if err != nil {
			return 0, nil, err
		}
		if event.GetOutcome() == zermelov1.Outcome_OUTCOME_LOSS {
			met[event.GetPosition()] = true
		}
	}
	return trace.Summary().GetStatistics().GetPositionsExpanded(), slices.Sorted(maps.Keys(met)), nil
}

// lost enumerates the lost positions, sorted.
func (d *demo) lost(ctx context.Context) ([]string, error) {
	enumeration := d.client.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{
		Position: d.Search.Position.Position, Outcome: zermelov1.Outcome_OUTCOME_LOSS,
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
