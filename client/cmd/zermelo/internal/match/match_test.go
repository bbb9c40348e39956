package match_test

import (
	"context"
	"errors"
	"testing"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/match"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

const (
	win  = zermelov1.Outcome_OUTCOME_WIN
	loss = zermelov1.Outcome_OUTCOME_LOSS
	draw = zermelov1.Outcome_OUTCOME_DRAW
)

// analyzeWith asks a real server, and remembers what it said.
func analyzeWith(t *testing.T, options ...func(*zermelov1.AnalyzeRequest)) match.Analyze {
	t.Helper()
	service := zermelov1.NewSolverServiceClient(servertest.Start(t).Conn(t))
	known := make(map[string]*zermelov1.AnalyzeResponse)
	return func(ctx context.Context, p *zermelov1.Position) (*zermelov1.AnalyzeResponse, error) {
		key := p.String()
		if r, ok := known[key]; ok {
			return r, nil
		}
		request := &zermelov1.AnalyzeRequest{Position: p}
		for _, option := range options {
			option(request)
		}
		r, err := service.Analyze(ctx, request)
		known[key] = r
		return r, err
	}
}

// Positions, shorter.
var (
	nim      = positions.Nim
	canIWin  = positions.CanIWin
	withLead = positions.Predict
	stones   = positions.Stones
	guess    = positions.Guess
)

func hundred(n, total uint64) *zermelov1.Position { return positions.Hundred(n, total, 0) }

func predict(scores ...int64) *zermelov1.Position { return positions.Predict(0, scores...) }

// everyMatch plays on with every move of the person, and calls end at the end of each match. It takes every move back
// again, which has to bring the match to where it was.
func everyMatch(t *testing.T, m *match.Match, end func()) {
	t.Helper()
	for !m.Over() && !m.PersonsTurn() {
		if _, err := m.Reply(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if m.Over() {
		end()
		return
	}
	at := m.Position()
	for _, move := range m.Analysis().GetMoves() {
		if _, err := m.Play(t.Context(), move.GetMove().GetNotation()); err != nil {
			t.Fatal(err)
		}
		everyMatch(t, m, end)
		if _, ok := m.Undo(); !ok || m.Position() != at || !m.PersonsTurn() {
			t.Fatalf("after %s was taken back, the match is at %v instead of %v", move.GetMove().GetNotation(), m.Position(), at)
		}
	}
}

// TestTheSolverPlaysPerfectly against every strategy of a person: it gets the value of the position or more, wins
// no later, and loses no sooner, than Analyze says.
func TestTheSolverPlaysPerfectly(t *testing.T) {
	analyze := analyzeWith(t)
	normal, misere := zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL, zermelov1.PlayConvention_PLAY_CONVENTION_MISERE
	for _, p := range []*zermelov1.Position{
		nim(normal, 3, 2, 1), nim(misere, 3, 2, 1), nim(normal, 4, 2), nim(misere, 4, 2), nim(misere, 1, 1, 1),
		nim(normal, 3, 3), nim(misere, 3, 3), canIWin(4, 6), canIWin(5, 9), canIWin(5, 12), canIWin(3, 7), hundred(3, 9), hundred(3, 8),
		predict(1, 5, 233, 7), predict(0, 0, 7, 6, 5, 6, 1), predict(-3, 5, -7, 2), predict(2, 2),
		withLead(3, 1, 5, 2), withLead(-4, 4, 1, 9, 8), stones(0, 5, 3, 4, 5), stones(-3, 9, 1, 2, 2),
	} {
		for _, personFirst := range []bool{true, false} {
			m, err := match.New(t.Context(), analyze, p, personFirst)
			if err != nil {
				t.Fatal(err)
			}
			asked := m.Analysis()
			// The value of the position to the solver.
			value := asked.GetSolution().GetOutcome()
			if personFirst {
				value = opposite(value)
			}
			margin := solversMargin(m)
			played := 0
			everyMatch(t, m, func() {
				played++
				got, moves := opposite(m.Outcome()), int64(len(m.Turns()))
				switch {
				case better(value, got):
					t.Errorf("%v, of value %v to the solver, ended %v", p, value, got)
				case value == win && asked.GetSolution().Margin == nil && moves > asked.GetMovesToEnd():
					t.Errorf("%v was won after %d moves instead of %d", p, moves, asked.GetMovesToEnd())
				case got == loss && asked.GetSolution().Margin == nil && moves < asked.GetMovesToEnd():
					t.Errorf("%v was lost after %d moves instead of %d", p, moves, asked.GetMovesToEnd())
				case solversMargin(m) < margin:
					t.Errorf("%v ended with a margin of %d for the solver, who could have %d", p, solversMargin(m), margin)
				}
				if turn, _ := m.Decided(); (turn != nil) != (better(got, value) || gaveAway(m)) {
					t.Errorf("%v, of value %v, ended %v; decided by %v", p, value, got, turn)
				}
			})
			if played == 0 {
				t.Errorf("%v was not played", p)
			}
		}
	}
}

// solversMargin is by how much the solver is ahead in the end, with best play from where the match stands; 0 in games
// without margins.
func solversMargin(m *match.Match) int64 {
	if m.PersonsTurn() {
		return -m.Analysis().GetSolution().GetMargin()
	}
	return m.Analysis().GetSolution().GetMargin()
}

// gaveAway says whether a move of the person was worse than another.
func gaveAway(m *match.Match) bool {
	for _, turn := range m.Turns() {
		if turn.Person && turn.Worse() {
			return true
		}
	}
	return false
}

// TestALostPositionIsDefendedLongest: where the solver is lost, no person who keeps the win and hurries is done before
// Analyze says.
func TestALostPositionIsDefendedLongest(t *testing.T) {
	analyze := analyzeWith(t)
	for _, p := range []*zermelov1.Position{
		nim(zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL, 4, 3, 2), nim(zermelov1.PlayConvention_PLAY_CONVENTION_MISERE, 4, 3, 2),
		canIWin(6, 13), hundred(4, 23),
	} {
		m, err := match.New(t.Context(), analyze, p, true)
		if err != nil {
			t.Fatal(err)
		}
		if m.Analysis().GetSolution().GetOutcome() != win {
			t.Fatalf("%v is not won", p)
		}
		asked := m.Analysis().GetMovesToEnd()
		everyMatch(t, m, func() {
			if m.Outcome() == win && int64(len(m.Turns())) < asked && !gaveAway(m) {
				t.Errorf("%v was lost by the solver after %d moves instead of %d", p, len(m.Turns()), asked)
			}
		})
	}
}

// TestEveryGuesserPaysEnough: whatever is guessed, the solver's answers make it cost what the range costs, or more; and
// who guesses best pays no more.
func TestEveryGuesserPaysEnough(t *testing.T) {
	analyze := analyzeWith(t)
	for _, p := range []*zermelov1.Position{guess(1, 8), guess(5, 11), guess(7, 7), guess(3, 4)} {
		m, err := match.New(t.Context(), analyze, p, false)
		if err != nil {
			t.Fatal(err)
		}
		cost, least := m.Analysis().GetSolution().GetCost(), int64(1<<62)
		everyMatch(t, m, func() {
			least = min(least, m.Paid())
			best := true
			for _, turn := range m.Turns() {
				best = best && turn.Kept()
			}
			if m.Paid() < cost || best && m.Paid() > cost {
				t.Errorf("%v costs %d, and was found for %d; all guesses best: %t", p, cost, m.Paid(), best)
			}
		})
		if least != cost {
			t.Errorf("%v costs %d; the least that was paid is %d", p, cost, least)
		}
	}
}

// TestWithoutDistances the solver does not know how to hurry, but gets what there is to get.
func TestWithoutDistances(t *testing.T) {
	analyze := analyzeWith(t, func(r *zermelov1.AnalyzeRequest) { r.SkipDistance = true })
	for _, p := range []*zermelov1.Position{
		nim(zermelov1.PlayConvention_PLAY_CONVENTION_MISERE, 2, 2, 1), canIWin(4, 6), canIWin(5, 12), canIWin(3, 7), hundred(3, 6),
		predict(1, 5, 233, 7), predict(2, 2), guess(1, 5),
	} {
		for _, personFirst := range []bool{true, false} {
			m, err := match.New(t.Context(), analyze, p, personFirst)
			if err != nil {
				t.Fatal(err)
			}
			value, cost := m.Analysis().GetSolution().GetOutcome(), m.Analysis().GetSolution().GetCost()
			if personFirst {
				value = opposite(value)
			}
			everyMatch(t, m, func() {
				if got := opposite(m.Outcome()); better(value, got) || m.Paid() < cost {
					t.Errorf("%v, of value %v to the solver, ended %v; %d of %d paid", p, value, got, m.Paid(), cost)
				}
			})
		}
	}
}

// TestAPositionThatIsLeftOut of an answer, for its size: the move is refused, and the match stands where it stood.
func TestAPositionThatIsLeftOut(t *testing.T) {
	analyze := analyzeWith(t, func(r *zermelov1.AnalyzeRequest) { r.SkipDistance = true })
	m, err := match.New(t.Context(), analyze, hundred(32_000, 100_000), true)
	if err != nil {
		t.Fatal(err)
	}
	moves := m.Analysis().GetMoves()
	last := moves[len(moves)-1].GetMove()
	if !last.GetNextOmitted() {
		t.Fatal("the answer is not large enough")
	}
	if _, err := m.Play(t.Context(), last.GetNotation()); !errors.Is(err, match.ErrLeftOut) || len(m.Turns()) != 0 {
		t.Errorf("%s: %v, %d turns", last.GetNotation(), err, len(m.Turns()))
	}
	if _, err := m.Reply(t.Context()); err != nil || len(m.Turns()) != 1 {
		t.Errorf("the best move: %v, %d turns", err, len(m.Turns()))
	}
}

// TestAFailedCallChangesNothing: the match stands where it stood, so that the move can be made again.
func TestAFailedCallChangesNothing(t *testing.T) {
	right, calls, fault := analyzeWith(t), 0, errors.New("the line is cut")
	var failing int
	analyze := func(ctx context.Context, p *zermelov1.Position) (*zermelov1.AnalyzeResponse, error) {
		if calls++; calls == failing {
			return nil, fault
		}
		return right(ctx, p)
	}
	m, err := match.New(t.Context(), analyze, guess(1, 8), true)
	if err != nil {
		t.Fatal(err)
	}
	at := m.Position()
	for _, which := range []int{1, 2} { // a guess has two ranges behind it
		calls, failing = 0, which
		if _, err := m.Play(t.Context(), "4"); !errors.Is(err, fault) || m.Position() != at || len(m.Turns()) != 0 || !m.PersonsTurn() {
			t.Errorf("call %d: %v; the match is at %v", which, err, m.Position())
		}
	}
	calls, failing = 0, 0
	if _, err := m.Play(t.Context(), "4"); err != nil || m.Position() == at {
		t.Errorf("%v; the match is at %v", err, m.Position())
	}
}

func TestIllegalMovesChangeNothing(t *testing.T) {
	m, err := match.New(t.Context(), analyzeWith(t), predict(3, 9), true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Play(t.Context(), "X"); !errors.Is(err, match.ErrIllegal) || len(m.Turns()) != 0 || !m.PersonsTurn() {
		t.Errorf("%v, %v", err, m.Turns())
	}
	if turn, err := m.Play(t.Context(), "r"); err != nil || turn.Move.GetMove().GetNotation() != "R" {
		t.Errorf("%v, %v", turn, err)
	}
	if _, ok := m.Undo(); !ok {
		t.Error("a move cannot be taken back")
	}
	if turn, ok := m.Undo(); ok {
		t.Errorf("more was taken back than was played: %v", turn)
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

// better says whether a is better than b.
func better(a, b zermelov1.Outcome) bool {
	rank := map[zermelov1.Outcome]int{loss: 0, draw: 1, win: 2}
	return rank[a] > rank[b]
}
