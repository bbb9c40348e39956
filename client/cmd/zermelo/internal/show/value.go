package show

import (
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// outcomes are the outcomes in a word.
var outcomes = map[zermelov1.Outcome]Cell{
	zermelov1.Outcome_OUTCOME_WIN:  {"WIN", good},
	zermelov1.Outcome_OUTCOME_LOSS: {"LOSS", bad},
	zermelov1.Outcome_OUTCOME_DRAW: {"DRAW", even},
}

// value is the value of a position or move: "WIN", "WIN +222", "cost 16". v is a margin where there is an outcome and a
// cost where there is none; nil for neither.
func value(o zermelov1.Outcome, v *int64) Cell {
	c := outcomes[o]
	switch {
	case v == nil:
	case c.text == "":
		c.text = "cost " + Count(*v)
	case *v > 0:
		c.text += " +" + Count(*v)
	case *v < 0:
		c.text += " " + Count(*v)
	}
	return c
}

// valued is what has a value: a solution, a ranked move, a position of an enumeration.
type valued interface {
	GetOutcome() zermelov1.Outcome
	GetMargin() int64
	GetCost() int64
}

// Value is the value of a solution as a table shows it: "WIN", "LOSS -2", "cost 16".
func Value(s *zermelov1.Solution) string { return valueOf(s).text }

func valueOf(v valued) Cell {
	if v.GetOutcome() == zermelov1.Outcome_OUTCOME_UNSPECIFIED {
		return value(v.GetOutcome(), new(v.GetCost()))
	}
	return value(v.GetOutcome(), new(v.GetMargin()))
}

// spoken is a value within a sentence: "a win", "a loss by 2", "a cost of 16".
func spoken(v valued) string {
	outcome := "a " + strings.ToLower(outcomes[v.GetOutcome()].text)
	switch {
	case v.GetOutcome() == zermelov1.Outcome_OUTCOME_UNSPECIFIED:
		return "a cost of " + Count(v.GetCost())
	case v.GetMargin() != 0:
		return outcome + " by " + size(v.GetMargin())
	default:
		return outcome
	}
}

// verdict says who wins and by how much, or the cost, in a few painted words.
func (s Style) verdict(solution *zermelov1.Solution) string {
	o := outcomes[solution.GetOutcome()]
	switch verdict := s.paint(o.paint, o.text); {
	case solution.Cost != nil:
		return s.paint(strong, "COST "+Count(solution.GetCost()))
	case solution.GetOutcome() == zermelov1.Outcome_OUTCOME_DRAW:
		return verdict
	case solution.Margin != nil:
		return verdict + " for the player to move, by " + size(solution.GetMargin())
	default:
		return verdict + " for the player to move"
	}
}

// equalLosses reports whether the position is a loss in a game without margins, where every move loses alike.
func equalLosses(s *zermelov1.Solution) bool {
	return s.GetOutcome() == zermelov1.Outcome_OUTCOME_LOSS && s.Margin == nil
}

// notations are those of the first moves, as many as most.
func notations(moves []*zermelov1.Move, most int) []string {
	names := make([]string, 0, min(len(moves), most))
	for _, move := range moves[:min(len(moves), most)] {
		names = append(names, move.GetNotation())
	}
	return names
}

// how says by what work the answer was found.
func how(s *zermelov1.Solution) string {
	switch s.GetMethod() {
	case zermelov1.Method_METHOD_CLOSED_FORM:
		return "Found by a closed form, without a search."
	case zermelov1.Method_METHOD_GAME_ALGORITHM:
		return "Found by an algorithm made for this game."
	default:
		w := s.GetStatistics()
		return "Found by searching " + Counted(w.GetPositionsExpanded(), "position") + ", " + Count(w.GetMemoHits()) +
			" of them met again, in " + took(w.GetElapsed().AsDuration()) + "."
	}
}
