package client_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Positions of each game.

func canIWin(n, total uint32, chosen ...uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: n, DesiredTotal: total, Chosen: chosen,
	}}}
}

func hundredGame(n, desired, current uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
		MaxChoosableInteger: n, DesiredTotal: desired, CurrentTotal: current,
	}}}
}

func predictTheWinner(lead int64, scores ...int64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
		PredictTheWinner: &zermelov1.PredictTheWinner{Scores: scores, Lead: lead},
	}}
}

func stoneGame(lead int64, piles ...uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_StoneGame{
		StoneGame: &zermelov1.StoneGame{Piles: piles, Lead: lead},
	}}
}

func guessNumber(low, high uint32) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
		GuessNumber: &zermelov1.GuessNumber{Low: low, High: high},
	}}
}

// normal is a position of Nim in normal play.
func normal(piles ...uint64) *zermelov1.Position {
	position := nim(piles...)
	position.GetNim().Convention = zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
	return position
}

func TestPositionAt(t *testing.T) {
	const most = math.MaxInt64
	mostText := strconv.Itoa(most)
	for _, test := range []struct {
		asked    *zermelov1.Position
		notation string
		want     *zermelov1.Position
	}{
		{nim(7, 5, 3), "7-5-3", nim(7, 5, 3)},
		{nim(3, 7, 5), "7-5-3", nim(7, 5, 3)}, // as written, not as asked
		{nim(3, 7, 5), "6-5-3", nim(6, 5, 3)},
		{nim(3, 7, 5), "5-3-0", nim(5, 3, 0)}, // the 7 is gone
		{nim(3, 7, 5), "0-0-0", nim(0, 0, 0)},
		{normal(2, 2, 0), "2-0-0", normal(2, 0, 0)},
		{normal(), "-", normal()},
		{normal(0), "0", normal(0)},
		{nim(most), mostText, nim(most)},
		{canIWin(10, 40, 4, 1), "1,4", canIWin(10, 40, 1, 4)},
		{canIWin(10, 40, 4, 1), "1,4,10", canIWin(10, 40, 1, 4, 10)},
		{canIWin(10, 11), "-", canIWin(10, 11)},
		{canIWin(64, 11), "64", canIWin(64, 11, 64)},
		{hundredGame(10, 100, 0), "0", hundredGame(10, 100, 0)},
		{hundredGame(10, 100, 42), "42", hundredGame(10, 100, 42)},
		{hundredGame(10, 100, 42), "100", hundredGame(10, 100, 100)},
		{hundredGame(10, 100, 150), "100", hundredGame(10, 100, 100)}, // beyond the desired total is written as that
		{hundredGame(most, most, most), mostText, hundredGame(most, most, most)},
		{predictTheWinner(9, 1, -5, 233, 7), "0..4", predictTheWinner(0, 1, -5, 233, 7)},
		{predictTheWinner(9, 1, -5, 233, 7), "1..3", predictTheWinner(0, -5, 233)},
		{predictTheWinner(9, 1, -5, 233, 7), "0..0", predictTheWinner(0)},
		{predictTheWinner(9, 1, -5, 233, 7), "4..4", predictTheWinner(0)},
		{predictTheWinner(9), "0..0", predictTheWinner(0)},
		{stoneGame(-2, 5, 3, 4, 5), "2..4", stoneGame(0, 4, 5)},
		{stoneGame(-2, 5, 3, 4, 5), "3..3", stoneGame(0)},
		{guessNumber(1, 10), "1..10", guessNumber(1, 10)},
		{guessNumber(1, 10), "8..10", guessNumber(8, 10)},
		{guessNumber(1, 10), "3..3", guessNumber(3, 3)},
		{guessNumber(1<<31, 1<<31), "2147483648..2147483648", guessNumber(1<<31, 1<<31)},
	} {
		before := proto.Clone(test.asked)
		got, err := client.PositionAt(test.asked, test.notation)
		if err != nil {
			t.Errorf("%v at %q: %v", test.asked, test.notation, err)
			continue
		}
		if !proto.Equal(got, test.want) {
			t.Errorf("%v at %q: %v, want %v", test.asked, test.notation, got, test.want)
		}
		if !proto.Equal(test.asked, before) {
			t.Errorf("%v was changed to %v", before, test.asked)
		}
	}
}

