package engine

import (
	"encoding/binary"
	"math/bits"
)

// HashWord spreads a word over 64 bits: a bijection in which every bit of the result depends on every bit of the word
// (the finalizer of SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
// 2014).
func HashWord(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// HashBytes spreads a text over 64 bits, eight bytes at a time.
func HashBytes(text string) uint64 {
	h := uint64(len(text))
	for len(text) >= 8 {
		h = fold(h ^ binary.LittleEndian.Uint64([]byte(text[:8])))
		text = text[8:]
	}
	var tail uint64
	for i := range len(text) {
		tail = tail<<8 | uint64(text[i])
	}
	return HashWord(fold(h ^ tail))
}

// fold mixes the halves of a product into a word.
func fold(x uint64) uint64 {
	high, low := bits.Mul64(x, 0x9e3779b97f4a7c15)
	return high ^ low ^ x
}
