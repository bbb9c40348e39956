package ends

import (
	"fmt"
	"math/big"

	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// PredictTheWinnerWords is how Predict the Winner is typed and shown.
func PredictTheWinnerWords() words.Game {
	return words.Game{
		Field:    "predict_the_winner",
		Title:    "Predict the Winner",
		Summary:  "Predict the Winner: scores from either end (LeetCode 486).",
		Help:     "Two players in turn take the score at either end of a row; the higher sum wins.",
		Examples: []string{"1 5 233 7", "--lead -4 -3 5 -7 2"},
		Fields: []words.Field{
			lead("Points"),
			{
				Name: "scores", Argument: true, Element: "score", Placeholder: "SCORE",
				Help: "The row from left to right: 1 5 233 7, or 1,5,233,7; negative ones as they are, -3 5 -7 2; - for an empty row.",
			},
		},
		Describe: predictTheWinner,
	}
}

func predictTheWinner(p *zermelov1.Position) words.Position {
	game := p.GetPredictTheWinner()
	return position[int64]{
		title: "Predict the Winner", row: game.GetScores(), lead: game.GetLead(), of: predictTheWinner,
		drawn: "LeetCode 486 counts a draw for the player to move: its answer is true.",
	}
}

// StoneGameWords is how Stone Game is typed and shown.
func StoneGameWords() words.Game {
	return words.Game{
		Field:   "stone_game",
		Title:   "Stone Game",
		Summary: "Stone Game: piles from either end (LeetCode 877).",
		Help: "Two players in turn take the pile at either end of a row; who has more stones wins. Any number of piles will " +
			"do, not only an even one as in LeetCode's game.",
		Examples: []string{"5 3 4 5"},
		Fields: []words.Field{
			lead("Stones"),
			{
				Name: "piles", Argument: true, Element: "pile", Placeholder: "PILE",
				Help: "Stones in each pile from left to right: 5 3 4 5, or 5,3,4,5; - for an empty row.",
			},
		},
		Describe: stoneGame,
	}
}

func stoneGame(p *zermelov1.Position) words.Position {
	game := p.GetStoneGame()
	return position[uint64]{title: "Stone Game", row: game.GetPiles(), lead: game.GetLead(), of: stoneGame}
}

// lead is what both games have besides the row.
func lead(points string) words.Field {
	return words.Field{
		Name: "lead", Flag: "lead", Placeholder: "N", Default: "0",
		Help: points + " by which the player to move is ahead already; negative when behind.",
	}
}

// position is a position of one of the games in words.
type position[T int64 | uint64] struct {
	words.Plain
	title string
	row   []T
	lead  int64
	drawn string                                   // what there is to remark on a draw
	of    func(*zermelov1.Position) words.Position // puts another position of the game in words
}

func (w position[T]) Title() string {
	title := w.title + " " + w.Short()
	if len(w.row) == 0 {
		title = w.title + ", empty row"
	}
	if w.lead != 0 {
		title += ", " + words.Ahead(w.lead)
	}
	return title
}

func (w position[T]) Short() string {
	if len(w.row) == 0 {
		return "nothing"
	}
	return words.Listed(w.row, " ")
}

// Rules says what a move is and who wins.
func (w position[T]) Rules() string {
	rules := "Take the number at the left or at the right end of the row. Who has the higher sum in the end wins"
	if w.lead != 0 {
		rules += ", what a player is ahead by counted"
	}
	return rules + "."
}

// Board has the row between its ends, and who is ahead. What is in the middle of a long row cannot be taken yet.
func (w position[T]) Board() []words.Row {
	const shown = 60
	if len(w.row) == 0 {
		return []words.Row{{Text: "the row is empty"}}
	}
	row := words.Spelled(w.row, " ")
	if len(w.row) > shown {
		row = fmt.Sprintf("%s ... %d more ... %s", words.Spelled(w.row[:shown/2], " "), len(w.row)-shown,
			words.Spelled(w.row[len(w.row)-shown/2:], " "))
	}
	rows := []words.Row{{Text: "L [ " + row + " ] R"}}
	if w.lead != 0 {
		rows = append(rows, words.Row{Text: "you are " + words.Ahead(w.lead)})
	}
	return rows
}

func (w position[T]) Move(notation string) string {
	switch {
	case len(w.row) == 0:
		return ""
	case notation == "L":
		return fmt.Sprintf("take %d from the left", w.row[0])
	case notation == "R":
		return fmt.Sprintf("take %d from the right", w.row[len(w.row)-1])
	default:
		return ""
	}
}

func (w position[T]) Reading() string {
	reading := "Positions are what is left of the row, counted from 0, up to but without the last number"
	if len(w.row) < 3 {
		return reading + "."
	}
	return fmt.Sprintf("%s: 1..3 is %d %d.", reading, w.row[1], w.row[2])
}

// Leaves is the row after a move.
func (w position[T]) Leaves(next []*zermelov1.Position) string { return words.Leaves(next, w.of) }

// Result tells who gets how much. What the player to move gets from here on is half of the sum and the margin, which
// together can exceed 64 bits.
func (w position[T]) Result(s *zermelov1.Solution) string {
	if len(w.row) == 0 {
		return ""
	}
	sum := new(big.Int)
	for _, score := range w.row {
		sum.Add(sum, bigOf(score))
	}
	margin := new(big.Int).Sub(big.NewInt(s.GetMargin()), big.NewInt(w.lead))
	mine := new(big.Int).Add(sum, margin)
	mine.Rsh(mine, 1)
	others := sum.Sub(sum, mine)
	result := fmt.Sprintf("The player to move gets %d, the other %d", mine, others)
	if w.lead != 0 {
		return fmt.Sprintf("%s from here on; having been %s, the player to move ends %s.", result, words.Ahead(w.lead),
			words.Ahead(s.GetMargin()))
	}
	return result + "."
}

func bigOf[T int64 | uint64](n T) *big.Int {
	if n < 0 {
		return big.NewInt(int64(n))
	}
	return new(big.Int).SetUint64(uint64(n))
}

func (w position[T]) Over() string {
	if w.lead == 0 {
		return "The row is empty, and nobody is ahead."
	}
	return "The row is empty, and the player to move is " + words.Ahead(w.lead) + "."
}

func (w position[T]) Remark(s *zermelov1.Solution) string {
	if s.GetOutcome() == zermelov1.Outcome_OUTCOME_DRAW {
		return w.drawn
	}
	return ""
}

// Play has the running score. What a player was ahead by counts as scored.
func (w position[T]) Play(moves []string) []words.Turn {
	row := w.row
	mine, theirs := big.NewInt(max(w.lead, 0)), new(big.Int).Neg(big.NewInt(min(w.lead, 0)))
	turns := make([]words.Turn, 0, len(moves))
	for i, move := range moves {
		if len(row) == 0 {
			return nil
		}
		var taken T
		switch move {
		case "L":
			taken, row = row[0], row[1:]
		case "R":
			taken, row = row[len(row)-1], row[:len(row)-1]
		default:
			return nil
		}
		scorer := mine
		if i%2 == 1 {
			scorer = theirs
		}
		scorer.Add(scorer, bigOf(taken))
		turns = append(turns, words.Turn{
			Takes:  fmt.Sprintf("%s %d", move, taken),
			Leaves: position[T]{row: row}.Short(),
			Last:   len(row) == 0,
			Mine:   mine.String(),
			Theirs: theirs.String(),
		})
	}
	return turns
}
