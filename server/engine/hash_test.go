package engine_test

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
)

// requireSpread checks that hashes of different keys differ, and that they fall evenly into 64 parts by any of some
// groups of six of their bits: those that a table of decisions looks at.
func requireSpread(t *testing.T, what string, hashes []uint64) {
	t.Helper()
	seen := make(map[uint64]bool)
	for _, h := range hashes {
		seen[h] = true
	}
	if len(seen) != len(hashes) {
		t.Errorf("%s: %d hashes of %d keys", what, len(seen), len(hashes))
	}
	mean := float64(len(hashes)) / 64
	for _, shift := range []int{0, 6, 12, 18, 58} {
		var parts [64]int
		for _, h := range hashes {
			parts[h>>shift%64]++
		}
		for part, n := range parts {
			if off := math.Abs(float64(n)-mean) / math.Sqrt(mean); off > 6 {
				t.Errorf("%s: by the bits from %d on, part %d has %d of %d keys", what, shift, part, n, len(hashes))
			}
		}
	}
}

func TestHashWordSpreadsTheKeysOfGames(t *testing.T) {
	const n = 1 << 14
	word := func(key func(i uint64) uint64) []uint64 {
		hashes := make([]uint64, n)
		for i := range hashes {
			hashes[i] = engine.HashWord(key(uint64(i)))
		}
		return hashes
	}
	requireSpread(t, "totals", word(func(i uint64) uint64 { return i }))
	requireSpread(t, "large totals", word(func(i uint64) uint64 { return math.MaxInt64 - i }))
	requireSpread(t, "sets of large integers", word(func(i uint64) uint64 { return i << 50 }))
	requireSpread(t, "ranges", word(func(i uint64) uint64 { return i/128<<32 | i%128 }))
}

func TestHashBytesSpreadsTheKeysOfGames(t *testing.T) {
	const n = 1 << 14
	for _, length := range []int{2, 3, 7, 8, 9, 15, 16, 17, 24, 100, 1000} {
		for at := 0; at+2 <= length; at += max(1, (length-2)/3) {
			hashes := make([]uint64, n)
			for i := range hashes {
				key := make([]byte, length)
				binary.BigEndian.PutUint16(key[at:], uint16(i))
				hashes[i] = engine.HashBytes(string(key))
			}
			requireSpread(t, "texts that differ in two bytes", hashes)
		}
	}
	hashes := make([]uint64, n/8)
	for i := range hashes {
		hashes[i] = engine.HashBytes(string(make([]byte, i)))
	}
	requireSpread(t, "zeros of every length", hashes)
}

// TestEveryBitOfAKeyChangesHalfTheHash flips single bits.
func TestEveryBitOfAKeyChangesHalfTheHash(t *testing.T) {
	const keys = 100
	random := rand.New(rand.NewPCG(9, 10))
	for _, length := range []int{8, 1, 5, 12, 16, 40} {
		for bit := range 8 * length {
			var changed int
			for range keys {
				key := make([]byte, length)
				for i := range key {
					key[i] = byte(random.UintN(4)) // small piles
				}
				before, word := engine.HashBytes(string(key)), make([]byte, 8)
				copy(word, key)
				wordBefore := engine.HashWord(binary.LittleEndian.Uint64(word))
				key[bit/8] ^= 1 << (bit % 8)
				copy(word, key)
				changed += bits.OnesCount64(before ^ engine.HashBytes(string(key)))
				if length <= 8 {
					changed += bits.OnesCount64(wordBefore ^ engine.HashWord(binary.LittleEndian.Uint64(word)))
				}
			}
			mean := float64(changed) / keys
			if length <= 8 {
				mean /= 2
			}
			if mean < 29 || mean > 35 {
				t.Errorf("bit %d of %d bytes changes %.1f bits of the hash", bit, length, mean)
			}
		}
	}
}
