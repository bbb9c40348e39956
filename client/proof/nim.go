package proof

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// mostPiles is how many piles a position may have.
const mostPiles = 100_000

// nim is Nim. A position is its piles, largest first, empty ones included.
type nim struct {
	misere bool
	root   []uint64
	// known has positions by their key: the piles as variable-length integers, which take no more bytes than the notation.
	known map[string]worth

	piles []uint64 // the current position
	room  []byte   // for a key
}

// nimMove leaves after stones in the pile of this rank. Of equal piles, it makes no difference which.
type nimMove struct {
	rank  int
	after uint64
}

func newNim(asked *zermelov1.Nim) (game, error) {
	switch asked.GetConvention() {
	case zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL, zermelov1.PlayConvention_PLAY_CONVENTION_MISERE:
	default:
		return nil, fmt.Errorf("its convention is %v", asked.GetConvention())
	}
	if count := len(asked.GetPiles()); count > mostPiles {
		return nil, fmt.Errorf("it has %d piles, and at most %d are legal", count, mostPiles)
	}
	n := &nim{
		misere: asked.GetConvention() == zermelov1.PlayConvention_PLAY_CONVENTION_MISERE,
		root:   slices.Clone(asked.GetPiles()),
		known:  make(map[string]worth),
	}
	slices.Sort(n.root)
	slices.Reverse(n.root)
	if len(n.root) > 0 && n.root[0] > math.MaxInt64 {
		return nil, fmt.Errorf("a pile has %d stones, and not below 2^63", n.root[0])
	}
	n.piles = n.root
	return &winLoss[nimMove]{rules: n}, nil
}

// read reads the piles, largest first, joined by "-". When both are in this order, play can lead from the asked piles to
// these exactly when none is larger than the asked one of the same rank.
func (n *nim) read(text string) error {
	if len(n.root) == 0 && text == "-" {
		return nil
	}
	if strings.Count(text, "-") != len(n.root)-1 {
		return fmt.Errorf("is not one of %d piles", len(n.root))
	}
	if n.room == nil { // not before there is a text of that length
		n.piles = make([]uint64, 0, len(n.root))
		n.room = make([]byte, 0, len(text))
	}
	n.piles = n.piles[:0]
	for {
		pile, rest, ok := cutNumber(text)
		rank := len(n.piles)
		switch {
		case !ok, rank > 0 && pile > n.piles[rank-1]:
			return errNotation
		case pile > n.root[rank]:
			return errors.New("has larger piles than play can leave")
		}
		n.piles = append(n.piles, pile)
		if rest == "" {
			return nil // all of them, by the number of hyphens
		}
		if rest[0] != '-' {
			return errNotation
		}
		text = rest[1:]
	}
}

// plays are longest when each move takes one stone. They are shortest when as many piles as can be are left alone, and
// each of the others is reduced by one move: whatever is left alone, the rest still fits rank by rank.
func (n *nim) plays() (shortest, longest uint64) {
	for rank, pile := range n.piles {
		sum, carry := bits.Add64(longest, n.root[rank]-pile, 0)
		if carry > 0 {
			sum = math.MaxUint64 // more than any depth
		}
		longest = sum
	}
	left := n.root
	for _, pile := range n.piles {
		for len(left) > 0 && left[0] > pile {
			left = left[1:]
		}
		if len(left) > 0 && left[0] == pile {
			left = left[1:]
		} else {
			shortest++
		}
	}
	return shortest, longest
}

// ended: with nothing left, the other player took the last stone, which wins in normal play and loses in misère play.
func (n *nim) ended() zermelov1.Outcome {
	if len(n.piles) > 0 && n.piles[0] > 0 {
		return unknown
	}
	return n.outcomeOfNothing()
}

func (n *nim) outcomeOfNothing() zermelov1.Outcome {
	if n.misere {
		return win
	}
	return loss
}

func (n *nim) found() worth {
	n.room = appendPiles(n.room[:0], n.piles)
	return n.known[string(n.room)]
}

func (n *nim) record(w worth) {
	n.room = appendPiles(n.room[:0], n.piles)
	n.known[string(n.room)] = w
}

// appendPiles appends the key of some piles.
func appendPiles(key []byte, piles []uint64) []byte {
	for _, pile := range piles {
		key = binary.AppendUvarint(key, pile)
	}
	return key
}

// first takes all of the largest pile. next takes less and less of it, then of the next smaller one.
func (n *nim) first() nimMove { return nimMove{} }

func (n *nim) next(m nimMove) (nimMove, bool) {
	if m.after+1 < n.piles[m.rank] {
		return nimMove{m.rank, m.after + 1}, true
	}
	rank := m.rank + 1
	for rank < len(n.piles) && n.piles[rank] == n.piles[m.rank] {
		rank++
	}
	return nimMove{rank: rank}, rank < len(n.piles) && n.piles[rank] > 0
}

// move reads a pile before and after, joined by ">".
func (n *nim) move(text string) (nimMove, error) {
	before, after, ok := parsePair(text, ">")
	if !ok {
		return nimMove{}, fmt.Errorf("%s %w", quote(text), errNotation)
	}
	rank, found := slices.BinarySearchFunc(n.piles, before, func(pile, before uint64) int {
		return cmp.Compare(before, pile)
	})
	switch {
	case !found:
		return nimMove{}, fmt.Errorf("%s is from a pile that is not there", quote(text))
	case after >= before:
		return nimMove{}, fmt.Errorf("%s takes nothing", quote(text))
	}
	return nimMove{rank, after}, nil
}

// after looks up the piles with the one that was reduced where it now belongs.
func (n *nim) after(m nimMove) worth {
	if m.after == 0 && (len(n.piles) == 1 || n.piles[1] == 0) { // all there was
		return worthOf(n.outcomeOfNothing(), 0)
	}
	end := m.rank + 1
	for end < len(n.piles) && n.piles[end] > m.after {
		end++
	}
	n.room = appendPiles(n.room[:0], n.piles[:m.rank])
	n.room = appendPiles(n.room, n.piles[m.rank+1:end])
	n.room = binary.AppendUvarint(n.room, m.after)
	n.room = appendPiles(n.room, n.piles[end:])
	return n.known[string(n.room)]
}

func (n *nim) print(m nimMove) string {
	return strconv.FormatUint(n.piles[m.rank], 10) + ">" + strconv.FormatUint(m.after, 10)
}

func (n *nim) theorem() zermelov1.Theorem { return zermelov1.Theorem_THEOREM_BOUTON }

func (n *nim) foretell() zermelov1.Outcome {
	sum := n.nimSum()
	return winUnless(sum.lost(n.misere))
}

func (n *nim) foretellAfter(m nimMove) zermelov1.Outcome {
	sum := n.nimSum()
	sum.remove(n.piles[m.rank])
	sum.add(m.after)
	return winUnless(sum.lost(n.misere))
}

// nimSum sums up the current position.
func (n *nim) nimSum() nimSum {
	var sum nimSum
	for _, pile := range n.piles {
		sum.add(pile)
	}
	return sum
}
