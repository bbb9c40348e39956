package engine_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
)

func TestParseNumberReadsWhatIsWritten(t *testing.T) {
	for _, limit := range []uint64{0, 1, 9, 10, 1 << 40, math.MaxInt64, math.MaxUint64} {
		for _, n := range []uint64{0, 1, 9, 10, 11, 1 << 40, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64} {
			got, ok := engine.ParseNumber(strconv.FormatUint(n, 10), limit)
			if ok != (n <= limit) || ok && got != n {
				t.Errorf("%d with the limit %d: %d, %t", n, limit, got, ok)
			}
		}
	}
}

func TestParseNumberReadsNothingElse(t *testing.T) {
	for _, text := range []string{
		"", " ", "-", "+", "00", "01", "-1", "-0", "+1", " 1", "1 ", "1\n", "1_0", "1.0", "1e1", "0x1", "1a", "a", "٣", "\x00",
		"18446744073709551616", strings.Repeat("9", 100), "1\xff",
	} {
		if n, ok := engine.ParseNumber(text, math.MaxUint64); ok {
			t.Errorf("%q is read as %d", text, n)
		}
	}
}

func TestNotationErrorsAreShortAndOfTheirClass(t *testing.T) {
	for _, text := range []string{"", "x", strings.Repeat("x", 1<<20), strings.Repeat("\x00", 1<<20), strings.Repeat("石", 1000)} {
		err := engine.NotationError(text, "something else")
		if !errors.Is(err, engine.ErrNotation) || len(err.Error()) > 400 || !strings.Contains(err.Error(), "something else") {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}