func TestPositionAtRefuses(t *testing.T) {
	for _, test := range []struct {
		asked     *zermelov1.Position
		notations []string
	}{
		{nim(7, 5, 3), []string{
			"", "-", "7", "7-5", "7-5-3-0", "7-5-", "-5-3", "7--3", "5-7-3", "8-5-3", "7-6-3", "7-5-4", "7-5-3 ", " 7-5-3",
			"7-5-03", "7-5-+3", "7-5-x", "7,5,3", "7-5-00", "7−5−3", "7-5-٣", "7-5-9223372036854775808",
			"99999999999999999999-5-3", "7-5-0x1", "7-5-1_0",
		}},
		{nim(), []string{"", "0", "--", "1"}},
		{nim(1 << 63), []string{"9223372036854775808"}},
		{canIWin(10, 40, 4, 1), []string{
			"", "-", "1", "4", "4,1", "1,4,4", "1,1,4", "0,1,4", "1,4,11", "1,4,", ",1,4", "1, 4", "1-4", "01,4",
			"1,4,4294967297", "1,4,99999999999999999999",
		}},
		{canIWin(0, 0), []string{"0", "1"}},
		{hundredGame(10, 100, 42), []string{"", "-", "41", "101", "042", "+42", "42.", "4e1", "18446744073709551658"}},
		{hundredGame(10, 100, 150), []string{"99", "150"}},
		{predictTheWinner(0, 1, 5, 2), []string{
			"", "..", "0..", "..3", "0..4", "2..1", "4..4", "0-3", "0..3..3", "0.3", "0...3", "00..3", "0..03", "-1..3", "0..3 ",
		}},
		{stoneGame(0, 1, 5), []string{"0..3", "2..0", "x..y"}},
		{stoneGame(0), []string{"0..1", "1..1"}},
		{guessNumber(3, 10), []string{"", "2..5", "3..11", "7..6", "4", "4..", "3..4294967300", "4294967299..4294967300"}},
		{guessNumber(10, 3), []string{"3..10", "10..3"}},
	} {
		for _, notation := range test.notations {
			got, err := client.PositionAt(test.asked, notation)
			var wrong *client.NotationError
			if got != nil || !errors.As(err, &wrong) {
				t.Errorf("%v at %q: %v, %v, want a NotationError", test.asked, notation, got, err)
				continue
			}
			if wrong.Kind != "position" || wrong.Text != notation || wrong.Game == "" || wrong.Problem == "" {
				t.Errorf("%v at %q: incomplete error %+v", test.asked, notation, wrong)
			}
		}
	}
	for _, asked := range []*zermelov1.Position{nil, {}} {
		if got, err := client.PositionAt(asked, "1..2"); got != nil || !errors.Is(err, client.ErrNoGame) {
			t.Errorf("%v: %v, %v, want ErrNoGame", asked, got, err)
		}
		if got, err := client.ParseMove(asked, "1"); got != nil || !errors.Is(err, client.ErrNoGame) {
			t.Errorf("%v: %v, %v, want ErrNoGame", asked, got, err)
		}
	}
}

// What comes back can be changed without changing what was asked.
func TestPositionAtSharesNothing(t *testing.T) {
	asked := predictTheWinner(0, 1, 5, 233, 7)
	got, err := client.PositionAt(asked, "1..3")
	if err != nil {
		t.Fatal(err)
	}
	row := got.GetPredictTheWinner().Scores
	row[0] = 0
	_ = append(row, 0)
	if scores := asked.GetPredictTheWinner().Scores; !slices.Equal(scores, []int64{1, 5, 233, 7}) {
		t.Errorf("asked became %v", scores)
	}
}

