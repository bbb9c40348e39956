package rpc

import (
	"slices"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// filter decides which events of a trace are sent: those that the request's filters let through, after those that the
// caller has already. It is asked about every event in turn, so that a resumed trace samples the same ones.
type filter struct {
	maxDepth *uint32
	kinds    []zermelov1.EventKind
	every    int64
	after    int64
	passed   int64
}

// newFilter checks the filters of a request with every default filled in; after is the last event that the caller has.
func newFilter(r *zermelov1.ExplainRequest, after int64) (*filter, error) {
	f := &filter{maxDepth: r.MaxDepth, kinds: r.GetKinds(), every: max(r.GetSampleEvery(), 1), after: after}
	if r.GetSampleEvery() < 0 {
		return nil, catalog.InvalidField("sample_every", "is %d; it must be 0 or 1, for all events, or more", r.GetSampleEvery())
	}
	for i, kind := range f.kinds {
		switch kind {
		case zermelov1.EventKind_EVENT_KIND_DECIDED:
		case zermelov1.EventKind_EVENT_KIND_ENTER, zermelov1.EventKind_EVENT_KIND_MEMO_HIT,
			zermelov1.EventKind_EVENT_KIND_TERMINAL, zermelov1.EventKind_EVENT_KIND_CUTOFF:
			if r.GetDetail() != zermelov1.Detail_DETAIL_SEARCH {
				return nil, catalog.InvalidField(catalog.Element("kinds", i), "is %v, which only DETAIL_SEARCH has", kind)
			}
		default:
			return nil, catalog.InvalidField(catalog.Element("kinds", i), "is %v; with DETAIL_SEARCH it may be EVENT_KIND_ENTER, "+
				"EVENT_KIND_MEMO_HIT, EVENT_KIND_TERMINAL, EVENT_KIND_CUTOFF or EVENT_KIND_DECIDED, otherwise "+
				"EVENT_KIND_DECIDED", kind)
		}
	}
	if r.GetDetail() == zermelov1.Detail_DETAIL_PROOF {
		const needed = "is set, but a proof needs all of its events; leave it unset with DETAIL_PROOF"
		switch {
		case r.MaxDepth != nil:
			return nil, catalog.InvalidField("max_depth", needed)
		case len(r.GetKinds()) > 0:
			return nil, catalog.InvalidField("kinds", needed)
		case r.GetSampleEvery() > 1:
			return nil, catalog.InvalidField("sample_every", needed)
		}
	}
	return f, nil
}

// wanted is passes, or nil where all events pass: there are millions of them, and the question would take a tenth of the
// time.
func (f *filter) wanted() func(sequence int64, kind zermelov1.EventKind, depth int) bool {
	if f.maxDepth == nil && len(f.kinds) == 0 && f.every == 1 && f.after == 0 {
		return nil
	}
	return f.passes
}

// passes reports whether the next event is to be sent.
func (f *filter) passes(sequence int64, kind zermelov1.EventKind, depth int) bool {
	if f.maxDepth != nil && depth > int(*f.maxDepth) || len(f.kinds) > 0 && !slices.Contains(f.kinds, kind) {
		return false
	}
	sampled := f.passed%f.every == 0
	f.passed++
	return sampled && sequence > f.after
}
