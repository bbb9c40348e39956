package config_test

import (
	"math"
	"strings"
	"testing"

	"github.com/zermelo-games/zermelo/server/config"
)

func TestBytesAreRead(t *testing.T) {
	for text, want := range map[string]config.Bytes{
		"0":                   0,
		"1":                   1,
		"17B":                 17,
		"512MiB":              512 << 20,
		"512mib":              512 << 20,
		"2 GiB":               2 << 30,
		"64kib":               64 << 10,
		"3TiB":                3 << 40,
		"5kB":                 5e3,
		"5MB":                 5e6,
		"5GB":                 5e9,
		"5TB":                 5e12,
		"9223372036854775807": math.MaxInt64,
	} {
		var got config.Bytes
		if err := got.UnmarshalText([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got != want {
			t.Errorf("%q is read as %d, want %d", text, got, want)
		}
	}
}

func TestBytesThatAreNotAmounts(t *testing.T) {
	for text, says := range map[string]string{
		"":                    "such as 512MiB",
		"MiB":                 "such as 512MiB",
		"-1MiB":               "such as 512MiB",
		"1.5GiB":              "such as 512MiB",
		"512M":                `the unit "M"`,
		"512 apples":          `the unit "apples"`,
		"9223372036854775808": "more than",
		"8388608TiB":          "more than",
	} {
		var got config.Bytes
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as %d, want an error", text, got)
		} else if !strings.Contains(err.Error(), says) {
			t.Errorf("%q: the error is %q, want it to say %q", text, err, says)
		}
	}
}

func FuzzBytesRoundTrip(f *testing.F) {
	for _, n := range []int64{0, 1, 1000, 1024, 3 << 20, 512 << 20, math.MaxInt64} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		if n < 0 {
			return // there is no negative amount
		}
		text := config.Bytes(n).String()
		var got config.Bytes
		if err := got.UnmarshalText([]byte(text)); err != nil || int64(got) != n {
			t.Fatalf("%d is written %q and read as %d, %v", n, text, got, err)
		}
	})
}
