package show

import (
	"fmt"
	"strings"

	"github.com/zermelo-games/zermelo/client/games"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// positionsHold is from how many positions the widths of the columns come.
const positionsHold = 200

// Positions writes an enumeration as text, while it streams: a table, or where there is nothing to say of the positions
// but that they are there, only these.
type Positions struct {
	out     *Output
	outcome zermelov1.Outcome
	table   *table
	grid    *grid
}

// NewPositions begins the text of an enumeration of the positions with an outcome, or of all when it is unspecified.
func NewPositions(out *Output, asked *zermelov1.Position, o zermelov1.Outcome) (*Positions, error) {
	words, err := games.All().Describe(asked)
	if err != nil {
		return nil, err
	}
	what := func(s Style) string {
		if o == zermelov1.Outcome_OUTCOME_UNSPECIFIED {
			return "every position that can be reached"
		}
		c := outcome(o)
		return "every " + s.paint(c.paint, c.text) + " for the player to move that can be reached"
	}
	out.heading(words.Title(), ": ", what(out.Style), width(what(Style{})))
	out.wrap("", faint, words.Reading())
	out.Line()
	return &Positions{out: out, outcome: o}, nil
}

// Position takes the next position.
func (p *Positions) Position(position *zermelov1.EnumeratedPosition) {
	value := position.Margin
	if position.Cost != nil {
		value = position.Cost
	}
	switch {
	case p.table != nil:
	case p.grid != nil || (p.outcome != zermelov1.Outcome_OUTCOME_UNSPECIFIED && value == nil && position.MovesToEnd == nil):
		if p.grid == nil {
			p.grid = newGrid(p.out, positionsHold)
		}
		p.grid.add(position.GetNotation())
		return
	default:
		p.table = newTable(p.out, positionsHold, Column{Head: "Position"}, Column{Head: "Worth to the player to move"})
		if position.Cost != nil {
			p.table.columns[1].Head = "Least money"
		}
		if position.MovesToEnd != nil {
			p.table.columns = append(p.table.columns, Column{Head: "Moves to end", Right: true})
		}
	}
	cells := []Cell{{position.GetNotation(), plain}, worth(position.GetOutcome(), value)}
	if position.MovesToEnd != nil {
		cells = append(cells, Cell{Count(position.GetMovesToEnd()), plain})
	}
	p.table.row(cells...)
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
	text := Counted(s.GetPositionCount(), "position")
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
		text += ": " + strings.Join(parts, ", ")
	}
	text += "."
	if s.GetCompletion() == zermelov1.Completion_COMPLETION_LIMIT_REACHED {
		text += fmt.Sprintf(" There are more%s.", more)
	}
	p.out.wrap("", plain, text)
}
