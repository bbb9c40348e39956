package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/client/games"
)

// Matches as people play them: what they type, line by line.
func TestMatches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, line, typed string }{
		{"play-nim-won", "zermelo play nim --misere 2 1", "2>0"},
		{"play-nim-lost", "zermelo play nim --misere 7 5 3", "7>4\n4>2\n1>0\n2>0\n5>0\n1>0\n3>0\n2>1"},
		{"play-nim-second", "zermelo play nim --normal 2 2 --second", "2>1\n1>0\n"},
		{"play-nim-spoken", "zermelo play nim --misere 3 2", "help\nhint\n9>1\n\nmoves\nundo\n3>2\nundo\n3>1\nhint\ngive up"},
		{"play-nim-typing-ends", "zermelo play nim --misere 3 2", "3>2"},
		{"play-nim-over", "zermelo play nim --normal -", ""},
		{"play-nim-color", "zermelo play nim --misere 2 1 --color always", "2>0\n"},
		{"play-can-i-win", "zermelo play can-i-win --max 4 --total 6", "2\n1\n3\n4"},
		{"play-can-i-win-draw", "zermelo play can-i-win --max 3 --total 7", "hint\n1\n3"},
		{"play-can-i-win-large", "zermelo play can-i-win --max 26 --total 300", "3\nquit"},
		{"play-hundred-game", "zermelo play hundred-game --max 3 --total 10", "2\n4\n4\n1\n1\n3\n3\n"},
		{"play-predict-the-winner", "zermelo play predict-the-winner 1 5 233 7", "r\nL\n"},
		{"play-predict-the-winner-won", "zermelo play predict-the-winner 1 5 233 7", "hint\nL\nL\n"},
		{"play-stone-game-lead", "zermelo play stone-game --lead -3 5 3 4 5", "L\nR\n"},
		{"play-guess-number", "zermelo play guess-number --high 10", "hint\n7\n9\n"},
		{"play-nim-large", "zermelo play nim --normal 61 40 0", "61 > 60\nmoves\nmoves all\ngive up"},
		{"play-nim-many-piles", "zermelo play nim --misere" + strings.Repeat(" 1 12 300", 9), "300>12\nquit"},
		{"play-can-i-win-wide", "zermelo play can-i-win --max 64 --total 3000 --chosen 5,3", "64\nresign"},
		{"play-can-i-win-gave-up", "zermelo play can-i-win --max 5 --total 12", "moves\n5\nhint\ngive up"},
		{"play-can-i-win-undo", "zermelo play can-i-win --max 4 --total 6", "2\nundo\n"},
		{"play-can-i-win-lost-large", "zermelo play can-i-win --max 26 --total 300", "1\nhint\n2\n"},
		{"play-hundred-game-won", "zermelo play hundred-game --max 3 --total 10", "hint\n2\n3\nundo\nhint\n3\n3\n"},
		{"play-hundred-game-second", "zermelo play hundred-game --max 3 --total 6 --second", "1\n"},
		{"play-predict-the-winner-draw", "zermelo play predict-the-winner 2 3 2 1", "R\nL"},
		{"play-predict-the-winner-long", "zermelo play predict-the-winner -1" + numbers(100, 170), "undo\nL\nundo\n"},
		{"play-stone-game-won", "zermelo play stone-game 5 3 4 5 --second", "moves\nhint\nX\nL\nundo\nR\n"},
		{"play-stone-game-given-up", "zermelo play stone-game 1 9 2", "L\nundo\ngive up\n"},
		{"play-guess-number-undo", "zermelo play guess-number --low 3 --high 8", "3\nundo\nmoves\ngive up"},
		{"play-guess-number-found", "zermelo play guess-number --low 8 --high 8", ""},
		{"play-control-characters", "zermelo play nim --normal 2 1", "\x1b[A\x07\n" + strings.Repeat("x", 300) + "\n2>1\n"},
		{"play-nim-ascii", "zermelo play nim --misere 2 1 --ascii", "moves\n2>0\n"},
		{"play-guess-number-dear", "zermelo play guess-number --high 10", "5\n8\n6\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := invokeWith(t, nil, test.typed, fields(test.line)...)
			if got.code != exitOK || got.stderr != "" {
				t.Fatalf("%s: exit code %d, standard error:\n%s", test.line, got.code, got.stderr)
			}
			golden(t, test.name, got.stdout)
			for line := range strings.Lines(got.stdout) {
				if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 && !strings.Contains(line, "\x1b") {
					t.Errorf("%s: a line of %d characters: %q", test.line, n, line)
				}
			}
		})
	}
}

