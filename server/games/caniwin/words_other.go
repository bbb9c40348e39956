//go:build !linux

package caniwin

// newWords returns count words, all 0, and a function that gives them back; they must not be used after that. The garbage
// collector frees them and returns their memory to the system in the background.
func newWords(count uint64) (words []uint64, giveBack func(), err error) {
	return make([]uint64, count), func() {}, nil
}
