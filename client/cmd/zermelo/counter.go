package main

import (
	"io"
	"time"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
)

// counterPause is how often the counter is painted at most.
const counterPause = 200 * time.Millisecond

// counter is a line on standard error that says how far a stream is. Where the output goes to a terminal too, the counter
// is painted only while no output comes, and is cleared before the next line.
type counter struct {
	w       io.Writer    // nil: nobody looks
	output  *show.Output // nil when it goes elsewhere
	begun   time.Time
	painted time.Time
	visible bool
}

// newCounter makes a counter on stderr, which stays empty unless it is a terminal, for an output that goes to stdout.
func newCounter(stderr, stdout io.Writer, out *show.Output) *counter {
	c := &counter{begun: time.Now()}
	// A command that is over in a moment needs none.
	c.painted = c.begun.Add(counterPause)
	if isTerminal(stderr) {
		c.w = stderr
	}
	if isTerminal(stdout) {
		c.output = out
		out.BeforeWrite = c.clear
	}
	return c
}

// show paints what text returns, now and then.
func (c *counter) show(text func() string) {
	if c.w == nil || time.Since(c.painted) < counterPause || (c.output != nil && !c.output.Quiet(counterPause)) {
		return
	}
	c.paint(text())
}

// paint paints a text at once: one for which nothing else will come for a while.
func (c *counter) paint(text string) {
	if c.w == nil {
		return
	}
	c.painted = time.Now()
	c.visible = true
	_, _ = io.WriteString(c.w, "\r\x1b[K"+text) // without it nothing is lost
}

// clear takes it away.
func (c *counter) clear() {
	if c.visible {
		_, _ = io.WriteString(c.w, "\r\x1b[K")
		c.visible = false
	}
}

// elapsed is how long the stream runs already.
func (c *counter) elapsed() time.Duration { return time.Since(c.begun) }
