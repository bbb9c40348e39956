// Package show lays answers of the service out: as text for people, in tables and trees, and as JSON for programs. It
// takes messages of the contract and a writer; it knows nothing of calls, flags and terminals.
package show

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// Style is how text looks.
type Style struct {
	// Color paints with the escape sequences of terminals. Only the eight basic colours are used, which people have set
	// up to be legible on their background, and nothing is said by colour alone.
	Color bool
	// ASCII leaves out everything beyond ASCII.
	ASCII bool
	// Width is the number of columns; 0 stands for 80.
	Width int
}

const defaultWidth = 80

func (s Style) width() int {
	if s.Width <= 0 {
		return defaultWidth
	}
	return s.Width
}

// paint is what a text is painted for.
type paint uint8

const (
	plain  paint = iota
	good         // a win
	bad          // a loss, an error
	even         // a draw
	strong       // what a page is about
	faint        // what is there when it is looked for
)

// The sequences are written out, because those of the library obey the environment of the process, not --color.
var escapes = [...]string{plain: "", good: "\x1b[1;32m", bad: "\x1b[1;31m", even: "\x1b[1;33m", strong: "\x1b[1m", faint: "\x1b[2m"}

func (s Style) paint(p paint, plainly string) string {
	if !s.Color || p == plain || plainly == "" {
		return plainly
	}
	return text.Escape(plainly, escapes[p])
}

// ascii has a character of ASCII for each that is not. The replacements are as wide, so that nothing has to be laid out
// anew.
var ascii = strings.NewReplacer("─", "-", "│", "|", "├", "|", "└", "`", "·", "-", "è", "e", "µ", "u", "×", "x")

// glyphs writes text with the characters that the style has.
func (s Style) glyphs(written string) string {
	if s.ASCII {
		return ascii.Replace(written)
	}
	return written
}

// Strong paints a heading.
func (s Style) Strong(title string) string { return s.paint(strong, title) }

// Faint paints what matters less.
func (s Style) Faint(remark string) string { return s.paint(faint, remark) }

// wrapped cuts a text into lines of a width, at spaces.
func wrapped(long string, most int) []string {
	lines := strings.Split(text.WrapSoft(long, max(most, 1)), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// Cut shortens a text that may be of any length, such as a position, to what fits half a line.
func Cut(long string) string { return text.Snip(long, defaultWidth/2, "...") }
