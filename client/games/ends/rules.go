// Package ends is the room of the games in which both take from the ends of a row: Predict the Winner and Stone Game
// on the client's side. Its rules, in rules.go, are those by which proofs are checked; how it is typed and shown is in
// words.go.
package ends

import (
	"errors"
	"fmt"
	"math"

	"github.com/zermelo-games/zermelo/client/rules"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// mostScores is how many scores a row may have.
const mostScores = 1_000_000

// game is Predict the Winner and Stone Game. A position is a half-open range of the row.
type game struct {
	row   []int64
	lead  int64
	known map[span]margin

	current span // the current position
}

// span is a range of indices, half open.
type span struct {
	from, to uint32
}

// margin is the value of a position, and the number of the decision that proved it: 0 for an empty range, at which the
// game is over.
type margin struct {
	value, number int64
}

// PredictTheWinnerRules are those of Predict the Winner, from a root position. The error says why that is not legal.
func PredictTheWinnerRules(p *zermelov1.Position) (rules.Game, error) {
	root := p.GetPredictTheWinner()
	return newGame(root.GetScores(), root.GetLead())
}

// StoneGameRules are those of Stone Game.
func StoneGameRules(p *zermelov1.Position) (rules.Game, error) {
	root := p.GetStoneGame()
	for _, pile := range root.GetPiles() {
		if pile < 1 {
			return nil, errors.New("a pile is empty")
		}
	}
	return newGame(root.GetPiles(), root.GetLead())
}

func newGame[T int64 | uint64](scores []T, lead int64) (rules.Game, error) {
	if len(scores) > mostScores {
		return nil, fmt.Errorf("the row has %d entries, and at most %d are legal", len(scores), mostScores)
	}
	e := &game{
		row:     make([]int64, 0, len(scores)),
		lead:    lead,
		known:   make(map[span]margin),
		current: span{0, uint32(len(scores))},
	}
	// No margin is beyond the sum of all magnitudes, so that nothing overflows as long as that does not.
	sum := magnitude(lead)
	for _, score := range scores {
		if sum <= math.MaxInt64 && (score < 0 || uint64(score) <= math.MaxInt64) {
			sum += magnitude(int64(score))
		} else {
			sum = math.MaxUint64
		}
		e.row = append(e.row, int64(score))
	}
	if sum > math.MaxInt64 {
		return nil, errors.New("|lead| + the sum of the row's magnitudes exceeds 2^63-1")
	}
	return e, nil
}

// magnitude is |v|, also of -2^63.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// Read reads a range. Play can lead to every one.
func (e *game) Read(text string) error {
	from, to, ok := rules.ParsePair(text, "..")
	if !ok {
		return rules.ErrNotation
	}
	if from > to || to > uint64(len(e.row)) {
		return fmt.Errorf("is not a range of a row of %d", len(e.row))
	}
	e.current = span{uint32(from), uint32(to)}
	return nil
}

func (e *game) Over() bool { return e.current.from == e.current.to }

func (e *game) Proved() bool {
	_, found := e.known[e.current]
	return found
}

// Plays have a move for each score taken.
func (e *game) Plays() (shortest, longest uint64) {
	taken := uint64(len(e.row)) - uint64(e.current.to-e.current.from)
	return taken, taken
}

// after is the score that a move takes, and what is left.
func (e *game) after(move string) (score int64, left span, err error) {
	from, to := e.current.from, e.current.to
	switch move {
	case "L":
		return e.row[from], span{from + 1, to}, nil
	case "R":
		return e.row[to-1], span{from, to - 1}, nil
	default:
		return 0, span{}, fmt.Errorf("%s %w", rules.Quote(move), rules.ErrNotation)
	}
}

// find is the value of what is left, for the player who then moves.
func (e *game) find(left span) (m margin, found bool) {
	if left.from == left.to {
		return margin{}, true
	}
	m, found = e.known[left]
	return m, found
}

// Decide: the value of a move is its score less the value of the rest for the other player, and that of a position the
// larger one of its two moves.
func (e *game) Decide(event *zermelov1.Event, number int64) error {
	if event.Value == nil {
		return errors.New("it has no value")
	}
	var values [2]int64
	for i, move := range [...]string{"L", "R"} {
		score, left, _ := e.after(move)
		rest, found := e.find(left)
		if !found {
			return fmt.Errorf("its value rests on %d..%d, which is not proved", left.from, left.to)
		}
		values[i] = score - rest.value
	}
	best := max(values[0], values[1])
	if event.GetValue() != best {
		return fmt.Errorf("its value is %d, and not %d", best, event.GetValue())
	}
	if event.GetOutcome() != outcomeOf(best) {
		return fmt.Errorf("its outcome is %v, and not %v", outcomeOf(best), event.GetOutcome())
	}
	score, left, err := e.after(event.GetMove())
	if err != nil {
		return fmt.Errorf("its move %w", err)
	}
	rest, _ := e.find(left)
	if score-rest.value != best {
		return fmt.Errorf("its move %s has the value %d, less than the other", event.GetMove(), score-rest.value)
	}
	if err := rules.CheckBecause(event, rest.number); err != nil {
		return err
	}
	e.known[e.current] = margin{best, number}
	return nil
}

// outcomeOf is the outcome of a margin.
func outcomeOf(margin int64) zermelov1.Outcome {
	switch {
	case margin > 0:
		return rules.Win
	case margin < 0:
		return rules.Loss
	default:
		return rules.Draw
	}
}

func (e *game) Apply(*zermelov1.Event) error { return rules.ErrNoTheorem }

func (e *game) Conclude() rules.Result {
	proved, _ := e.find(e.current)
	total := e.lead + proved.value
	return rules.Result{Outcome: outcomeOf(total), Value: &proved.value, Margin: &total}
}

func (e *game) Keeps(move string) (kept, known bool, err error) {
	score, left, err := e.after(move)
	if err != nil {
		return false, false, err
	}
	proved, _ := e.find(e.current)
	rest, known := e.find(left)
	return score-rest.value == proved.value, known, nil
}
