package show

import (
	"fmt"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// positionsHold is from how many positions the widths of the columns come.
const positionsHold = 200

// Positions writes an enumeration as text, while it streams: a table, or where there is nothing to say of the positions
// but that they are there, only these.
type Positions struct {
	out     *Output
	outcome zermelov1.Outcome
	table   *rows
	grid    *grid
}

// NewPositions begins the text of an enumeration of the positions with an outcome, or of all when it is unspecified.
func NewPositions(out *Output, position *zermelov1.Position, o zermelov1.Outcome) (*Positions, error) {
	root, err := out.Games.Describe(position)
	if err != nil {
		return nil, err
	}
	what := "every position that can be reached"
	if c, limited := outcomes[o]; limited {
		what = "every " + out.Style.paint(c.paint, c.text) + " for the player to move that can be reached"
	}
	out.heading(root.Title(), ": ", what)
	out.wrap("", faint, root.Reading())
	out.Line()
	return &Positions{out: out, outcome: o}, nil
}

// Position takes the next position.
func (p *Positions) Position(position *zermelov1.EnumeratedPosition) {
	if p.table == nil && p.grid == nil {
		p.begin(position)
	}
	if p.grid != nil {
		p.grid.add(position.GetNotation())
		return
	}
	cells := []Cell{Text(position.GetNotation()), valueOf(position)}
	if position.MovesToEnd != nil {
		cells = append(cells, Text(Count(position.GetMovesToEnd())))
	}
	p.table.add(cells...)
}

// begin chooses the layout for positions such as the first one.
func (p *Positions) begin(first *zermelov1.EnumeratedPosition) {
	if p.outcome != zermelov1.Outcome_OUTCOME_UNSPECIFIED && first.Margin == nil && first.MovesToEnd == nil {
		p.grid = &grid{out: p.out}
		return
	}
	columns := []Column{{Head: "Position"}, {Head: "Value to the player to move"}}
	if first.MovesToEnd != nil {
		columns = append(columns, Column{Head: "Moves to end", Right: true})
	}
	p.table = newRows(p.out, positionsHold, columns...)
}

// Broken writes what is held of an enumeration that ends without a summary.
func (p *Positions) Broken() {
	if p.table != nil {
		p.table.end()
	}
	if p.grid != nil {
		p.grid.end()
	}
}

// End writes the rest and how the enumeration ended. more is what to type for one that was cut.
func (p *Positions) End(s *zermelov1.EnumerationSummary, more string) {
	p.Broken()
	if s.GetPositionCount() > 0 {
		p.out.Line()
	}
	counted := Counted(s.GetPositionCount(), "position")
	var parts []string
	for _, part := range []struct {
		n    int64
		what string
	}{{s.GetWins(), "won"}, {s.GetLosses(), "lost"}, {s.GetDraws(), "drawn"}} {
		if part.n > 0 {
			parts = append(parts, Count(part.n)+" "+part.what)
		}
	}
	if len(parts) > 0 && p.outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED {
		counted += ": " + strings.Join(parts, ", ")
	}
	counted += "."
	if s.GetCompletion() == zermelov1.Completion_COMPLETION_LIMIT_REACHED {
		counted += fmt.Sprintf(" There are more%s.", more)
	}
	p.out.Paragraph(counted)
}
