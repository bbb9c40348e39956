package guess

import (
	"context"
	"math/bits"
	"unsafe"

	"github.com/zermelo-games/zermelo/server/engine"
)

// MaxWidth is how many numbers a range may have at most for the table.
const MaxWidth = 20_000

const (
	// blockEntries is how many entries are allocated together: 4 MiB.
	blockEntries = 1 << 20
	// cellsBetweenLooks is how many entries are computed, the rest of a column apart, between two looks at the context:
	// a millisecond or two.
	cellsBetweenLooks = 1 << 17
)

// TableBytes is exactly what the table takes for low..high with w > 1 numbers: 4 bytes for each of the w(w+1)/2 ranges
// that low..high contains, 24 for the header of each column, 8w for each of four rows, and what is left at the end of a
// block where the next column did not fit (less than 2 %). Nothing is taken for a single number. The allocator of the
// runtime rounds each of the pieces up to a page.
func TableBytes(low, high uint32) uint64 {
	w := uint64(high) - uint64(low) + 1
	if low > high || w == 1 {
		return 0
	}
	entries := w * (w + 1) / 2
	if entries > blockEntries {
		entries = 0
		for done := uint64(0); done < w; {
			columns, size := blockAt(done, w)
			entries += size
			done += columns
		}
	}
	return 4*entries + w*(uint64(unsafe.Sizeof([]uint32(nil)))+4*8)
}

// blockAt returns how many columns go into the block that begins with column j of w, and its entries: as many columns
// as fit, and one at least. Only the last block is made smaller than blockEntries.
func blockAt(j, w uint64) (columns, size uint64) {
	for j+columns < w {
		column := j + columns + 1
		if size+column > blockEntries && columns > 0 {
			return columns, max(size, blockEntries)
		}
		size += column
		columns++
	}
	return columns, size
}

// table holds the least sure cost C(i, j) of every range i..j within low..high, in time and memory proportional to the
// square of its width: some nanoseconds an entry. It is the plain way, and the reference for the row.
//
// Let C(i, j) = 0 for i ≥ j, and for i < j
//
//	C(i, j) = min over k in i..j of k + max(C(i, k−1), C(k+1, j)).
//
// It grows with the range: C(i, j) ≤ C(i, j+1), and likewise on the left. By induction on the width: if k is best in
// i..j+1 and k ≤ j, then k is legal in i..j too and costs no more there, as C(k+1, j) ≤ C(k+1, j+1); if k = j+1, then
// C(i, j+1) = j+1 + C(i, j).
//
// So, as k grows from i to j, C(i, k−1) never falls and C(k+1, j) never rises. Let the split s(i, j) be the least k with
// C(i, k−1) ≥ C(k+1, j); there is one, since k = j satisfies it.
//   - Guesses k ≥ s cost k + C(i, k−1), which rises with k: the best of them is s.
//   - Guesses k < s cost k + C(k+1, j), which does not depend on i. The best of them is the minimum of a window i..s−1.
//   - When i falls and j stays, C(i, k−1) does not fall, so that s does not rise: both ends of the window move downwards,
//     and all minima of one column cost time proportional to its height with the usual queue, in which a number is
//     dropped when a smaller one that costs no more comes in.
//
// The column j is thus filled from i = j downwards. It reads column s−1, or the one before, at row i: rows fall one by
// one and s falls slowly, so that the memory is read in a row.
//
// An entry has 32 bits for every range to 2^31. A strategy for w numbers is a binary search tree with w nodes; a node at
// depth d costs d wrong guesses. With ℓ(w) = ⌊log2 w⌋, every tree has a node at depth ℓ(w) or deeper, and the balanced
// one has no deeper node. Since all guesses are within i..j, i·ℓ(w) ≤ C(i, j) ≤ j·ℓ(w), and what is stored,
// C(i, j) − low·ℓ(j−i+1), lies in 0..(high−low)·ℓ(w), below 2^19 for MaxWidth. Costs themselves are below 2^36.
type table struct {
	low     int64
	columns [][]uint32 // columns[j][i] is C(low+i, low+j) − base[ℓ+1]
	base    [64]int64  // base[ℓ+1] is low·ℓ
	// row[j] is C(low, low+j), column[i] is C(low+i, low+j) of the column filled last.
	row, column []int64
	// The window's queue: numbers, falling, and what guessing them costs, falling from the front.
	queue, costs []int64
	// cells counts the entries that were computed.
	cells int64
}

