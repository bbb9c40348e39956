package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	"github.com/zermelo-games/zermelo/client/games"
)

func TestCounter(t *testing.T) {
	var stderr, stdout bytes.Buffer
	text := func() string { return "12 events, 3 s" }

	nobody := newCounter(&stderr, &stdout, show.NewOutput(&stdout, show.Style{}, games.All()))
	nobody.painted = time.Time{}
	nobody.show(text)
	if stderr.Len() > 0 {
		t.Errorf("without a terminal the counter writes %q", stderr.String())
	}

	c := &counter{w: &stderr}
	c.show(text)
	c.show(text) // too soon
	c.clear()
	c.clear() // nothing to clear
	if got, want := stderr.String(), "\r\x1b[K12 events, 3 s\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// On one terminal the lines of the output are written where the counter was.
func TestCounterMakesRoom(t *testing.T) {
	var terminal bytes.Buffer
	out := show.NewOutput(&terminal, show.Style{}, games.All())
	c := &counter{w: &terminal, output: out}
	out.BeforeWrite = c.clear
	out.Line("one")
	out.Flush()
	if got := terminal.String(); got != "one\n" {
		t.Errorf("got %q", got)
	}
	time.Sleep(counterPause)
	c.show(func() string { return "counter" })
	out.Line("two")
	out.Flush()
	if got, want := terminal.String(), "one\n\r\x1b[Kcounter\r\x1b[Ktwo\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
