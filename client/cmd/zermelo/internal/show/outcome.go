package show

import (
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// outcome is an outcome in a word; empty for a game that has none.
func outcome(o zermelov1.Outcome) Cell {
	switch o {
	case zermelov1.Outcome_OUTCOME_WIN:
		return Cell{"WIN", good}
	case zermelov1.Outcome_OUTCOME_LOSS:
		return Cell{"LOSS", bad}
	case zermelov1.Outcome_OUTCOME_DRAW:
		return Cell{"DRAW", even}
	default:
		return Cell{}
	}
}

// worth is what a position is worth to the player to move: "WIN", "WIN +222", "cost 16". value is a margin where there
// is an outcome and a cost where there is none; nil for neither.
func worth(o zermelov1.Outcome, value *int64) Cell {
	c := outcome(o)
	switch {
	case value == nil:
		return c
	case c.text == "":
		return Cell{"cost " + Count(*value), plain}
	case *value != 0:
		c.text += " " + signed(*value)
	}
	return c
}

// Worth is the cell for the value of a solution: "WIN", "LOSS -2", "cost 16".
func Worth(s *zermelov1.Solution) Cell {
	value := s.Margin
	if s.Cost != nil {
		value = s.Cost
	}
	return worth(s.GetOutcome(), value)
}

// Verdict says who wins and by how much, or what it costs, in a few painted words.
func (s Style) Verdict(solution *zermelov1.Solution) string {
	o := outcome(solution.GetOutcome())
	text := s.paint(o.paint, o.text)
	switch {
	case solution.Cost != nil:
		return s.paint(strong, "COST "+Count(solution.GetCost()))
	case solution.GetOutcome() == zermelov1.Outcome_OUTCOME_DRAW:
		return text
	case solution.Margin != nil:
		return text + " for the player to move, by " + strings.TrimPrefix(Count(solution.GetMargin()), "-")
	default:
		return text + " for the player to move"
	}
}

// Listed joins texts with commas and "and".
func Listed(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " and " + texts[len(texts)-1]
}
