package catalog

// writer makes messages of one type by the slab, since a trace has millions of them.
type writer[T any] struct {
	slab []T
	text []byte
}

func (w *writer[T]) next() *T {
	const slabSize = 64
	if len(w.slab) == 0 {
		w.slab = make([]T, slabSize)
	}
	m := &w.slab[0]
	w.slab = w.slab[1:]
	return m
}
