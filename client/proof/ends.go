package proof

import (
	"errors"
	"fmt"
	"math"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// mostScores is how many scores a row may have.
const mostScores = 1_000_000

// ends is Predict the Winner and Stone Game. A position is a half-open range of the row.
type ends struct {
	row   []int64
	lead  int64
	known map[span]margin

	current span // the current position
}

// span is a range of indices, half open.
type span struct {
	from, to uint32
}

// margin is what a position is worth, and the number of the decision that proved it: 0 for an empty range, at which the
// game is over.
type margin struct {
	value, number int64
}

func newPredictTheWinner(asked *zermelov1.PredictTheWinner) (game, error) {
	return newEnds(asked.GetScores(), asked.GetLead())
}

func newStoneGame(asked *zermelov1.StoneGame) (game, error) {
	for _, pile := range asked.GetPiles() {
		if pile < 1 {
			return nil, errors.New("a pile is empty")
		}
	}
	return newEnds(asked.GetPiles(), asked.GetLead())
}

func newEnds[T int64 | uint64](scores []T, lead int64) (game, error) {
	if len(scores) > mostScores {
		return nil, fmt.Errorf("the row has %d entries, and at most %d are legal", len(scores), mostScores)
	}
	e := &ends{
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

// read reads a range. Play can lead to every one.
func (e *ends) read(text string) error {
	from, to, ok := parsePair(text, "..")
	if !ok {
		return errNotation
	}
	if from > to || to > uint64(len(e.row)) {
		return fmt.Errorf("is not a range of a row of %d", len(e.row))
	}
	e.current = span{uint32(from), uint32(to)}
	return nil
}

func (e *ends) over() bool { return e.current.from == e.current.to }

func (e *ends) proved() bool {
	_, found := e.known[e.current]
	return found
}

// plays have a move for each score taken.
func (e *ends) plays() (shortest, longest uint64) {
	taken := uint64(len(e.row)) - uint64(e.current.to-e.current.from)
	return taken, taken
}

// after is the score that a move takes, and what is left.
func (e *ends) after(move string) (score int64, left span, err error) {
	from, to := e.current.from, e.current.to
	switch move {
	case "L":
		return e.row[from], span{from + 1, to}, nil
	case "R":
		return e.row[to-1], span{from, to - 1}, nil
	default:
		return 0, span{}, fmt.Errorf("%s %w", quote(move), errNotation)
	}
}

// find is what is left worth, to the player who then moves.
func (e *ends) find(left span) (m margin, found bool) {
	if left.from == left.to {
		return margin{}, true
	}
	m, found = e.known[left]
	return m, found
}

// decide: a move is worth its score less what the rest is worth to the other player, and a position as much as the
// better of its two moves.
func (e *ends) decide(event *zermelov1.Event, number int64) error {
	if event.Value == nil {
		return errors.New("it has no value")
	}
	var best int64
	var values [2]int64
	for i, move := range [...]string{"L", "R"} {
		score, left, _ := e.after(move)
		rest, found := e.find(left)
		if !found {
			return fmt.Errorf("its value rests on %d..%d, which is not proved", left.from, left.to)
		}
		values[i] = score - rest.value
	}
	best = max(values[0], values[1])
	if event.GetValue() != best {
		return fmt.Errorf("its value is %d, and not %d", best, event.GetValue())
	}
	if event.GetOutcome() != signOf(best) {
		return fmt.Errorf("its outcome is %v, and not %v", signOf(best), event.GetOutcome())
	}
	score, left, err := e.after(event.GetMove())
	if err != nil {
		return fmt.Errorf("its move %w", err)
	}
	rest, _ := e.find(left)
	if score-rest.value != best {
		return fmt.Errorf("its move %s is worth %d, less than the other", event.GetMove(), score-rest.value)
	}
	if err := checkBecause(event, rest.number); err != nil {
		return err
	}
	e.known[e.current] = margin{best, number}
	return nil
}

// signOf is the outcome of a margin.
func signOf(margin int64) zermelov1.Outcome {
	switch {
	case margin > 0:
		return win
	case margin < 0:
		return loss
	default:
		return draw
	}
}

func (e *ends) apply(*zermelov1.Event) error { return errNoTheorem }

var errNoTheorem = errors.New("there is no theorem about this game")

func (e *ends) conclude() *Verdict {
	proved, _ := e.find(e.current)
	total := e.lead + proved.value
	return &Verdict{Outcome: signOf(total), Value: &proved.value, Margin: &total, game: e}
}

func (e *ends) keeps(move string) (kept, known bool, err error) {
	score, left, err := e.after(move)
	if err != nil {
		return false, false, err
	}
	proved, _ := e.find(e.current)
	rest, known := e.find(left)
	return score-rest.value == proved.value, known, nil
}
