package show

import (
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zermelo-games/zermelo/client/games"
)

const (
	// outputBytes is how much text is held back at most, in whole lines.
	outputBytes = 32 << 10
	// outputPause is how long text is held back at most while there is more of it: what is slow to come is seen as it
	// comes, what is fast is written in large pieces.
	outputPause = 50 * time.Millisecond
)

// Output writes lines. It holds back little and never part of a line. After an error it writes nothing more.
type Output struct {
	// Style is how text looks.
	Style Style
	// Games are those that can be put in words.
	Games games.List
	// BeforeWrite is called before lines are written, for whoever has something else on the same terminal; nil for
	// nobody.
	BeforeWrite func()

	// pending writes the rows that a table holds back; nil while there is none that has begun.
	pending func()
	w       io.Writer
	held    []byte
	written time.Time
	err     error
}

// NewOutput makes an output to w.
func NewOutput(w io.Writer, style Style, list games.List) *Output {
	return &Output{w: w, Style: style, Games: list}
}

// Line writes a line of text, cut of spaces at its end.
func (o *Output) Line(parts ...string) {
	text := strings.Join(parts, "")
	o.raw([]byte(o.Style.glyphs(strings.TrimRight(text, " "))))
}

// Prompt writes text without ending the line, at once: something is to be typed behind it.
func (o *Output) Prompt(text string) {
	if o.err == nil {
		o.held = append(o.held, o.Style.glyphs(text)...)
		o.Flush()
	}
}

// raw writes a line as it is.
func (o *Output) raw(line []byte) {
	if o.err != nil {
		return
	}
	o.held = append(append(o.held, line...), '\n')
	if len(o.held) >= outputBytes || time.Since(o.written) >= outputPause {
		o.Flush()
	}
}

// Flush writes what is held back. It is to be called at the end, and when nothing more is at hand for the moment.
func (o *Output) Flush() {
	if o.pending != nil {
		o.pending()
	}
	if o.err != nil || len(o.held) == 0 {
		return
	}
	if o.BeforeWrite != nil {
		o.BeforeWrite()
	}
	_, o.err = o.w.Write(o.held)
	o.held = o.held[:0]
	o.written = time.Now()
}

// Quiet reports whether nothing was written for a while.
func (o *Output) Quiet(d time.Duration) bool { return time.Since(o.written) >= d }

// Err is the first error of writing.
func (o *Output) Err() error { return o.err }

// wrap writes a text in lines of the page's width, each with a margin.
func (o *Output) wrap(margin string, p paint, long string) {
	for _, line := range wrapped(long, o.Style.width()-width(margin)) {
		o.Line(margin, o.Style.paint(p, line))
	}
}

// Paragraph writes a text, wrapped.
func (o *Output) Paragraph(long string) { o.wrap("", plain, long) }

// heading writes a title and what belongs to it, painted already, on one line where it fits.
func (o *Output) heading(title, separator, rest string) {
	if width(title)+width(separator)+text.StringWidthWithoutEscSequences(rest) > o.Style.width() {
		o.wrap("", strong, title)
		o.Line(rest)
		return
	}
	o.Line(o.Style.Strong(title), separator, rest)
}
