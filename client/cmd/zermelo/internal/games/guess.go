package games

import (
	"fmt"
	"io"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func guessNumber() Game {
	return Game{
		Command: "guess-number",
		Field:   "guess_number",
		Title:   "Guess Number Higher or Lower II",
		example: "--high 10",
		fields:  map[string]string{"low": "--low", "high": "--high"},
		command: func() any { return new(guessCommand) },
		words:   func(p *zermelov1.Position) Words { return guessWords{p.GetGuessNumber()} },
	}
}

type guessCommand struct {
	GuessNumber guessArguments `cmd:"" name:"guess-number" help:"Guess Number: least money that surely finds it (LeetCode 375)."`
}

// guessArguments are "--low 1 --high 10".
type guessArguments struct {
	Low  string `name:"low" default:"1" placeholder:"A" help:"The smallest number that may be hidden. Default: 1."`
	High string `name:"high" required:"" placeholder:"B" help:"The largest number that may be hidden."`
}

// Help is shown below the usage.
func (*guessArguments) Help() string {
	return `A number is hidden in a range. A wrong guess g costs g and is answered "higher" or "lower"; the right one is ` +
		`free. Asked for is the least money with which the number is surely found.

    zermelo solve guess-number --high 10
    zermelo solve guess-number --low 8 --high 10`
}

// Position is that of Arguments.
func (a *guessArguments) Position(io.Reader) (*zermelov1.Position, error) {
	low, err := natural32("--low", a.Low)
	if err != nil {
		return nil, err
	}
	high, err := natural32("--high", a.High)
	if err != nil {
		return nil, err
	}
	return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
		GuessNumber: &zermelov1.GuessNumber{Low: low, High: high},
	}}, nil
}

// Tell is that of Arguments.
func (*guessArguments) Tell(path, description string) string {
	return guessNumber().Tell(path, description)
}

type guessWords struct{ asked *zermelov1.GuessNumber }

func (w guessWords) Title() string { return "Guess Number " + w.Short() }

func (w guessWords) Short() string { return fmt.Sprintf("%d..%d", w.asked.GetLow(), w.asked.GetHigh()) }

// Rules is that of Words.
func (w guessWords) Rules() string {
	return fmt.Sprintf("A number from %d to %d is hidden. A wrong guess costs its number and is answered \"higher\" or "+
		"\"lower\"; the right one is free.", w.asked.GetLow(), w.asked.GetHigh())
}

// Board tells the range.
func (w guessWords) Board() []Row {
	low, high := w.asked.GetLow(), w.asked.GetHigh()
	if low == high {
		return []Row{{"", fmt.Sprintf("it is %d", low)}}
	}
	return []Row{{"", fmt.Sprintf("it is from %d to %d, one of %d", low, high, int64(high)-int64(low)+1)}}
}

func (w guessWords) Move(notation string) string { return "when wrong, it costs " + notation }

func (w guessWords) Reading() string {
	return "Positions are the numbers among which the hidden one is, from..to."
}

// Leaves tells the ranges on both sides of a guess, of which there is one at an end of the range.
func (w guessWords) Leaves(next []*zermelov1.Position) string {
	sides := make([]string, 0, len(next))
	for _, position := range next {
		side := "if higher"
		if position.GetGuessNumber().GetLow() == w.asked.GetLow() {
			side = "if lower"
		}
		sides = append(sides, leaves([]*zermelov1.Position{position})+" "+side)
	}
	return strings.Join(sides, ", ")
}

func (w guessWords) Result(s *zermelov1.Solution) string {
	return fmt.Sprintf("With %d the number is surely found, with less it is not.", s.GetCost())
}

func (w guessWords) Over() string { return "One number is left, and the right guess is free." }

func (w guessWords) Remark(*zermelov1.Solution) string { return "" }

// Theorem is "": none is known.
func (w guessWords) Theorem(zermelov1.Theorem) (name, premises string) { return "", "" }

// Play is nil: after a guess it is not the guesser who says how it goes on.
func (w guessWords) Play([]string) []Turn { return nil }

func (w guessWords) Arguments() string {
	return fmt.Sprintf("guess-number --low %d --high %d", w.asked.GetLow(), w.asked.GetHigh())
}