func TestParseMove(t *testing.T) {
	for _, test := range []struct {
		asked    *zermelov1.Position
		notation string
		want     client.Move
	}{
		{nim(7, 5, 3), "7>6", client.NimMove{Before: 7, After: 6}},
		{nim(3, 5, 7), "7>0", client.NimMove{Before: 7, After: 0}},
		{nim(7, 5, 3), "6>2", client.NimMove{Before: 6, After: 2}}, // of a pile that was 7
		{nim(math.MaxInt64), "9223372036854775807>0", client.NimMove{Before: math.MaxInt64, After: 0}},
		{canIWin(10, 40, 4, 1), "7", client.IntegerMove(7)},
		{canIWin(10, 40), "10", client.IntegerMove(10)},
		{hundredGame(10, 100, 42), "10", client.IntegerMove(10)},
		{hundredGame(math.MaxInt64, 100, 42), "9223372036854775807", client.IntegerMove(math.MaxInt64)},
		{predictTheWinner(0, 1, 2), "L", client.Left},
		{predictTheWinner(0, 1), "R", client.Right},
		{stoneGame(0, 1, 2), "R", client.Right},
		{guessNumber(1, 10), "7", client.GuessMove(7)},
		{guessNumber(1, 1<<31), "2147483648", client.GuessMove(1 << 31)},
	} {
		got, err := client.ParseMove(test.asked, test.notation)
		if err != nil {
			t.Errorf("%v, %q: %v", test.asked, test.notation, err)
			continue
		}
		if got != test.want {
			t.Errorf("%v, %q: %#v, want %#v", test.asked, test.notation, got, test.want)
		}
		if got.String() != test.notation {
			t.Errorf("%#v is written %q, want %q", got, got, test.notation)
		}
	}
	if got := (client.NimMove{Before: 7, After: 2}).Taken(); got != 5 {
		t.Errorf("taken %d, want 5", got)
	}
}

func TestParseMoveRefuses(t *testing.T) {
	for _, test := range []struct {
		asked     *zermelov1.Position
		notations []string
	}{
		{nim(7, 5, 3), []string{
			"", ">", "7", "7>", ">6", "7>7", "6>7", "8>7", "0>0", "7>06", "07>6", "7->6", "7 > 6", "7>6>5",
			"9223372036854775808>1",
		}},
		{nim(0, 0), []string{"1>0", "0>0"}},
		{nim(), []string{"1>0"}},
		{canIWin(10, 40, 4, 1), []string{"", "-", "0", "11", "4", "1", "07", "4294967303", "7,8"}},
		{hundredGame(10, 100, 42), []string{"", "0", "11", "+7", "7 "}},
		{predictTheWinner(0, 1, 2), []string{"", "l", "r", "LR", "L ", "0", "left"}},
		{predictTheWinner(0), []string{"L", "R"}},
		{stoneGame(0), []string{"L", "R"}},
		{guessNumber(3, 10), []string{"", "2", "11", "3..4", "03", "4294967299"}},
		{guessNumber(3, 3), []string{"3"}},
	} {
		for _, notation := range test.notations {
			got, err := client.ParseMove(test.asked, notation)
			var wrong *client.NotationError
			if got != nil || !errors.As(err, &wrong) {
				t.Errorf("%v, %q: %v, %v, want a NotationError", test.asked, notation, got, err)
				continue
			}
			if wrong.Kind != "move" || wrong.Text != notation || wrong.Game == "" || wrong.Problem == "" {
				t.Errorf("%v, %q: incomplete error %+v", test.asked, notation, wrong)
			}
		}
	}
}

// The error shows where it went wrong, in what, and stays short however long the text is.
func TestNotationErrorText(t *testing.T) {
	_, err := client.PositionAt(nim(7, 5, 3), "7-6-3")
	want := `client: nim position "7-6-3": pile 6 is larger than play can leave it: 5 at most`
	if err == nil || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	for _, long := range []string{strings.Repeat("9", 1<<20), strings.Repeat("\xff", 1<<20)} {
		for _, asked := range games {
			_, at := client.PositionAt(asked, long)
			_, move := client.ParseMove(asked, long)
			for _, err := range []error{at, move} {
				const most = 1000
				if err == nil || len(err.Error()) > most {
					t.Errorf("%v: an error of %d bytes", asked, len(fmt.Sprint(err)))
				}
			}
		}
	}
}

// games has a position of each game with some room for play, for tests of all of them.
var games = []*zermelov1.Position{
	nim(7, 5, 3),
	normal(2, 0, 2, math.MaxInt64),
	normal(),
	canIWin(12, 40, 4, 1),
	canIWin(64, 2000),
	hundredGame(10, 100, 42),
	hundredGame(math.MaxInt64, math.MaxInt64, 0),
	predictTheWinner(3, 1, -5, 233, 7, 0, 2),
	stoneGame(0, 5, 3, 4, 5),
	stoneGame(0),
	guessNumber(3, 30),
	guessNumber(1, 1<<31),
}

