package rpc_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// TestNextIsTheRequestAfterTheMove, written out for each game.
func TestNextIsTheRequestAfterTheMove(t *testing.T) {
	c := start(t)
	for name, test := range map[string]struct {
		position *zermelov1.Position
		want     map[string][]*zermelov1.Position
	}{
		"nim keeps the order of the piles and the empty ones": {nim(normal, 3, 0, 5, 4), map[string][]*zermelov1.Position{
			"3>1": {nim(normal, 1, 0, 5, 4)},
		}},
		"nim takes from the first of equal piles": {nim(normal, 2, 1, 2), map[string][]*zermelov1.Position{
			"1>0": {nim(normal, 2, 0, 2)},
		}},
		"can_i_win is ascending": {canIWin(10, 40, 4, 1), map[string][]*zermelov1.Position{
			"2": {canIWin(10, 40, 1, 2, 4)}, "10": {canIWin(10, 40, 1, 4, 10)},
		}},
		"hundred_game stops at the total": {hundred(3, 10, 8), map[string][]*zermelov1.Position{
			"2": {hundred(3, 10, 10)}, "3": {hundred(3, 10, 10)},
		}},
		"the lead changes sides": {predict(5, 1, 9), map[string][]*zermelov1.Position{
			"R": {predict(-14, 1)},
		}},
		"stone_game": {stones(-1, 3, 9, 1), map[string][]*zermelov1.Position{
			"L": {stones(-2, 9, 1)},
		}},
		"a row of one has two moves": {predict(0, 4), map[string][]*zermelov1.Position{
			"L": {{Game: &zermelov1.Position_PredictTheWinner{PredictTheWinner: &zermelov1.PredictTheWinner{Lead: -4}}}},
			"R": {{Game: &zermelov1.Position_PredictTheWinner{PredictTheWinner: &zermelov1.PredictTheWinner{Lead: -4}}}},
		}},
		"guess_number goes on on either side": {guess(1, 10), map[string][]*zermelov1.Position{
			"7": {guess(1, 6), guess(8, 10)},
		}},
		"guess_number at an end": {guess(1, 2), map[string][]*zermelov1.Position{
			"1": {guess(2, 2)},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, m := range solve(t, c, test.position).GetBestMoves() {
				want, listed := test.want[m.GetNotation()]
				if !listed {
					continue
				}
				delete(test.want, m.GetNotation())
				if diff := cmp.Diff(want, m.GetNext(), protocmp.Transform()); diff != "" {
					t.Errorf("%s: %s", m.GetNotation(), diff)
				}
			}
			for notation := range test.want {
				t.Errorf("%s is not among the best moves", notation)
			}
		})
	}
}

// TestEveryBestMoveKeepsTheValue: `next`, sent back, has the value that the move promised, seen from the other side.
func TestEveryBestMoveKeepsTheValue(t *testing.T) {
	c := start(t)
	for name, p := range examples {
		s := solve(t, c, p)
		if int64(len(s.GetBestMoves())) != s.GetBestMoveCount() || s.BestMoveCount == nil {
			t.Errorf("%s: %d moves of %d", name, len(s.GetBestMoves()), s.GetBestMoveCount())
		}
		for _, m := range s.GetBestMoves() {
			var worst int64
			for _, next := range m.GetNext() {
				after := solve(t, c, next)
				worst = max(worst, after.GetCost())
				if s.Cost != nil {
					continue
				}
				if after.GetOutcome() != opposite(s.GetOutcome()) || after.GetMargin() != -s.GetMargin() {
					t.Errorf("%s: %v, after %s %v", name, s, m.GetNotation(), after)
				}
			}
			if guessed := p.GetGuessNumber(); guessed != nil && len(m.GetNext()) == 0 {
				t.Errorf("%s: nothing follows %s", name, m.GetNotation())
			} else if guessed != nil && number(t, m.GetNotation())+worst != s.GetCost() {
				t.Errorf("%s: %s costs %d more, and all of it %d", name, m.GetNotation(), worst, s.GetCost())
			}
		}
	}
}

func opposite(o zermelov1.Outcome) zermelov1.Outcome {
	switch o {
	case win:
		return loss
	case loss:
		return win
	default:
		return o
	}
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	var n int64
	for _, digit := range text {
		n = 10*n + int64(digit-'0')
	}
	return n
}

// TestLargeAnswersFitADefaultClient: the list is cut at max_moves with the true number, `next` is left out above 1 MiB,
// and everything stays below the 4 MiB that a client receives unless told otherwise.
func TestLargeAnswersFitADefaultClient(t *testing.T) {
	c := start(t)
	ask := func(p *zermelov1.Position, maxMoves int32) *zermelov1.Solution {
		t.Helper()
		r, err := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: p, MaxMoves: maxMoves})
		if err != nil {
			t.Fatal(err)
		}
		with, without := 0, 0
		for _, m := range r.GetSolution().GetBestMoves() {
			switch {
			case m.GetNextOmitted() == (len(m.GetNext()) > 0):
				t.Fatalf("next_omitted is %v with %d positions", m.GetNextOmitted(), len(m.GetNext()))
			case m.GetNextOmitted():
				without++
			case without > 0:
				t.Fatal("a move with its position after one without")
			default:
				with++
			}
		}
		if size := proto.Size(r); size > 4<<20 || with > 0 && size > 1<<20+without*64 {
			t.Errorf("%d bytes with %d positions, %d omitted", size, with, without)
		}
		return r.GetSolution()
	}

	s := ask(nim(normal, 1<<40, 1<<40), 0)
	if len(s.GetBestMoves()) != 100 || s.GetBestMoveCount() != 1<<40 {
		t.Errorf("%d of %d moves", len(s.GetBestMoves()), s.GetBestMoveCount())
	}
	s = ask(nim(normal, 1<<40, 1<<40), 50_000)
	if len(s.GetBestMoves()) != 50_000 || !s.GetBestMoves()[49_999].GetNextOmitted() {
		t.Errorf("%d moves", len(s.GetBestMoves()))
	}
	piles := slices.Repeat([]uint64{math.MaxInt64}, 100_000)
	s = ask(nim(misere, piles...), 50_000)
	if s.GetBestMoveCount() != math.MaxInt64 {
		t.Errorf("%d moves from a lost position of equal piles", s.GetBestMoveCount())
	}
	piles[0], piles[1] = 1<<62, 1<<62
	if s = ask(nim(normal, piles...), 5); s.BestMoveCount != nil || s.GetOutcome() != loss {
		t.Errorf("more than 2^63-1 moves are counted as %d", s.GetBestMoveCount())
	}
	if s = ask(hundred(math.MaxInt64, math.MaxInt64, 0), 3); s.GetBestMoveCount() != 1 || s.GetBestMoves()[0].GetNotation() != "9223372036854775807" {
		t.Errorf("%v", s)
	}
	if s = ask(hundred(math.MaxInt64, 1, 0), 3); s.GetBestMoveCount() != math.MaxInt64 {
		t.Errorf("%v", s)
	}
}
