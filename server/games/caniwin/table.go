package caniwin

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/zermelo-games/zermelo/server/engine"
)

// MaxFree is how many integers may be left for a table: it takes 8 GiB then.
const MaxFree = 36

const (
	wordIntegers  = 6 // integers that number the bits of a word
	groupIntegers = 3 // integers that number the words of a group
	leastIntegers = wordIntegers + groupIntegers
	groupWords    = 1 << groupIntegers
	// blockIntegers is how many integers number the groups of a block. Between two looks at the context a worker fills a
	// block: 2^14 words, a fraction of a millisecond.
	blockIntegers = 11
	// mostInWord bounds the sum of the integers that number the bits of a word.
	mostInWord = MaxInteger*wordIntegers - wordIntegers*(wordIntegers-1)/2
)

// TableBytes is exactly what the table for free integers takes, at most MaxFree: a bit for each of their subsets, 64
// bytes at least. Besides it, Solve takes a few KiB for itself and its workers, and once for all 128 KiB of constants.
func TableBytes(free int) uint64 { return 1 << max(leastIntegers, free) / 8 }

// TableBytes is what Solve takes for a table: 0 where it needs none, and 2^64-1 where more than MaxFree integers are left.
func (g *Game) TableBytes() uint64 {
	free := bits.OnesCount64(uint64(g.free(g.root)))
	if _, ok := g.obvious(0); ok {
		return 0
	}
	if free > MaxFree {
		return math.MaxUint64
	}
	return TableBytes(free)
}

// Solve fills a table: for f integers that are left, in time proportional to f·2^f/64 at worst, less the fewer subsets
// are below the total, and with as many workers as may run at once. The value, the best moves and their number are read
// from it. Where one move decides no table is made; otherwise more than MaxFree integers are an engine.ErrNoAlgorithm. The
// other errors are the cause of ctx, looked at before each block of 2^14 words by each worker, and an
// engine.BudgetError when the system has no memory for the table. The table is given back to the system at the end,
// however it ends; see newWords.
func (g *Game) Solve(ctx context.Context, maxMoves int) (engine.Solution[Move], error) {
	if s, ok := g.obvious(maxMoves); ok {
		return s, nil
	}
	t, giveBack, err := g.fillTable(ctx)
	if err != nil {
		return engine.Solution[Move]{}, err
	}
	defer giveBack()
	s := engine.Solution[Move]{Value: engine.Loss, BestKnown: true}
	if t.won(t.root) {
		s.Value = engine.Win
	}
	for m := range engine.Moves(g, g.root) {
		if t.won(t.subset(g.root.With(m)&^g.root)) == (s.Value == engine.Loss) {
			if s.BestCount++; len(s.Best) < maxMoves {
				s.Best = append(s.Best, m)
			}
		}
	}
	return s, nil
}

var _ engine.Algorithm[Move] = (*Game)(nil)

