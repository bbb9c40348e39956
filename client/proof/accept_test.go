package proof_test

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/games"
)

// stream is the events as a stream that ends well.
func stream(events []*zermelov1.Event) iter.Seq2[*zermelov1.Event, error] {
	return func(yield func(*zermelov1.Event, error) bool) {
		for _, event := range events {
			if !yield(event, nil) {
				return
			}
		}
	}
}

// checkVerdict compares a verdict with the truth.
func checkVerdict(t *testing.T, m *model, events []*zermelov1.Event, verdict *proof.Verdict) {
	t.Helper()
	value, total := m.value(m.root), m.lead+m.value(m.root)
	want := proof.Verdict{Outcome: outcomeOf(value), Decisions: int64(len(events))}
	switch m.kind {
	case engine.WinLoss:
	case engine.Margin:
		want.Outcome, want.Value, want.Margin = outcomeOf(total), &value, &total
	case engine.Cost:
		want.Outcome, want.Value = zermelov1.Outcome_OUTCOME_UNSPECIFIED, &value
	}
	if len(events) > 0 {
		want.Move = events[len(events)-1].GetMove()
		if want.Theorem = events[0].GetTheorem(); want.Theorem != zermelov1.Theorem_THEOREM_UNSPECIFIED {
			want.Decisions = 0
		}
	}
	if got, want := show(verdict), show(&want); got != want {
		t.Fatalf("%v is proved to be %s, and is %s", m.asked, got, want)
	}
	if err := verdict.Agrees(m.solution()); err != nil {
		t.Fatalf("%v: %v", m.asked, err)
	}
}

func show(v *proof.Verdict) string {
	number := func(n *int64) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	return fmt.Sprintf("%v, value %s, margin %s, by %q, after %d decisions, %v",
		v.Outcome, number(v.Value), number(v.Margin), v.Move, v.Decisions, v.Theorem)
}

// accept fails the test unless the proof is accepted, with the right verdict.
func accept(t *testing.T, m *model, events []*zermelov1.Event) {
	t.Helper()
	before := proto.Clone(m.asked)
	verdict, err := proof.Check(m.asked, stream(events))
	if err != nil {
		t.Fatalf("%v: %v\n%s", m.asked, err, list(events))
	}
	checkVerdict(t, m, events, verdict)
	if !proto.Equal(before, m.asked) {
		t.Fatalf("the root position was changed from %v to %v", before, m.asked)
	}
	if !m.accepts(events) {
		t.Fatalf("%v: the proof is accepted, and is wrong:\n%s", m.asked, list(events))
	}
}

func list(events []*zermelov1.Event) string {
	const most = 40
	var text string
	for _, event := range events[:min(most, len(events))] {
		text += fmt.Sprintln(event)
	}
	return text
}

// sampled are about 200 of the samples of a game; all of them when the long tests are asked for.
func sampled(game catalog.Entry) iter.Seq[*zermelov1.Position] {
	count := 0
	for range game.Samples {
		count++
	}
	stride := max(count/200, 1)
	if os.Getenv("ZERMELO_LONG") == "1" {
		stride = 1
	}
	return func(yield func(*zermelov1.Position) bool) {
		n := 0
		for p := range game.Samples {
			if n++; n%stride == 0 && !yield(p) {
				return
			}
		}
	}
}

// Every proof of the samples of each game is accepted: of a model's, one with the first best moves, one with chance moves
// in a chance order, and the theorem where there is one; and the server's, which agree with what it solves. That the
// values of the models are the truth, the oracle of the game says.
func TestProofsOfSamplesAreAccepted(t *testing.T) {
	for _, game := range games.All() {
		t.Run(game.Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			answer := game.Oracle()
			var roots, decisions, theorems int
			for p := range sampled(game) {
				acceptServers(t, p)
				m := smallModel(p)
				if m == nil {
					continue
				}
				roots++
				if got, want := m.value(m.root), answer(p).Value; got != want {
					t.Errorf("%v has the value %d in the model, and %d by its oracle", p, got, want)
				}
				for _, choose := range []choice{firstChoice, random.IntN} {
					events := m.prove(choose)
					decisions += len(events)
					accept(t, m, events)
				}
				if events := m.proveByTheorem(random.IntN); events != nil {
					theorems++
					accept(t, m, events)
				}
			}
			t.Logf("%d positions, %d decisions, %d theorems", roots, decisions, theorems)
			if roots < 30 || decisions == 0 || (theorems == 0) != (game.Theorem == zermelov1.Theorem_THEOREM_UNSPECIFIED) {
				t.Error("that is too few")
			}
		})
	}
}

