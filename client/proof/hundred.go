package proof

import (
	"fmt"
	"math"
	"strconv"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// hundred is the 100 game. A position is the total so far, a move an integer. All numbers are below 2^63, so that two
// can be added.
type hundred struct {
	n     uint64
	total uint64 // the desired one
	root  uint64
	known table

	current uint64 // the current position
}

func newHundred(asked *zermelov1.HundredGame) (game, error) {
	h := &hundred{
		n:       asked.GetMaxChoosableInteger(),
		total:   asked.GetDesiredTotal(),
		current: asked.GetCurrentTotal(),
		known:   newTable(),
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
	return &winLoss[uint64]{rules: h}, nil
}

// read reads a total. Play can lead to any from the asked to the desired one, which stands for all above it.
func (h *hundred) read(text string) error {
	current, ok := parseNumber(text)
	if !ok {
		return errNotation
	}
	if current < h.root || current > h.total {
		return fmt.Errorf("is not from %d to %d", h.root, h.total)
	}
	h.current = current
	return nil
}

// plays are shortest when n is called again and again, and longest when 1 is.
func (h *hundred) plays() (shortest, longest uint64) {
	longest = h.current - h.root
	shortest = longest / h.n
	if longest%h.n > 0 {
		shortest++
	}
	return shortest, longest
}

func (h *hundred) ended() zermelov1.Outcome { return h.endedAt(h.current) }

// endedAt: whoever brings the total to the desired one wins, so that the player to move has lost.
func (h *hundred) endedAt(current uint64) zermelov1.Outcome {
	if current >= h.total {
		return loss
	}
	return unknown
}

func (h *hundred) found() worth { return h.known.find(h.current) }

func (h *hundred) record(w worth) { h.known.put(h.current, w) }

func (h *hundred) first() uint64 { return 1 }

// next leaves out the integers above the first that reaches the desired total: they lead to the same position.
func (h *hundred) next(m uint64) (uint64, bool) { return m + 1, m < h.n && h.current+m < h.total }

func (h *hundred) move(text string) (uint64, error) {
	m, ok := parseNumber(text)
	if !ok {
		return 0, fmt.Errorf("%s %w", quote(text), errNotation)
	}
	if m < 1 || m > h.n {
		return 0, fmt.Errorf("%d is not from 1 to %d", m, h.n)
	}
	return m, nil
}

func (h *hundred) after(m uint64) worth {
	current := min(h.current+m, h.total)
	if outcome := h.endedAt(current); outcome != unknown {
		return worthOf(outcome, 0)
	}
	return h.known.find(current)
}

func (h *hundred) print(m uint64) string { return strconv.FormatUint(m, 10) }

func (h *hundred) theorem() zermelov1.Theorem { return zermelov1.Theorem_THEOREM_MODULO }

func (h *hundred) foretell() zermelov1.Outcome { return winUnless(moduloLost(h.total-h.current, h.n)) }

func (h *hundred) foretellAfter(m uint64) zermelov1.Outcome {
	return winUnless(moduloLost(h.total-min(h.current+m, h.total), h.n))
}
