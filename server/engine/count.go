package engine

// AddSaturating adds two counts; the largest uint64 stands for itself and everything above.
func AddSaturating(a, b uint64) uint64 {
	if a+b < a {
		return ^uint64(0)
	}
	return a + b
}

// MulSaturating multiplies two counts; see AddSaturating.
func MulSaturating(a, b uint64) uint64 {
	if a != 0 && a*b/a != b {
		return ^uint64(0)
	}
	return a * b
}
