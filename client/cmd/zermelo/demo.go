package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// demoCommand solves the examples of the articles that the games come from, runs commands about them, and compares with
// the figures that are right. It is a check, too: it fails where a figure differs.
type demoCommand struct{}

// demoJSON has the positions and commands, what the sources say, and what is right.
//
//go:embed demo.json
var demoJSON []byte

type demo struct {
	*session
	Examples []struct {
		Position demoPosition
		Says     string // the source
		Value    string // as a table shows it
		Moves    string // all best moves; "" where every move is as good
	}
	Steps []struct {
		Says    string // what there is to see
		Command string
		Shows   []string // what has to be on its page
	}
	differences []string
}

// demoPosition is a position in the JSON of protobuf.
type demoPosition struct{ *zermelov1.Position }

// UnmarshalJSON reads it.
func (p *demoPosition) UnmarshalJSON(written []byte) error {
	p.Position = &zermelov1.Position{}
	return protojson.Unmarshal(written, p.Position)
}

func (c *demoCommand) run(ctx context.Context, s *session) error {
	if s.settings.json() {
		return usagef(s.typed, "the demo is for people: it has no -o json")
	}
	began := time.Now()
	d := &demo{session: s}
	if err := json.Unmarshal(demoJSON, d); err != nil {
		return fmt.Errorf("reading the examples of the demo: %w", err)
	}
	if err := d.solve(ctx); err != nil {
		return err
	}
	if err := d.runSteps(ctx); err != nil {
		return err
	}
	if len(d.differences) > 0 {
		return fmt.Errorf("the demo differs from what is right:\n  %s", strings.Join(d.differences, "\n  "))
	}
	s.out.Line()
	s.out.Paragraph(fmt.Sprintf("All of it is as it should be, in %.1f s.", time.Since(began).Seconds()))
	return nil
}

// expect notes a figure that differs.
func (d *demo) expect(what, got, want string) show.Cell {
	if got == want {
		return show.Good(got)
	}
	d.differences = append(d.differences, fmt.Sprintf("%s: got %s, want %s", what, got, want))
	return show.Bad(got + " (not " + want + ")")
}

// solve solves the examples.
func (d *demo) solve(ctx context.Context) error {
	const bestShown = 3
	d.out.Line(d.out.Style.Strong("The examples of the sources, solved over gRPC"))
	d.out.Line()
	var rows [][]show.Cell
	for _, e := range d.Examples {
		root, err := d.games.Describe(e.Position.Position)
		if err != nil {
			return err
		}
		solution, err := d.client.Solve(ctx, &zermelov1.SolveRequest{Position: e.Position.Position})
		if err != nil {
			return fmt.Errorf("%s: %w", root.Title(), err)
		}
		best := "any"
		if e.Moves != "" {
			var names []string
			for _, move := range solution.GetBestMoves() {
				names = append(names, move.GetNotation())
			}
			best = strings.Join(names, " ")
			d.expect(root.Title()+", best moves", best, e.Moves)
			if len(names) > bestShown {
				best = strings.Join(names[:bestShown], " ") + " ..."
			}
		}
		rows = append(rows, []show.Cell{
			show.Text(root.Title()), d.expect(root.Title(), show.Value(solution), e.Value), show.Text(best), show.Text(e.Says),
		})
	}
	show.Table(d.out, []show.Column{
		{Head: "Position", Wrap: true}, {Head: "Value"}, {Head: "Best moves"}, {Head: "The source says"},
	}, rows)
	return nil
}

// runSteps runs the commands, as if they were typed, against the server of the demo.
func (d *demo) runSteps(ctx context.Context) error {
	for _, step := range d.Steps {
		d.out.Line()
		d.out.Paragraph(step.Says)
		d.out.Line(d.out.Style.Strong("$ " + program + " " + step.Command))
		p, err := parse(d.games, strings.Fields(step.Command), func(string) string { return "" }, io.Discard)
		if err != nil {
			return err
		}
		var page bytes.Buffer
		s := *d.session
		s.parsed, s.out = p, show.NewOutput(&page, d.out.Style, d.games)
		err = p.command.run(ctx, &s)
		s.out.Flush()
		for line := range strings.Lines(page.String()) {
			d.out.Line(strings.TrimSuffix(line, "\n"))
		}
		var wrong *proofError
		switch {
		case errors.As(err, &wrong):
			d.differences = append(d.differences, step.Command+": "+err.Error())
			continue
		case err != nil:
			return err
		}
		shown := evenly(text.StripEscape(page.String()))
		for _, figure := range step.Shows {
			if !strings.Contains(shown, evenly(figure)) {
				d.differences = append(d.differences, fmt.Sprintf("%s: %q is not shown", step.Command, figure))
			}
		}
	}
	return nil
}

// evenly is a text with single spaces, however wide its page was.
func evenly(page string) string { return strings.Join(strings.Fields(page), " ") }
