package guess

import (
	"fmt"
	"strings"

	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Words is how Guess Number is typed and shown.
func Words() words.Game {
	return words.Game{
		Field:   "guess_number",
		Title:   "Guess Number Higher or Lower II",
		Summary: "Guess Number: least money that surely finds it (LeetCode 375).",
		Help: "A number is hidden in a range. A wrong guess g costs g and is answered \"higher\" or \"lower\"; the right one is " +
			"free. Asked for is the least money with which the number is surely found.",
		Examples: []string{"10", "8 10", "--low 8 --high 10"},
		Fields: []words.Field{
			{
				Name: "low", Flag: "low", Placeholder: "A", Argument: true, Default: "1",
				Help: "The smallest number that may be hidden.",
			},
			{
				Name: "high", Flag: "high", Placeholder: "B", Argument: true,
				Help: "The largest number that may be hidden.",
			},
		},
		Describe: func(p *zermelov1.Position) words.Position { return position{GuessNumber: p.GetGuessNumber()} },
	}
}

// position is a position in words.
type position struct {
	words.Plain
	*zermelov1.GuessNumber
}

func (w position) Title() string { return "Guess Number " + w.Short() }

func (w position) Short() string { return fmt.Sprintf("%d..%d", w.GetLow(), w.GetHigh()) }

// Rules says what a guess costs.
func (w position) Rules() string {
	return fmt.Sprintf("A number from %d to %d is hidden. A wrong guess costs its number and is answered \"higher\" or "+
		"\"lower\"; the right one is free.", w.GetLow(), w.GetHigh())
}

// Board tells the range.
func (w position) Board() []words.Row {
	low, high := w.GetLow(), w.GetHigh()
	if low == high {
		return []words.Row{{Text: fmt.Sprintf("it is %d", low)}}
	}
	return []words.Row{{Text: fmt.Sprintf("it is from %d to %d, one of %d", low, high, int64(high)-int64(low)+1)}}
}

func (w position) Move(notation string) string { return "when wrong, it costs " + notation }

func (w position) Reading() string {
	return "Positions are the numbers among which the hidden one is, from..to."
}

// Leaves tells the ranges on both sides of a guess, of which there is one at an end of the range.
func (w position) Leaves(next []*zermelov1.Position) string {
	sides := make([]string, 0, len(next))
	for _, after := range next {
		left, side := position{GuessNumber: after.GetGuessNumber()}, " if higher"
		if left.GetLow() == w.GetLow() {
			side = " if lower"
		}
		sides = append(sides, left.Short()+side)
	}
	return strings.Join(sides, ", ")
}

// Answer tells on which side of the guess the number is.
func (w position) Answer(next *zermelov1.Position) string {
	if next.GetGuessNumber().GetLow() == w.GetLow() {
		return "The number is lower."
	}
	return "The number is higher."
}

func (w position) Result(s *zermelov1.Solution) string {
	return fmt.Sprintf("With %d the number is surely found, with less it is not.", s.GetCost())
}

func (w position) Over() string { return "One number is left, and the right guess is free." }
