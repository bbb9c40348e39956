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

// signed writes a margin with its sign.
func signed(n int64) string {
	if n > 0 {
		return "+" + Count(n)
	}
	return Count(n)
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
