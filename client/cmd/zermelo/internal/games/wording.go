package games

import (
	"fmt"
	"strconv"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// shownMost is about how many characters of a row are written out; people do not read the hundredth number.
const shownMost = 40

// boardMost is how many rows a board has at most.
const boardMost = 20

// ofTotal tells how far a sum is from the total.
func ofTotal(sum, total uint64) string {
	if sum >= total {
		return fmt.Sprintf("%d of %d", sum, total)
	}
	return fmt.Sprintf("%d of %d, %d to go", sum, total, total-sum)
}

// listed writes the elements of a row, joined by separator, cut where it is long.
func listed[T int64 | uint64 | uint32](elements []T, separator string) string {
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

// spelled writes the elements of a row as they are typed, all of them.
func spelled[T int64 | uint64 | uint32](elements []T, separator string) string {
	if len(elements) == 0 {
		return "-"
	}
	var words []string
	for _, element := range elements {
		words = append(words, fmt.Sprint(element))
	}
	return strings.Join(words, separator)
}

// fromOne is an index counted from 1.
func fromOne(index string) string {
	n, err := strconv.Atoi(index)
	if err != nil {
		return index
	}
	return strconv.Itoa(n + 1)
}

// leaves puts the one position after a move in words.
func leaves(next []*zermelov1.Position) string {
	if len(next) != 1 {
		return ""
	}
	words, err := Describe(next[0])
	if err != nil {
		return ""
	}
	return words.Short()
}

// ahead says by how much the player to move is ahead: "ahead by 3", "behind by 2", "level".
func ahead(margin int64) string {
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

// stableSpaces replaces the no-break spaces that the protobuf library strews into its errors by plain ones.
func stableSpaces(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }
