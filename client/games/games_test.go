package games_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// A game that the contract gains must not be forgotten here.
func TestEveryGameOfTheContract(t *testing.T) {
	fields := (*zermelov1.Position)(nil).ProtoReflect().Descriptor().Oneofs().ByName("game").Fields()
	all := games.All()
	if len(all) != fields.Len() {
		t.Fatalf("%d games here, %d in the contract", len(all), fields.Len())
	}
	for i, game := range all {
		if want := string(fields.Get(i).Name()); game.Field != want {
			t.Errorf("game %d is %s, in the contract %s", i, game.Field, want)
		}
		position := &zermelov1.Position{}
		reflected := position.ProtoReflect()
		reflected.Set(fields.Get(i), reflected.NewField(fields.Get(i)))
		if got := games.FieldOf(position); got != game.Field {
			t.Errorf("FieldOf an empty %s is %q", game.Field, got)
		}
		said, err := games.All().Describe(position)
		if err != nil {
			t.Fatalf("%s: %v", game.Field, err)
		}
		if said.Title() == "" || said.Short() == "" || said.Reading() == "" || said.Over() == "" ||
			!strings.HasPrefix(game.Arguments(position), game.Command()) || said.Move("nonsense") == "panic" {
			t.Errorf("%s has no words for its empty position: %+v", game.Field, said)
		}
		if game.Title == "" || game.Summary == "" || game.Help == "" {
			t.Errorf("%s lacks a title, a summary or rules", game.Field)
		}
		for _, f := range game.Fields {
			d := fields.Get(i).Message().Fields().ByName(protoreflect.Name(f.Name))
			if d == nil || d.IsList() != (f.Element != "") || (d.Enum() != nil) != (len(f.Choices) > 0) {
				t.Errorf("%s.%s is %v in the contract, here %+v", game.Field, f.Name, d, f)
			}
		}
		for _, example := range game.Examples {
			typed := words.Typed{Flags: make(map[string][]string)}
			flag := ""
			for word := range strings.FieldsSeq(example) {
				switch name, is := strings.CutPrefix(word, "--"); {
				case is:
					flag = name
					typed.Flags[flag] = nil
					if slices.ContainsFunc(game.Fields, func(f words.Field) bool { return len(f.Choices) > 0 }) {
						flag = ""
					}
				case flag != "":
					typed.Flags[flag] = []string{word}
					flag = ""
				default:
					typed.Arguments = append(typed.Arguments, word)
				}
			}
			if position, err := game.Position(typed); err != nil || games.FieldOf(position) != game.Field {
				t.Errorf("the example %s of %s: %v, %v", example, game.Field, position, err)
			}
		}
	}
}

func TestUnknownGame(t *testing.T) {
	for _, position := range []*zermelov1.Position{nil, {}} {
		if _, err := games.All().Describe(position); err == nil {
			t.Errorf("%v can be described", position)
		}
	}
	if _, found := games.All().Find("chess"); found {
		t.Error("chess is known")
	}
}

// ends is a row of Predict the Winner.
var ends = positions.Predict

// Who gets how much, also where sums exceed 64 bits.
func TestResult(t *testing.T) {
	for _, test := range []struct {
		position *zermelov1.Position
		margin   int64
		want     string
	}{
		{ends(0, 1, 5, 233, 7), 222, "The player to move gets 234, the other 12."},
		{ends(0, 1, 5, 2), -2, "The player to move gets 3, the other 5."},
		{ends(0, -3, 5, -7, 2), 17, "The player to move gets 7, the other -10."},
		{ends(3, 1, 2), 4, "The player to move gets 2, the other 1 from here on; having been ahead by 3, the player to move ends ahead by 4."},
		{ends(-1, 1), 0, "The player to move gets 1, the other 0 from here on; having been behind by 1, the player to move ends level."},
		{ends(0, math.MaxInt64), math.MaxInt64, "The player to move gets 9223372036854775807, the other 0."},
		{ends(0, -math.MaxInt64), -math.MaxInt64, "The player to move gets -9223372036854775807, the other 0."},
		{ends(0), 0, ""},
	} {
		words, err := games.All().Describe(test.position)
		if err != nil {
			t.Fatal(err)
		}
		if got := words.Result(&zermelov1.Solution{Margin: &test.margin}); got != test.want {
			t.Errorf("%v: %q, want %q", test.position, got, test.want)
		}
	}
}

// Long rows are not written out.
func TestLongRows(t *testing.T) {
	piles := make([]uint64, 100_000)
	for i := range piles {
		piles[i] = math.MaxInt64
	}
	words, err := games.All().Describe(&zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{Piles: piles}}})
	if err != nil {
		t.Fatal(err)
	}
	if title := words.Title(); len(title) > 120 || !strings.Contains(title, "more)") {
		t.Errorf("the title has %d characters: %.200s", len(title), title)
	}
}

