package main

import (
	"regexp"
	"strings"
	"testing"
)

// Each page of text that people see, as it is.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, line string }{
		{"help", "zermelo --help"},
		{"help-solve", "zermelo solve --help"},
		{"help-explain-nim", "zermelo explain nim --help"},
		{"help-verify", "zermelo verify --help"},
		{"help-positions-predict-the-winner", "zermelo positions predict-the-winner --help"},

		{"solve-nim-misere", "zermelo solve nim --misere 7 5 3"},
		{"solve-nim-normal", "zermelo solve nim --normal 7 5 3"},
		{"solve-nim-lost", "zermelo solve nim --misere 3-2-1"},
		{"solve-nim-over", "zermelo solve nim --normal 0 0"},
		{"solve-nim-many-moves", "zermelo solve nim --normal 30 30 --moves 3"},
		{"solve-nim-many-piles", "zermelo solve nim --normal " + strings.Repeat("9 ", 41)},
		{"solve-nim-large", "zermelo solve nim --misere 9223372036854775807 3"},
		{"solve-can-i-win", "zermelo solve can-i-win --max 10 --total 11"},
		{"solve-can-i-win-chosen", "zermelo solve can-i-win --max 10 --total 40 --chosen 4,1"},
		{"solve-can-i-win-out-of-reach", "zermelo solve can-i-win --max 3 --total 7"},
		{"solve-can-i-win-total-0", "zermelo solve can-i-win --max 3 --total 0"},
		{"solve-can-i-win-none-left", "zermelo solve can-i-win --max 2 --total 5 --chosen 1 --chosen 2"},
		{"solve-hundred-game", "zermelo solve hundred-game"},
		{"solve-hundred-game-over", "zermelo solve hundred-game --max 10 --total 100 --current 107"},
		{"solve-predict-the-winner", "zermelo solve predict-the-winner 1 5 233 7"},
		{"solve-predict-the-winner-negative", "zermelo solve predict-the-winner -3 5 -7 2"},
		{"solve-predict-the-winner-lead", "zermelo solve predict-the-winner 1 5 2 --lead -4"},
		{"solve-predict-the-winner-draw", "zermelo solve predict-the-winner 2 2"},
		{"solve-predict-the-winner-over", "zermelo solve predict-the-winner --lead 3 -"},
		{"solve-stone-game", "zermelo solve stone-game 5 3 4 5"},
		{"solve-guess-number", "zermelo solve guess-number --high 10"},
		{"solve-guess-number-low", "zermelo solve guess-number --low 8 --high 11"},
		{"solve-guess-number-over", "zermelo solve guess-number --low 8 --high 8"},

		{"explain-nim", "zermelo explain nim --misere 7 5 3"},
		{"explain-nim-depth", "zermelo explain nim --misere 7 5 3 --max-depth 2"},
		{"explain-nim-kinds", "zermelo explain nim --misere 7 5 3 --detail search --kinds decided,memo-hit --max-depth 3 --sample-every 30"},
		{"explain-nim-proof", "zermelo explain nim --misere 3 2 1 --detail proof"},
		{"explain-nim-theorem", "zermelo explain nim --normal 7 5 3 --detail proof --proof-form theorem"},
		{"explain-nim-theorem-list", "zermelo explain nim --misere 1 1 1 --detail proof --proof-form theorem --list"},
		{"explain-nim-losses", "zermelo explain nim --normal 3 2 1 --memo losses"},
		{"explain-nim-list", "zermelo explain nim --misere 3 2 1 --list"},
		{"explain-nim-search-list", "zermelo explain nim --misere 2 2 --detail search --list"},
		{"explain-nim-cut", "zermelo explain nim --misere 7 5 3 --max-events 4"},
		{"explain-nim-over", "zermelo explain nim --misere -"},
		{"explain-nim-ascii", "zermelo explain nim --misere 3 2 1 --ascii"},
		{"explain-nim-color", "zermelo explain nim --misere 2 1 --color always"},
		{"explain-can-i-win", "zermelo explain can-i-win --max 10 --total 11"},
		{"explain-can-i-win-draw", "zermelo explain can-i-win --max 2 --total 4"},
		{"explain-hundred-game", "zermelo explain hundred-game"},
		{"explain-predict-the-winner-search", "zermelo explain predict-the-winner 1 5 233 7 --detail search"},
		{"explain-predict-the-winner-proof", "zermelo explain predict-the-winner 0 0 7 6 5 6 1 --detail proof"},
		{"explain-stone-game-list", "zermelo explain stone-game --lead -3 5 3 4 5 --list"},
		{"explain-guess-number", "zermelo explain guess-number --high 5"},

		{"verify-nim", "zermelo verify nim --misere 7 5 3"},
		{"verify-nim-theorem", "zermelo verify nim --normal 7 5 3 --proof-form theorem"},
		{"verify-nim-over", "zermelo verify nim --misere -"},
		{"verify-can-i-win", "zermelo verify can-i-win --max 10 --total 11"},
		{"verify-can-i-win-theorem", "zermelo verify can-i-win --max 30 --total 500 --proof-form theorem"},
		{"verify-hundred-game", "zermelo verify hundred-game"},
		{"verify-hundred-game-theorem", "zermelo verify hundred-game --total 1000000000000 --current 1"},
		{"verify-predict-the-winner", "zermelo verify predict-the-winner 0 0 7 6 5 6 1"},
		{"verify-stone-game", "zermelo verify stone-game --lead -3 5 3 4 5"},
		{"verify-guess-number", "zermelo verify guess-number --high 10"},

		{"positions-nim-lost", "zermelo positions nim --misere --outcome loss 7 5 3"},
		{"positions-nim", "zermelo positions nim --misere 2 1"},
		{"positions-nim-cut", "zermelo positions nim --misere 2 1 --max-positions 2"},
		{"positions-none", "zermelo positions can-i-win --max 2 --total 3 --outcome draw"},
		{"positions-predict-the-winner", "zermelo positions predict-the-winner 1 5 2"},
		{"positions-predict-the-winner-lost", "zermelo positions predict-the-winner 1 5 2 --outcome loss"},
		{"positions-guess-number", "zermelo positions guess-number --high 3"},
		{"positions-distance", "zermelo positions nim --misere 2 1 --distance"},
		{"positions-distance-lost", "zermelo positions nim --normal 3 2 1 --distance --outcome loss"},

		{"help-analyze", "zermelo analyze --help"},
		{"help-play-nim", "zermelo play nim --help"},
		{"analyze-nim", "zermelo analyze nim --misere 7 5 3"},
		{"analyze-nim-rows", "zermelo analyze nim --normal 7 5 3 --rows 4"},
		{"analyze-nim-lost", "zermelo analyze nim --normal 3 2 1"},
		{"analyze-nim-over", "zermelo analyze nim --misere -"},
		{"analyze-nim-color", "zermelo analyze nim --misere 2 1 --color always"},
		{"analyze-nim-large", "zermelo analyze nim --normal 5000 20 --rows 3"},
		{"analyze-can-i-win", "zermelo analyze can-i-win --max 5 --total 12"},
		{"analyze-can-i-win-draw", "zermelo analyze can-i-win --max 3 --total 7"},
		{"analyze-can-i-win-large", "zermelo analyze can-i-win --max 28 --total 350 --skip-distance --rows 5"},
		{"analyze-hundred-game", "zermelo analyze hundred-game"},
		{"analyze-predict-the-winner", "zermelo analyze predict-the-winner 1 5 233 7"},
		{"analyze-predict-the-winner-lead", "zermelo analyze predict-the-winner 1 5 2 --lead 4"},
		{"analyze-predict-the-winner-draw", "zermelo analyze predict-the-winner 2 3 2 1 --skip-distance"},
		{"analyze-predict-the-winner-long", "zermelo analyze predict-the-winner" + numbers(1, 300)},
		{"analyze-predict-the-winner-long-skip", "zermelo analyze predict-the-winner --skip-distance" + numbers(1, 300)},
		{"analyze-stone-game-twenty", "zermelo analyze stone-game" + numbers(1, 20)},
		{"analyze-can-i-win-chosen", "zermelo analyze can-i-win --max 10 --total 36 --chosen 4,1"},
		{"analyze-hundred-game-large", "zermelo analyze hundred-game --max 30 --total 1000000000"},
		{"analyze-guess-number-rows", "zermelo analyze guess-number --high 2000 --rows 2"},
		{"analyze-guess-number-two", "zermelo analyze guess-number --low 8 --high 9 --color always"},
		{"analyze-nim-skip", "zermelo analyze nim --misere 7 5 3 --skip-distance --rows 4 --ascii"},
		{"analyze-stone-game", "zermelo analyze stone-game 5 3 4 5"},
		{"analyze-guess-number", "zermelo analyze guess-number --high 10"},

		{"games", "zermelo games"},
		{"games-nim", "zermelo games nim"},
		{"demo", "zermelo demo"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := invoke(t, fields(test.line)...)
			if got.code != exitOK || got.stderr != "" {
				t.Fatalf("%s: exit code %d, standard error:\n%s", test.line, got.code, got.stderr)
			}
			golden(t, test.name, withoutTimes(got.stdout))
			for line := range strings.Lines(got.stdout) {
				if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 && !strings.Contains(line, "\x1b") {
					t.Errorf("%s: a line of %d characters: %q", test.line, n, line)
				}
			}
		})
	}
}

