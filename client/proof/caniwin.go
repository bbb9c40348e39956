package proof

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// mostIntegers is the largest n: a set of integers is the bits of a word.
const mostIntegers = 64

// canIWin is Can I Win. A position is the set of the chosen integers, a move an integer.
type canIWin struct {
	n     uint64
	total uint64
	root  integerSet
	known table

	chosen integerSet // the current position
	sum    uint64     // of the chosen integers
}

// integerSet has the integer m when bit m-1 is set.
type integerSet uint64

func (s integerSet) with(m uint64) integerSet { return s | 1<<(m-1) }

func newCanIWin(asked *zermelov1.CanIWin) (game, error) {
	n := uint64(asked.GetMaxChoosableInteger())
	if n < 1 || n > mostIntegers {
		return nil, fmt.Errorf("max_choosable_integer is %d, and not from 1 to %d", n, mostIntegers)
	}
	c := &canIWin{n: n, total: uint64(asked.GetDesiredTotal()), known: newTable()}
	for _, integer := range asked.GetChosen() {
		m := uint64(integer)
		if m < 1 || m > n {
			return nil, fmt.Errorf("%d is chosen, and not from 1 to %d", m, n)
		}
		if c.root.with(m) == c.root {
			return nil, fmt.Errorf("%d is chosen twice", m)
		}
		c.root = c.root.with(m)
		c.sum += m
	}
	c.chosen = c.root
	return &winLoss[uint64]{rules: c}, nil
}

// read reads the chosen integers, ascending, joined by ",". Play can lead to any set that has those chosen before.
func (c *canIWin) read(text string) error {
	c.chosen, c.sum = 0, 0
	if text != "-" {
		for last := uint64(0); ; {
			m, rest, ok := cutNumber(text)
			if !ok || m <= last {
				return errNotation
			}
			if m > c.n {
				return fmt.Errorf("has %d, and the largest integer is %d", m, c.n)
			}
			c.chosen, c.sum, last = c.chosen.with(m), c.sum+m, m
			if rest == "" {
				break
			}
			if rest[0] != ',' {
				return errNotation
			}
			text = rest[1:]
		}
	}
	if c.root&^c.chosen != 0 {
		return errors.New("lacks integers that were chosen before")
	}
	return nil
}

// plays have a move for each integer.
func (c *canIWin) plays() (shortest, longest uint64) {
	moves := uint64(bits.OnesCount64(uint64(c.chosen &^ c.root)))
	return moves, moves
}

func (c *canIWin) ended() zermelov1.Outcome { return c.endedAt(c.chosen, c.sum) }

// endedAt: whoever brings the sum to the total wins, so that the player to move has lost. A total of 0 is reached
// before anyone has moved, and is won. With no integer left, nobody can reach it.
func (c *canIWin) endedAt(chosen integerSet, sum uint64) zermelov1.Outcome {
	switch {
	case c.total == 0 && chosen == 0:
		return win
	case sum >= c.total:
		return loss
	case c.left(chosen) == 0:
		return draw
	default:
		return unknown
	}
}

// left are the integers that can be chosen.
func (c *canIWin) left(chosen integerSet) integerSet { return ^chosen & (1<<c.n - 1) }

func (c *canIWin) found() worth { return c.known.find(uint64(c.chosen)) }

func (c *canIWin) record(w worth) { c.known.put(uint64(c.chosen), w) }

// first is the smallest integer left, and next the next larger one.
func (c *canIWin) first() uint64 { return uint64(bits.TrailingZeros64(uint64(c.left(c.chosen)))) + 1 }

func (c *canIWin) next(m uint64) (uint64, bool) {
	larger := uint64(c.left(c.chosen)) >> m << m
	return uint64(bits.TrailingZeros64(larger)) + 1, larger != 0
}

func (c *canIWin) move(text string) (uint64, error) {
	m, ok := parseNumber(text)
	if !ok {
		return 0, fmt.Errorf("%s %w", quote(text), errNotation)
	}
	if m < 1 || m > c.n || c.chosen.with(m) == c.chosen {
		return 0, fmt.Errorf("%d is not an integer that is left", m)
	}
	return m, nil
}

func (c *canIWin) after(m uint64) worth {
	chosen := c.chosen.with(m)
	if outcome := c.endedAt(chosen, c.sum+m); outcome != unknown {
		return worthOf(outcome, 0)
	}
	return c.known.find(uint64(chosen))
}

func (c *canIWin) print(m uint64) string { return strconv.FormatUint(m, 10) }

func (c *canIWin) theorem() zermelov1.Theorem { return zermelov1.Theorem_THEOREM_OUT_OF_REACH }

func (c *canIWin) foretell() zermelov1.Outcome {
	if outOfReach(c.n, c.total) {
		return draw
	}
	return unknown
}

// foretellAfter: what is out of reach stays so.
func (c *canIWin) foretellAfter(uint64) zermelov1.Outcome { return c.foretell() }
