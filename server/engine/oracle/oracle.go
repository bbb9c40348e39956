// Package oracle answers small positions slowly and plainly, for the fast ways to be compared with. Each game states its
// rules once more, as they are spoken; what follows from them is found here by plain recursion. It shares no code with
// the engine and none with the games' rules.
package oracle

import (
	"fmt"
	"slices"
)

// Answer is what an oracle says about a position: its value for the player to move (of a game with one player: the cost)
// and the moves that keep it, as texts in natural order, each once. In a lost game every legal move does. Nothing is left
// to move where the game is over.
type Answer struct {
	Value int64
	Best  []string
	// Distance is the number of moves to the end.
	Distance int64
	// Moves are all legal moves in natural order, each text once; nil when they are not known.
	Moves []Judged
	// Ranked are their texts, best first.
	Ranked []string
}

// Judged is a move with its value for the player who makes it.
type Judged struct {
	Text  string
	Value int64
	// Distance is the number of moves to the end, this one included.
	Distance int64
	// Branch is what the adversary of a game with one player then chooses, counted from 0.
	Branch int
	// Costlier is what an adversary chooses who knows no distances.
	Costlier int
}

// Move is a legal move with what it does.
type Move[P any] struct {
	Text string
	// Gain is what it earns, or costs.
	Gain int64
	// To is the position that follows; of a game with one player each that the adversary may choose.
	To []P
}

// Rules are those of a game with positions P, which print differently when they differ.
type Rules[P any] struct {
	// OnePlayer says that one player pays and an adversary chooses what follows a move; otherwise two players move in
	// turn.
	OnePlayer bool
	// Moves lists the legal moves at p in natural order, moves with the same effect once; none where the game is over.
	Moves func(p P) []Move[P]
	// Over is the value of a position without moves for the player to move.
	Over func(p P) int64
	// SoonWins says that who has won hurries; otherwise both players delay.
	SoonWins bool

	answers map[string]Answer
}

// Solve answers by plain recursion. It remembers answers by what a position prints as, so that it never takes two
// positions for one.
func (r *Rules[P]) Solve(p P) Answer {
	name := fmt.Sprint(p)
	if a, ok := r.answers[name]; ok {
		return a
	}
	if r.answers == nil {
		r.answers = make(map[string]Answer)
	}
	a := r.solve(p)
	r.answers[name] = a
	return a
}

func (r *Rules[P]) solve(p P) Answer {
	moves := r.Moves(p)
	if len(moves) == 0 {
		return Answer{Value: r.Over(p), Moves: []Judged{}}
	}
	var a Answer
	for _, m := range moves {
		a.Moves = append(a.Moves, r.judge(m))
	}
	ranked := slices.Clone(a.Moves)
	slices.SortStableFunc(ranked, func(m, other Judged) int {
		switch {
		case r.prefers(m, other):
			return -1
		case r.prefers(other, m):
			return 1
		default:
			return 0
		}
	})
	a.Value, a.Distance = ranked[0].Value, ranked[0].Distance
	for _, m := range ranked {
		a.Ranked = append(a.Ranked, m.Text)
	}
	for _, m := range a.Moves {
		if m.Value == a.Value {
			a.Best = append(a.Best, m.Text)
		}
	}
	return a
}

// judge says what a move leads to.
func (r *Rules[P]) judge(m Move[P]) Judged {
	j := Judged{Text: m.Text}
	if !r.OnePlayer {
		next := r.Solve(m.To[0])
		j.Value, j.Distance = m.Gain-next.Value, 1+next.Distance
		return j
	}
	for branch, to := range m.To {
		next := r.Solve(to)
		value, distance := m.Gain+next.Value, 1+next.Distance
		if branch == 0 || value > j.Value {
			j.Costlier = branch
		}
		if branch == 0 || value > j.Value || value == j.Value && distance > j.Distance {
			j.Value, j.Distance, j.Branch = value, distance, branch
		}
	}
	return j
}

// prefers says whether m is better to make than other.
func (r *Rules[P]) prefers(m, other Judged) bool {
	switch {
	case m.Value != other.Value:
		return m.Value > other.Value != r.OnePlayer
	case r.OnePlayer || r.SoonWins && m.Value > 0:
		return m.Distance < other.Distance
	default:
		return m.Distance > other.Distance
	}
}
