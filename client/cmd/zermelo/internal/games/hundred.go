package games

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func hundredGame() Game {
	return Game{
		Command: "hundred-game",
		Field:   "hundred_game",
		Title:   "The 100 game",
		example: "--max 10 --total 100",
		fields: map[string]string{
			"max_choosable_integer": "--max", "desired_total": "--total", "current_total": "--current",
		},
		command: func() any { return new(hundredCommand) },
		words:   func(p *zermelov1.Position) Words { return hundredWords{p} },
	}
}

type hundredCommand struct {
	HundredGame hundredArguments `cmd:"" name:"hundred-game" help:"The 100 game: integers can be called again and again."`
}

// hundredArguments are "--max 10 --total 100 --current 0".
type hundredArguments struct {
	Max     string `name:"max" default:"10" placeholder:"N" help:"The integers are 1 to N. Default: 10."`
	Total   string `name:"total" default:"100" placeholder:"T" help:"The total to reach. Default: 100."`
	Current string `name:"current" default:"0" placeholder:"C" help:"The total so far. Default: 0."`
}

// Help is shown below the usage.
func (*hundredArguments) Help() string {
	return `Two players in turn add an integer to a running total; who first brings it to the desired total or above ` +
		`wins.

    zermelo solve hundred-game
    zermelo solve hundred-game --max 10 --total 100 --current 89`
}

// Position is that of Arguments.
func (a *hundredArguments) Position(io.Reader) (*zermelov1.Position, error) {
	game := &zermelov1.HundredGame{}
	for _, field := range []struct {
		flag, text string
		to         *uint64
	}{
		{"--max", a.Max, &game.MaxChoosableInteger},
		{"--total", a.Total, &game.DesiredTotal},
		{"--current", a.Current, &game.CurrentTotal},
	} {
		n, err := natural(field.flag, field.text, math.MaxUint64)
		if err != nil {
			return nil, err
		}
		*field.to = n
	}
	return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: game}}, nil
}

// Tell is that of Arguments.
func (*hundredArguments) Tell(path, description string) string {
	return hundredGame().Tell(path, description)
}

type hundredWords struct{ asked *zermelov1.Position }

func (w hundredWords) Title() string {
	game := w.asked.GetHundredGame()
	return fmt.Sprintf("The 100 game, 1 to %d, total %d, now at %d",
		game.GetMaxChoosableInteger(), game.GetDesiredTotal(), game.GetCurrentTotal())
}

func (w hundredWords) Short() string {
	return strconv.FormatUint(w.asked.GetHundredGame().GetCurrentTotal(), 10)
}

// Rules is that of Words.
func (w hundredWords) Rules() string {
	game := w.asked.GetHundredGame()
	return fmt.Sprintf("Add an integer from 1 to %d to the total. Who brings it to %d or above wins.",
		game.GetMaxChoosableInteger(), game.GetDesiredTotal())
}

// Board tells the total.
func (w hundredWords) Board() []Row {
	game := w.asked.GetHundredGame()
	return []Row{{"total", ofTotal(game.GetCurrentTotal(), game.GetDesiredTotal())}}
}

func (w hundredWords) Move(notation string) string {
	move, err := client.ParseMove(w.asked, notation)
	if m, ok := move.(client.IntegerMove); err == nil && ok {
		return fmt.Sprintf("add %d", m)
	}
	return ""
}

func (w hundredWords) Reading() string { return "Positions are the total so far." }

func (w hundredWords) Leaves(next []*zermelov1.Position) string { return leaves(next) }

func (w hundredWords) Result(*zermelov1.Solution) string { return "" }

func (w hundredWords) Over() string {
	return fmt.Sprintf("The other player has reached the total of %d and won.", w.asked.GetHundredGame().GetDesiredTotal())
}

func (w hundredWords) Remark(*zermelov1.Solution) string { return "" }

// Theorem is that of the multiples of n+1.
func (w hundredWords) Theorem(t zermelov1.Theorem) (name, premises string) {
	game := w.asked.GetHundredGame()
	if t != zermelov1.Theorem_THEOREM_MODULO || game.GetCurrentTotal() > game.GetDesiredTotal() ||
		game.GetMaxChoosableInteger() == math.MaxUint64 {
		return "", ""
	}
	missing, divisor := game.GetDesiredTotal()-game.GetCurrentTotal(), game.GetMaxChoosableInteger()+1
	premises = fmt.Sprintf("what is missing to the total is %d = %d x %d", missing, missing/divisor, divisor)
	if rest := missing % divisor; rest != 0 {
		return "the theorem of multiples", fmt.Sprintf("%s + %d, no multiple of %d", premises, rest, divisor)
	}
	return "the theorem of multiples", fmt.Sprintf("%s, a multiple of %d", premises, divisor)
}

// Play is nil: the running total is in the positions.
func (w hundredWords) Play([]string) []Turn { return nil }

func (w hundredWords) Arguments() string {
	game := w.asked.GetHundredGame()
	return fmt.Sprintf("hundred-game --max %d --total %d --current %d",
		game.GetMaxChoosableInteger(), game.GetDesiredTotal(), game.GetCurrentTotal())
}
