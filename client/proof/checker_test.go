package proof_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func TestIllegalPositionsHaveNoChecker(t *testing.T) {
	for _, test := range []struct {
		asked *zermelov1.Position
		says  string
	}{
		{nil, "no game"},
		{&zermelov1.Position{}, "no game"},
		{nim(0, 1), "PLAY_CONVENTION_UNSPECIFIED"},
		{nim(3, 1), "convention"},
		{nim(normal, 1, 1<<63), "2^63"},
		{nim(normal, make([]uint64, 100_001)...), "100001 piles"},
		{canIWin(0, 1), "max_choosable_integer"},
		{canIWin(65, 1), "max_choosable_integer"},
		{canIWin(4, 9, 5), "5 is chosen"},
		{canIWin(4, 9, 0), "0 is chosen"},
		{canIWin(4, 9, 2, 1, 2), "twice"},
		{hundredGame(0, 1, 0), "max_choosable_integer"},
		{hundredGame(1<<63, 1, 0), "max_choosable_integer"},
		{hundredGame(1, 0, 0), "desired_total"},
		{hundredGame(1, 1<<63, 0), "desired_total"},
		{hundredGame(1, 1, 1<<63), "current_total"},
		{predictTheWinner(1, math.MaxInt64), "2^63-1"},
		{predictTheWinner(0, math.MinInt64), "2^63-1"},
		{predictTheWinner(math.MinInt64), "2^63-1"},
		{predictTheWinner(0, math.MaxInt64, math.MaxInt64, 2), "2^63-1"},
		{predictTheWinner(0, make([]int64, 1_000_001)...), "1000001 entries"},
		{stoneGame(0, 1, 0), "empty"},
		{stoneGame(0, 1<<63), "2^63-1"},
		{stoneGame(0, math.MaxUint64, 2), "2^63-1"},
		{stoneGame(-math.MaxInt64, 1), "2^63-1"},
		{guessNumber(0, 1), "0..1"},
		{guessNumber(2, 1), "2..1"},
		{guessNumber(1, 1<<31+1), "2147483649"},
	} {
		checker, err := proof.NewChecker(test.asked)
		if !errors.Is(err, proof.ErrPosition) || checker != nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%.80v: %v, which should speak of %s", test.asked, err, test.says)
		}
	}
}

func TestOverPositionsNeedNoProof(t *testing.T) {
	for _, test := range []struct {
		asked *zermelov1.Position
		want  string
	}{
		{nim(normal), "OUTCOME_LOSS, value -, margin -"},
		{nim(normal, 0, 0), "OUTCOME_LOSS, value -, margin -"},
		{nim(misere), "OUTCOME_WIN, value -, margin -"},
		{nim(misere, 0), "OUTCOME_WIN, value -, margin -"},
		{canIWin(3, 0), "OUTCOME_WIN, value -, margin -"},
		{canIWin(3, 0, 1), "OUTCOME_LOSS, value -, margin -"},
		{canIWin(3, 3, 1, 2), "OUTCOME_LOSS, value -, margin -"},
		{canIWin(3, 7, 3, 1, 2), "OUTCOME_DRAW, value -, margin -"},
		{hundredGame(3, 7, 7), "OUTCOME_LOSS, value -, margin -"},
		{hundredGame(3, 7, math.MaxInt64), "OUTCOME_LOSS, value -, margin -"},
		{predictTheWinner(0), "OUTCOME_DRAW, value 0, margin 0"},
		{predictTheWinner(-2), "OUTCOME_LOSS, value 0, margin -2"},
		{stoneGame(math.MaxInt64), "OUTCOME_WIN, value 0, margin 9223372036854775807"},
		{guessNumber(1<<31, 1<<31), "OUTCOME_UNSPECIFIED, value 0, margin -"},
	} {
		verdict, err := proof.Check(test.asked, stream(nil))
		if err != nil {
			t.Errorf("%v: %v", test.asked, err)
			continue
		}
		if want := test.want + `, by "", after 0 decisions, THEOREM_UNSPECIFIED`; show(verdict) != want {
			t.Errorf("%v is proved to be %s, and is %s", test.asked, show(verdict), want)
		}
		m := modelOf(test.asked)
		event := m.event(m.root, 0)
		event.Sequence = 1
		var wrong *proof.WrongError
		if _, err := proof.Check(test.asked, stream([]*zermelov1.Event{event})); !errors.As(err, &wrong) || wrong.Sequence != 1 {
			t.Errorf("%v: with an event: %v", test.asked, err)
		}
	}
}

