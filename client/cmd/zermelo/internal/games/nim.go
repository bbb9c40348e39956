package games

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func nim() Game {
	return Game{
		Command: "nim",
		Field:   "nim",
		Title:   "Nim",
		example: "--misere 7 5 3",
		fields:  map[string]string{"piles": "piles", "convention": "--misere or --normal"},
		command: func() any { return new(nimCommand) },
		words:   func(p *zermelov1.Position) Words { return nimWords{p} },
	}
}

type nimCommand struct {
	Nim nimArguments `cmd:"" name:"nim" help:"Nim: who wins from these piles?"`
}

// nimArguments are "--misere 7 5 3".
type nimArguments struct {
	Misere bool     `name:"misere" xor:"convention" help:"Misere play: who takes the last stone loses."`
	Normal bool     `name:"normal" xor:"convention" help:"Normal play: who takes the last stone wins."`
	Piles  []string `arg:"" optional:"" name:"pile" help:"Stones in each pile: 7 5 3, or 7-5-3 as answers write it; - for no piles."`
}

// Help is shown below the usage.
func (*nimArguments) Help() string {
	return `Two players in turn take any number of stones, at least one, from one pile. Who wins has to be said, because ` +
		`half the world assumes the other convention: --misere or --normal.

    zermelo solve nim --misere 7 5 3
    zermelo positions nim --misere --outcome loss 7 5 3`
}

// Position is that of Arguments.
func (a *nimArguments) Position(io.Reader) (*zermelov1.Position, error) {
	if !a.Misere && !a.Normal {
		return nil, usagef("who takes the last stone: does that player lose or win? " +
			"Add --misere (loses) or --normal (wins)")
	}
	words, err := row(a.Piles, "the piles", nim().Example())
	if err != nil {
		return nil, err
	}
	var elements []string
	for _, word := range words {
		elements = append(elements, strings.Split(word, "-")...) // 7-5-3
	}
	piles, err := naturals(elements, "pile")
	if err != nil {
		return nil, err
	}
	convention := zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
	if a.Misere {
		convention = zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
	}
	return &zermelov1.Position{Game: &zermelov1.Position_Nim{
		Nim: &zermelov1.Nim{Piles: piles, Convention: convention},
	}}, nil
}

// Tell is that of Arguments.
func (*nimArguments) Tell(path, description string) string { return nim().Tell(path, description) }

type nimWords struct{ asked *zermelov1.Position }

func (w nimWords) misere() bool {
	return w.asked.GetNim().GetConvention() == zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
}

func (w nimWords) Title() string {
	convention := "normal play"
	if w.misere() {
		convention = "misère play"
	}
	if len(w.asked.GetNim().GetPiles()) == 0 {
		return "Nim without piles, " + convention
	}
	return "Nim " + w.Short() + ", " + convention
}

func (w nimWords) Short() string {
	if piles := w.asked.GetNim().GetPiles(); len(piles) > 0 {
		return listed(piles, "-")
	}
	return "-"
}

// Rules is that of Words.
func (w nimWords) Rules() string {
	does := "wins"
	if w.misere() {
		does = "loses"
	}
	return "Take any number of stones, at least one, from one pile. Who takes the last stone " + does + "."
}

// Board has a row for each pile. Piles too large to be drawn are numbers; where there are too many, those of the same
// size have one row, for it does not matter which of them is taken from.
func (w nimWords) Board() []Row {
	const drawn = 60
	piles := w.asked.GetNim().GetPiles()
	if len(piles) == 0 {
		return []Row{{"", "no piles"}}
	}
	if len(piles) > boardMost {
		return w.sizes()
	}
	rows := make([]Row, 0, len(piles))
	for _, pile := range piles {
		stones := ""
		if pile <= drawn {
			stones = strings.TrimSuffix(strings.Repeat("o ", int(pile)), " ")
		}
		rows = append(rows, Row{strconv.FormatUint(pile, 10), stones})
	}
	return rows
}

// sizes tells how many piles there are of each size, the largest first.
func (w nimWords) sizes() []Row {
	const listed = 200
	count := make(map[uint64]int)
	for _, pile := range w.asked.GetNim().GetPiles() {
		count[pile]++
	}
	var texts []string
	for _, size := range slices.Backward(slices.Sorted(maps.Keys(count))) {
		switch {
		case len(texts) == listed:
			texts = append(texts, fmt.Sprintf("and %d smaller sizes", len(count)-len(texts)))
			return []Row{{"piles", strings.Join(texts, ", ")}}
		case count[size] == 1:
			texts = append(texts, strconv.FormatUint(size, 10))
		default:
			texts = append(texts, fmt.Sprintf("%d (%d times)", size, count[size]))
		}
	}
	return []Row{{"piles", strings.Join(texts, ", ")}}
}

func (w nimWords) Move(notation string) string {
	move, err := client.ParseMove(w.asked, notation)
	if m, ok := move.(client.NimMove); err == nil && ok {
		return fmt.Sprintf("take %d from a pile of %d", m.Taken(), m.Before)
	}
	return ""
}

func (w nimWords) Reading() string { return "Positions are the piles, largest first." }

func (w nimWords) Leaves(next []*zermelov1.Position) string { return leaves(next) }

func (w nimWords) Result(*zermelov1.Solution) string { return "" }

func (w nimWords) Over() string {
	if w.misere() {
		return "No stone is left: the other player took the last one, and loses."
	}
	return "No stone is left: the other player took the last one, and wins."
}

func (w nimWords) Remark(*zermelov1.Solution) string { return "" }

// Theorem is Bouton's. Piles of one stone at most are the exception that misère play makes.
func (w nimWords) Theorem(t zermelov1.Theorem) (name, premises string) {
	if t != zermelov1.Theorem_THEOREM_BOUTON {
		return "", ""
	}
	name = "Bouton's theorem"
	piles := w.asked.GetNim().GetPiles()
	var sum uint64
	var ones, larger int
	for _, pile := range piles {
		sum ^= pile
		switch {
		case pile == 1:
			ones++
		case pile > 1:
			larger++
		}
	}
	if w.misere() && larger == 0 {
		parity := "even"
		if ones%2 == 1 {
			parity = "odd"
		}
		return name, fmt.Sprintf("no pile has more than one stone, and the number of those that have one is %d, %s", ones, parity)
	}
	premises = "the nim-sum is "
	if len(piles) > 1 {
		premises += listed(piles, " xor ") + " = "
	}
	premises += strconv.FormatUint(sum, 10)
	if sum != 0 {
		premises += ", not 0"
	}
	if w.misere() {
		premises += ", and there is a pile of more than one stone"
	}
	return name, premises
}

// Play is nil: who has which stones does not matter.
func (w nimWords) Play([]string) []Turn { return nil }

func (w nimWords) Arguments() string {
	flag := "--normal"
	if w.misere() {
		flag = "--misere"
	}
	return "nim " + flag + " " + spelled(w.asked.GetNim().GetPiles(), " ")
}
