package caniwin

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Words is how Can I Win is typed and shown.
func Words() words.Game {
	return words.Game{
		Field:   "can_i_win",
		Title:   "Can I Win",
		Summary: "Can I Win: each integer can be taken once (LeetCode 464).",
		Help: "Two players in turn take an integer that neither has taken; who first brings the sum to the total or above " +
			"wins. When none is left before that, it is a draw.",
		Examples: []string{"10 11", "--max 10 --total 40 --chosen 1,4"},
		Fields: []words.Field{
			{
				Name: "max_choosable_integer", Flag: "max", Placeholder: "N", Argument: true,
				Help: "The integers are 1 to N.",
			},
			{
				Name: "desired_total", Flag: "total", Placeholder: "T", Argument: true,
				Help: "The total to reach.",
			},
			{
				Name: "chosen", Flag: "chosen", Placeholder: "A,B", Element: "number",
				Help: "The integers already taken by either player; they count towards the total.",
			},
		},
		Describe: describe,
	}
}

func describe(p *zermelov1.Position) words.Position { return position{CanIWin: p.GetCanIWin()} }

// position is a position in words.
type position struct {
	words.Plain
	*zermelov1.CanIWin
}

// sum is that of the chosen integers; at most 64 of them, so that it does not wrap.
func (w position) sum() uint64 {
	var sum uint64
	for _, integer := range w.GetChosen() {
		sum += uint64(integer)
	}
	return sum
}

func (w position) Title() string {
	title := fmt.Sprintf("Can I Win, 1 to %d, total %d", w.GetMaxChoosableInteger(), w.GetDesiredTotal())
	if len(w.GetChosen()) > 0 {
		title += fmt.Sprintf(", after %s (%d so far)", w.Short(), w.sum())
	}
	return title
}

func (w position) Short() string {
	chosen := slices.Clone(w.GetChosen())
	if len(chosen) == 0 {
		return "-"
	}
	slices.Sort(chosen)
	return words.Listed(chosen, ",")
}

// Rules says what a move is and who wins.
func (w position) Rules() string {
	return fmt.Sprintf("Take an integer that is left. Who brings the sum of all that are taken to %d or above wins; "+
		"if none is left before that, it is a draw.", w.GetDesiredTotal())
}

// Board tells the sum and lists the integers that are taken and those that are left.
func (w position) Board() []words.Row {
	var left []uint32
	for integer := uint32(1); integer <= w.GetMaxChoosableInteger(); integer++ {
		if !slices.Contains(w.GetChosen(), integer) {
			left = append(left, integer)
		}
	}
	return []words.Row{
		{Label: "sum", Text: words.OfTotal(w.sum(), uint64(w.GetDesiredTotal()))},
		{Label: "taken", Text: words.Spelled(slices.Sorted(slices.Values(w.GetChosen())), " ")},
		{Label: "left", Text: words.Spelled(left, " ")},
	}
}

func (w position) Move(notation string) string {
	integer, err := strconv.ParseUint(notation, 10, 32)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("take %d: the sum is %d", integer, w.sum()+integer)
}

func (w position) Reading() string { return "Positions are the integers taken so far; - is none." }

// Leaves is the position after a move.
func (w position) Leaves(next []*zermelov1.Position) string { return words.Leaves(next, describe) }

func (w position) Over() string {
	switch total := uint64(w.GetDesiredTotal()); {
	case total == 0 && len(w.GetChosen()) == 0:
		return "The total of 0 is reached before anybody moves."
	case w.sum() >= total:
		return fmt.Sprintf("The sum is %d: the other player has reached the total of %d and won.", w.sum(), total)
	default:
		return fmt.Sprintf("No integer is left and the sum is %d, below the total of %d: nobody wins.", w.sum(), total)
	}
}

func (w position) Remark(s *zermelov1.Solution) string {
	switch {
	case s.GetOutcome() == zermelov1.Outcome_OUTCOME_DRAW:
		return "LeetCode 464 has no draws: its answer is false, for the player to move cannot force a win."
	case w.GetDesiredTotal() == 0:
		return "That this is a win is the convention of LeetCode 464."
	default:
		return ""
	}
}

// Theorem is that nobody can reach a total above the sum of all integers.
func (w position) Theorem(t zermelov1.Theorem) (name, premises string) {
	if t != zermelov1.Theorem_THEOREM_OUT_OF_REACH {
		return "", ""
	}
	most := uint64(w.GetMaxChoosableInteger())
	relation := "not less than"
	if outOfReach(most, uint64(w.GetDesiredTotal())) {
		relation = "less than"
	}
	var all string
	switch most {
	case 1:
		all = "1"
	case 2:
		all = "1+2 = 3"
	case 3:
		all = "1+2+3 = 6"
	default:
		all = fmt.Sprintf("1+2+...+%d = %d", most, most*(most+1)/2)
	}
	return "the sum of all integers", fmt.Sprintf("%s is %s the total of %d", all, relation, w.GetDesiredTotal())
}
