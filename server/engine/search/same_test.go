package search_test

import (
	"hash/fnv"
	"io"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
	"github.com/zermelo-games/zermelo/server/games/ends"
	"github.com/zermelo-games/zermelo/server/games/guess"
	"github.com/zermelo-games/zermelo/server/games/hundred"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

// signature is a hash of all events of a search.
func signature[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K], options search.Options) uint64 {
	t.Helper()
	h := fnv.New64a()
	for _, line := range trace(t, g, options) {
		_, _ = io.WriteString(h, line+"\n")
	}
	return h.Sum64()
}

func requireSignature[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K], options search.Options, want uint64) {
	t.Helper()
	got := signature(t, g, options)
	if again := signature(t, g, options); again != got {
		t.Errorf("%T: the same search twice makes different events: %#x, %#x", g, got, again)
	}
	if got != want {
		t.Errorf("%T with %+v: the events have the signature %#x instead of %#x; when they are meant to differ, "+
			"engine.Version has to change", g, options, got, want)
	}
}

// TestTheSameSearchMakesTheSameEvents pins the events of some searches. They must be the same on every run and on every
// machine until engine.Version changes.
func TestTheSameSearchMakesTheSameEvents(t *testing.T) {
	if engine.Version != "1" {
		t.Errorf("the signatures are those of version 1, not of %s", engine.Version)
	}
	everything := search.Options{Detail: search.Everything}
	requireSignature(t, nim.New([]uint64{7, 5, 3}, nim.Misere), everything, 0xcae39f0e68035c8a)
	requireSignature(t, nim.New([]uint64{7, 5, 3}, nim.Misere),
		search.Options{Detail: search.Everything, Policy: search.RememberLosses}, 0xa369acb0155cea20)
	requireSignature(t, nim.New([]uint64{4, 3, 2}, nim.Normal),
		search.Options{Detail: search.Everything, Policy: search.RememberNone}, 0x664a9393813fbddd)
	requireSignature(t, nim.New([]uint64{7, 5, 3}, nim.Normal),
		search.Options{Detail: search.Decisions, Exhaustive: true}, 0xba4d85db76e8b349)
	requireSignature(t, caniwin.New(10, 40, 0), everything, 0xb480a4b3a92c4866)
	requireSignature(t, hundred.New(10, 100, 0), everything, 0xaa70a3f59cfa5108)
	requireSignature(t, ends.New([]int64{7, 8, 1, 2, 4, 1, 9, 4, 6, 3, 5}), everything, 0x40ec411aadb726f9)
	requireSignature(t, guess.New(1, 30), everything, 0x1104ad42397e72b1)
	requireSignature(t, guess.New(1, 30), search.Options{Detail: search.Decisions}, 0x1f15c5bc7aaab357)
}
