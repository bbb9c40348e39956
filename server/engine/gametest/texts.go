package gametest

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/zermelo-games/zermelo/server/engine"
)

// longestError is how long an error about a text may be: it goes to whoever sent the text, in a status of few kilobytes.
const longestError = 500

// ReadPosition reads a text, which may be anything, and returns what is wrong with the answer: an error that is not an
// engine.ErrNotation or is too long, or a position that is written otherwise.
func ReadPosition[P, M any](n engine.Notation[P, M], text string) error {
	p, err := n.ParsePosition(text)
	if err != nil {
		return refusal(text, err)
	}
	if written := string(n.AppendPosition(nil, p)); written != text {
		return fmt.Errorf("%q is read as a position that is written %q", text, written)
	}
	return nil
}

// ReadMove reads a text, which may be anything, as a move at p, which is not over, and returns what is wrong with the
// answer: an error that is not an engine.ErrNotation or is too long, a move that is written otherwise, or one that is
// not the first legal move with this text.
func ReadMove[P, M any, K comparable](g engine.Game[P, M, K], p P, text string) error {
	read, err := g.ParseMove(p, text)
	if err != nil {
		return refusal(text, err)
	}
	if written := string(g.AppendMove(nil, read)); written != text {
		return fmt.Errorf("%q is read as a move that is written %q", text, written)
	}
	for m := range engine.Moves(g, p) {
		if string(g.AppendMove(nil, m)) == text {
			if any(m) != any(read) {
				return fmt.Errorf("%q is read as %+v, not as the first such move %+v", text, read, m)
			}
			return nil
		}
	}
	return fmt.Errorf("%q is read as a move, but none such is legal at %s", text, g.AppendPosition(nil, p))
}

// refusal returns what is wrong with an error about a text.
func refusal(text string, err error) error {
	switch {
	case !errors.Is(err, engine.ErrNotation):
		return fmt.Errorf("%q: the error %w is not an engine.ErrNotation", text, err)
	case len(err.Error()) > longestError:
		return fmt.Errorf("the error about a text of %d bytes has %d bytes", len(text), len(err.Error()))
	default:
		return nil
	}
}

// checkMutations reads texts that differ a little from those of p and its moves.
func (in *inspection[P, M, K]) checkMutations(p P, choices []choice[P, M]) {
	const movesTried = 5
	for text := range mutations(in.text(p)) {
		if err := ReadPosition(in.game, text); err != nil {
			in.faultf("%s: %v", in.text(p), err)
		}
	}
	for n, c := range choices {
		if n >= movesTried {
			break
		}
		for text := range mutations(c.text) {
			if err := ReadMove(in.game, p, text); err != nil {
				in.faultf("%s: %v", in.text(p), err)
			}
		}
	}
}

// mutations yields texts near a text, and some that are far from any notation.
func mutations(text string) iter.Seq[string] {
	const (
		alphabet = "01379-,.>< +xLRl\x00\n"
		longest  = 24 // of longer texts only the beginning is changed
	)
	return func(yield func(string) bool) {
		for _, t := range []string{
			"", "-", "+" + text, "0" + text, text + text, text + "-", text + ",", text + "..", text + ">0", "..", ">",
			"18446744073709551615", "18446744073709551616", "9223372036854775808", "٣", "½", "\xff", "0x1", "1e3", "-1",
			strings.Repeat("7", 1<<12), strings.Repeat("1-", 1<<12), strings.ToLower(text),
		} {
			if !yield(t) {
				return
			}
		}
		for i := 0; i <= min(len(text), longest); i++ {
			for _, r := range alphabet {
				if !yield(text[:i] + string(r) + text[i:]) {
					return
				}
				if i < len(text) && !yield(text[:i]+string(r)+text[i+1:]) {
					return
				}
			}
			if i < len(text) && !yield(text[:i]+text[i+1:]) {
				return
			}
		}
	}
}
