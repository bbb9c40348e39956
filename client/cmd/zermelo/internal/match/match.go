// Package match is a game of a person against the solver: whose turn it is, what the solver plays, what a move gave away,
// and what is taken back. It knows no terminal, and of the value of moves what the service answers.
package match

import (
	"context"
	"errors"
	"fmt"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Analyze asks for the value of every move of a position.
type Analyze func(ctx context.Context, p *zermelov1.Position) (*zermelov1.AnalyzeResponse, error)

// Match is a game that is being played. Where there is one player, the solver answers the moves.
type Match struct {
	analyze Analyze
	// turns are the moves that were made.
	turns []Turn
	at    *zermelov1.Position
	known *zermelov1.AnalyzeResponse
	// personsTurn says whose turn it is. Where there is one player it is always the person's.
	personsTurn bool
}

// Turn is a move that was made.
type Turn struct {
	// Position is where it was made, and Analysis what was known there.
	Position *zermelov1.Position
	Analysis *zermelov1.AnalyzeResponse
	// Move is what was played.
	Move *zermelov1.RankedMove
	// Person says who made it.
	Person bool
	// Paid is what it has cost; 0 where there are two players.
	Paid int64
}

// Best is the best move there was.
func (t Turn) Best() *zermelov1.RankedMove { return t.Analysis.GetMoves()[0] }

// Kept says whether the move kept the value of the position.
func (t Turn) Kept() bool { return same(t.Move, t.Best()) }

// Worse says whether the move changed who wins, to the disadvantage of who made it.
func (t Turn) Worse() bool { return t.Move.GetOutcome() != t.Best().GetOutcome() }

// same says whether two moves have the same value, however long the game then takes.
func same(a, b *zermelov1.RankedMove) bool {
	return a.GetOutcome() == b.GetOutcome() && a.GetMargin() == b.GetMargin() && a.GetCost() == b.GetCost()
}

// New begins a match at a position. Errors are those of analyze.
func New(ctx context.Context, analyze Analyze, p *zermelov1.Position, personFirst bool) (*Match, error) {
	m := &Match{analyze: analyze}
	if err := m.goTo(ctx, p); err != nil {
		return nil, err
	}
	m.personsTurn = personFirst || m.Alone()
	return m, nil
}

func (m *Match) goTo(ctx context.Context, p *zermelov1.Position) error {
	known, err := m.analyze(ctx, p)
	if err != nil {
		return err
	}
	m.at, m.known = p, known
	return nil
}

// Position is where the match stands.
func (m *Match) Position() *zermelov1.Position { return m.at }

// Analysis is what is known of that position.
func (m *Match) Analysis() *zermelov1.AnalyzeResponse { return m.known }

// Alone says whether there is one player.
func (m *Match) Alone() bool { return m.known.GetSolution().Cost != nil }

// Over says whether the game is over.
func (m *Match) Over() bool { return len(m.known.GetMoves()) == 0 }

// PersonsTurn says whether the person is to move.
func (m *Match) PersonsTurn() bool { return m.personsTurn }

// Turns are the moves that were made. They must not be changed.
func (m *Match) Turns() []Turn { return m.turns }

// ErrIllegal says that a move is not legal.
var ErrIllegal = errors.New("not a legal move")

// ErrLeftOut says that the server has left out what a move leads to, because its answer would have been too large.
var ErrLeftOut = errors.New("the server left out the position after the move, because its answer was too large")

// Play makes the move of who is to move, by its notation; letters may be small. Errors: [ErrIllegal], [ErrLeftOut], and
// those of New. After an error, the match stands where it stood.
func (m *Match) Play(ctx context.Context, notation string) (Turn, error) {
	for _, move := range m.known.GetMoves() {
		if strings.EqualFold(move.GetMove().GetNotation(), notation) {
			return m.play(ctx, move)
		}
	}
	return Turn{}, fmt.Errorf("%q is %w", notation, ErrIllegal)
}

// Reply makes the solver's move: the best one. That is the quickest way to win, and where the game is lost, the longest
// way to lose.
func (m *Match) Reply(ctx context.Context) (Turn, error) { return m.play(ctx, m.known.GetMoves()[0]) }

func (m *Match) play(ctx context.Context, move *zermelov1.RankedMove) (Turn, error) {
	turn := Turn{Position: m.at, Analysis: m.known, Move: move, Person: m.personsTurn}
	next := move.GetMove().GetNext()
	if len(next) == 0 {
		return Turn{}, ErrLeftOut
	}
	if err := m.follow(ctx, next); err != nil {
		// The match stands where it stood.
		m.at, m.known = turn.Position, turn.Analysis
		return Turn{}, err
	}
	if m.Alone() {
		// The dearest answer to the move is what it was said to cost at worst.
		turn.Paid = move.GetCost() - m.known.GetSolution().GetCost()
	} else {
		m.personsTurn = !m.personsTurn
	}
	m.turns = append(m.turns, turn)
	return turn, nil
}

// follow goes to the position after a move. Of two, the solver chooses the one that costs more, of these the one that
// takes longer, of these the first.
func (m *Match) follow(ctx context.Context, next []*zermelov1.Position) error {
	if err := m.goTo(ctx, next[0]); err != nil || len(next) == 1 {
		return err
	}
	at, known := m.at, m.known
	if err := m.goTo(ctx, next[1]); err != nil {
		return err
	}
	first, second := known.GetSolution().GetCost(), m.known.GetSolution().GetCost()
	if first > second || first == second && known.GetMovesToEnd() >= m.known.GetMovesToEnd() {
		m.at, m.known = at, known
	}
	return nil
}

// Undo takes back the person's last move, which it returns, and what the solver has answered. False: there is none.
func (m *Match) Undo() (taken Turn, ok bool) {
	for at := len(m.turns) - 1; at >= 0; at-- {
		if t := m.turns[at]; t.Person {
			m.at, m.known, m.personsTurn = t.Position, t.Analysis, true
			m.turns = m.turns[:at]
			return t, true
		}
	}
	return Turn{}, false
}

// Paid is what the moves have cost so far, where there is one player.
func (m *Match) Paid() int64 {
	paid := int64(0)
	for _, t := range m.turns {
		paid += t.Paid
	}
	return paid
}

// Outcome is who has won, from the side of the person, when the game is over: by the margin where there is one.
func (m *Match) Outcome() zermelov1.Outcome {
	outcome := m.known.GetSolution().GetOutcome()
	if m.personsTurn {
		return outcome
	}
	switch outcome {
	case zermelov1.Outcome_OUTCOME_WIN:
		return zermelov1.Outcome_OUTCOME_LOSS
	case zermelov1.Outcome_OUTCOME_LOSS:
		return zermelov1.Outcome_OUTCOME_WIN
	default:
		return outcome
	}
}

// Decided is the last move of the person that changed who wins, and how many moves had been made before it; nil when
// there was none: the person has what was there at the beginning.
func (m *Match) Decided() (turn *Turn, before int) {
	for at := len(m.turns) - 1; at >= 0; at-- {
		if t := &m.turns[at]; t.Person && t.Worse() {
			return t, at
		}
	}
	return nil, 0
}