func TestTell(t *testing.T) {
	for _, test := range []struct{ game, path, description, want string }{
		{"nim", "position.nim.piles[2]", "is odd", "pile 3 (counted from 1) is odd"},
		{"nim", "position.nim.piles", "has 9 piles", "the piles: has 9 piles"},
		{"nim", "position.nim", "is too large", "the position: is too large"},
		{"can-i-win", "position.can_i_win.chosen[0]", "must be from 1 to max_choosable_integer, 9", "number 1 of --chosen (counted from 1) must be from 1 to --max, 9"},
		{"hundred-game", "position.hundred_game.desired_total", "is 0", "--total is 0"},
		{"predict-the-winner", "position.predict_the_winner.scores[9]", "is odd", "score 10 (counted from 1) is odd"},
		{"guess-number", "position.guess_number.low", "is above `high`", "--low is above --high"},
		{"guess-number", "something_else", "is wrong", "something_else is wrong"},
		{"guess-number", "position.guess_number.new_field", "is wrong", "position.guess_number.new_field is wrong"},
	} {
		game, found := games.All().Find(test.game)
		if !found {
			t.Fatal(test.game)
		}
		if got := game.Tell(test.path, test.description); got != test.want {
			t.Errorf("%s: %q, want %q", test.path, got, test.want)
		}
	}
}

// The premises of theorems are worked out from the position.
func TestTheorem(t *testing.T) {
	nim, canIWin, hundred := positions.Nim, positions.CanIWin, positions.Hundred
	const normal, misere = zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL, zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
	const bouton, modulo = zermelov1.Theorem_THEOREM_BOUTON, zermelov1.Theorem_THEOREM_MODULO
	const outOfReach = zermelov1.Theorem_THEOREM_OUT_OF_REACH
	for _, test := range []struct {
		position *zermelov1.Position
		theorem  zermelov1.Theorem
		want     string
	}{
		{nim(normal, 7, 5, 3), bouton, "the nim-sum is 7 xor 5 xor 3 = 1, not 0"},
		{nim(normal, 6, 5, 3), bouton, "the nim-sum is 6 xor 5 xor 3 = 0"},
		{nim(normal, 9), bouton, "the nim-sum is 9, not 0"},
		{nim(misere, 7, 5, 2), bouton, "the nim-sum is 7 xor 5 xor 2 = 0, and there is a pile of more than one stone"},
		{nim(misere, 1, 0, 1), bouton, "no pile has more than one stone, and the number of those that have one is 2, even"},
		{nim(misere, 1), bouton, "no pile has more than one stone, and the number of those that have one is 1, odd"},
		{canIWin(10, 60), outOfReach, "1+2+...+10 = 55 is less than the total of 60"},
		{canIWin(10, 55), outOfReach, "1+2+...+10 = 55 is not less than the total of 55"},
		{canIWin(2, 4), outOfReach, "1+2 = 3 is less than the total of 4"},
		{canIWin(1, 2), outOfReach, "1 is less than the total of 2"},
		{hundred(10, 100, 0), modulo, "what is missing to the total is 100 = 9 x 11 + 1, no multiple of 11"},
		{hundred(10, 100, 1), modulo, "what is missing to the total is 99 = 9 x 11, a multiple of 11"},
		{hundred(math.MaxUint64, 100, 1), modulo, ""},
		{hundred(10, 100, 101), modulo, ""},
		{nim(normal, 7, 5, 3), modulo, ""},
		{ends(0, 1, 5, 2), bouton, ""},
	} {
		words, err := games.All().Describe(test.position)
		if err != nil {
			t.Fatal(err)
		}
		name, got := words.Theorem(test.theorem)
		if got != test.want || (name == "") != (got == "") {
			t.Errorf("%v: %q, %q, want %q", test.position, name, got, test.want)
		}
	}
}

// The score of a play runs, with what a player was ahead by.
func TestPlay(t *testing.T) {
	said, err := games.All().Describe(ends(-4, 1, -5, 233, 7))
	if err != nil {
		t.Fatal(err)
	}
	turns := said.Play([]string{"L", "R", "L", "L"})
	want := []words.Turn{
		{Takes: "L 1", Leaves: "-5 233 7", Mine: "1", Theirs: "4"},
		{Takes: "R 7", Leaves: "-5 233", Mine: "1", Theirs: "11"},
		{Takes: "L -5", Leaves: "233", Mine: "-4", Theirs: "11"},
		{Takes: "L 233", Leaves: "nothing", Last: true, Mine: "-4", Theirs: "244"},
	}
	if !slices.Equal(turns, want) {
		t.Errorf("got %v, want %v", turns, want)
	}
	for _, moves := range [][]string{{"L", "L", "L", "L", "L"}, {"X"}, {"L", ""}} {
		if turns := said.Play(moves); turns != nil {
			t.Errorf("%v can be played: %v", moves, turns)
		}
	}
	if said.Play(nil) == nil {
		t.Error("no moves cannot be played")
	}
}
