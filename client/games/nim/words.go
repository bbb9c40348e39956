package nim

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Words is how Nim is typed and shown.
func Words() words.Game {
	return words.Game{
		Field:   "nim",
		Title:   "Nim",
		Summary: "Nim: who wins from these piles?",
		Help: "Two players in turn take any number of stones, at least one, from one pile. Who wins has to be said, because " +
			"half the world assumes the other convention: --misere or --normal.",
		Examples: []string{"--misere 7 5 3", "--normal 7-5-3"},
		Fields: []words.Field{
			{
				Name: "convention",
				Choices: []words.Choice{
					{Value: int32(misere), Flag: "misere", Help: "Misere play: who takes the last stone loses."},
					{Value: int32(normal), Flag: "normal", Help: "Normal play: who takes the last stone wins."},
				},
				Question: "who takes the last stone: does that player lose or win? Add --misere (loses) or --normal (wins)",
			},
			{
				Name: "piles", Argument: true, Element: "pile", Separator: "-", Placeholder: "PILE",
				Help: "Stones in each pile: 7 5 3, or 7-5-3 as answers write it; - for no piles.",
			},
		},
		Describe: describe,
	}
}

const (
	normal = zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
	misere = zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
)

func describe(p *zermelov1.Position) words.Position { return position{Nim: p.GetNim()} }

// position is a position in words.
type position struct {
	words.Plain
	*zermelov1.Nim
}

func (w position) misere() bool { return w.GetConvention() == misere }

func (w position) Title() string {
	convention := "normal play"
	if w.misere() {
		convention = "misère play"
	}
	if len(w.GetPiles()) == 0 {
		return "Nim without piles, " + convention
	}
	return "Nim " + w.Short() + ", " + convention
}

func (w position) Short() string {
	if piles := w.GetPiles(); len(piles) > 0 {
		return words.Listed(piles, "-")
	}
	return "-"
}

// Rules says what a move is and who wins.
func (w position) Rules() string {
	does := "wins"
	if w.misere() {
		does = "loses"
	}
	return "Take any number of stones, at least one, from one pile. Who takes the last stone " + does + "."
}

// Board has a row for each pile. Piles too large to be drawn are numbers; where there are too many, those of the same
// size have one row, for it does not matter which of them is taken from.
func (w position) Board() []words.Row {
	const drawn = 60
	piles := w.GetPiles()
	if len(piles) == 0 {
		return []words.Row{{Text: "no piles"}}
	}
	if len(piles) > words.BoardMost {
		return w.sizes()
	}
	rows := make([]words.Row, 0, len(piles))
	for _, pile := range piles {
		stones := ""
		if pile <= drawn {
			stones = strings.TrimSuffix(strings.Repeat("o ", int(pile)), " ")
		}
		rows = append(rows, words.Row{Label: strconv.FormatUint(pile, 10), Text: stones})
	}
	return rows
}

// sizes tells how many piles there are of each size, the largest first.
func (w position) sizes() []words.Row {
	const listed = 200
	count := make(map[uint64]int)
	for _, pile := range w.GetPiles() {
		count[pile]++
	}
	var texts []string
	for _, size := range slices.Backward(slices.Sorted(maps.Keys(count))) {
		switch {
		case len(texts) == listed:
			texts = append(texts, fmt.Sprintf("and %d smaller sizes", len(count)-len(texts)))
			return []words.Row{{Label: "piles", Text: strings.Join(texts, ", ")}}
		case count[size] == 1:
			texts = append(texts, strconv.FormatUint(size, 10))
		default:
			texts = append(texts, fmt.Sprintf("%d (%d times)", size, count[size]))
		}
	}
	return []words.Row{{Label: "piles", Text: strings.Join(texts, ", ")}}
}

func (w position) Move(notation string) string {
	before, after, _ := strings.Cut(notation, ">")
	had, err := strconv.ParseUint(before, 10, 64)
	has, errAfter := strconv.ParseUint(after, 10, 64)
	if err != nil || errAfter != nil || has >= had {
		return ""
	}
	return fmt.Sprintf("take %d from a pile of %d", had-has, had)
}

func (w position) Reading() string { return "Positions are the piles, largest first." }

// Leaves is the position after a move.
func (w position) Leaves(next []*zermelov1.Position) string { return words.Leaves(next, describe) }

func (w position) Over() string {
	if w.misere() {
		return "No stone is left: the other player took the last one, and loses."
	}
	return "No stone is left: the other player took the last one, and wins."
}

// Theorem is Bouton's. Piles of one stone at most are the exception that misère play makes.
func (w position) Theorem(t zermelov1.Theorem) (name, premises string) {
	if t != zermelov1.Theorem_THEOREM_BOUTON {
		return "", ""
	}
	name = "Bouton's theorem"
	piles := w.GetPiles()
	var sum nimSum
	for _, pile := range piles {
		sum.add(pile)
	}
	if w.misere() && sum.large == 0 {
		parity := "even"
		if sum.ones%2 == 1 {
			parity = "odd"
		}
		return name, fmt.Sprintf("no pile has more than one stone, and the number of those that have one is %d, %s", sum.ones, parity)
	}
	premises = "the nim-sum is "
	if len(piles) > 1 {
		premises += words.Listed(piles, " xor ") + " = "
	}
	premises += strconv.FormatUint(sum.xor, 10)
	if sum.xor != 0 {
		premises += ", not 0"
	}
	if w.misere() {
		premises += ", and there is a pile of more than one stone"
	}
	return name, premises
}
