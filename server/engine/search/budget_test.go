package search_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
	"github.com/zermelo-games/zermelo/server/games/ends"
	"github.com/zermelo-games/zermelo/server/games/guess"
	"github.com/zermelo-games/zermelo/server/games/hundred"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

// raced is set when the race detector is on: memory then says little, and everything takes longer.
var raced bool

// requireSpent runs a search that cannot end within its budget, and checks how it ends.
func requireSpent[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K], options search.Options) *search.Search[P, M, K] {
	t.Helper()
	s := search.New(g, options)
	var failures []error
	for e, err := range s.Events(t.Context()) {
		if err != nil {
			failures = append(failures, err)
		} else if len(failures) > 0 {
			t.Fatalf("%T with %+v: an event after the error: %+v", g, options, e)
		}
		if s.Booked() > options.Budget {
			t.Fatalf("%T with %+v: %d bytes booked", g, options, s.Booked())
		}
	}
	var spent *engine.BudgetError
	if len(failures) != 1 || !errors.As(failures[0], &spent) || !errors.Is(failures[0], engine.ErrMemoBudget) {
		t.Fatalf("%T with %+v: ended with %v", g, options, failures)
	}
	if spent.Budget != options.Budget || spent.Expanded != s.Statistics().PositionsExpanded {
		t.Errorf("%T with %+v: %+v after %+v", g, options, spent, s.Statistics())
	}
	return s
}

func TestABudgetThatIsSpentEndsTheSearch(t *testing.T) {
	for _, budget := range []int64{0, 1, 1_000, 30_000, 100_000, 1_000_000} {
		for _, detail := range []search.Detail{search.Silent, search.Everything} {
			options := search.Options{Budget: budget, Detail: detail}
			requireSpent(t, caniwin.New(20, 152, 0), options)
			requireSpent(t, caniwin.New(40, 300, 0), search.Options{Budget: budget, Detail: detail, Exhaustive: true})
			requireSpent(t, guess.New(1, 2_000_000), options)
			requireSpent(t, ends.New(make([]int64, 2_000)), options)
			requireSpent(t, nim.New(slices.Repeat([]uint64{50}, 12), nim.Misere), options)
		}
		requireSpent(t, hundred.New(2, 1_000_000, 0), search.Options{Budget: budget, Policy: search.RememberNone})
	}
}

func TestABudgetIsSpentAtTheSamePositionOnEveryRun(t *testing.T) {
	for _, budget := range []int64{50_000, 300_000} {
		options := search.Options{Budget: budget}
		first, again := requireSpent(t, caniwin.New(20, 152, 0), options), requireSpent(t, caniwin.New(20, 152, 0), options)
		a, b := first.Statistics(), again.Statistics()
		if a.Elapsed, b.Elapsed = 0, 0; a != b {
			t.Errorf("a budget of %d bytes is spent after %+v, and then after %+v", budget, a, b)
		}
		piles := nim.New([]uint64{60, 50, 40, 30, 20}, nim.Misere)
		if a, b := requireSpent(t, piles, options).Statistics(), requireSpent(t, piles, options).Statistics(); looks(a) != looks(b) {
			t.Errorf("a budget of %d bytes is spent after %+v, and then after %+v", budget, a, b)
		}
	}
}

// TestTheHeapStaysNearTheBudget compares what a search that has spent its budget keeps alive with the budget. The ledger
// leaves out the list of the stack's chunks and what the allocator adds to each piece.
func TestTheHeapStaysNearTheBudget(t *testing.T) {
	if raced {
		t.Skip("the race detector has memory of its own")
	}
	t.Run("words", func(t *testing.T) { requireHeap(t, caniwin.New(40, 400, 0), 24<<20) })
	t.Run("pairs", func(t *testing.T) { requireHeap(t, guess.New(1, 3_000), 2<<20) })
	t.Run("a deep stack", func(t *testing.T) { requireHeap(t, hundred.New(1, 1<<40, 0), 24<<20) })
	for _, test := range []struct {
		piles  int
		stones uint64
	}{{3, 1_000}, {17, 50}, {1_000, 50}} {
		g := nim.New(slices.Repeat([]uint64{test.stones}, test.piles), nim.Misere)
		t.Run(fmt.Sprintf("%d piles of %d", test.piles, test.stones), func(t *testing.T) { requireHeap(t, g, 3<<20) })
	}
}

func requireHeap[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K], budget int64) {
	t.Helper()
	const least, most = 0.4, 1.2 // of the budget; doubling a part of the memo may leave much of it unused
	before := heap()
	s := requireSpent(t, g, search.Options{Budget: budget})
	kept := heap() - before
	runtime.KeepAlive(s)
	if ratio := float64(kept) / float64(budget); ratio < least || ratio > most {
		t.Errorf("%.2f of the budget are kept, %.2f are booked", ratio, float64(s.Booked())/float64(budget))
	} else {
		t.Logf("%.2f of the budget are kept, %.2f are booked", ratio, float64(s.Booked())/float64(budget))
	}
}

// TestAnArrayTakesWhatIsBooked runs a search that remembers 606,281 positions, of 2^20 indexes, to its end.
func TestAnArrayTakesWhatIsBooked(t *testing.T) {
	if raced {
		t.Skip("the race detector has memory of its own")
	}
	before := heap()
	s := search.New(caniwin.New(20, 152, 0), search.Options{Budget: 64 << 20})
	for range events(t, s) {
	}
	kept := heap() - before
	runtime.KeepAlive(s)
	if booked := s.Booked(); booked > 1<<20*4+64<<10 || kept > booked*11/10 {
		t.Errorf("%d bytes are kept, %d are booked", kept, booked)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestADeepGameDoesNotEndTheProcess plays the 100 game by steps of 1 or 2 to 5,000,000, as deep as that. Recursion would
// exceed what the runtime allows a stack to be.
func TestADeepGameDoesNotEndTheProcess(t *testing.T) {
	g := hundred.New(2, 5_000_000, 0)
	requireSpent(t, g, search.Options{Budget: 64 << 20})
	if raced {
		t.Skip("hundreds of megabytes, several times with the race detector")
	}
	s := search.New(g, search.Options{Budget: 512 << 20})
	var failed error
	for _, err := range s.Events(t.Context()) {
		failed = errors.Join(failed, err)
	}
	switch {
	case failed == nil && s.Result().Value != engine.Win: // 5,000,000 = 3 × 1,666,666 + 2
		t.Errorf("the solution is %+v", s.Result())
	case failed != nil && !errors.Is(failed, engine.ErrMemoBudget):
		t.Error(failed)
	}
	t.Logf("%+v, %v, %d bytes booked in the end", s.Statistics(), failed, s.Booked())
}

// TestTheLedgerEndsWithTheMemoAlone shows that the stack gives back what it took, but for the one chunk that it keeps.
func TestTheLedgerEndsWithTheMemoAlone(t *testing.T) {
	const chunk = 256 * 100
	g := hundred.New(1, 10_000, 0)
	s := search.New(g, search.Options{Budget: budget, Policy: search.RememberNone})
	for range events(t, s) {
	}
	if got := s.Statistics(); got.MaxDepth != 10_000 || s.Booked() > chunk {
		t.Errorf("%d bytes are booked after %+v", s.Booked(), got)
	}
}
