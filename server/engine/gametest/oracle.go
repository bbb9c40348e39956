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
}

// try adds a move and what it turns out to be worth.
func (a *Answer) try(text string, value int64) {
	if len(a.Best) == 0 || value > a.Value {
		a.Value, a.Best = value, nil
	}
	if value == a.Value && !slices.Contains(a.Best, text) {
		a.Best = append(a.Best, text)
	}
}

// The oracles are definitions, written down as they are spoken. They remember values in plain maps, keyed by what a
// position prints as, where they would be too slow otherwise; they never take two positions for one.

// Nim is the oracle of Nim in one convention.
type Nim struct {
	// Misere says that who takes the last stone loses.
	Misere bool
	values map[string]int64
}

// Solve answers for any piles.
func (o *Nim) Solve(piles ...int) Answer {
	total := 0
	for _, pile := range piles {
		total += pile
	}
	if total == 0 { // the other player took the last stone
		if o.Misere {
			return Answer{Value: 1}
		}
		return Answer{Value: -1}
	}
	var a Answer
	for i, pile := range piles {
		for left := range pile {
			after := slices.Clone(piles)
			after[i] = left
			a.try(fmt.Sprintf("%d>%d", pile, left), -o.value(after))
		}
	}
	return a
}

func (o *Nim) value(piles []int) int64 {
	name := fmt.Sprint(piles)
	if v, ok := o.values[name]; ok {
		return v
	}
	if o.values == nil {
		o.values = make(map[string]int64)
	}
	v := o.Solve(piles...).Value
	o.values[name] = v
	return v
}

// CanIWin is the oracle of Can I Win with the integers 1..N to Total.
type CanIWin struct {
	N, Total int
	values   map[string]int64
}

// Solve answers for any chosen integers, in any order.
func (o *CanIWin) Solve(chosen ...int) Answer {
	sum := 0
	for _, integer := range chosen {
		sum += integer
	}
	switch {
	case o.Total == 0 && len(chosen) == 0: // nobody has moved, and the total is there: the sources call that won
		return Answer{Value: 1}
	case sum >= o.Total: // the other player got there
		return Answer{Value: -1}
	case len(chosen) == o.N: // nobody could
		return Answer{Value: 0}
	}
	var a Answer
	for integer := 1; integer <= o.N; integer++ {
		if !slices.Contains(chosen, integer) {
			a.try(fmt.Sprint(integer), -o.value(append(slices.Clone(chosen), integer)))
		}
	}
	return a
}

func (o *CanIWin) value(chosen []int) int64 {
	slices.Sort(chosen)
	name := fmt.Sprint(chosen)
	if v, ok := o.values[name]; ok {
		return v
	}
	if o.values == nil {
		o.values = make(map[string]int64)
	}
	v := o.Solve(chosen...).Value
	o.values[name] = v
	return v
}

// Hundred is the oracle of the 100 game with the integers 1..N to Total.
type Hundred struct {
	N, Total int
	values   map[int]int64
}

// Solve answers for any current total.
func (o *Hundred) Solve(current int) Answer {
	if current >= o.Total { // the other player got there
		return Answer{Value: -1}
	}
	var a Answer
	for integer := 1; integer <= o.N; integer++ {
		a.try(fmt.Sprint(integer), -o.value(current+integer))
	}
	return a
}

func (o *Hundred) value(current int) int64 {
	if v, ok := o.values[current]; ok {
		return v
	}
	if o.values == nil {
		o.values = make(map[int]int64)
	}
	v := o.Solve(current).Value
	o.values[current] = v
	return v
}

// Ends is the oracle of the games in which two players take from the ends of a row: by how much the player to move
// outscores the other. It remembers nothing; a row of n takes 2^n steps.
func Ends(scores []int64) Answer {
	n := len(scores)
	if n == 0 {
		return Answer{}
	}
	var a Answer
	a.try("L", scores[0]-endsMargin(scores[1:]))
	a.try("R", scores[n-1]-endsMargin(scores[:n-1]))
	return a
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
	costs map[[2]int]int64
}

// Solve answers for the numbers low..high.
func (o *Guess) Solve(low, high int) Answer {
	if low >= high { // no number to pay for
		return Answer{}
	}
	var a Answer
	for guess := low; guess <= high; guess++ {
		// The more it costs, the less it is worth.
		a.try(fmt.Sprint(guess), -(int64(guess) + max(o.cost(low, guess-1), o.cost(guess+1, high))))
	}
	a.Value = -a.Value
	return a
}

func (o *Guess) cost(low, high int) int64 {
	if v, ok := o.costs[[2]int{low, high}]; ok {
		return v
	}
	if o.costs == nil {
		o.costs = make(map[[2]int]int64)
	}
	v := o.Solve(low, high).Value
	o.costs[[2]int{low, high}] = v
	return v
}
