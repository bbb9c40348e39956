package engine

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrNotation is the class of every error about a text that is not in a game's notation.
var ErrNotation = errors.New("not in the game's notation")

// NotationError says that text is not what was expected. It is an ErrNotation.
func NotationError(text, want string) error {
	const longest = 64 // what a person needs to recognise it
	if len(text) > longest {
		text = text[:longest] + "…"
	}
	return fmt.Errorf("%q: %w; want %s", text, ErrNotation, want)
}

// ParseNumber reads a decimal number from 0 to limit, as strconv.AppendUint writes it: digits only, no leading zero.
func ParseNumber(text string, limit uint64) (uint64, bool) {
	if text == "" || text[0] < '0' || text[0] > '9' || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil && n <= limit
}