// fill computes all columns of low..high, low < high.
func (t *table) fill(ctx context.Context, low, high uint32) error {
	w := int(high-low) + 1
	t.low = int64(low)
	for i := range t.base {
		t.base[i] = t.low * int64(i-1)
	}
	t.columns = make([][]uint32, w)
	t.row, t.column = make([]int64, w), make([]int64, w)
	t.queue, t.costs = make([]int64, w), make([]int64, w)
	var looked int64
	for j := 0; j < w; {
		columns, size := blockAt(uint64(j), uint64(w))
		block := make([]uint32, size)
		for range columns {
			if j == 0 || t.cells-looked >= cellsBetweenLooks {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				looked = t.cells
			}
			t.columns[j], block = block[:j+1:j+1], block[j+1:]
			t.fillColumn(j)
			j++
		}
	}
	return nil
}

// fillColumn computes column j. Indices count from low.
func (t *table) fillColumn(j int) {
	column, entries := t.column[:j+1], t.columns[j]
	queue, costs := t.queue, t.costs
	t.cells += int64(j) + 1

	column[j], entries[j] = 0, 0
	if j == 0 {
		return
	}
	// Two numbers: the lower is guessed. ℓ(2) = 1.
	column[j-1], entries[j-1] = t.low+int64(j-1), uint32(j-1)

	// The window of guesses below the split is queue[front:back]. It begins with the guess j−1, which leaves only j.
	split := j
	queue[0], costs[0] = int64(j-1), t.low+int64(j-1)
	front, back := 0, 1
	atSplit, beforeSplit := t.columns[j-1], []uint32(nil) // columns split−1 and split−2
	if j >= 2 {
		beforeSplit = t.columns[j-2]
	}
	for i := j - 2; i >= 0; i-- {
		// The split falls while the guess before it, k = split−1, satisfies C(i, k−1) ≥ C(k+1, j). It stays above i:
		// C(i, i−1) = 0 is less than C(i+1, j).
		for split-1 > i &&
			int64(beforeSplit[i])+t.base[bits.Len32(uint32(split-1-i))&63] >= column[split] {
			split--
			atSplit = beforeSplit
			if split >= 2 {
				beforeSplit = t.columns[split-2]
			}
		}
		// Guess i comes into the window; guesses from the split on leave it.
		cost := t.low + int64(i) + column[i+1]
		for back > front && costs[back-1] >= cost {
			back--
		}
		queue[back], costs[back] = int64(i), cost
		back++
		for queue[front] >= int64(split) {
			front++
		}
		best := t.low + int64(split) + int64(atSplit[i]) + t.base[bits.Len32(uint32(split-i))&63]
		best = min(best, costs[front])
		column[i] = best
		entries[i] = uint32(best - t.base[bits.Len32(uint32(j-i+1))&63])
	}
	t.row[j] = column[0]
}

// solution reads the root's value and best guesses from the last column and the first row.
func (t *table) solution(maxMoves int) engine.Solution[Move] {
	last := len(t.column) - 1
	s := engine.Solution[Move]{Value: t.row[last], BestKnown: true}
	for k := 0; k <= last; k++ {
		var below, above int64
		if k > 0 {
			below = t.row[k-1]
		}
		if k < last {
			above = t.column[k+1]
		}
		if t.low+int64(k)+max(below, above) != s.Value {
			continue
		}
		s.BestCount++
		if len(s.Best) < maxMoves {
			s.Best = append(s.Best, Move(t.low+int64(k)))
		}
	}
	return s
}
