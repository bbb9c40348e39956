package games

import (
	"fmt"
	"io"
	"slices"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func canIWin() Game {
	return Game{
		Command: "can-i-win",
		Field:   "can_i_win",
		Title:   "Can I Win",
		example: "--max 10 --total 11",
		fields:  map[string]string{"max_choosable_integer": "--max", "desired_total": "--total", "chosen": "--chosen"},
		command: func() any { return new(canIWinCommand) },
		words:   func(p *zermelov1.Position) Words { return canIWinWords{p} },
	}
}

type canIWinCommand struct {
	CanIWin canIWinArguments `cmd:"" name:"can-i-win" help:"Can I Win: each integer can be taken once (LeetCode 464)."`
}

// canIWinArguments are "--max 10 --total 11 --chosen 1,4".
type canIWinArguments struct {
	Max    string   `name:"max" required:"" placeholder:"N" help:"The integers are 1 to N."`
	Total  string   `name:"total" required:"" placeholder:"T" help:"The total to reach."`
	Chosen []string `name:"chosen" placeholder:"A,B" help:"The integers already taken by either player; they count towards the total."`
}

// Help is shown below the usage.
func (*canIWinArguments) Help() string {
	return `Two players in turn take an integer that neither has taken; who first brings the sum to the total or above ` +
		`wins. When none is left before that, it is a draw.

    zermelo solve can-i-win --max 10 --total 11
    zermelo explain can-i-win --max 10 --total 40 --chosen 1,4`
}

// Position is that of Arguments.
func (a *canIWinArguments) Position(io.Reader) (*zermelov1.Position, error) {
	most, err := natural32("--max", a.Max)
	if err != nil {
		return nil, err
	}
	total, err := natural32("--total", a.Total)
	if err != nil {
		return nil, err
	}
	var chosen []uint32
	for _, text := range a.Chosen {
		if text == "-" && len(a.Chosen) == 1 { // the notation of none
			break
		}
		integer, err := natural32("--chosen", text)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, integer)
	}
	return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: most, DesiredTotal: total, Chosen: chosen,
	}}}, nil
}

// Tell is that of Arguments.
func (*canIWinArguments) Tell(path, description string) string {
	return canIWin().Tell(path, description)
}

type canIWinWords struct{ asked *zermelov1.Position }

// sum is that of the chosen integers; at most 64 of them, so that it does not wrap.
func (w canIWinWords) sum() uint64 {
	var sum uint64
	for _, integer := range w.asked.GetCanIWin().GetChosen() {
		sum += uint64(integer)
	}
	return sum
}

func (w canIWinWords) Title() string {
	game := w.asked.GetCanIWin()
	title := fmt.Sprintf("Can I Win, 1 to %d, total %d", game.GetMaxChoosableInteger(), game.GetDesiredTotal())
	if len(game.GetChosen()) > 0 {
		title += fmt.Sprintf(", after %s (%d so far)", w.Short(), w.sum())
	}
	return title
}

func (w canIWinWords) Short() string {
	chosen := slices.Clone(w.asked.GetCanIWin().GetChosen())
	if len(chosen) == 0 {
		return "-"
	}
	slices.Sort(chosen)
	return listed(chosen, ",")
}

// Rules is that of Words.
func (w canIWinWords) Rules() string {
	return fmt.Sprintf("Take an integer that is left. Who brings the sum of all that are taken to %d or above wins; "+
		"if none is left before that, it is a draw.", w.asked.GetCanIWin().GetDesiredTotal())
}

// Board tells the sum and lists the integers that are taken and those that are left.
func (w canIWinWords) Board() []Row {
	game := w.asked.GetCanIWin()
	var left []uint32
	for integer := uint32(1); integer <= game.GetMaxChoosableInteger(); integer++ {
		if !slices.Contains(game.GetChosen(), integer) {
			left = append(left, integer)
		}
	}
	return []Row{
		{"sum", ofTotal(w.sum(), uint64(game.GetDesiredTotal()))},
		{"taken", spelled(slices.Sorted(slices.Values(game.GetChosen())), " ")},
		{"left", spelled(left, " ")},
	}
}

func (w canIWinWords) Move(notation string) string {
	move, err := client.ParseMove(w.asked, notation)
	if m, ok := move.(client.IntegerMove); err == nil && ok {
		return fmt.Sprintf("take %d: the sum is %d", m, w.sum()+uint64(m))
	}
	return ""
}

func (w canIWinWords) Reading() string { return "Positions are the integers taken so far; - is none." }

func (w canIWinWords) Leaves(next []*zermelov1.Position) string { return leaves(next) }

func (w canIWinWords) Result(*zermelov1.Solution) string { return "" }

func (w canIWinWords) Over() string {
	game := w.asked.GetCanIWin()
	switch total := uint64(game.GetDesiredTotal()); {
	case total == 0 && len(game.GetChosen()) == 0:
		return "The total of 0 is reached before anybody moves."
	case w.sum() >= total:
		return fmt.Sprintf("The sum is %d: the other player has reached the total of %d and won.", w.sum(), total)
	default:
		return fmt.Sprintf("No integer is left and the sum is %d, below the total of %d: nobody wins.", w.sum(), total)
	}
}

func (w canIWinWords) Remark(s *zermelov1.Solution) string {
	switch {
	case s.GetOutcome() == zermelov1.Outcome_OUTCOME_DRAW:
		return "LeetCode 464 has no draws: its answer is false, for the player to move cannot force a win."
	case w.asked.GetCanIWin().GetDesiredTotal() == 0:
		return "That this is a win is the convention of LeetCode 464."
	default:
		return ""
	}
}

// Theorem is that nobody can reach a total above the sum of all integers.
func (w canIWinWords) Theorem(t zermelov1.Theorem) (name, premises string) {
	if t != zermelov1.Theorem_THEOREM_OUT_OF_REACH {
		return "", ""
	}
	game := w.asked.GetCanIWin()
	most := uint64(game.GetMaxChoosableInteger())
	relation := "less than"
	sum := most * (most + 1) / 2 // of 32 bits
	if sum >= uint64(game.GetDesiredTotal()) {
		relation = "not less than"
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
		all = fmt.Sprintf("1+2+...+%d = %d", most, sum)
	}
	return "the sum of all integers", fmt.Sprintf("%s is %s the total of %d", all, relation, game.GetDesiredTotal())
}

// Play is nil: which player took an integer does not matter.
func (w canIWinWords) Play([]string) []Turn { return nil }

func (w canIWinWords) Arguments() string {
	game := w.asked.GetCanIWin()
	text := fmt.Sprintf("can-i-win --max %d --total %d", game.GetMaxChoosableInteger(), game.GetDesiredTotal())
	if len(game.GetChosen()) > 0 {
		text += " --chosen " + spelled(game.GetChosen(), ",")
	}
	return text
}
