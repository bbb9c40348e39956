package gametest

import (
	"fmt"
	"slices"
)

// Answer is what an oracle says about a position: its value for the player to move (for guess_number: the cost) and the
// moves that keep it, as texts in natural order, each once. In a lost game every legal move does. Nothing is left to
// move where the game is over.
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

// Judged is a move with what it is worth to the player who makes it.
type Judged struct {
	Text  string
	Value int64
	// Distance is the number of moves to the end, this one included.
	Distance int64
	// Branch is what the adversary of guess_number then says, 0 for lower and 1 for higher, or 0 when there is no choice.
	Branch int
	// Costlier is what an adversary says who knows no distances.
	Costlier int
}

// over is the answer where nothing is left to move.
func over(value int64) Answer { return Answer{Value: value, Moves: []Judged{}} }

// try adds a move.
func (a *Answer) try(m Judged) { a.Moves = append(a.Moves, m) }

// rank settles the answer when all moves are there. preferred says of two moves whether the first is better to make.
func (a Answer) rank(preferred func(m, other Judged) bool) Answer {
	ranked := slices.Clone(a.Moves)
	slices.SortStableFunc(ranked, func(m, other Judged) int {
		switch {
		case preferred(m, other):
			return -1
		case preferred(other, m):
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

// toWin prefers to win, then to draw; to win soon, and to draw or lose late.
func toWin(m, other Judged) bool {
	switch {
	case m.Value != other.Value:
		return m.Value > other.Value
	case m.Value == 1:
		return m.Distance < other.Distance
	default:
		return m.Distance > other.Distance
	}
}

// toLead prefers the larger margin. All plays are as long.
func toLead(m, other Judged) bool { return m.Value > other.Value }

// toSave prefers to pay less, then to be quick.
func toSave(m, other Judged) bool {
	return m.Value < other.Value || m.Value == other.Value && m.Distance < other.Distance
}

// after is a move after which the other player, or the adversary, has the position that an answer is about.
func after(text string, value int64, next Answer) Judged {
	return Judged{Text: text, Value: value, Distance: 1 + next.Distance}
}

// The oracles are definitions, written down as they are spoken. They remember answers in plain maps, keyed by what
// a position prints as, where they would be too slow otherwise; they never take two positions for one.

// Nim is the oracle of Nim in one convention.
type Nim struct {
	// Misere says that who takes the last stone loses.
	Misere  bool
	answers map[string]Answer
}

// Solve answers for any piles.
func (o *Nim) Solve(piles ...int) Answer {
	total := 0
	for _, pile := range piles {
		total += pile
	}
	if total == 0 { // the other player took the last stone
		if o.Misere {
			return over(1)
		}
		return over(-1)
	}
	var a Answer
	for i, pile := range piles {
		if slices.Contains(piles[:i], pile) {
			continue // equal piles have the same moves
		}
		for left := range pile {
			next := slices.Clone(piles)
			next[i] = left
			answer := o.answer(next)
			a.try(after(fmt.Sprintf("%d>%d", pile, left), -answer.Value, answer))
		}
	}
	return a.rank(toWin)
}

func (o *Nim) answer(piles []int) Answer {
	name := fmt.Sprint(piles)
	a, ok := o.answers[name]
	if ok {
		return a
	}
	if o.answers == nil {
		o.answers = make(map[string]Answer)
	}
	a = o.Solve(piles...)
	o.answers[name] = a
	return a
}

// CanIWin is the oracle of Can I Win with the integers 1..N to Total.
type CanIWin struct {
	N, Total int
	answers  map[string]Answer
}

// Solve answers for any chosen integers, in any order.
func (o *CanIWin) Solve(chosen ...int) Answer {
	sum := 0
	for _, integer := range chosen {
		sum += integer
	}
	switch {
	case o.Total == 0 && len(chosen) == 0: // nobody has moved, and the total is there: the sources call that won
		return over(1)
	case sum >= o.Total: // the other player got there
		return over(-1)
	case len(chosen) == o.N: // nobody could
		return over(0)
	}
	var a Answer
	for integer := 1; integer <= o.N; integer++ {
		if !slices.Contains(chosen, integer) {
			answer := o.answer(append(slices.Clone(chosen), integer))
			a.try(after(fmt.Sprint(integer), -answer.Value, answer))
		}
	}
	return a.rank(toWin)
}

func (o *CanIWin) answer(chosen []int) Answer {
	slices.Sort(chosen)
	name := fmt.Sprint(chosen)
	a, ok := o.answers[name]
	if ok {
		return a
	}
	if o.answers == nil {
		o.answers = make(map[string]Answer)
	}
	a = o.Solve(chosen...)
	o.answers[name] = a
	return a
}

// Hundred is the oracle of the 100 game with the integers 1..N to Total.
type Hundred struct {
	N, Total int
	answers  map[int]Answer
}

// Solve answers for any current total.
func (o *Hundred) Solve(current int) Answer {
	if current >= o.Total { // the other player got there
		return over(-1)
	}
	var a Answer
	for integer := 1; integer <= o.N; integer++ {
		answer := o.answer(current + integer)
		a.try(after(fmt.Sprint(integer), -answer.Value, answer))
	}
	return a.rank(toWin)
}

func (o *Hundred) answer(current int) Answer {
	a, ok := o.answers[current]
	if ok {
		return a
	}
	if o.answers == nil {
		o.answers = make(map[int]Answer)
	}
	a = o.Solve(current)
	o.answers[current] = a
	return a
}

// Ends is the oracle of the games in which two players take from the ends of a row: by how much the player to move
// outscores the other. It remembers nothing; a row of n takes 2^n steps.
func Ends(scores []int64) Answer {
	n := len(scores)
	if n == 0 {
		return over(0)
	}
	var a Answer
	a.try(Judged{Text: "L", Value: scores[0] - endsMargin(scores[1:]), Distance: int64(n)}) // each move takes one score
	a.try(Judged{Text: "R", Value: scores[n-1] - endsMargin(scores[:n-1]), Distance: int64(n)})
	return a.rank(toLead)
}

func endsMargin(scores []int64) int64 {
	n := len(scores)
	if n == 0 {
		return 0
	}
	return max(scores[0]-endsMargin(scores[1:]), scores[n-1]-endsMargin(scores[:n-1]))
}

// Guess is the oracle of the guessing game.
type Guess struct {
	answers map[[2]int]Answer
}

// Solve answers for the numbers low..high.
func (o *Guess) Solve(low, high int) Answer {
	if low >= high { // no number to pay for
		return over(0)
	}
	var a Answer
	for guess := low; guess <= high; guess++ {
		lower, higher := o.answer(low, guess-1), o.answer(guess+1, high)
		worst := lower
		var branch, costlier int
		if higher.Value > lower.Value {
			worst, branch, costlier = higher, 1, 1
		} else if higher.Value == lower.Value && higher.Distance > lower.Distance {
			worst, branch = higher, 1
		}
		m := after(fmt.Sprint(guess), int64(guess)+worst.Value, worst)
		if guess > low { // else there is no lower number: the only answer is higher
			m.Branch, m.Costlier = branch, costlier
		}
		a.try(m)
	}
	return a.rank(toSave)
}

func (o *Guess) answer(low, high int) Answer {
	a, ok := o.answers[[2]int{low, high}]
	if ok {
		return a
	}
	if o.answers == nil {
		o.answers = make(map[[2]int]Answer)
	}
	a = o.Solve(low, high)
	o.answers[[2]int{low, high}] = a
	return a
}