func TestOnceWrongAlwaysWrong(t *testing.T) {
	asked := nim(misere, 2, 1)
	events := modelOf(asked).prove(firstChoice)
	checker, err := proof.NewChecker(asked)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := checker.Verdict(); !errors.Is(err, proof.ErrIncomplete) {
		t.Errorf("before the first event: %v", err)
	}
	for _, event := range events {
		if err := checker.Add(event); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := checker.Verdict(); err != nil {
		t.Errorf("after the last event: %v", err)
	}
	further := proto.CloneOf(events[0])
	further.Sequence = int64(len(events) + 1)
	first := checker.Add(further)
	var wrong *proof.WrongError
	if !errors.As(first, &wrong) || wrong.Sequence != further.GetSequence() {
		t.Fatalf("after one event too many: %v", first)
	}
	if err := checker.Add(events[0]); !errors.Is(err, first) {
		t.Errorf("another event is wrong otherwise: %v", err)
	}
	if _, err := checker.Verdict(); !errors.Is(err, first) {
		t.Errorf("the verdict is wrong otherwise: %v", err)
	}
}

// A proof is read to its first wrong event, and to its first error.
func TestCheckReadsNoFurtherThanItMust(t *testing.T) {
	asked := canIWin(5, 9)
	events := modelOf(asked).prove(firstChoice)
	events[3].Because = 77
	read := 0
	_, err := proof.Check(asked, func(yield func(*zermelov1.Event, error) bool) {
		for _, event := range events {
			read++
			if !yield(event, nil) {
				return
			}
		}
	})
	if !errors.As(err, new(*proof.WrongError)) || read != 4 {
		t.Errorf("%d events are read: %v", read, err)
	}
	broken := errors.New("the line broke")
	_, err = proof.Check(asked, func(yield func(*zermelov1.Event, error) bool) {
		if yield(events[0], nil) && yield(nil, broken) {
			t.Error("it is read on after an error")
		}
	})
	if err != broken { //nolint:errorlint // as it is, not wrapped
		t.Errorf("the error of the stream comes as %v", err)
	}
	if _, err := proof.Check(asked, stream([]*zermelov1.Event{nil})); !errors.As(err, new(*proof.WrongError)) {
		t.Errorf("an event that is nil: %v", err)
	}
}

// An event may be used again by who adds it.
func TestEventsAreNotKept(t *testing.T) {
	m := modelOf(nim(misere, 3, 2, 2))
	checker, err := proof.NewChecker(m.asked)
	if err != nil {
		t.Fatal(err)
	}
	var event zermelov1.Event
	events := m.prove(firstChoice)
	for _, next := range events {
		proto.Reset(&event)
		proto.Merge(&event, next)
		if err := checker.Add(&event); err != nil {
			t.Fatal(err)
		}
	}
	proto.Reset(&event)
	verdict, err := checker.Verdict()
	if err != nil {
		t.Fatal(err)
	}
	checkVerdict(t, m, events, verdict)
}

// Why an event is wrong is said so that one can find it.
func TestWhyAnEventIsWrong(t *testing.T) {
	value := func(event *zermelov1.Event, value int64) *zermelov1.Event {
		event.Value = &value
		return event
	}
	because := func(event *zermelov1.Event, depth uint32, because int64) *zermelov1.Event {
		event.Depth, event.Because = depth, because
		return event
	}
	theorem := func(event *zermelov1.Event, theorem zermelov1.Theorem) *zermelov1.Event {
		event.Kind, event.Theorem = zermelov1.EventKind_EVENT_KIND_THEOREM, theorem
		return event
	}
	const (
		bouton     = zermelov1.Theorem_THEOREM_BOUTON
		modulo     = zermelov1.Theorem_THEOREM_MODULO
		outOfReach = zermelov1.Theorem_THEOREM_OUT_OF_REACH
	)
	type events = []*zermelov1.Event
	for _, test := range []struct {
		asked  *zermelov1.Position
		events events
		says   string
	}{
		{nim(normal, 2, 1), events{decision("2_1", "2>1", win, 0)}, "is not one of 2 piles"},
		{nim(normal, 2, 1), events{decision("1-2", "2>1", win, 0)}, "is not written"},
		{nim(normal, 2, 1), events{decision("2-01", "2>1", win, 0)}, "is not written"},
		{nim(normal, 2, 1), events{decision("2-2", "2>1", win, 0)}, "larger piles than play can leave"},
		{nim(normal, 2, 1), events{decision("2-1-0", "2>1", win, 0)}, "is not one of 2 piles"},
		{nim(normal, 2, 1), events{decision("0-0", "", loss, 0)}, "the game is over at its position"},
		{nim(normal, 2, 1), events{decision("2-1", "", loss, 0)}, `move "2>0" leads to a position that is not proved`},
		{nim(normal, 2, 1), events{decision("2-1", "2>1", win, 0)}, `move "2>1" leads to a position that is not proved`},
		{nim(normal, 2, 1), events{decision("2-1", "3>1", win, 0)}, "from a pile that is not there"},
		{nim(normal, 2, 1), events{decision("2-1", "2>2", win, 0)}, "takes nothing"},
		{nim(normal, 2, 1), events{decision("2-1", "", win, 0)}, `its move "" is not written`},
		{nim(normal, 2, 1), events{decision("2-1", "2>1", draw, 0)}, "is not proved"},
		{nim(normal, 2, 1), events{decision("2-1", "2>1", 0, 0)}, "its outcome is OUTCOME_UNSPECIFIED"},
		{nim(normal, 2, 1), events{because(decision("1-0", "1>0", win, 0), 3, 0)}, "no play of 3 moves"},
		{nim(normal, 2, 1), events{because(decision("1-0", "1>0", win, 0), 1, 1)}, "the game being over after its move"},
		{nim(normal, 2, 1), events{because(decision("1-0", "", loss, 0), 1, 0)}, `move "1>0" leads to OUTCOME_LOSS`},
		{nim(normal, 2, 1), events{
			because(decision("1-0", "1>0", win, 0), 1, 0), because(decision("1-0", "1>0", win, 0), 1, 0),
		}, "decided before"},
		{nim(normal, 2, 1), events{
			because(decision("1-0", "1>0", win, 0), 1, 0), because(decision("1-1", "", loss, 0), 1, 1),
		}, "it has no move, and rests on decision 1"},
		{nim(normal, 2, 1), events{
			because(decision("1-0", "1>0", win, 0), 1, 0), because(decision("1-1", "1>0", loss, 0), 1, 0),
		}, `and has the move "1>0"`},
		{nim(normal, 2, 1), events{
			because(decision("1-0", "1>0", win, 0), 1, 0), decision("2-1", "2>0", win, 1),
		}, `its move "2>0" leads to OUTCOME_WIN`},
		{nim(normal, 2, 1), events{
			because(decision("1-0", "1>0", win, 0), 1, 0),
			because(decision("1-1", "", loss, 0), 1, 0),
			decision("2-1", "2>1", win, 1),
		}, "it rests on decision 1; its move leads to the position of decision 2"},
		{nim(normal, 2, 1), events{value(decision("2-1", "2>1", win, 0), 1)}, "it has a value"},
		{nim(normal, 2, 1), events{theorem(decision("2-1", "2>1", win, 0), modulo)}, "THEOREM_BOUTON is"},
		{nim(normal, 2, 1), events{theorem(decision("2-1", "2>1", loss, 0), bouton)}, "by THEOREM_BOUTON it is OUTCOME_WIN"},
		{nim(normal, 2, 1), events{theorem(decision("2-1", "2>0", win, 0), bouton)}, "leads to OUTCOME_WIN"},
		{nim(normal, 2, 1), events{theorem(decision("2-1", "2>1", win, 1), bouton)}, "a theorem rests on none"},
		{nim(normal, 2, 1), events{theorem(because(decision("1-1", "", loss, 0), 1, 0), bouton)}, "the whole proof"},
		{nim(misere, 1, 1, 1), events{theorem(decision("1-1-1", "1>0", loss, 0), bouton)}, `has the move "1>0"`},
		{canIWin(4, 11), events{theorem(decision("-", "5", draw, 0), outOfReach)}, "5 is not an integer that is left"},
		{canIWin(4, 10), events{theorem(decision("-", "1", draw, 0), outOfReach)}, "does not apply here"},
		{canIWin(4, 10), events{decision("1,1", "2", win, 0)}, "is not written"},
		{canIWin(4, 10), events{decision("1;2", "2", win, 0)}, "is not written"},
		{canIWin(4, 10), events{decision("1,", "2", win, 0)}, "is not written"},
		{canIWin(4, 10), events{decision("0", "2", win, 0)}, "is not written"},
		{canIWin(4, 10), events{decision("1,5", "2", win, 0)}, "the largest integer is 4"},
		{canIWin(4, 10, 3), events{decision("1,4", "2", win, 0)}, "lacks integers"},
		{canIWin(4, 10), events{because(decision("1,2,3", "4", draw, 0), 3, 0)}, `leads to OUTCOME_LOSS, which is not OUTCOME_DRAW`},
		{hundredGame(10, 100, 42), events{decision("41", "1", win, 0)}, "is not from 42 to 100"},
		{hundredGame(10, 100, 42), events{decision("101", "1", win, 0)}, "is not from 42 to 100"},
		{hundredGame(10, 100, 42), events{decision("42", "11", win, 0)}, "11 is not from 1 to 10"},
		{hundredGame(10, 100, 42), events{decision("18446744073709551658", "1", win, 0)}, "is not written"},
		{hundredGame(10, 100, 42), events{because(decision("95", "5", win, 0), 5, 0)}, "no play of 5 moves"},
		{predictTheWinner(0, 3, 5), events{decision("0..2", "L", win, 0)}, "it has no value"},
		{predictTheWinner(0, 3, 5), events{value(decision("0..2", "L", win, 0), 2)}, "its value rests on 1..2"},
		{predictTheWinner(0, 3, 5), events{value(decision("1..3", "L", win, 0), 2)}, "not a range of a row of 2"},
		{predictTheWinner(0, 3, 5), events{value(decision("0-2", "L", win, 0), 2)}, "is not written"},
		{predictTheWinner(0, 3), events{value(decision("0..1", "L", win, 0), 2)}, "its value is 3, and not 2"},
		{predictTheWinner(0, 3), events{value(decision("0..1", "L", loss, 0), 3)}, "its outcome is OUTCOME_WIN"},
		{predictTheWinner(0, 3), events{value(decision("0..1", "l", win, 0), 3)}, `its move "l" is not written`},
		{predictTheWinner(0, 3), events{theorem(decision("0..1", "L", win, 0), bouton)}, "there is no theorem about this game"},
		{guessNumber(3, 4), events{decision("3..4", "3", 0, 0)}, "it has no value"},
		{guessNumber(3, 4), events{value(decision("3..4", "3", win, 0), 3)}, "it has an outcome"},
		{guessNumber(3, 4), events{value(decision("3..4", "4", 0, 0), 3)}, "its guess 4 costs 4"},
		{guessNumber(3, 4), events{value(decision("3..4", "5", 0, 0), 3)}, "5 is not in the range"},
		{guessNumber(3, 4), events{value(decision("3..5", "5", 0, 0), 3)}, "not a range within 3..4"},
		{guessNumber(3, 6), events{value(decision("3..6", "5", 0, 0), 3)}, "its value rests on 3..4"},
		{guessNumber(3, 5), events{
			because(value(decision("3..4", "3", 0, 0), 3), 1, 0), value(decision("3..5", "4", 0, 0), 4),
		}, "its value rests on 4..5"},
		{guessNumber(3, 5), events{theorem(decision("3..5", "4", 0, 0), modulo)}, "there is no theorem about this game"},
	} {
		for i, event := range test.events {
			event.Sequence = int64(i + 1)
		}
		_, err := proof.Check(test.asked, stream(test.events))
		var wrong *proof.WrongError
		if !errors.As(err, &wrong) || wrong.Sequence != int64(len(test.events)) || !strings.Contains(wrong.Why, test.says) {
			t.Errorf("%v: %v: %v; it should say %s", test.asked, test.events, err, test.says)
		}
	}
}

// A long position is shown by its beginning.
func TestLongPositionsAreCutInMessages(t *testing.T) {
	text := strings.Repeat("1-", 1000) + "1"
	err := error(&proof.WrongError{Sequence: 3, Position: text, Why: "of this"})
	if got := err.Error(); len(got) > 200 || !strings.Contains(got, "event 3") || !strings.Contains(got, "of this") {
		t.Error(got)
	}
}

// The depth is that of some play: of any length between the shortest and the longest.
func TestDepths(t *testing.T) {
	for _, test := range []struct {
		asked *zermelov1.Position
		event *zermelov1.Event
		want  []uint32
	}{
		{nim(normal, 3, 0, 3), decision("3-0-0", "3>0", win, 0), []uint32{1, 2, 3}},
		{nim(normal, 5, 3, 1), decision("3-0-0", "3>0", win, 0), []uint32{2, 3, 4, 5, 6}},
		{nim(normal, 5, 3, 1), decision("1-0-0", "1>0", win, 0), []uint32{2, 3, 4, 5, 6, 7, 8}},
		{nim(normal, 5, 3), decision("2-0", "2>0", win, 0), []uint32{2, 3, 4, 5, 6}},
		{canIWin(6, 9, 2), decision("2,3", "4", win, 0), []uint32{1}},
		{hundredGame(3, 12, 2), decision("9", "3", win, 0), []uint32{3, 4, 5, 6, 7}},
		{hundredGame(3, 12, 3), decision("9", "3", win, 0), []uint32{2, 3, 4, 5, 6}},
	} {
		var got []uint32
		for depth := range uint32(10) {
			test.event.Sequence, test.event.Depth = 1, depth
			checker, err := proof.NewChecker(test.asked)
			if err != nil {
				t.Fatal(err)
			}
			if checker.Add(test.event) == nil {
				got = append(got, depth)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: %v is accepted at the depths %v, and not at %v", test.asked, test.event, got, test.want)
		}
	}
}
