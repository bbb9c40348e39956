package games

import (
	"fmt"
	"io"
	"math/big"
	"strconv"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func predictTheWinner() Game {
	return Game{
		Command: "predict-the-winner",
		Field:   "predict_the_winner",
		Title:   "Predict the Winner",
		example: "1 5 233 7",
		fields:  map[string]string{"scores": "scores", "lead": "--lead"},
		command: func() any { return new(predictTheWinnerCommand) },
		words: func(p *zermelov1.Position) Words {
			game := p.GetPredictTheWinner()
			return endsWords[int64]{
				title: "Predict the Winner", command: "predict-the-winner", row: game.GetScores(), lead: game.GetLead(),
				drawn: `LeetCode 486 counts a draw for the player to move: its answer is true.`,
			}
		},
	}
}

func stoneGame() Game {
	return Game{
		Command: "stone-game",
		Field:   "stone_game",
		Title:   "Stone Game",
		example: "5 3 4 5",
		fields:  map[string]string{"piles": "piles", "lead": "--lead"},
		command: func() any { return new(stoneGameCommand) },
		words: func(p *zermelov1.Position) Words {
			game := p.GetStoneGame()
			return endsWords[uint64]{
				title: "Stone Game", command: "stone-game", row: game.GetPiles(), lead: game.GetLead(),
			}
		},
	}
}

type predictTheWinnerCommand struct {
	PredictTheWinner predictTheWinnerArguments `cmd:"" name:"predict-the-winner" help:"Predict the Winner: scores from either end (LeetCode 486)."`
}

// predictTheWinnerArguments are "--lead 3 1 5 233 7".
type predictTheWinnerArguments struct {
	Lead   string   `name:"lead" default:"0" placeholder:"N" help:"Points by which the player to move is ahead already; negative when behind. Default: 0."`
	Scores []string `arg:"" optional:"" name:"score" help:"The row from left to right: 1 5 233 7, or 1,5,233,7; negative ones as they are, -3 5 -7 2; - for an empty row."`
}

// Help is shown below the usage.
func (*predictTheWinnerArguments) Help() string {
	return `Two players in turn take the score at either end of a row; the higher sum wins.

    zermelo solve predict-the-winner 1 5 233 7
    zermelo solve predict-the-winner --lead -4 -3 5 -7 2`
}

// Position is that of Arguments.
func (a *predictTheWinnerArguments) Position(io.Reader) (*zermelov1.Position, error) {
	elements, err := row(a.Scores, "the scores", predictTheWinner().Example())
	if err != nil {
		return nil, err
	}
	game := &zermelov1.PredictTheWinner{}
	for i, element := range elements {
		score, err := integer(fmt.Sprintf("score %d", i+1), element)
		if err != nil {
			return nil, err
		}
		game.Scores = append(game.Scores, score)
	}
	if game.Lead, err = integer("--lead", a.Lead); err != nil {
		return nil, err
	}
	return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{PredictTheWinner: game}}, nil
}

// Tell is that of Arguments.
func (*predictTheWinnerArguments) Tell(path, description string) string {
	return predictTheWinner().Tell(path, description)
}

type stoneGameCommand struct {
	StoneGame stoneGameArguments `cmd:"" name:"stone-game" help:"Stone Game: piles from either end (LeetCode 877)."`
}

// stoneGameArguments are "--lead 3 5 3 4 5".
type stoneGameArguments struct {
	Lead  string   `name:"lead" default:"0" placeholder:"N" help:"Stones by which the player to move is ahead already; negative when behind. Default: 0."`
	Piles []string `arg:"" optional:"" name:"pile" help:"Stones in each pile from left to right: 5 3 4 5, or 5,3,4,5; - for an empty row."`
}

// Help is shown below the usage.
func (*stoneGameArguments) Help() string {
	return `Two players in turn take the pile at either end of a row; who has more stones wins. Any number of piles will ` +
		`do, not only an even one as in LeetCode's game.

    zermelo solve stone-game 5 3 4 5`
}

// Position is that of Arguments.
func (a *stoneGameArguments) Position(io.Reader) (*zermelov1.Position, error) {
	elements, err := row(a.Piles, "the piles", stoneGame().Example())
	if err != nil {
		return nil, err
	}
	game := &zermelov1.StoneGame{}
	if game.Piles, err = naturals(elements, "pile"); err != nil {
		return nil, err
	}
	if game.Lead, err = integer("--lead", a.Lead); err != nil {
		return nil, err
	}
	return &zermelov1.Position{Game: &zermelov1.Position_StoneGame{StoneGame: game}}, nil
}

