package proof_test

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func TestSolutionsThatDisagree(t *testing.T) {
	moves := func(notations ...string) func(*zermelov1.Solution) {
		return func(s *zermelov1.Solution) {
			s.BestMoves = nil
			for _, notation := range notations {
				s.BestMoves = append(s.BestMoves, &zermelov1.Move{Notation: notation})
			}
			s.BestMoveCount = nil
		}
	}
	all := func(notations ...string) func(*zermelov1.Solution) {
		return func(s *zermelov1.Solution) {
			moves(notations...)(s)
			s.BestMoveCount = proto.Int64(int64(len(notations)))
		}
	}
	for _, test := range []struct {
		asked  *zermelov1.Position
		change func(*zermelov1.Solution)
		says   string // nothing: it agrees
	}{
		{nim(normal, 3, 1), func(s *zermelov1.Solution) { s.Outcome = loss }, "OUTCOME_LOSS"},
		{nim(normal, 3, 1), func(s *zermelov1.Solution) { s.Outcome = 0 }, "OUTCOME_UNSPECIFIED"},
		{nim(normal, 3, 1), func(s *zermelov1.Solution) { s.Margin = proto.Int64(0) }, "has a margin"},
		{nim(normal, 3, 1), func(s *zermelov1.Solution) { s.Cost = proto.Int64(0) }, "has a cost"},
		{nim(normal, 3, 1), func(s *zermelov1.Solution) { s.BestMoveCount = nil }, ""},
		{nim(normal, 3, 1), func(s *zermelov1.Solution) { s.BestMoveCount = proto.Int64(0) }, "there is at least one"},
		{nim(normal, 3, 1), func(s *zermelov1.Solution) { s.BestMoveCount = proto.Int64(2) }, ""},
		{nim(normal, 3, 1), moves(), ""},
		{nim(normal, 3, 1), all(), "there is at least one"},
		{nim(normal, 3, 1), moves("3>1", "3>1"), "twice"},
		{nim(normal, 3, 1), moves("3>4"), "takes nothing"},
		{nim(normal, 3, 1), moves("2>0"), "is not there"},
		{nim(normal, 3, 1), all("1>0"), "lack \"3>1\""},
		{nim(normal, 3, 1), all("3>2", "3>1"), ""}, // more than the proof tells
		{nim(normal, 2, 2), all("2>1", "2>0"), ""},
		{nim(normal, 1), moves("1"), "is not written"},
		{nim(normal, 0), moves("0>0"), "the game is over"},
		{nim(normal, 0), func(s *zermelov1.Solution) { s.BestMoveCount = proto.Int64(1) }, "the game is over"},
		{nim(normal, 0), func(s *zermelov1.Solution) { s.BestMoveCount = nil }, ""},
		{canIWin(4, 10), moves("5"), "5 is not an integer"},
		{hundredGame(10, 100, 0), moves("11"), "11 is not from"},
		{predictTheWinner(4, 1, 5), func(s *zermelov1.Solution) { s.Margin = proto.Int64(4) }, "the margin 4; proved is 8"},
		{predictTheWinner(4, 1, 5), func(s *zermelov1.Solution) { s.Margin = nil }, "has no margin"},
		{predictTheWinner(4, 1, 5), func(s *zermelov1.Solution) { s.Cost = proto.Int64(8) }, "has a cost"},
		{predictTheWinner(4, 1, 5), all("L", "R"), "\"L\" is not"},
		{predictTheWinner(4, 1, 5), all("R"), ""},
		{predictTheWinner(4, 5, 5), all("R"), "lack \"L\""},
		{stoneGame(-4, 1, 5), func(s *zermelov1.Solution) { s.Outcome = win }, "OUTCOME_WIN"},
		{guessNumber(1, 3), func(s *zermelov1.Solution) { s.Cost = nil }, "has no cost"},
		{guessNumber(1, 3), func(s *zermelov1.Solution) { s.Cost = proto.Int64(3) }, "the cost 3; proved is 2"},
		{guessNumber(1, 3), func(s *zermelov1.Solution) { s.Outcome = draw }, "OUTCOME_DRAW"},
		{guessNumber(1, 3), all("1"), "\"1\" is not"},
		{guessNumber(1, 3), moves("4"), "4 is not in the range"},
	} {
		m := modelOf(test.asked)
		verdict, err := proof.Check(test.asked, stream(m.prove(firstChoice)))
		if err != nil {
			t.Fatal(err)
		}
		solution := m.solution()
		test.change(solution)
		switch err := verdict.Agrees(solution); {
		case test.says == "":
			if err != nil {
				t.Errorf("%v: %v: %v", test.asked, solution, err)
			}
		case !errors.Is(err, proof.ErrDisagrees) || !strings.Contains(err.Error(), test.says):
			t.Errorf("%v: %v: %v; it should say %s", test.asked, solution, err, test.says)
		}
		if err := verdict.Agrees(nil); !errors.Is(err, proof.ErrDisagrees) {
			t.Errorf("%v: no solution: %v", test.asked, err)
		}
	}
}

// A theorem tells of all moves, not only of those that a proof needed.
func TestATheoremTellsOfAllMoves(t *testing.T) {
	m := modelOf(nim(normal, 3, 1))
	verdict, err := proof.Check(m.asked, stream(m.proveByTheorem(firstChoice)))
	if err != nil {
		t.Fatal(err)
	}
	solution := m.solution()
	solution.BestMoves = append(solution.BestMoves, &zermelov1.Move{Notation: "3>2"})
	solution.BestMoveCount = nil
	if err := verdict.Agrees(solution); !errors.Is(err, proof.ErrDisagrees) {
		t.Errorf("3>2 is said to win: %v", err)
	}
}