// acceptServers checks the proofs that the server makes for a root position, without a stream in between.
func acceptServers(t *testing.T, root *zermelov1.Position) {
	t.Helper()
	instance, err := offered.Open(root, "position")
	if err != nil {
		t.Fatal(err)
	}
	solution, err := instance.Solve(t.Context(), catalog.MaxMaxMoves, nil)
	if err != nil {
		t.Fatalf("%v: %v", root, err)
	}
	theorem := modelOf(root).hasTheorem()
	for _, form := range []zermelov1.ProofForm{zermelov1.ProofForm_PROOF_FORM_CERTIFICATE, zermelov1.ProofForm_PROOF_FORM_THEOREM} {
		trace, err := instance.Explain(catalog.TraceOptions{
			Detail: zermelov1.Detail_DETAIL_PROOF, Policy: zermelov1.MemoPolicy_MEMO_POLICY_ALL, Form: form,
		})
		if form == zermelov1.ProofForm_PROOF_FORM_THEOREM && !theorem {
			if err == nil {
				t.Errorf("%v: a theorem where there is none", root)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%v, %v: %v", root, form, err)
		}
		verdict, err := proof.Check(root, messages(trace.Events(t.Context())))
		if err == nil {
			err = verdict.Agrees(solution)
		}
		if err != nil {
			t.Fatalf("%v, %v: %v", root, form, err)
		}
	}
}

// messages are the events as they come over the wire.
func messages(events iter.Seq2[*catalog.Event, error]) iter.Seq2[*zermelov1.Event, error] {
	return func(yield func(*zermelov1.Event, error) bool) {
		for e, err := range events {
			if err != nil {
				yield(nil, err)
				return
			}
			if e == nil {
				continue
			}
			m := &zermelov1.Event{
				Sequence: e.Sequence, Kind: e.Kind, Depth: e.Depth, Position: string(e.Position), Move: string(e.Move),
				Outcome: e.Outcome, Because: e.Because, Theorem: e.Theorem,
			}
			if e.HasValue {
				m.Value = &e.Value
			}
			if !yield(m, nil) {
				return
			}
		}
	}
}

func TestLargerProofsAreAccepted(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, asked := range []*zermelov1.Position{
		nim(normal, 7, 5, 3),
		nim(misere, 7, 5, 3),
		nim(misere, 1, 2, 3, 4, 0, 2),
		canIWin(10, 40),
		canIWin(9, 46),
		hundredGame(10, 100, 0),
		predictTheWinner(0, 0, 0, 7, 6, 5, 6, 1),
		stoneGame(-3, 5, 3, 4, 5, 9, 1),
		guessNumber(1, 40),
		guessNumber(200, 230),
	} {
		m := modelOf(asked)
		accept(t, m, m.prove(firstChoice))
		accept(t, m, m.prove(random.IntN))
	}
}

// Known answers.
func TestKnownAnswersAreProved(t *testing.T) {
	for _, test := range []struct {
		asked *zermelov1.Position
		want  string
	}{
		{nim(misere, 7, 5, 3), "OUTCOME_WIN, value -, margin -"},
		{nim(normal, 6, 5, 3), "OUTCOME_LOSS, value -, margin -"},
		{canIWin(10, 11), "OUTCOME_LOSS, value -, margin -"},
		{canIWin(10, 0), "OUTCOME_WIN, value -, margin -"},
		{canIWin(4, 11), "OUTCOME_DRAW, value -, margin -"},
		{hundredGame(10, 100, 0), "OUTCOME_WIN, value -, margin -"},
		{hundredGame(10, 100, 1), "OUTCOME_LOSS, value -, margin -"},
		{predictTheWinner(0, 0, 0, 7, 6, 5, 6, 1), "OUTCOME_LOSS, value -1, margin -1"},
		{predictTheWinner(-222, 1, 5, 233, 7), "OUTCOME_DRAW, value 222, margin 0"},
		{stoneGame(0, 5, 3, 4, 5), "OUTCOME_WIN, value 1, margin 1"},
		{guessNumber(1, 10), "OUTCOME_UNSPECIFIED, value 16, margin -"},
		{guessNumber(8, 10), "OUTCOME_UNSPECIFIED, value 9, margin -"},
	} {
		events := modelOf(test.asked).prove(firstChoice)
		verdict, err := proof.Check(test.asked, stream(events))
		if err != nil {
			t.Errorf("%v: %v", test.asked, err)
			continue
		}
		if got := show(verdict); len(got) < len(test.want) || got[:len(test.want)] != test.want {
			t.Errorf("%v is proved to be %s, and is %s", test.asked, got, test.want)
		}
	}
}

func TestTheoremsOfLargePositions(t *testing.T) {
	const most = 1<<63 - 1
	piles := make([]uint64, 100_000)
	for i := range piles {
		piles[i] = uint64(i)
	}
	many := nim(normal, piles...)
	for _, test := range []struct {
		asked    *zermelov1.Position
		theorem  zermelov1.Theorem
		position string
		move     string
		outcome  zermelov1.Outcome
	}{
		{nim(normal, most, most), zermelov1.Theorem_THEOREM_BOUTON, fmt.Sprintf("%d-%d", most, most), "", loss},
		{nim(misere, most, 1, 1), zermelov1.Theorem_THEOREM_BOUTON, fmt.Sprintf("%d-1-1", most), fmt.Sprintf("%d>1", most), win},
		{many, zermelov1.Theorem_THEOREM_BOUTON, descending(100_000), "", loss},
		{hundredGame(most, most, 0), zermelov1.Theorem_THEOREM_MODULO, "0", fmt.Sprint(most), win},
		{hundredGame(most-1, most, 0), zermelov1.Theorem_THEOREM_MODULO, "0", "", loss},
		{hundredGame(3, most, 4), zermelov1.Theorem_THEOREM_MODULO, "4", "3", win},
		{canIWin(64, 2081), zermelov1.Theorem_THEOREM_OUT_OF_REACH, "-", "64", draw},
		{canIWin(64, 1<<32-1, 3, 1), zermelov1.Theorem_THEOREM_OUT_OF_REACH, "1,3", "2", draw},
	} {
		event := &zermelov1.Event{
			Sequence: 1, Kind: zermelov1.EventKind_EVENT_KIND_THEOREM, Position: test.position, Move: test.move,
			Outcome: test.outcome, Theorem: test.theorem,
		}
		verdict, err := proof.Check(test.asked, stream([]*zermelov1.Event{event}))
		if err != nil {
			t.Errorf("%.80v: %v", test.asked, err)
			continue
		}
		if verdict.Outcome != test.outcome || verdict.Theorem != test.theorem || verdict.Decisions != 0 {
			t.Errorf("%.80v is proved to be %s", test.asked, show(verdict))
		}
		event.Outcome = win + loss - event.GetOutcome()
		if _, err := proof.Check(test.asked, stream([]*zermelov1.Event{event})); !errors.As(err, new(*proof.WrongError)) {
			t.Errorf("%.80v: with outcome %v: %v", test.asked, event.GetOutcome(), err)
		}
	}
}

const (
	win  = zermelov1.Outcome_OUTCOME_WIN
	loss = zermelov1.Outcome_OUTCOME_LOSS
	draw = zermelov1.Outcome_OUTCOME_DRAW
)

// descending is count-1, …, 1, 0 as piles.
func descending(count int) string {
	var numbers []int
	for number := count - 1; number >= 0; number-- {
		numbers = append(numbers, number)
	}
	return join(numbers, "-")
}
