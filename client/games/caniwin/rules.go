// Package caniwin is the room of Can I Win on the client's side. Its rules, in rules.go, are those by which proofs are
// checked; how it is typed and shown is in words.go.
package caniwin

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"

	"github.com/zermelo-games/zermelo/client/rules"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// mostIntegers is the largest n: a set of integers is the bits of a word.
const mostIntegers = 64

// game is Can I Win. A position is the set of the chosen integers, a move an integer.
type game struct {
	n     uint64
	total uint64
	root  integerSet
	known map[integerSet]rules.Known

	chosen integerSet // the current position
	sum    uint64     // of the chosen integers
}

// integerSet has the integer m when bit m-1 is set.
type integerSet uint64

func (s integerSet) with(m uint64) integerSet { return s | 1<<(m-1) }

// Rules are those of Can I Win, from a root position. The error says why that is not legal.
func Rules(p *zermelov1.Position) (rules.Game, error) {
	root := p.GetCanIWin()
	n := uint64(root.GetMaxChoosableInteger())
	if n < 1 || n > mostIntegers {
		return nil, fmt.Errorf("max_choosable_integer is %d, and not from 1 to %d", n, mostIntegers)
	}
	c := &game{n: n, total: uint64(root.GetDesiredTotal()), known: make(map[integerSet]rules.Known)}
	for _, integer := range root.GetChosen() {
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
	return rules.NewWinLoss[uint64](c), nil
}

// Read reads the chosen integers, ascending, joined by ",". Play can lead to any set that has those chosen before.
func (c *game) Read(text string) error {
	c.chosen, c.sum = 0, 0
	if text != "-" {
		for last := uint64(0); ; {
			m, rest, ok := rules.CutNumber(text)
			if !ok || m <= last {
				return rules.ErrNotation
			}
			if m > c.n {
				return fmt.Errorf("has %d, and the largest integer is %d", m, c.n)
			}
			c.chosen, c.sum, last = c.chosen.with(m), c.sum+m, m
			if rest == "" {
				break
			}
			if rest[0] != ',' {
				return rules.ErrNotation
			}
			text = rest[1:]
		}
	}
	if c.root&^c.chosen != 0 {
		return errors.New("lacks integers that were chosen before")
	}
	return nil
}

// Plays have a move for each integer.
func (c *game) Plays() (shortest, longest uint64) {
	moves := uint64(bits.OnesCount64(uint64(c.chosen &^ c.root)))
	return moves, moves
}

func (c *game) Ended() zermelov1.Outcome { return c.endedAt(c.chosen, c.sum) }

// endedAt: whoever brings the sum to the total wins, so that the player to move has lost. A total of 0 is reached
// before anyone has moved, and is won. With no integer left, nobody can reach it.
func (c *game) endedAt(chosen integerSet, sum uint64) zermelov1.Outcome {
	switch {
	case c.total == 0 && chosen == 0:
		return rules.Win
	case sum >= c.total:
		return rules.Loss
	case c.left(chosen) == 0:
		return rules.Draw
	default:
		return rules.Unknown
	}
}

// left are the integers that can be chosen.
func (c *game) left(chosen integerSet) integerSet { return ^chosen & (1<<c.n - 1) }

func (c *game) Found() rules.Known { return c.known[c.chosen] }

func (c *game) Record(k rules.Known) { c.known[c.chosen] = k }

// First is the smallest integer left, and next the next larger one.
func (c *game) First() uint64 { return uint64(bits.TrailingZeros64(uint64(c.left(c.chosen)))) + 1 }

func (c *game) Next(m uint64) (uint64, bool) {
	larger := uint64(c.left(c.chosen)) >> m << m
	return uint64(bits.TrailingZeros64(larger)) + 1, larger != 0
}

func (c *game) Move(text string) (uint64, error) {
	m, ok := rules.ParseNumber(text)
	if !ok {
		return 0, fmt.Errorf("%s %w", rules.Quote(text), rules.ErrNotation)
	}
	if m < 1 || m > c.n || c.chosen.with(m) == c.chosen {
		return 0, fmt.Errorf("%d is not an integer that is left", m)
	}
	return m, nil
}

func (c *game) After(m uint64) rules.Known {
	chosen := c.chosen.with(m)
	if outcome := c.endedAt(chosen, c.sum+m); outcome != rules.Unknown {
		return rules.KnownAs(outcome, 0)
	}
	return c.known[chosen]
}

func (c *game) Print(m uint64) string { return strconv.FormatUint(m, 10) }

func (c *game) Theorem() zermelov1.Theorem { return zermelov1.Theorem_THEOREM_OUT_OF_REACH }

func (c *game) Foretell() zermelov1.Outcome {
	if outOfReach(c.n, c.total) {
		return rules.Draw
	}
	return rules.Unknown
}

// ForetellAfter: what is out of reach stays so.
func (c *game) ForetellAfter(uint64) zermelov1.Outcome { return c.Foretell() }

// outOfReach says whether a total is above the sum of all integers from 1 to n, so that nobody can bring Can I Win to an
// end but by taking the last of them. n is at most 64.
func outOfReach(n, total uint64) bool { return n*(n+1)/2 < total }
