package show

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Count writes a number with a comma between thousands.
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return sign + b.String()
}

// number writes a number that names something: without commas.
func number(n int64) string { return strconv.FormatInt(n, 10) }

// Counted writes a number of things: "1 move", "2,000 moves". The plural adds an s.
func Counted(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(n) + " " + thing + "s"
}

// size writes a number without its sign. Not -n, which does not exist for the smallest number.
func size(n int64) string { return strings.TrimPrefix(Count(n), "-") }

// Listed joins texts with commas and "and".
func Listed(texts []string) string { return joined(texts, "and") }

// joined joins texts with commas, and the last one with a word.
func joined(texts []string, word string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " " + word + " " + texts[last]
}

// took writes a time in the unit in which it is short.
func took(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}
