package hundred

import (
	"fmt"
	"math"
	"strconv"

	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Words is how the 100 game is typed and shown.
func Words() words.Game {
	return words.Game{
		Field:   "hundred_game",
		Title:   "The 100 game",
		Summary: "The 100 game: integers can be called again and again.",
		Help: "Two players in turn add an integer to a running total; who first brings it to the desired total or above " +
			"wins.",
		Examples: []string{"10 100", "--max 10 --total 100 --current 89"},
		Fields: []words.Field{
			{
				Name: "max_choosable_integer", Flag: "max", Placeholder: "N", Argument: true, Default: "10",
				Help: "The integers are 1 to N.",
			},
			{
				Name: "desired_total", Flag: "total", Placeholder: "T", Argument: true, Default: "100",
				Help: "The total to reach.",
			},
			{
				Name: "current_total", Flag: "current", Placeholder: "C", Argument: true, Default: "0",
				Help: "The total so far.",
			},
		},
		Describe: describe,
	}
}

func describe(p *zermelov1.Position) words.Position { return position{HundredGame: p.GetHundredGame()} }

// position is a position in words.
type position struct {
	words.Plain
	*zermelov1.HundredGame
}

func (w position) Title() string {
	return fmt.Sprintf("The 100 game, 1 to %d, total %d, now at %d",
		w.GetMaxChoosableInteger(), w.GetDesiredTotal(), w.GetCurrentTotal())
}

func (w position) Short() string {
	return strconv.FormatUint(w.GetCurrentTotal(), 10)
}

// Rules says what a move is and who wins.
func (w position) Rules() string {
	return fmt.Sprintf("Add an integer from 1 to %d to the total. Who brings it to %d or above wins.",
		w.GetMaxChoosableInteger(), w.GetDesiredTotal())
}

// Board tells the total.
func (w position) Board() []words.Row {
	return []words.Row{{Label: "total", Text: words.OfTotal(w.GetCurrentTotal(), w.GetDesiredTotal())}}
}

func (w position) Move(notation string) string {
	return "add " + notation
}

func (w position) Reading() string { return "Positions are the total so far." }

// Leaves is the position after a move.
func (w position) Leaves(next []*zermelov1.Position) string { return words.Leaves(next, describe) }

func (w position) Over() string {
	return fmt.Sprintf("The other player has reached the total of %d and won.", w.GetDesiredTotal())
}

// Theorem is that of the multiples of n+1.
func (w position) Theorem(t zermelov1.Theorem) (name, premises string) {
	if t != zermelov1.Theorem_THEOREM_MODULO || w.GetCurrentTotal() > w.GetDesiredTotal() ||
		w.GetMaxChoosableInteger() == math.MaxUint64 {
		return "", ""
	}
	missing, divisor := w.GetDesiredTotal()-w.GetCurrentTotal(), w.GetMaxChoosableInteger()+1
	premises = fmt.Sprintf("what is missing to the total is %d = %d x %d", missing, missing/divisor, divisor)
	if rest := missing % divisor; rest != 0 {
		return "the theorem of multiples", fmt.Sprintf("%s + %d, no multiple of %d", premises, rest, divisor)
	}
	return "the theorem of multiples", fmt.Sprintf("%s, a multiple of %d", premises, divisor)
}
