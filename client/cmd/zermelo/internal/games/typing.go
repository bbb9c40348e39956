package games

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// usagef makes a UsageError.
func usagef(format string, args ...any) error {
	return &UsageError{Problem: fmt.Sprintf(format, args...)}
}

// HyphenMinus is what stands for the minus of a negative number while the command line is parsed: a parser takes the
// "-3" of a row of scores for a flag. It is U+2212, which typography uses and which nobody has to type.
const HyphenMinus = "−"

// natural reads a whole number that is not negative. what names it in errors.
func natural(what, text string, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	switch {
	case err == nil && n <= most:
		return n, nil
	case isInteger(text) && strings.HasPrefix(plainMinus(text), "-"):
		return 0, usagef("%s is %s; it cannot be negative", what, plainMinus(text))
	case isInteger(text):
		return 0, usagef("%s is %s; at most %d can be written", what, text, most)
	default:
		return 0, usagef("%s is %q; it must be a whole number", what, plainMinus(text))
	}
}

// natural32 is natural for fields of 32 bits.
func natural32(what, text string) (uint32, error) {
	n, err := natural(what, text, math.MaxUint32)
	return uint32(n), err
}

// integer reads a whole number. what names it in errors.
func integer(what, text string) (int64, error) {
	n, err := strconv.ParseInt(plainMinus(text), 10, 64)
	switch {
	case err == nil:
		return n, nil
	case isInteger(text):
		return 0, usagef("%s is %s; it must be from -2^63 to 2^63-1", what, plainMinus(text))
	default:
		return 0, usagef("%s is %q; it must be a whole number", what, plainMinus(text))
	}
}

// plainMinus writes negative numbers as they were typed.
func plainMinus(text string) string { return strings.ReplaceAll(text, HyphenMinus, "-") }

// isInteger reports whether text is a whole number of any size.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(plainMinus(text), "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// row splits the words of a row, which are separated by spaces or commas. A row that was typed as "-" is empty; one
// that was not typed at all is an error, which says what it is and how it is typed.
func row(words []string, what, example string) ([]string, error) {
	if len(words) == 0 {
		return nil, usagef("%s are missing: type them as in %s, or - for none", what, example)
	}
	if len(words) == 1 && words[0] == "-" {
		return nil, nil
	}
	var elements []string
	for _, word := range words {
		for element := range strings.SplitSeq(word, ",") {
			if element != "" { // as in "1, 2"
				elements = append(elements, element)
			}
		}
	}
	return elements, nil
}

// naturals reads a row of numbers that are not negative. one names an element in errors.
func naturals(elements []string, one string) ([]uint64, error) {
	numbers := make([]uint64, 0, len(elements))
	for i, element := range elements {
		n, err := natural(fmt.Sprintf("%s %d", one, i+1), element, math.MaxUint64)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
