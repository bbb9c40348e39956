package main

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/zermelo-games/zermelo/client/games"
)

// What is shown to be typed is understood, and means the position that it was made from.
func TestArgumentsGoRound(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"nim --misere 7 5 3", "nim --normal -", "nim --normal 0 0",
		"can-i-win --max 10 --total 11", "can-i-win --max 10 --total 40 --chosen 4,1",
		"hundred-game --max 10 --total 100 --current 7",
		"predict-the-winner 1 5 233 7", "predict-the-winner --lead -4 -3 5 -7 2", "predict-the-winner -",
		"predict-the-winner -9223372036854775807",
		"stone-game 5 3 4 5", "stone-game --lead 3 5",
		"guess-number --low 8 --high 10",
	} {
		p, err := parse(games.All(), fields("solve "+line), func(string) string { return "" }, io.Discard)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		position, err := p.arguments.Position(nil)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		game, err := games.All().Of(position)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := game.Arguments(position); got != line {
			t.Errorf("%q is shown as %q", line, got)
		}
	}
	for _, game := range games.All() {
		p, err := parse(games.All(), fields("explain "+game.Example()), func(string) string { return "" }, io.Discard)
		if err != nil {
			t.Errorf("the example %s: %v", game.Example(), err)
			continue
		}
		position, err := p.arguments.Position(nil)
		if err != nil || games.FieldOf(position) != game.Field {
			t.Errorf("the example %s is %v, %v", game.Example(), position, err)
		}
	}
}

// Numbers can be typed without their flags, in part too.
func TestArgumentsWithoutFlags(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ typed, means string }{
		{"can-i-win 10 11", "can-i-win --max 10 --total 11"},
		{"can-i-win 10 11 --chosen 4,1", "can-i-win --max 10 --total 11 --chosen 4,1"},
		{"can-i-win --total 11 10", "can-i-win --max 10 --total 11"},
		{"hundred-game", "hundred-game --max 10 --total 100"},
		{"hundred-game 7", "hundred-game --max 7 --total 100"},
		{"hundred-game 7 50", "hundred-game --max 7 --total 50"},
		{"hundred-game 7 50 3", "hundred-game --max 7 --total 50 --current 3"},
		{"guess-number 10", "guess-number --low 1 --high 10"},
		{"guess-number 3 10", "guess-number --low 3 --high 10"},
		{"guess-number --low 3 10", "guess-number --low 3 --high 10"},
		{"nim --misere 7-5,3 1", "nim --misere 7 5 3 1"},
		{"predict-the-winner --lead=-4 -3 -5", "predict-the-winner --lead -4 -3 -5"},
	} {
		p, err := parse(games.All(), fields("analyze "+test.typed), func(string) string { return "" }, io.Discard)
		if err != nil {
			t.Errorf("%s: %v", test.typed, err)
			continue
		}
		position, err := p.arguments.Position(nil)
		if err != nil {
			t.Errorf("%s: %v", test.typed, err)
			continue
		}
		if game, err := games.All().Of(position); err != nil || game.Arguments(position) != test.means {
			t.Errorf("%s means %s, %v; it should mean %s", test.typed, game.Arguments(position), err, test.means)
		}
	}
}

// Verbs do not share what was typed.
func TestParsingHasNoMemory(t *testing.T) {
	t.Parallel()
	env := func(string) string { return "" }
	first, err := parse(games.All(), fields("solve nim --misere 7 5 3"), env, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(games.All(), fields("solve nim --normal 1"), env, io.Discard); err != nil {
		t.Fatal(err)
	}
	got, err := first.arguments.Position(strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	want, err := first.arguments.Position(nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" || len(got.GetNim().GetPiles()) != 3 {
		t.Errorf("%v\n%s", got, diff)
	}
}