// numbers writes the numbers from first to last, each behind a space.
func numbers(first, last int) string {
	var b strings.Builder
	for n := first; n <= last; n++ {
		fmt.Fprintf(&b, " %d", n)
	}
	return b.String()
}

// A position of standard input would leave no way to type moves.
func TestMatchAtAPositionInJSON(t *testing.T) {
	t.Parallel()
	position := `{"nim":{"piles":[2,1],"convention":"PLAY_CONVENTION_MISERE"}}`
	want := invokeWith(t, nil, "2>0\n", fields("play nim --misere 2 1")...)
	if got := invokeWith(t, nil, "2>0\n", "play", "position", position); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got := invokeWith(t, nil, position+"\n2>0\n", "play", "position", "-")
	if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "moves are read from standard input") {
		t.Errorf("got %+v", got)
	}
}

// keyboard is what somebody types who waits for the prompt before each line, and does something else instead of the last.
type keyboard struct {
	bytes.Buffer          // what is shown
	lines        []string // what is typed
	last         func()   // what is done at the prompt after those
	w            *io.PipeWriter
}

func (k *keyboard) Write(p []byte) (int, error) {
	if bytes.HasSuffix(p, []byte(prompt)) {
		if len(k.lines) == 0 {
			k.last()
		} else {
			line := k.lines[0]
			k.lines = k.lines[1:]
			go func() { _, _ = io.WriteString(k.w, line+"\n") }()
		}
	}
	return k.Buffer.Write(p)
}

// playing runs a match with a person at the keyboard, until it ends.
func playing(t *testing.T, ctx context.Context, k *keyboard, line string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, guard)
	defer cancel()
	reader, writer := io.Pipe()
	k.w = writer
	var stderr bytes.Buffer
	code := run(ctx, games.All(), fields(line), reader, k, &stderr, func(string) string { return "" })
	_ = reader.Close() // who still types is told
	return result{k.String(), stderr.String(), code}
}

// --timeout limits each answer of a match, not how long a person thinks.
func TestThinkingIsNotTimed(t *testing.T) {
	t.Parallel()
	k := &keyboard{}
	k.last = func() {
		time.AfterFunc(1500*time.Millisecond, func() { _, _ = io.WriteString(k.w, "2>0\n") })
	}
	got := playing(t, t.Context(), k, "play nim --misere 2 1 --timeout 1s")
	if got.code != exitOK || got.stderr != "" || !strings.Contains(got.stdout, "You win.") {
		t.Errorf("%+v", got)
	}
}

// An answer of a match that does not come in time ends it.
func TestMatchTimeout(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, slow{})
	got := invoke(t, fields("play nim --misere 2 1 --timeout 200ms --addr "+address)...)
	if got.code != exitUnavailable || !strings.HasPrefix(got.stderr, "zermelo: no answer within 200ms\n") {
		t.Errorf("%+v", got)
	}
}

// An interrupt ends a match at the prompt, without waiting for a line, and leaves no line open.
func TestMatchInterrupted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		typed []string
		cause error
		code  int
		says  string
	}{
		{"at once", nil, interruption{os.Interrupt}, 130, "zermelo: interrupted\n"},
		{"later", []string{"9>1", "7>6"}, interruption{os.Interrupt}, 130, "zermelo: interrupted after 2 moves\n"},
		{"terminated", []string{"7>6"}, interruption{syscall.SIGTERM}, 143, "zermelo: interrupted after 2 moves\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			got := playing(t, ctx, &keyboard{lines: test.typed, last: func() { cancel(test.cause) }}, "play nim --misere 7 5 3")
			if got.code != test.code || got.stderr != test.says || !strings.HasSuffix(got.stdout, "\n"+prompt+"\n") {
				t.Errorf("exit code %d, standard error %q, standard output\n%s", got.code, got.stderr, got.stdout)
			}
		})
	}
}