// write writes a position as the service would, with the row of asked where the game has one: by other means than the
// parser, so that the two check each other. The range of a row cannot be told from its slice; "" stands for any.
func write(asked, position *zermelov1.Position) string {
	join := func(numbers []uint64, by string) string {
		if len(numbers) == 0 {
			return "-"
		}
		texts := make([]string, 0, len(numbers))
		for _, number := range numbers {
			texts = append(texts, strconv.FormatUint(number, 10))
		}
		return strings.Join(texts, by)
	}
	switch asked.GetGame().(type) {
	case *zermelov1.Position_Nim:
		piles := slices.Clone(position.GetNim().GetPiles())
		slices.SortFunc(piles, func(a, b uint64) int { return cmp.Compare(b, a) })
		return join(piles, "-")
	case *zermelov1.Position_CanIWin:
		var chosen []uint64
		for _, integer := range position.GetCanIWin().GetChosen() {
			chosen = append(chosen, uint64(integer))
		}
		slices.Sort(chosen)
		return join(chosen, ",")
	case *zermelov1.Position_HundredGame:
		return strconv.FormatUint(position.GetHundredGame().GetCurrentTotal(), 10)
	case *zermelov1.Position_GuessNumber:
		return fmt.Sprintf("%d..%d", position.GetGuessNumber().GetLow(), position.GetGuessNumber().GetHigh())
	}
	return ""
}

// Any text either is an error or is exactly what the service writes for the position that it stands for; and that
// position keeps everything else of the one asked about.
func FuzzPositionAt(f *testing.F) {
	for game := range games {
		for _, text := range []string{
			"-", "0", "42", "100", "6-5-3", "2-2-0-0", "1,4", "1,4,7", "1,4,01", "2..6", "3..3", "8..10", "6..2", "L", "7>6",
			"", "18446744073709551616", "9223372036854775807", "-1", "+1", "1-1-1", "..", "-..-", "0,1", "--", "\xff", "١",
		} {
			f.Add(game, text)
		}
	}
	f.Fuzz(func(t *testing.T, game int, text string) {
		asked := games[uint(game)%uint(len(games))]
		position, err := client.PositionAt(asked, text)
		if (position == nil) == (err == nil) {
			t.Fatalf("%v, %v", position, err)
		}
		if err != nil {
			return
		}
		if got := write(asked, position); got != "" && got != text {
			t.Errorf("%v at %q is written %q", asked, text, got)
		}
		again, err := client.PositionAt(position, text)
		switch game := position.GetGame().(type) {
		case *zermelov1.Position_PredictTheWinner:
			checkRow(t, asked.GetPredictTheWinner().GetScores(), game.PredictTheWinner.GetScores(), text)
			if game.PredictTheWinner.GetLead() != 0 {
				t.Errorf("a lead of %d", game.PredictTheWinner.GetLead())
			}
		case *zermelov1.Position_StoneGame:
			checkRow(t, asked.GetStoneGame().GetPiles(), game.StoneGame.GetPiles(), text)
		default:
			// What was asked about is reachable from itself.
			if err != nil || !proto.Equal(again, position) {
				t.Errorf("%v at %q: %v, %v", position, text, again, err)
			}
		}
	})
}

// checkRow checks that a row is the range of another that the text says.
func checkRow[T int64 | uint64](t *testing.T, asked, row []T, text string) {
	t.Helper()
	for first := range len(asked) + 1 {
		for end := first; end <= len(asked); end++ {
			if fmt.Sprintf("%d..%d", first, end) == text {
				if !slices.Equal(row, asked[first:end]) {
					t.Errorf("%v at %q is %v", asked, text, row)
				}
				return
			}
		}
	}
	t.Errorf("%q is not a range of %v", text, asked)
}

// Any text either is an error or is exactly what is written for the move that it stands for.
func FuzzParseMove(f *testing.F) {
	for game := range games {
		for _, text := range []string{
			"7>6", "7>0", "1>0", "0>0", "7>7", "7>06", "9223372036854775807>0", "7", "07", "10", "0", "L", "R", "l", "LR", "",
			"-", ">", "\xff", "18446744073709551615",
		} {
			f.Add(game, text)
		}
	}
	f.Fuzz(func(t *testing.T, game int, text string) {
		asked := games[uint(game)%uint(len(games))]
		move, err := client.ParseMove(asked, text)
		if (move == nil) == (err == nil) {
			t.Fatalf("%v, %v", move, err)
		}
		if err != nil {
			return
		}
		if move.String() != text {
			t.Errorf("%v: %q is written %q", asked, text, move)
		}
		if nim, is := move.(client.NimMove); is && (nim.Taken() < 1 || nim.Taken() > nim.Before) {
			t.Errorf("%q takes %d", text, nim.Taken())
		}
	})
}
