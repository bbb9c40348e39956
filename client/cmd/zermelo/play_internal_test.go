package main

import (
	"strings"
	"testing"
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
		{"play-guess-number-dear", "zermelo play guess-number --high 10", "5\n8\n6\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := invokeWith(t, nil, test.typed, words(test.line)...)
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

// What cannot be played is said before anything is drawn.
func TestMatchesThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line string
		code int
		says string
	}{
		{"zermelo play nim 7 5 3", exitUsage, "--misere"},
		{"zermelo play guess-number --high 10 --second", exitUsage, "you guess"},
		{"zermelo play nim --normal 3 -o json", exitUsage, "analyze -o json"},
		{"zermelo play hundred-game --max 40000 --total 1000000", exitUsage, "32768"},
		{"zermelo play chess", exitUsage, "not a game"},
		{"zermelo analyze nim --normal 40000", exitUsage, "32768"},
		{"zermelo analyze can-i-win --max 30 --total 400", exitUsage, "--skip-distance"},
	} {
		t.Run(test.line, func(t *testing.T) {
			t.Parallel()
			got := invoke(t, words(test.line)...)
			if got.code != test.code || !strings.Contains(got.stderr, test.says) || got.stdout != "" {
				t.Errorf("exit code %d, standard output:\n%s\nstandard error:\n%s", got.code, got.stdout, got.stderr)
			}
		})
	}
}
