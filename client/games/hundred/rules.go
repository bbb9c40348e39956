// Package hundred is the room of the 100 game on the client's side. Its rules, in rules.go, are those by which proofs
// are checked; how it is typed and shown is in words.go.
package hundred

import (
	"fmt"
	"math"
	"strconv"

	"github.com/zermelo-games/zermelo/client/rules"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// game is the 100 game. A position is the total so far, a move an integer. All numbers are below 2^63, so that two
// can be added.
type game struct {
	n     uint64
	total uint64 // the desired one
	root  uint64
	known map[uint64]rules.Known

	current uint64 // the current position
}

// Rules are those of the 100 game, from a root position. The error says why that is not legal.
func Rules(p *zermelov1.Position) (rules.Game, error) {
	root := p.GetHundredGame()
	h := &game{
		n:       root.GetMaxChoosableInteger(),
		total:   root.GetDesiredTotal(),
		current: root.GetCurrentTotal(),
		known:   make(map[uint64]rules.Known),
	}
	switch {
	case h.n < 1 || h.n > math.MaxInt64:
		return nil, fmt.Errorf("max_choosable_integer is %d, and not from 1 to 2^63-1", h.n)
	case h.total < 1 || h.total > math.MaxInt64:
		return nil, fmt.Errorf("desired_total is %d, and not from 1 to 2^63-1", h.total)
	case h.current > math.MaxInt64:
		return nil, fmt.Errorf("current_total is %d, and not below 2^63", h.current)
	}
	h.current = min(h.current, h.total)
	h.root = h.current
	return rules.NewWinLoss[uint64](h), nil
}

// Read reads a total. Play can lead to any from the root total to the desired one, which stands for all above it.
func (h *game) Read(text string) error {
	current, ok := rules.ParseNumber(text)
	if !ok {
		return rules.ErrNotation
	}
	if current < h.root || current > h.total {
		return fmt.Errorf("is not from %d to %d", h.root, h.total)
	}
	h.current = current
	return nil
}

// Plays are shortest when n is called again and again, and longest when 1 is.
func (h *game) Plays() (shortest, longest uint64) {
	longest = h.current - h.root
	shortest = longest / h.n
	if longest%h.n > 0 {
		shortest++
	}
	return shortest, longest
}

func (h *game) Ended() zermelov1.Outcome { return h.endedAt(h.current) }

// endedAt: whoever brings the total to the desired one wins, so that the player to move has lost.
func (h *game) endedAt(current uint64) zermelov1.Outcome {
	if current >= h.total {
		return rules.Loss
	}
	return rules.Unknown
}

func (h *game) Found() rules.Known { return h.known[h.current] }

func (h *game) Record(k rules.Known) { h.known[h.current] = k }

func (h *game) First() uint64 { return 1 }

// Next leaves out the integers above the first that reaches the desired total: they lead to the same position.
func (h *game) Next(m uint64) (uint64, bool) { return m + 1, m < h.n && h.current+m < h.total }

func (h *game) Move(text string) (uint64, error) {
	m, ok := rules.ParseNumber(text)
	if !ok {
		return 0, fmt.Errorf("%s %w", rules.Quote(text), rules.ErrNotation)
	}
	if m < 1 || m > h.n {
		return 0, fmt.Errorf("%d is not from 1 to %d", m, h.n)
	}
	return m, nil
}

func (h *game) After(m uint64) rules.Known {
	current := min(h.current+m, h.total)
	if outcome := h.endedAt(current); outcome != rules.Unknown {
		return rules.KnownAs(outcome, 0)
	}
	return h.known[current]
}

func (h *game) Print(m uint64) string { return strconv.FormatUint(m, 10) }

func (h *game) Theorem() zermelov1.Theorem { return zermelov1.Theorem_THEOREM_MODULO }

func (h *game) Foretell() zermelov1.Outcome {
	return rules.WinUnless(moduloLost(h.total-h.current, h.n))
}

func (h *game) ForetellAfter(m uint64) zermelov1.Outcome {
	return rules.WinUnless(moduloLost(h.total-min(h.current+m, h.total), h.n))
}

// moduloLost says whether the 100 game, with integers from 1 to n, is lost when missing is still missing. It is exactly
// when missing is a multiple of n+1: then m is answered with n+1-m, down to 0, which is lost; otherwise one move makes
// it a multiple. A move beyond the total leaves 0 missing. n is below 2^64-1.
func moduloLost(missing, n uint64) bool { return missing%(n+1) == 0 }
