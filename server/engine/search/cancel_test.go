package search_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
	"github.com/zermelo-games/zermelo/server/games/guess"
	"github.com/zermelo-games/zermelo/server/games/hundred"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

// requireStops cancels a search that would go on for long, after its nth event or tick, and checks that it looks at no
// more than most further positions and ends with the cause.
func requireStops[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K], options search.Options, n int, most int64) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	options.Budget = budget
	s := search.New(g, options)
	var atCancel int64
	var failures []error
	for _, err := range s.Events(ctx) {
		if err != nil {
			failures = append(failures, err)
			continue
		}
		if len(failures) > 0 {
			t.Fatalf("%T with %+v: an event after the error", g, options)
		}
		if n--; n == 0 {
			atCancel = looks(s.Statistics())
			cancel(gametest.ErrEnough)
		}
	}
	if len(failures) != 1 || !errors.Is(failures[0], gametest.ErrEnough) {
		t.Errorf("%T with %+v: ended with %v", g, options, failures)
	}
	if after := looks(s.Statistics()) - atCancel; n > 0 || after > most {
		t.Errorf("%T with %+v: %d positions looked at after the cancel; %d are allowed", g, options, after, most)
	}
}

func TestACancelledSearchStopsWithinTickPositions(t *testing.T) {
	for _, detail := range []search.Detail{search.Silent, search.Decisions, search.Everything} {
		for _, policy := range []search.Policy{search.RememberAll, search.RememberLosses, search.RememberNone} {
			for _, n := range []int{1, 2, 5} {
				options := search.Options{Detail: detail, Policy: policy}
				requireStops(t, caniwin.New(20, 152, 0), options, n, search.TickPositions)
				requireStops(t, nim.New([]uint64{70, 60, 50, 40}, nim.Misere), options, n, search.TickPositions)
			}
		}
		for _, n := range []int{1, 3, 2_000} {
			options := search.Options{Detail: detail}
			if detail == search.Silent {
				n = min(n, 10) // ticks
			}
			requireStops(t, guess.New(1, 1_000), options, n, search.TickPositions)
			options.Exhaustive = true
			requireStops(t, caniwin.New(30, 300, 0), options, n, search.TickPositions)
			// Nothing but terminals, all below the root.
			options.Exhaustive, options.AllRootMoves = false, true
			requireStops(t, hundred.New(1<<40, 1, 0), options, min(n, 10), search.TickPositions)
		}
	}
}

func TestBulkyPositionsCountForMore(t *testing.T) {
	for _, piles := range []int{16, 100, 1_000, 40_000} {
		g := nim.New(slices.Repeat([]uint64{3}, piles), nim.Misere)
		most := int64(search.TickPositions/(1+g.Bulk().Work) + 1)
		if piles >= 100 && most > search.TickPositions/10 {
			t.Errorf("%d piles: %d positions between two looks at the context", piles, most)
		}
		for _, detail := range []search.Detail{search.Silent, search.Everything} {
			requireStops(t, g, search.Options{Detail: detail, Policy: search.RememberLosses}, 2, most)
		}
	}
}

func TestASearchUnderAnEndedContextLooksAtNothing(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gametest.ErrEnough)
	s := search.New(caniwin.New(20, 152, 0), search.Options{Budget: budget, Detail: search.Everything})
	events := 0
	for _, err := range s.Events(ctx) {
		if events++; !errors.Is(err, gametest.ErrEnough) {
			t.Errorf("event %d: %v", events, err)
		}
	}
	if events != 1 || looks(s.Statistics()) != 0 {
		t.Errorf("%d events, %d positions looked at", events, looks(s.Statistics()))
	}
}

func TestADeadlineIsACauseToo(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	s := search.New(guess.New(1, 5_000), search.Options{Budget: budget})
	var last error
	for _, err := range s.Events(ctx) {
		last = err
	}
	if !errors.Is(last, context.DeadlineExceeded) {
		t.Errorf("ended with %v", last)
	}
}

func TestLeavingTheLoopStopsAtOnce(t *testing.T) {
	for _, n := range []int{1, 2, 10, 10_000} {
		s := search.New(caniwin.New(20, 152, 0), search.Options{Budget: budget, Detail: search.Everything})
		seen := 0
		var atLeave search.Statistics
		for _, err := range s.Events(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if seen++; seen == n {
				atLeave = s.Statistics()
				break
			}
		}
		if got := s.Statistics(); looks(got) != looks(atLeave) || got.MemoEntries != atLeave.MemoEntries {
			t.Errorf("left after %d events with %+v, it went on to %+v", n, atLeave, got)
		}
		if elapsed := s.Statistics().Elapsed; elapsed != s.Statistics().Elapsed {
			t.Error("the clock goes on")
		}
	}
}

func TestLeavingTheLoopAtATickStopsAtOnce(t *testing.T) {
	s := search.New(caniwin.New(20, 152, 0), search.Options{Budget: budget})
	for e, err := range s.Events(t.Context()) {
		if e.Kind != search.Tick || e.Number != 0 || err != nil {
			t.Fatalf("a silent search hands out %+v, %v", e, err)
		}
		break
	}
	if got := looks(s.Statistics()); got < 1 || got > search.TickPositions {
		t.Errorf("%d positions looked at before the first tick", got)
	}
}