// A server that goes away during a match.
func TestServerGoesAwayDuringAMatch(t *testing.T) {
	t.Parallel()
	address, stop := serve(t, nil)
	k := &keyboard{lines: []string{"7>4"}}
	k.last = func() {
		stop()
		go func() { _, _ = io.WriteString(k.w, "4>2\n") }()
	}
	got := playing(t, t.Context(), k, "play nim --misere 7 5 3 --connect-timeout 300ms --addr "+address)
	if got.code != exitUnavailable || got.stderr != "zermelo: the server at "+address+
		" went away and did not come back within 300ms after 2 moves\nA longer --connect-timeout may be enough.\n" {
		t.Errorf("exit code %d, standard error %s", got.code, got.stderr)
	}
	// What stands there last is what was typed: nothing of what would have come of it.
	if !strings.HasSuffix(got.stdout, "\n"+prompt+"4>2\n") {
		t.Errorf("standard output:\n%s", got.stdout)
	}
	got = invokeWith(t, nil, "7>4\n", fields("play nim --misere 7 5 3 --connect-timeout 300ms --addr "+address)...)
	if got.code != exitUnavailable || got.stdout != "" || !strings.HasPrefix(got.stderr, "zermelo: no server answers at "+address) {
		t.Errorf("%+v", got)
	}
}

// A match at a server elsewhere is the same.
func TestMatchElsewhere(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, nil)
	line, typed := "play can-i-win --max 5 --total 12", "3\n2\nhint\n5\n"
	here, there := invokeWith(t, nil, typed, fields(line)...), invokeWith(t, nil, typed, fields(line+" --addr "+address)...)
	if here != there || here.code != exitOK {
		t.Errorf("here %+v\nthere %+v", here, there)
	}
}

// Moves that cannot be read, and pages that cannot be written.
func TestMatchWithoutEnds(t *testing.T) {
	t.Parallel()
	got := invokeWith(t, nil, strings.Repeat("x", 1<<20), fields("play nim --misere 7 5 3")...)
	if got.code != exitFault || !strings.HasPrefix(got.stderr, "zermelo: reading moves from standard input: ") ||
		!strings.HasSuffix(got.stdout, prompt+"\n") {
		t.Errorf("a line without an end: %+v", got)
	}
	var stderr bytes.Buffer
	env := func(string) string { return "" }
	code := run(t.Context(), games.All(), fields("play nim --misere 7 5 3"), strings.NewReader("7>6\n"), full{}, &stderr, env)
	if code != exitFault || !strings.Contains(stderr.String(), "no space left on device") {
		t.Errorf("a full disk: exit code %d, %s", code, stderr.String())
	}
}

// A match takes colour and its absence from the same flags as all pages.
func TestMatchColors(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"play predict-the-winner 2 2", "analyze predict-the-winner 2 2"} {
		for flag, want := range map[string]bool{"auto": false, "always": true, "never": false} {
			got := invokeWith(t, map[string]string{"NO_COLOR": "1"}, "L\n", fields(line+" --color "+flag)...)
			if yellow := strings.Contains(got.stdout, "\x1b[1;33m"); got.code != exitOK || yellow != want {
				t.Errorf("zermelo %s --color %s: a yellow draw: %v\n%s", line, flag, yellow, got.stdout)
			}
		}
	}
}

// What cannot be played is said before anything is drawn.
func TestMatchesThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line string
		code int
		says string
	}{
		{"zermelo play nim 7 5 3", exitUsage, "--misere"},
		{"zermelo play guess-number --high 10 --second", exitUsage, "you play alone"},
		{"zermelo play nim --normal 3 -o json", exitUsage, "analyze -o json"},
		{"zermelo play hundred-game --max 40000 --total 1000000", exitUsage, "32768"},
		{"zermelo play hundred-game --max 40000 --total 1000000 --second", exitUsage, "32768"},
		{"zermelo play chess", exitUsage, "not a game"},
		{"zermelo play", exitUsage, "say which game, as in zermelo play nim --misere 7 5 3"},
		{"zermelo play can-i-win --max 40 --total 400", exitUsage, "has room for at most 33\nA larger --memo-budget"},
		{"zermelo play nim --normal 3 --addr nowhere", exitUsage, "--addr"},
		{"zermelo analyze nim --normal 3 --rows x", exitUsage, "--rows"},
		{"zermelo analyze nim --normal 40000", exitUsage, "32768"},
		{"zermelo analyze can-i-win --max 30 --total 400", exitUsage, "set skip_distance"},
	} {
		t.Run(test.line, func(t *testing.T) {
			t.Parallel()
			got := invoke(t, fields(test.line)...)
			if got.code != test.code || !strings.Contains(got.stderr, test.says) || got.stdout != "" {
				t.Errorf("exit code %d, standard output:\n%s\nstandard error:\n%s", got.code, got.stdout, got.stderr)
			}
		})
	}
}
