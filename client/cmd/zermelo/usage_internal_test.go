package main

import (
	"strings"
	"testing"
)

// What is typed wrongly ends with exit code 2, nothing on standard output, and something to type instead.
func TestUsage(t *testing.T) {
	t.Parallel()
	const games = "nim, can-i-win, hundred-game, predict-the-winner, stone-game, guess-number"
	for _, test := range []struct {
		line string
		says string
		hint string
	}{
		{"bogus", `"bogus" is not a command; the commands are solve, analyze, play, explain, verify, positions, games and demo`, "See zermelo --help."},
		{"nim 7 5 3", "say what to do with nim: zermelo solve nim --misere 7 5 3, for one", "See zermelo --help."},
		{"solve", "say which game, as in zermelo solve nim --misere 7 5 3; the games are " + games, "See zermelo solve --help."},
		{"explain chess", `"chess" is not a game that is known here; the games are ` + games, "See zermelo explain --help."},
		{"games chess", `no game has the name "chess"`, "The games that are known here are " + games + "."},
		{"--bogus", "unknown flag --bogus", "See zermelo --help."},
		{"--color=never", "say what to do: the commands are solve, analyze, play, explain, verify, positions, games and demo", "See zermelo --help."},

		{"solve nim 7 5 3", "Add --misere (loses) or --normal (wins)", "See zermelo solve nim --help."},
		{"solve nim --misere --normal 3", "--misere and --normal cannot both be meant", ""},
		{"solve nim --misere", "the piles are missing: type them as in nim --misere 7 5 3, or - for none", ""},
		{"solve nim --misere 7 x", `pile 2 (counted from 1) is "x"; it must be a whole number`, ""},
		{"solve nim --misere 7 -3", "pile 2 (counted from 1) is -3; it cannot be negative", ""},
		{"solve nim --misere 9223372036854775808", "pile 1 (counted from 1) has 9223372036854775808 stones; each pile must be below 2^63", ""},
		{"solve nim --misere 18446744073709551616", "pile 1 (counted from 1) is 18446744073709551616; at most 18446744073709551615 can be written", ""},
		{"solve nim --misere 3 --moves 60000", "--moves is 60000; it must be from 0, which stands for 100, to 50000", ""},
		{"solve nim --misere 3 --moves -1", `--moves: "-1" is not a number from 0 up`, ""},

		{"solve can-i-win --max 10", "--total is missing: type it as in can-i-win 10 11", "See zermelo solve can-i-win --help."},
		{"solve can-i-win", "--max, --total are missing: type them as in can-i-win 10 11", ""},
		{"solve can-i-win 10", "--total is missing: type it as in can-i-win 10 11", ""},
		{"solve can-i-win 10 11 12", `unexpected argument "12" after N T; an example is can-i-win 10 11`, ""},
		{"solve can-i-win --max 10 --total 11 12", `unexpected argument "12"; an example is can-i-win 10 11`, ""},
		{"solve can-i-win --max ten --total 3", `--max is "ten"; it must be a whole number`, ""},
		{"solve can-i-win --max 0 --total 3", "--max is 0 or not set; it must be from 1 to 64", ""},
		{"solve can-i-win --max 65 --total 3", "--max is 65; at most 64 is accepted", ""},
		{"solve can-i-win --max 9 --total 11 --chosen 1,12", "number 2 of --chosen (counted from 1) is 12; it must be from 1 to --max, 9", ""},
		{"solve can-i-win --max 9 --total 11 --chosen 1,1", "number 2 of --chosen (counted from 1) is 1, which was chosen before", ""},

		{"solve hundred-game --max 0", "--max is 0; it must be from 1 to 2^63-1", ""},
		{"solve hundred-game --total 0", "--total is 0; it must be from 1 to 2^63-1", ""},

		{"solve predict-the-winner", "the scores are missing", ""},
		{"solve predict-the-winner 1 2.5", `score 2 (counted from 1) is "2.5"; it must be a whole number`, ""},
		{"solve predict-the-winner 9223372036854775807 1", "the scores: |lead| + the sum of |scores| exceeds 2^63-1", ""},
		{"solve predict-the-winner 9223372036854775808", "score 1 (counted from 1) is 9223372036854775808; it must be from -2^63 to 2^63-1", ""},
		{"solve predict-the-winner 1 --lead much", `--lead is "much"; it must be a whole number`, ""},
		{"solve stone-game 5 0 3", "pile 2 (counted from 1) is empty; each pile must have at least 1 stone", ""},

		{"solve guess-number", "--high is missing: type it as in guess-number 10", ""},
		{"solve guess-number --low 12 --high 10", "--low is 12, which is above --high, 10; it must be from 1 to --high", ""},
		{"solve guess-number --low 0 --high 10", "--low is 0 or not set; it must be from 1 to --high", ""},
		{"solve guess-number --high 4294967290", "--high is 4294967290; at most 2^31 = 2147483648 is accepted", ""},
		{"solve guess-number --high 4294967296", "--high is 4294967296; at most 4294967295 can be written", ""},

		{"explain guess-number --high 5 --memo losses", "--memo MEMO_POLICY_LOSSES is not for this game", "See zermelo explain guess-number --help."},
		{"explain nim --misere 3 --memo some", `--memo: "some" is not one of all, losses, none`, ""},
		{"explain nim --misere 3 --detail most", `--detail: "most" is not one of decisions, search, proof`, ""},
		{"explain nim --misere 3 --detail proof --memo losses", "--memo is MEMO_POLICY_LOSSES, but a proof needs every decision", ""},
		{"explain nim --misere 3 --detail proof --max-depth 1", "--max-depth is set, but a proof needs all of its events; leave it unset with DETAIL_PROOF", ""},
		{"explain nim --misere 3 --detail proof --kinds decided", "--kinds is set, but a proof needs all", ""},
		{"explain nim --misere 3 --detail proof --sample-every 2", "--sample-every is set, but a proof needs all", ""},
		{"explain nim --misere 3 --proof-form theorem", "--proof-form is PROOF_FORM_THEOREM, but `detail` is DETAIL_DECISIONS; it is for DETAIL_PROOF", ""},
		{"explain guess-number --high 5 --detail proof --proof-form theorem", "--proof-form is PROOF_FORM_THEOREM, but no theorem decides this position", ""},
		{"explain nim --misere 3 --kinds decided,memo-hit", "--kinds is EVENT_KIND_MEMO_HIT, which only DETAIL_SEARCH has", ""},
		{"explain nim --misere 3 --kinds some", `--kinds: "some" is not one of enter, memo-hit, terminal, cutoff, decided, theorem`, ""},
		{"explain nim --misere 3 --max-depth -1", `--max-depth: "-1" is not a number from 0 up`, ""},
		{"explain nim --misere 3 --sample-every x", `--sample-every: "x" is not a number from 0 up`, ""},
		{"explain nim --misere 3 --save /nowhere/at/all", `--save is "/nowhere/at/all": no such file or directory`, "See zermelo explain nim --help."},
		{"explain nim --misere 3 --save x --list", "--list is for the page; with --save, the trace goes to x", ""},

		{"verify", "say which game, as in zermelo verify nim --misere 7 5 3, or which file, as in zermelo verify --file nim.trace", "See zermelo verify --help."},
		{"verify chess", `"chess" is not a game that is known here; the games are ` + games, ""},
		{"verify nim --misere 3 --file x", "leave out either --file or the game", ""},
		{"verify --file x --save y", "--save is for a proof that a server makes", ""},
		{"verify --file x --addr localhost:1", "--addr is for a proof that a server makes", ""},
		{"verify --file /nowhere/at/all", `--file is "/nowhere/at/all": no such file or directory`, "See zermelo verify --help."},
		{"verify predict-the-winner 1 2 --proof-form theorem", "--proof-form is PROOF_FORM_THEOREM, but no theorem decides this position", ""},
		{"verify can-i-win --max 65 --total 3", "--max is 65; at most 64 is accepted", ""},
		{"explain nim --misere 3 --max-events -1", `--max-events: "-1" is not a number from 0 up; leave it out for no limit`, ""},
		{"positions guess-number --high 5 --outcome loss", "--outcome OUTCOME_LOSS is asked for, but this game has one player", ""},
		{"positions nim --misere 3 --outcome lost", `--outcome: "lost" is not one of win, loss, draw`, ""},
		{"positions nim --misere 3 --max-positions=-5", `--max-positions: "-5" is not a number from 0 up`, ""},
		{"positions can-i-win --max 20 --total 152 --memo-budget 1MiB", "surely fit a memo budget of 1048576 bytes", "A larger --memo-budget than 1MiB may be enough."},

		{"solve position {}", "the position: no game is set; set one of nim, can_i_win", "See zermelo solve position --help."},
		{`solve position {"nim":{}}`, "position.nim.convention is required", ""},
		{`solve position {"chess":{}}`, "the argument is not a position in JSON, of which", ""},
		{"solve position -", "standard input is not a position in JSON", ""},
		{"solve position", `expected "<json>"`, ""},

		{"demo -o json", "the demo is for people: it has no -o json", ""},
		{"games -o yaml", `--output must be one of "text","json"`, ""},
		{"games --color sometimes", `--color must be one of "auto","always","never"`, ""},
		{"games --timeout 5", "--timeout", ""},
		{"games --timeout=-5s", "--timeout is -5s; it cannot be negative", ""},
		{"games --connect-timeout=-5s", "--connect-timeout is -5s; it cannot be negative", ""},
		{"games --memo-budget 1x", `"1x" has the unit "x", which is not known`, ""},
		{"games --memo-budget 1KiB", "--memo-budget (ZERMELO_MEMO_BUDGET) is", ""},
		{"games --addr localhost", `--addr is "localhost": write host:port, such as localhost:50051`, ""},
		{"games --addr http://localhost:1", `write host:port, without http://`, ""},
		{"games --addr localhost:1 --memo-budget 1GiB", "--memo-budget is for the server in this process; the one at localhost:1 has its own", ""},
	} {
		got := invoke(t, fields(test.line)...)
		if got.code != exitUsage || got.stdout != "" {
			t.Errorf("zermelo %s: exit code %d, standard output %q", test.line, got.code, got.stdout)
		}
		if !strings.HasPrefix(got.stderr, "zermelo: ") || !strings.Contains(got.stderr, test.says) ||
			!strings.Contains(got.stderr, test.hint) {
			t.Errorf("zermelo %s says\n%swhere it should say %q and %q", test.line, got.stderr, test.says, test.hint)
		}
		for _, word := range []string{"PLAY_CONVENTION_UNSPECIFIED", "rpc error", "−"} {
			if strings.Contains(got.stderr, word) {
				t.Errorf("zermelo %s says %q, which nobody typed:\n%s", test.line, word, got.stderr)
			}
		}
	}
}

// Nothing typed at all shows the help, where errors go.
func TestNothingTyped(t *testing.T) {
	t.Parallel()
	got := invoke(t)
	if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "Exit codes:") {
		t.Errorf("got %+v", got)
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	line := fields("solve nim --misere 3")
	if got := invokeWith(t, map[string]string{"ZERMELO_ADDR": "bogus"}, "", line...); got.code != exitUsage ||
		!strings.Contains(got.stderr, `--addr is "bogus"`) {
		t.Errorf("ZERMELO_ADDR is not heeded: %+v", got)
	}
	if got := invokeWith(t, map[string]string{"ZERMELO_ADDR": "bogus"}, "", append(line, "--addr=")...); got.code != exitOK {
		t.Errorf("--addr= does not go before ZERMELO_ADDR: %+v", got)
	}
	if got := invokeWith(t, map[string]string{"ZERMELO_MEMO_BUDGET": "1KiB"}, "", line...); got.code != exitUsage {
		t.Errorf("ZERMELO_MEMO_BUDGET is not heeded: %+v", got)
	}
}