// Ways of typing that mean the same.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"solve nim --misere 7 5 3", "solve nim 7 5 3 --misere", "solve nim --misere 7,5,3", "solve nim --misere 7-5-3",
			"solve nim --misere -- 7 5 3", "--color never solve nim --misere 7 5 3"},
		{"solve predict-the-winner -3 5 -7 2", "solve predict-the-winner -- -3 5 -7 2", "solve predict-the-winner -3,5,-7,2",
			"solve predict_the_winner -3 5 -7 2", "solve predict-the-winner -3 5 -7 2 --lead 0"},
		{"solve stone-game --lead -4 5 3", "solve stone-game --lead=-4 5 3", "solve stone_game 5,3 --lead -4"},
		{"explain can-i-win --max 5 --total 12 --chosen 1,4", "explain can_i_win --max=5 --total=12 --chosen=4 --chosen=1"},
		{"solve hundred-game", "solve hundred_game --max 10 --total 100 --current 0"},
		{"solve guess-number --high 10", "solve guess-number --low 1 --high 10"},
		{"solve nim --normal -", "solve nim --normal -- -"},
		{"games nim", "games --output text nim"},
	} {
		want := invoke(t, fields(same[0])...)
		if want.code != exitOK {
			t.Errorf("zermelo %s: exit code %d: %s", same[0], want.code, want.stderr)
		}
		for _, line := range same[1:] {
			got := invoke(t, fields(line)...)
			// The order in which chosen integers are given is not that in which they are shown.
			if got.code != want.code || withoutTimes(got.stdout) != withoutTimes(want.stdout) {
				t.Errorf("zermelo %s: exit code %d, output\n%s%swhere zermelo %s has exit code %d, output\n%s",
					line, got.code, got.stdout, got.stderr, same[0], want.code, want.stdout)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"--version", "solve --version", "solve nim --version"} {
		got := invoke(t, fields(line)...)
		if got.code != exitOK || !regexp.MustCompile(`^zermelo \S+ engine \S+\n$`).MatchString(got.stdout) {
			t.Errorf("zermelo %s: exit code %d, %q, %q", line, got.code, got.stdout, got.stderr)
		}
	}
}

// A position of standard input, as an answer contains it.
func TestPositionFromStandardInput(t *testing.T) {
	t.Parallel()
	want := invoke(t, fields("solve nim --misere 6 5 3")...)
	got := invokeWith(t, nil, `{"nim": {"piles": ["6", "5", "3"], "convention": "PLAY_CONVENTION_MISERE"}}`,
		"solve", "position", "-")
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := invoke(t, "solve", "position", `{"nim": {"piles": [6, 5, 3], "convention": 2}}`); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestColor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		flag, noColor string
		want          bool
	}{
		{"auto", "", false}, // no terminal here
		{"auto", "1", false},
		{"always", "", true},
		{"always", "1", true},
		{"never", "", false},
	} {
		got := invokeWith(t, map[string]string{"NO_COLOR": test.noColor}, "", "solve", "nim", "--normal", "3", "--color", test.flag)
		if colored := strings.Contains(got.stdout, "\x1b["); got.code != exitOK || colored != test.want {
			t.Errorf("--color %s, NO_COLOR=%q: exit code %d, colored %v", test.flag, test.noColor, got.code, colored)
		}
	}
}

func TestLocale(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		environment map[string]string
		ascii       bool
	}{
		{nil, false},
		{map[string]string{"LANG": "en_US.UTF-8"}, false},
		{map[string]string{"LANG": "de_DE.utf8"}, false},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, true},
		{map[string]string{"LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, false},
	} {
		got := invokeWith(t, test.environment, "", fields("explain nim --misere 3 2 1")...)
		ascii := strings.IndexFunc(got.stdout, func(r rune) bool { return r > 126 }) < 0
		if got.code != exitOK || ascii != test.ascii {
			t.Errorf("%v: exit code %d, ASCII only %v", test.environment, got.code, ascii)
		}
	}
}
