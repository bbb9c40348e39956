// Package show lays answers of the service out: as text for people, in tables and trees, and as JSON for programs. It
// takes messages of the contract and a writer; it knows nothing of calls, flags and terminals.
package show

import "strings"

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

var escapes = [...]string{plain: "", good: "\x1b[1;32m", bad: "\x1b[1;31m", even: "\x1b[1;33m", strong: "\x1b[1m", faint: "\x1b[2m"}

const escapeEnd = "\x1b[0m"

func (s Style) paint(p paint, text string) string {
	if !s.Color || p == plain || text == "" {
		return text
	}
	return escapes[p] + text + escapeEnd
}

// plainly has a character of ASCII for each that is not. The replacements are as wide, so that nothing has to be laid
// out anew.
var plainly = strings.NewReplacer(
	"─", "-", "│", "|", "├", "|", "└", "`", "·", "-", "è", "e", "µ", "u", "×", "x",
)

// glyphs writes text with the characters that the style has.
func (s Style) glyphs(text string) string {
	if s.ASCII {
		return plainly.Replace(text)
	}
	return text
}

// Strong paints a heading.
func (s Style) Strong(text string) string { return s.paint(strong, text) }

// Faint paints what matters less.
func (s Style) Faint(text string) string { return s.paint(faint, text) }
