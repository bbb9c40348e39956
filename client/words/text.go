package words

import (
	"fmt"
	"strconv"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// shownMost is about how many characters of a row are written out; people do not read the hundredth number.
const shownMost = 40

// BoardMost is how many rows a board has at most.
const BoardMost = 20

// Number is a number of a position.
type Number interface{ int64 | uint64 | uint32 }

// OfTotal tells how far a sum is from the total: "89 of 100, 11 to go".
func OfTotal(sum, total uint64) string {
	if sum >= total {
		return fmt.Sprintf("%d of %d", sum, total)
	}
	return fmt.Sprintf("%d of %d, %d to go", sum, total, total-sum)
}

// Listed writes the elements of a row, joined by separator, cut where it is long.
func Listed[T Number](elements []T, separator string) string {
	var b strings.Builder
	for i, element := range elements {
		if i > 0 {
			b.WriteString(separator)
		}
		if b.Len() > shownMost {
			fmt.Fprintf(&b, "... (%d more)", len(elements)-i)
			break
		}
		fmt.Fprint(&b, element)
	}
	return b.String()
}

// Spelled writes all elements of a row; "-" when there are none.
func Spelled[T Number](elements []T, separator string) string {
	if len(elements) == 0 {
		return "-"
	}
	var words []string
	for _, element := range elements {
		words = append(words, fmt.Sprint(element))
	}
	return strings.Join(words, separator)
}

// Ahead says by how much the player to move is ahead: "ahead by 3", "behind by 2", "level".
func Ahead(margin int64) string {
	switch {
	case margin > 0:
		return "ahead by " + strconv.FormatInt(margin, 10)
	case margin < 0:
		// Not -margin, which does not exist for the smallest one.
		return "behind by " + strings.TrimPrefix(strconv.FormatInt(margin, 10), "-")
	default:
		return "level"
	}
}

// Leaves is the one position after a move, which describe puts in words.
func Leaves(next []*zermelov1.Position, describe func(*zermelov1.Position) Position) string {
	if len(next) != 1 {
		return ""
	}
	return describe(next[0]).Short()
}
