// Package guess is the room of Guess Number on the client's side. Its rules, in rules.go, are those by which proofs
// are checked; how it is typed and shown is in words.go.
package guess

import (
	"errors"
	"fmt"

	"github.com/zermelo-games/zermelo/client/rules"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// mostHidden is the largest number that may be hidden.
const mostHidden = 1 << 31

// game is Guess Number Higher or Lower II. A position is a range of numbers, both ends included.
//
// A range is proved after all ranges that begin where it does and are shorter, because some guess leaves each of them,
// and after all shorter ones that end where it does. So the ranges that are proved with one beginning are the shortest
// of them, without a gap, and they need no map but a list. A map finds the list.
type game struct {
	root interval
	// above has, by the low end l, what is proved of l..l+1, l..l+2, l..l+3, …
	above map[uint32][]cost
	// below has, by the high end h, the same values for h-1..h, h-2..h, h-3..h, …
	below map[uint32][]int64

	current interval // the current position
}

// interval is a range of numbers, both ends included.
type interval struct {
	low, high uint32
}

// cost is the value of a position, and the number of the decision that proved it: 0 for a single number, at which the
// game is over.
type cost struct {
	value, number int64
}

// Rules are those of Guess Number, from a root position. The error says why that is not legal.
func Rules(p *zermelov1.Position) (rules.Game, error) {
	root := interval{p.GetGuessNumber().GetLow(), p.GetGuessNumber().GetHigh()}
	if root.low < 1 || root.low > root.high || root.high > mostHidden {
		return nil, fmt.Errorf("it hides a number in %d..%d, which is no range within 1..2^31", root.low, root.high)
	}
	return &game{root: root, current: root, above: make(map[uint32][]cost), below: make(map[uint32][]int64)}, nil
}

// Read reads a range. Guesses can lead to every one within that of the root position.
func (g *game) Read(text string) error {
	low, high, ok := rules.ParsePair(text, "..")
	if !ok {
		return rules.ErrNotation
	}
	if low > high || low < uint64(g.root.low) || high > uint64(g.root.high) {
		return fmt.Errorf("is not a range within %d..%d", g.root.low, g.root.high)
	}
	g.current = interval{uint32(low), uint32(high)}
	return nil
}

func (g *game) Over() bool { return g.current.low == g.current.high }

func (g *game) Proved() bool {
	_, found := g.find(g.current)
	return found
}

// Plays need a guess for each end that moved, and have at the most one for each number that was ruled out.
func (g *game) Plays() (shortest, longest uint64) {
	fromLow, fromHigh := uint64(g.current.low-g.root.low), uint64(g.root.high-g.current.high)
	return min(fromLow, 1) + min(fromHigh, 1), fromLow + fromHigh
}

// find is the value of a range, which is not empty.
func (g *game) find(i interval) (c cost, found bool) {
	if i.low == i.high {
		return cost{}, true
	}
	proved := g.above[i.low]
	if at := uint64(i.high-i.low) - 1; at < uint64(len(proved)) {
		return proved[at], true
	}
	return cost{}, false
}

// costlier is the costlier of the ranges that a wrong guess can leave, the lower one of two that cost the same.
func (g *game) costlier(number uint32) (worst cost, found bool) {
	found = true
	if number > g.current.low {
		worst, found = g.find(interval{g.current.low, number - 1})
	}
	if number < g.current.high {
		upper, upperFound := g.find(interval{number + 1, g.current.high})
		if found = found && upperFound; number == g.current.low || upper.value > worst.value {
			worst = upper
		}
	}
	return worst, found
}

// Decide: a wrong guess costs itself and what the costlier of the ranges left costs, and a position what its cheapest
// guess does.
func (g *game) Decide(event *zermelov1.Event, number int64) error {
	if event.Value == nil {
		return errors.New("it has no value")
	}
	if event.GetOutcome() != rules.Unknown {
		return errors.New("it has an outcome; this game has one player")
	}
	least, err := g.least()
	if err != nil {
		return err
	}
	if event.GetValue() != least {
		return fmt.Errorf("its value is %d, and not %d", least, event.GetValue())
	}
	move, err := g.move(event.GetMove())
	if err != nil {
		return fmt.Errorf("its move %w", err)
	}
	left, _ := g.costlier(move)
	if value := int64(move) + left.value; value != least {
		return fmt.Errorf("its guess %d costs %d, more than another", move, value)
	}
	if err := rules.CheckBecause(event, left.number); err != nil {
		return err
	}
	low, high := g.current.low, g.current.high
	g.above[low] = append(g.above[low], cost{least, number})
	g.below[high] = append(g.below[high], least)
	return nil
}

// least is the cost of the cheapest guess. The error names a range that a guess can leave and that is not proved.
func (g *game) least() (int64, error) {
	low, high := g.current.low, g.current.high
	// What is proved of the ranges from low, and of those to high: all that are shorter than this one, which is not.
	lower, upper := g.above[low], g.below[high]
	shorter := int(high-low) - 1
	if proved := uint32(len(lower)); len(lower) < shorter {
		return 0, fmt.Errorf("its value rests on %d..%d, which is not proved", low, low+proved+1)
	}
	if proved := uint32(len(upper)); len(upper) < shorter {
		return 0, fmt.Errorf("its value rests on %d..%d, which is not proved", high-proved-1, high)
	}
	if shorter == 0 {
		return int64(low), nil // of two numbers, the smaller is the cheaper guess; it leaves one
	}
	// The ends leave one range each. The guess next to an end leaves a single number on one side; that costs nothing.
	least := min(int64(low)+upper[shorter-1], int64(high)+lower[shorter-1].value)
	for at := range shorter {
		var left int64
		if at > 0 {
			left = lower[at-1].value
		}
		if at < shorter-1 {
			left = max(left, upper[shorter-2-at])
		}
		least = min(least, int64(low)+1+int64(at)+left)
	}
	return least, nil
}

func (g *game) move(text string) (uint32, error) {
	number, ok := rules.ParseNumber(text)
	if !ok {
		return 0, fmt.Errorf("%s %w", rules.Quote(text), rules.ErrNotation)
	}
	if number < uint64(g.current.low) || number > uint64(g.current.high) {
		return 0, fmt.Errorf("%d is not in the range", number)
	}
	return uint32(number), nil
}

func (g *game) Apply(*zermelov1.Event) error { return rules.ErrNoTheorem }

func (g *game) Conclude() rules.Result {
	proved, _ := g.find(g.current)
	return rules.Result{Value: &proved.value}
}

func (g *game) Keeps(text string) (kept, known bool, err error) {
	move, err := g.move(text)
	if err != nil {
		return false, false, err
	}
	proved, _ := g.find(g.current)
	left, known := g.costlier(move)
	return int64(move)+left.value == proved.value, known, nil
}