// Tell is that of Arguments.
func (*stoneGameArguments) Tell(path, description string) string {
	return stoneGame().Tell(path, description)
}

// endsWords are those of both games.
type endsWords[T int64 | uint64] struct {
	title, command string
	row            []T
	lead           int64
	drawn          string // what there is to remark on a draw
}

func (w endsWords[T]) Title() string {
	title := w.title + " " + w.Short()
	if len(w.row) == 0 {
		title = w.title + ", empty row"
	}
	if w.lead != 0 {
		title += ", " + ahead(w.lead)
	}
	return title
}

func (w endsWords[T]) Short() string {
	if len(w.row) == 0 {
		return "nothing"
	}
	return listed(w.row, " ")
}

// Rules is that of Words.
func (w endsWords[T]) Rules() string {
	rules := "Take the number at the left or at the right end of the row. Who has the higher sum in the end wins"
	if w.lead != 0 {
		rules += ", what a player is ahead by counted"
	}
	return rules + "."
}

// Board has the row between its ends. What is in the middle of a long one cannot be taken yet.
func (w endsWords[T]) Board() []Row {
	const shown = 60
	switch {
	case len(w.row) == 0:
		return []Row{{"", "the row is empty"}}
	case len(w.row) <= shown:
		return []Row{{"", "L [ " + spelled(w.row, " ") + " ] R"}}
	default:
		return []Row{{"", fmt.Sprintf("L [ %s ... %d more ... %s ] R", spelled(w.row[:shown/2], " "), len(w.row)-shown,
			spelled(w.row[len(w.row)-shown/2:], " "))}}
	}
}

func (w endsWords[T]) Move(notation string) string {
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

func (w endsWords[T]) Reading() string {
	reading := "Positions are what is left of the row, counted from 0, up to but without the last number"
	if len(w.row) < 3 {
		return reading + "."
	}
	return fmt.Sprintf("%s: 1..3 is %d %d.", reading, w.row[1], w.row[2])
}

func (w endsWords[T]) Leaves(next []*zermelov1.Position) string { return leaves(next) }

// Result tells who gets how much. What the player to move gets from here on is half of the sum and the margin, which
// together can exceed 64 bits.
func (w endsWords[T]) Result(s *zermelov1.Solution) string {
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
		return fmt.Sprintf("%s from here on; having been %s, the player to move ends %s.", result, ahead(w.lead),
			ahead(s.GetMargin()))
	}
	return result + "."
}

func bigOf[T int64 | uint64](n T) *big.Int {
	if n < 0 {
		return big.NewInt(int64(n))
	}
	return new(big.Int).SetUint64(uint64(n))
}

func (w endsWords[T]) Over() string {
	if w.lead == 0 {
		return "The row is empty, and nobody is ahead."
	}
	return "The row is empty, and the player to move is " + ahead(w.lead) + "."
}

func (w endsWords[T]) Remark(s *zermelov1.Solution) string {
	if s.GetOutcome() == zermelov1.Outcome_OUTCOME_DRAW {
		return w.drawn
	}
	return ""
}

// Theorem is "": none is known.
func (w endsWords[T]) Theorem(zermelov1.Theorem) (name, premises string) { return "", "" }

// Play has the running score. What a player was ahead by counts as scored.
func (w endsWords[T]) Play(moves []string) []Turn {
	row := w.row
	mine, theirs := big.NewInt(max(w.lead, 0)), new(big.Int).Neg(big.NewInt(min(w.lead, 0)))
	turns := make([]Turn, 0, len(moves))
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
		turns = append(turns, Turn{
			Takes:  fmt.Sprintf("%s %d", move, taken),
			Leaves: endsWords[T]{row: row}.Short(),
			Last:   len(row) == 0,
			Mine:   mine.String(),
			Theirs: theirs.String(),
		})
	}
	return turns
}

func (w endsWords[T]) Arguments() string {
	text := w.command
	if w.lead != 0 {
		text += " --lead " + strconv.FormatInt(w.lead, 10)
	}
	return text + " " + spelled(w.row, " ")
}
