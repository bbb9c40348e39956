// Package nim is the room of Nim on the client's side. Its rules, in rules.go, are those by which proofs are checked;
// how it is typed and shown is in words.go.
package nim

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

	"github.com/zermelo-games/zermelo/client/rules"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// mostPiles is how many piles a position may have.
const mostPiles = 100_000

// game is Nim. A position is its piles, largest first, empty ones included.
type game struct {
	misere bool
	root   []uint64
	// known has positions by their key: the piles as variable-length integers, which take no more bytes than the notation.
	known map[string]rules.Known

	piles []uint64 // the current position
	room  []byte   // for a key
}

// move leaves after stones in the pile of this rank. Of equal piles, it makes no difference which.
type move struct {
	rank  int
	after uint64
}

// Rules are those of Nim, from a root position. The error says why that is not legal.
func Rules(p *zermelov1.Position) (rules.Game, error) {
	root := p.GetNim()
	if convention := root.GetConvention(); convention != normal && convention != misere {
		return nil, fmt.Errorf("its convention is %v", convention)
	}
	if count := len(root.GetPiles()); count > mostPiles {
		return nil, fmt.Errorf("it has %d piles, and at most %d are legal", count, mostPiles)
	}
	n := &game{
		misere: root.GetConvention() == misere,
		root:   slices.Clone(root.GetPiles()),
		known:  make(map[string]rules.Known),
	}
	slices.Sort(n.root)
	slices.Reverse(n.root)
	if len(n.root) > 0 && n.root[0] > math.MaxInt64 {
		return nil, fmt.Errorf("a pile has %d stones, and not below 2^63", n.root[0])
	}
	n.piles = n.root
	return rules.NewWinLoss[move](n), nil
}

// Read reads the piles, largest first, joined by "-". With both in this order, play can lead from the piles of the root
// position to these exactly when none is larger than the one of the same rank there.
func (n *game) Read(text string) error {
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
		pile, rest, ok := rules.CutNumber(text)
		rank := len(n.piles)
		switch {
		case !ok, rank > 0 && pile > n.piles[rank-1]:
			return rules.ErrNotation
		case pile > n.root[rank]:
			return errors.New("has larger piles than play can leave")
		}
		n.piles = append(n.piles, pile)
		if rest == "" {
			return nil // all of them, by the number of hyphens
		}
		if rest[0] != '-' {
			return rules.ErrNotation
		}
		text = rest[1:]
	}
}

// Plays are longest when each move takes one stone. They are shortest when as many piles as can be are left alone, and
// each of the others is reduced by one move: whatever is left alone, the rest still fits rank by rank.
func (n *game) Plays() (shortest, longest uint64) {
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

// Ended: with nothing left, the other player took the last stone, which wins in normal play and loses in misère play.
func (n *game) Ended() zermelov1.Outcome {
	if len(n.piles) > 0 && n.piles[0] > 0 {
		return rules.Unknown
	}
	return n.outcomeOfNothing()
}

func (n *game) outcomeOfNothing() zermelov1.Outcome {
	if n.misere {
		return rules.Win
	}
	return rules.Loss
}

func (n *game) Found() rules.Known {
	n.room = appendPiles(n.room[:0], n.piles)
	return n.known[string(n.room)]
}

func (n *game) Record(k rules.Known) {
	n.room = appendPiles(n.room[:0], n.piles)
	n.known[string(n.room)] = k
}

// appendPiles appends the key of some piles.
func appendPiles(key []byte, piles []uint64) []byte {
	for _, pile := range piles {
		key = binary.AppendUvarint(key, pile)
	}
	return key
}

// First takes all of the largest pile. next takes less and less of it, then of the next smaller one.
func (n *game) First() move { return move{} }

func (n *game) Next(m move) (move, bool) {
	if m.after+1 < n.piles[m.rank] {
		return move{m.rank, m.after + 1}, true
	}
	rank := m.rank + 1
	for rank < len(n.piles) && n.piles[rank] == n.piles[m.rank] {
		rank++
	}
	return move{rank: rank}, rank < len(n.piles) && n.piles[rank] > 0
}

// Move reads a pile before and after, joined by ">".
func (n *game) Move(text string) (move, error) {
	before, after, ok := rules.ParsePair(text, ">")
	if !ok {
		return move{}, fmt.Errorf("%s %w", rules.Quote(text), rules.ErrNotation)
	}
	rank, found := slices.BinarySearchFunc(n.piles, before, func(pile, before uint64) int {
		return cmp.Compare(before, pile)
	})
	switch {
	case !found:
		return move{}, fmt.Errorf("%s is from a pile that is not there", rules.Quote(text))
	case after >= before:
		return move{}, fmt.Errorf("%s takes nothing", rules.Quote(text))
	}
	return move{rank, after}, nil
}

// After looks up the piles with the one that was reduced where it now belongs.
func (n *game) After(m move) rules.Known {
	if m.after == 0 && (len(n.piles) == 1 || n.piles[1] == 0) { // all there was
		return rules.KnownAs(n.outcomeOfNothing(), 0)
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

func (n *game) Print(m move) string {
	return strconv.FormatUint(n.piles[m.rank], 10) + ">" + strconv.FormatUint(m.after, 10)
}

func (n *game) Theorem() zermelov1.Theorem { return zermelov1.Theorem_THEOREM_BOUTON }

func (n *game) Foretell() zermelov1.Outcome {
	sum := n.nimSum()
	return rules.WinUnless(sum.lost(n.misere))
}

func (n *game) ForetellAfter(m move) zermelov1.Outcome {
	sum := n.nimSum()
	sum.remove(n.piles[m.rank])
	sum.add(m.after)
	return rules.WinUnless(sum.lost(n.misere))
}

// nimSum sums up the current position.
func (n *game) nimSum() nimSum {
	var sum nimSum
	for _, pile := range n.piles {
		sum.add(pile)
	}
	return sum
}

// nimSum is what Bouton's theorem needs to know of the piles.
type nimSum struct {
	xor   uint64 // of the stones in each pile
	ones  int    // piles of one stone
	large int    // piles of two stones or more
}

// add adds a pile.
func (s *nimSum) add(pile uint64) { s.change(pile, 1) }

// remove takes a pile away that was added.
func (s *nimSum) remove(pile uint64) { s.change(pile, -1) }

func (s *nimSum) change(pile uint64, by int) {
	s.xor ^= pile
	switch {
	case pile == 1:
		s.ones += by
	case pile > 1:
		s.large += by
	}
}

// lost is the theorem of C. L. Bouton (Nim, a game with a complete mathematical theory, Annals of Mathematics 3, 1901).
// In normal play a position is lost exactly when the exclusive or of its piles is 0. So it is in misère play while there
// is a pile of two or more; when there is none, it is lost exactly when the number of piles of one is odd.
func (s *nimSum) lost(misere bool) bool {
	if misere && s.large == 0 {
		return s.ones%2 == 1
	}
	return s.xor == 0
}