// fillTable fills the table of the integers that are left at the root, where obvious does not answer. Its errors are those
// of Solve. Without one, giveBack must be called when the table is read no more.
func (g *Game) fillTable(ctx context.Context) (t *table, giveBack func(), err error) {
	free := g.free(g.root)
	n := bits.OnesCount64(uint64(free))
	if n > MaxFree {
		return nil, nil, engine.ErrNoAlgorithm
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	words, giveBack, err := newWords(TableBytes(n) / 8)
	if err != nil {
		return nil, nil, err
	}
	t = newTable(words, free, g.total-g.root.Sum(), blockIntegers)
	if err := t.fill(ctx, runtime.GOMAXPROCS(0)); err != nil {
		giveBack()
		return nil, nil, err
	}
	return t, giveBack, nil
}

// obvious answers what Decide answers, and the positions at which an integer is left that reaches the total. These are
// won by all integers that do. Any other leaves such an integer to the other player, who takes it.
func (g *Game) obvious(maxMoves int) (engine.Solution[Move], bool) {
	if s, ok := g.Decide(maxMoves); ok {
		return s, true
	}
	missing := g.total - g.root.Sum()
	if missing > MaxInteger {
		return engine.Solution[Move]{}, false
	}
	winning := uint64(g.free(g.root)) >> (missing - 1) << (missing - 1)
	if winning == 0 {
		return engine.Solution[Move]{}, false
	}
	s := engine.Solution[Move]{Value: engine.Win, BestCount: int64(bits.OnesCount64(winning)), BestKnown: true}
	for ; winning != 0 && len(s.Best) < maxMoves; winning &= winning - 1 {
		s.Best = append(s.Best, Move(bits.TrailingZeros64(winning))+1)
	}
	return s, true
}

// table holds who wins at the positions that can follow the root, one bit for each subset of the integers left there: 1
// if the player to move wins once the subset has been chosen too. Integer k, in ascending order from 0, stands for bit k
// of the subset's number. The lower six bits of the number are a bit of a word, the others the number of the word.
//
// # Who wins
//
// At the root the total is not reached, so it is not 0, and all integers together would reach it. Then no play ends in a
// draw: as long as the total is not reached, an integer is left. And a position at which it is reached is lost for the
// player to move, since the other player reached it. Such a subset is over; it keeps the 0 that a new table is filled
// with. Any other subset is lost if each move leads to one that is won, and won if not.
//
// A move leads to a larger number. So the words are filled from the last to the first, by eights: words whose numbers
// differ in the lower three bits are a group. The AND of the words that one of the other integers leads to leaves the
// candidates: the subsets that no such move wins. Where the least sum of a group reaches the total, nothing has to be
// done, and the same goes for blocks of groups; where the largest integer outside the group that is left reaches it,
// there are no candidates, and the words follow from the sums alone. Within the group, in the same order, the AND goes on
// with the words of the group; then the word is closed.
//
// # Closing a word
//
// A candidate is lost if and only if no move within the word leads to a subset that is over or lost. Moves to what is
// over are struck out first, by shifts. What is left depends on the candidates alone. The upper two of the six integers
// divide a word into quarters of 16 subsets. The candidates of the last quarter tell which subsets of it are lost: this
// is read from the quarters, 2^16 constants. Candidates that have a move to these are struck out, by shifts; then the
// two quarters in the middle are read, what leads there is struck out, and the first one is read.
//
// # Fewer than nine integers
//
// Integers of value 0 are put before them, and are chosen at the root. Every table has a whole group of words, and
// nothing is special about the small ones.
//
// # Workers
//
// The integers that number the blocks make levels: all blocks in which k of them are missing are level k. A block is
// filled from blocks in which one less is missing. So the blocks of a level can be filled at the same time, each by one
// worker, when the level before it is complete.
type table struct {
	words []uint64
	// values are the integers, with the zeros before them; root is the subset of the zeros.
	values []int
	root   uint64
	// missing is what the root lacks to the total.
	missing int
	// wordSum is the sum of the integers that number the bits of a word; over[k] holds which subsets of them have a sum of
	// k or more.
	wordSum int
	over    [mostInWord + 1]uint64
	// groupSums are the sums of the integers that number the words of a group.
	groupSums [groupWords]int
	quarters  *lostSubsets
	// inner is how many integers number the groups of a block, outer is how many number the blocks.
	inner, outer int
	// steps[k] is the sum of the integers of a group less that of the group before it, if the number of the former ends in
	// k zeros.
	steps []int
	// filled counts the words of all blocks that were filled.
	filled atomic.Int64
}

// newTable prepares a table in words: as many as TableBytes says, and all 0. Together the free integers reach what is
// missing.
func newTable(words []uint64, free Position, missing int64, blockIntegers int) *table {
	n := max(leastIntegers, bits.OnesCount64(uint64(free)))
	t := &table{words: words, values: make([]int, 0, n), missing: int(missing), quarters: quarters()}
	for k := range n - bits.OnesCount64(uint64(free)) {
		t.values = append(t.values, 0)
		t.root |= 1 << k
	}
	for rest := uint64(free); rest != 0; rest &= rest - 1 {
		t.values = append(t.values, bits.TrailingZeros64(rest)+1)
	}
	for subset := range uint64(1 << wordIntegers) {
		t.over[t.sum(0, subset)] |= 1 << subset
	}
	t.wordSum = t.sum(0, 1<<wordIntegers-1)
	for k := t.wordSum; k > 0; k-- {
		t.over[k-1] |= t.over[k]
	}
	for word := range t.groupSums {
		t.groupSums[word] = t.sum(wordIntegers, uint64(word))
	}
	t.inner = min(blockIntegers, n-leastIntegers)
	t.outer = n - leastIntegers - t.inner
	t.steps = make([]int, 0, t.inner)
	below := 0
	for _, value := range t.values[leastIntegers : leastIntegers+t.inner] {
		t.steps = append(t.steps, value-below)
		below += value
	}
	return t
}

// sum adds up a set of integers; its bit 0 stands for integer first.
func (t *table) sum(first int, set uint64) int {
	sum := 0
	for ; set != 0; set &= set - 1 {
		sum += t.values[first+bits.TrailingZeros64(set)]
	}
	return sum
}

// subset is the number of a set of the integers that are left at the root, with the zeros.
func (t *table) subset(chosen Position) uint64 {
	subset := t.root
	for k, value := range t.values {
		if value > 0 && chosen>>(value-1)&1 == 1 {
			subset |= 1 << k
		}
	}
	return subset
}

// won reports whether the player to move wins at a subset.
func (t *table) won(subset uint64) bool { return t.words[subset/64]>>(subset%64)%2 == 1 }

// fill fills the table.
func (t *table) fill(ctx context.Context, workers int) error {
	for k := range t.outer + 1 {
		l := level{missing: 1<<k - 1, all: 1<<t.outer - 1}
		var all engine.Workers
		for range min(workers, 1<<t.outer) - 1 {
			all.Go(func() { t.fillLevel(ctx, &l) })
		}
		all.Do(func() { t.fillLevel(ctx, &l) })
		all.Wait()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// level gives out the blocks in which as many integers are missing.
type level struct {
	mu sync.Mutex
	// missing is the set that is missing in the next block; beyond all when there is none.
	missing, all uint64
}

// take takes the next block; false after the last.
func (l *level) take() (block uint64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	set := l.missing
	if set > l.all {
		return 0, false
	}
	if set == 0 {
		l.missing = l.all + 1
	} else {
		// The next larger number with as many ones: the lowest run of ones carries one up, the others go down.
		lowest := set & -set
		carried := set + lowest
		l.missing = carried | (set^carried)/lowest>>2
	}
	return l.all &^ set, true
}

// fillLevel fills blocks of a level until none is left or the context is done.
func (t *table) fillLevel(ctx context.Context, l *level) {
	for ctx.Err() == nil {
		block, ok := l.take()
		if !ok {
			return
		}
		if sum := t.sum(leastIntegers+t.inner, block); sum < t.missing {
			t.fillBlock(block, sum)
			runtime.Gosched() // small calls do not wait for large ones
		}
	}
}

// fillBlock fills a block whose least sum does not reach what is missing.
func (t *table) fillBlock(block uint64, sum int) {
	last := uint64(1)<<t.inner - 1
	sum += t.sum(leastIntegers, last)
	for group := last; ; group-- {
		if sum < t.missing {
			t.fillGroup(block<<t.inner|group, t.missing-sum)
		}
		if group == 0 {
			break
		}
		sum -= t.steps[bits.TrailingZeros64(group)]
	}
	t.filled.Add(groupWords << t.inner)
}

// fillGroup fills a group whose least sum lacks more than 0.
func (t *table) fillGroup(number uint64, missing int) {
	group := (*[groupWords]uint64)(t.words[number*groupWords:])
	left := ^number & (1<<(t.inner+t.outer) - 1)
	if left != 0 && t.values[leastIntegers-1+bits.Len64(left)] >= missing {
		for word := range group {
			group[word] = ^t.overAt(missing - t.groupSums[word])
		}
		return
	}
	c0, c1, c2, c3 := ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)
	c4, c5, c6, c7 := ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)
	for ; left != 0; left &= left - 1 {
		after := (*[groupWords]uint64)(t.words[(number|left&-left)*groupWords:])
		c0 &= after[0]
		c1 &= after[1]
		c2 &= after[2]
		c3 &= after[3]
		c4 &= after[4]
		c5 &= after[5]
		c6 &= after[6]
		c7 &= after[7]
	}
	if t.groupSums[groupWords-1]+t.wordSum < missing { // nothing is over
		c7 = ^t.quarters.lost(c7)
		c6 = ^t.quarters.lost(c6 & c7)
		c5 = ^t.quarters.lost(c5 & c7)
		c3 = ^t.quarters.lost(c3 & c7)
		c4 = ^t.quarters.lost(c4 & c5 & c6)
		c2 = ^t.quarters.lost(c2 & c3 & c6)
		c1 = ^t.quarters.lost(c1 & c3 & c5)
		c0 = ^t.quarters.lost(c0 & c1 & c2 & c4)
		*group = [groupWords]uint64{c0, c1, c2, c3, c4, c5, c6, c7}
		return
	}
	candidates := [groupWords]uint64{c0, c1, c2, c3, c4, c5, c6, c7}
	for word := groupWords - 1; word >= 0; word-- {
		c := candidates[word]
		for k := range groupIntegers {
			if word>>k%2 == 0 {
				c &= group[word|1<<k]
			}
		}
		over := t.overAt(missing - t.groupSums[word])
		group[word] = ^(over | t.quarters.lost(c&^over&^into(over)))
	}
}

// overAt holds which subsets of a word are over if the word lacks as much.
func (t *table) overAt(missing int) uint64 {
	switch {
	case missing <= 0:
		return ^uint64(0)
	case missing <= t.wordSum:
		return t.over[missing]
	default:
		return 0
	}
}

// into holds which subsets of a word have a move into a set of others.
func into(set uint64) uint64 {
	// Whoever lacks integer k moves up by 2^k.
	return set>>1&0x5555555555555555 | set>>2&0x3333333333333333 | set>>4&0x0f0f0f0f0f0f0f0f |
		set>>8&0x00ff00ff00ff00ff | set>>16&0x0000ffff0000ffff | set>>32
}

// lostSubsets tells which of 16 subsets of four integers are lost, by which of them are candidates.
type lostSubsets [1 << 16]uint16

// quarters are the constants to close a word with. They are computed when they are first needed.
var quarters = sync.OnceValue(func() *lostSubsets {
	var q lostSubsets
	for candidates := 1; candidates < len(q); candidates++ {
		// No candidate follows on the last one: it is lost. What has a move to it is won, and what is left is known.
		last := uint64(1) << (bits.Len(uint(candidates)) - 1)
		q[candidates] = uint16(last) | q[uint64(candidates)&^last&^into(last)]
	}
	return &q
})

// lost closes a word: it tells which candidates are lost.
func (q *lostSubsets) lost(candidates uint64) uint64 {
	// What a shift moves out of place ends in quarters that have been read before.
	last := uint64(q[candidates>>48]) << 48
	candidates &^= last>>16 | last>>32
	middle := uint64(q[uint16(candidates>>32)])<<32 | uint64(q[uint16(candidates>>16)])<<16
	candidates &^= middle>>16 | middle>>32
	return last | middle | uint64(q[uint16(candidates)])
}
