package client

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrNoGame is returned for an asked position that is nil, has no game set, or one that this version does not know.
var ErrNoGame = errors.New("client: the asked position has no game that is known here")

// NotationError says that a text is not what the service writes for a position or a move of the game asked about.
type NotationError struct {
	// Game is the name of the game's field in a position: "nim".
	Game string
	// Kind is what the text was to be: "position" or "move".
	Kind string
	// Text is the text.
	Text string
	// Problem is what is wrong with it.
	Problem string
}

// quotedMost is how many bytes of a text an error shows; a position of Nim can have a million.
const quotedMost = 80

// Error quotes the text, cut where it is long, and says what is wrong with it.
func (e *NotationError) Error() string {
	text, cut := e.Text, ""
	if len(text) > quotedMost {
		text, cut = text[:quotedMost], "…"
	}
	return fmt.Sprintf("client: %s %s %q%s: %s", e.Game, e.Kind, text, cut, e.Problem)
}

// parseNumber reads a number as the service writes it: decimal digits, no sign, no leading zeros, from least to most.
func parseNumber(text string, least, most uint64) (uint64, error) {
	if text == "" {
		return 0, errors.New("a number is missing")
	}
	number, err := strconv.ParseUint(text, 10, 64)
	// A zero more in front, and the same position would have two names.
	if errors.Is(err, strconv.ErrSyntax) || (text[0] == '0' && text != "0") {
		return 0, fmt.Errorf("%.20q is not a number", text)
	}
	if err != nil || number < least || number > most {
		return 0, fmt.Errorf("%.20s is not from %d to %d", text, least, most)
	}
	return number, nil
}

// parseRange reads two numbers joined by "..", least ≤ first ≤ second ≤ most.
func parseRange(text string, least, most uint64) (first, second uint64, err error) {
	left, right, found := strings.Cut(text, "..")
	if !found {
		return 0, 0, errors.New(`there is no ".." between two numbers`)
	}
	if first, err = parseNumber(left, least, most); err != nil {
		return 0, 0, err
	}
	if second, err = parseNumber(right, least, most); err != nil {
		return 0, 0, err
	}
	if first > second {
		return 0, 0, errors.New("the range runs backwards")
	}
	return first, second, nil
}
