package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Bytes is an amount of memory. It is written as a whole number and a unit, 512MiB, and read with a binary unit (KiB,
// MiB, GiB, TiB), a decimal one (kB, MB, GB, TB), B or none.
type Bytes int64

// The binary units.
const (
	// KiB is 2^10 bytes.
	KiB Bytes = 1 << 10
	// MiB is 2^20 bytes.
	MiB Bytes = 1 << 20
	// GiB is 2^30 bytes.
	GiB Bytes = 1 << 30
	// TiB is 2^40 bytes.
	TiB Bytes = 1 << 40
)

// byteUnits are the units that are read, in lower case; the binary ones, largest first, are also those written.
var byteUnits = []struct {
	name string
	size Bytes
}{
	{"TiB", TiB}, {"GiB", GiB}, {"MiB", MiB}, {"KiB", KiB},
	{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3},
	{"B", 1}, {"", 1},
}

// String writes b with the largest binary unit that divides it: 512MiB, 1000B.
func (b Bytes) String() string {
	for _, unit := range byteUnits[:4] {
		if b != 0 && b%unit.size == 0 {
			return strconv.FormatInt(int64(b/unit.size), 10) + unit.name
		}
	}
	return strconv.FormatInt(int64(b), 10) + "B"
}

// MarshalText writes b as String does.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads an amount such as 512MiB. Case does not matter, nor does space before the unit. A fraction, a
// negative amount, an unknown unit and an amount above 2^63-1 bytes are errors.
func (b *Bytes) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	digits := strings.TrimRightFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	name := strings.TrimSpace(s[len(digits):])
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not an amount of memory: write a whole number and a unit, such as 512MiB", s)
	}
	for _, unit := range byteUnits {
		if !strings.EqualFold(name, unit.name) {
			continue
		}
		if n > uint64(math.MaxInt64/unit.size) {
			return fmt.Errorf("%q is more than %d bytes", s, int64(math.MaxInt64))
		}
		*b = Bytes(n) * unit.size
		return nil
	}
	return fmt.Errorf("%q has the unit %q, which is not known: use B, KiB, MiB, GiB or TiB, as in 512MiB", s, name)
}
