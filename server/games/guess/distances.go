package guess

import (
	"context"

	"github.com/zermelo-games/zermelo/server/engine"
)

// rangesBetweenLooks is how many ranges are worked on, the rest of a column apart, between two looks at the context: a
// millisecond or less.
const rangesBetweenLooks = 1 << 17

// DistanceBytes is exactly what Ranking takes for the distances of low..high with w > 1 numbers: 8 bytes for each of the
// w(w+1)/2 ranges that low..high contains, and 16w while they are filled. It takes nothing for a single number, and for
// more than MaxRankedWidth numbers, of which it does not know the distances.
func DistanceBytes(low, high uint32) uint64 {
	if low >= high || high-low >= MaxRankedWidth {
		return 0
	}
	w := uint64(high-low) + 1
	return 4*w*(w+1) + 16*w
}

// pair is what a range costs and how far it is from the end, in one number: the cost times 2^16, plus the distance. Of
// two pairs the greater one is the costlier, or as costly and farther.
//
// Distances are below the width of a range, and so below 2^15. Halving a range again and again takes at most 15 wrong
// guesses, each at most 2^31: that bounds the costs.
type pair uint64

const distanceBits = 16

func (p pair) cost() int64     { return int64(p >> distanceBits) }
func (p pair) distance() int64 { return int64(p & (1<<distanceBits - 1)) }

// distanceTable holds the pairs of all ranges within low..high. Time and memory are proportional to the square of the
// number of numbers.
//
// The guesser wants to pay little, and then to be quick; the adversary wants the opposite. Whatever they do, each guess
// g adds g to the cost and 1 to the distance: g·2^16 + 1 to the pair. So the pairs W satisfy the recurrence that costs do,
// with W(i, j) = 0 for i ≥ j, and for i < j
//
//	W(i, j) = min over g in i..j of g·2^16 + 1 + max(W(i, g−1), W(g+1, j)),
//
// and all that is used of it. W grows with the range: W(i, j) ≤ W(i, j+1), by induction on the width. If g is best in
// i..j+1 and g ≤ j, then g is legal in i..j too and costs no more there; if g = j+1, then W(i, j+1) is more than W(i, j).
// The same holds on the left.
//
// So, as g grows from i to j, W(i, g−1) never falls and W(g+1, j) never rises. Let the split be the least g with
// W(i, g−1) ≥ W(g+1, j).
//   - From the split on, what is below the guess decides, and the best guess is the split.
//   - Below the split, what is above the guess decides, whatever i is. When i falls and j stays, the split does not rise.
//     So the guesses from i to the split are a window of which both ends move downwards, and its minimum is found in a
//     queue, from which a guess is dropped when a smaller one comes in that is no worse.
type distanceTable struct {
	work // a step is a range

	low uint32
	// pairs[j(j+1)/2 + i] is W(low+i, low+j).
	pairs []pair
}

// fill fills the ranges within w > 1 numbers from low on. The only error is the cause of ctx.
func (d *distanceTable) fill(ctx context.Context, w int) error {
	if err := d.look(ctx, rangesBetweenLooks); err != nil {
		return err
	}
	d.pairs = make([]pair, w*(w+1)/2)
	q := queue{guesses: make([]int, w), pairs: make([]pair, w)}
	for j := range w {
		if err := d.look(ctx, rangesBetweenLooks); err != nil {
			return err
		}
		d.fillColumn(j, &q)
		d.steps += int64(j) + 1
	}
	return nil
}

// queue holds guesses, falling, and what the range has with each of them, falling as well from front to back.
type queue struct {
	guesses     []int
	pairs       []pair
	front, back int
}

// fillColumn fills the ranges that end with j. Numbers count from low.
func (d *distanceTable) fillColumn(j int, q *queue) {
	column := d.column(j)
	if j == 0 {
		return
	}
	column[j-1] = d.guess(j - 1) // of two numbers, the lower is guessed
	q.guesses[0], q.pairs[0] = j-1, column[j-1]
	q.front, q.back = 0, 1
	split := j
	atSplit := d.column(j - 1) // what is below the split
	for i := j - 2; i >= 0; i-- {
		for split-1 > i { // W(i, i−1) = 0 is less than W(i+1, j)
			below := d.column(split - 2)
			if below[i] < column[split] {
				break
			}
			split--
			atSplit = below
		}
		after := d.guess(i) + column[i+1]
		for q.back > q.front && q.pairs[q.back-1] >= after {
			q.back--
		}
		q.guesses[q.back], q.pairs[q.back] = i, after
		q.back++
		for q.guesses[q.front] >= split { // i is less: the queue does not get empty
			q.front++
		}
		column[i] = min(d.guess(split)+atSplit[i], q.pairs[q.front])
	}
}

// column holds the pairs of the ranges that end with j.
func (d *distanceTable) column(j int) []pair {
	first := j * (j + 1) / 2
	return d.pairs[first : first+j+1]
}

// guess is what guess g adds.
func (d *distanceTable) guess(g int) pair { return pair(int(d.low)+g)<<distanceBits + 1 }

// Close has nothing to give back.
func (d *distanceTable) Close() {}

// Rank reads what is below and above each guess.
func (d *distanceTable) Rank(ctx context.Context, p Position) ([]engine.Ranked[Move], error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if p.Low == p.High {
		return nil, nil
	}
	i, j := int(p.Low-d.low), int(p.High-d.low)
	column := d.column(j)
	ranked := make([]engine.Ranked[Move], 0, j-i+1)
	for g := i; g <= j; g++ {
		var below, above pair
		if g > i {
			below = d.column(g - 1)[i]
		}
		if g < j {
			above = column[g+1]
		}
		after := d.guess(g) + max(below, above)
		m := engine.Ranked[Move]{Move: Move(int(d.low) + g), Value: after.cost(), Distance: after.distance()}
		if g > i && above > below {
			m.Branch = 1
		}
		ranked = append(ranked, m)
	}
	return ranked, nil
}
