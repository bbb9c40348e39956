package gametest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

const (
	// mostLooks is how many looks at positions a search under test may take; of games that are larger, and of memo
	// policies under which they are, the events are not compared.
	mostLooks = 30_000
	// fewLooks is of which searches every detail is compared.
	fewLooks = 3_000
)

// search checks that the engine makes of the game what a plain recursion makes of it, and finds what the walk found.
func (in *inspection[P, M, K]) search() {
	policies := []search.Policy{search.RememberAll, search.RememberNone}
	if in.game.Objective() == engine.WinLoss {
		policies = append(policies, search.RememberLosses)
	}
	budget := in.fittingBudget()
	for _, policy := range policies {
		options := search.Options{Policy: policy, Detail: search.Everything, MaxBest: math.MaxInt, Budget: budget}
		looks := in.compare(options)
		options.AllRootMoves = true
		in.compare(options)
		if looks > fewLooks {
			continue
		}
		for _, options.Detail = range []search.Detail{search.Silent, search.Decisions} {
			in.compare(options)
		}
	}
	options := search.Options{Exhaustive: true, MaxBest: math.MaxInt, Budget: budget}
	for _, options.Detail = range []search.Detail{search.Decisions, search.Everything, search.Silent} {
		options.Distances = false
		in.compare(options)
		options.Distances = true
		in.compare(options)
	}
	in.distances(budget)
	positions := make([]P, len(in.kept))
	for i, k := range in.kept {
		positions[i] = k.position
	}
	if err := checkRankings(context.Background(), in.game, budget, positions, in.answer); err != nil {
		in.faultf("%v", err)
	}
}

// distances checks that a search for distances decides every position as the walk did, and in the order in which a
// search without them does.
func (in *inspection[P, M, K]) distances(budget int64) {
	options := search.Options{Exhaustive: true, Detail: search.Everything, Budget: budget}
	plain, withoutDistances, err := collect(in.game, options)
	if err != nil {
		in.faultf("search with %+v: %v", options, err)
		return
	}
	options.Distances = true
	events, withDistances, err := collect(in.game, options)
	if err != nil {
		in.faultf("search with %+v: %v", options, err)
		return
	}
	if withDistances != withoutDistances || len(events) != len(plain) {
		in.faultf("search with %+v: %d events and %+v; without distances %d and %+v", options, len(events), withDistances,
			len(plain), withoutDistances)
		return
	}
	for i, e := range events {
		same := plain[i]
		if e.Kind != same.Kind || e.Number != same.Number || e.Depth != same.Depth || e.Value != same.Value ||
			printed(e.Position) != printed(same.Position) {
			in.faultf("search with %+v: the event is\n%s; without distances it is\n%s", options, in.event(e), in.event(same))
			return
		}
		if e.Kind != search.Decided && e.Kind != search.Terminal {
			continue
		}
		want := in.answer(e.Position)
		if e.Value != want.Value || e.Distance != want.Distance {
			in.faultf("%s is decided as %d, %d moves from the end; it is %d, %d moves from it", in.text(e.Position), e.Value,
				e.Distance, want.Value, want.Distance)
		}
	}
}

// fittingBudget is the least memory of which search.FitPositions says that the whole game surely fits; much, where the
// game does not say how large it is.
func (in *inspection[P, M, K]) fittingBudget() int64 {
	const most = 1 << 40
	if in.sized == nil {
		return most
	}
	return int64(sort.Search(most, func(budget int) bool {
		return search.FitPositions(in.game, int64(budget)) >= uint64(len(in.keys))
	}))
}

// compare runs a search and a recursion side by side, and returns how many positions they looked at.
func (in *inspection[P, M, K]) compare(options search.Options) int {
	const few = 3 // with this many best moves listed, long lists are cut
	want, err := recurse(in.game, options, mostLooks)
	if err != nil {
		return mostLooks
	}
	s := search.New(in.game, options)
	got, err := events(s)
	if err != nil {
		in.faultf("search with %+v: %v", options, err)
		return mostLooks
	}
	if len(got) != len(want.events) {
		in.faultf("search with %+v: %d events instead of %d", options, len(got), len(want.events))
	}
	for i := range min(len(got), len(want.events)) {
		if !reflect.DeepEqual(got[i], want.events[i]) {
			in.faultf("search with %+v: the event is\n%s; it should be\n%s", options, in.event(got[i]),
				in.event(want.events[i]))
			break
		}
	}
	stats := s.Statistics()
	stats.Elapsed = 0
	if stats != want.stats {
		in.faultf("search with %+v: the statistics are\n%+v; they should be\n%+v", options, stats, want.stats)
	}
	if result := s.Result(); !reflect.DeepEqual(result, want.result) {
		in.faultf("search with %+v: the solution is %+v; it should be %+v", options, result, want.result)
	}
	in.compareWithWalk(options, s.Result())
	cut := options
	cut.MaxBest = few
	s = search.New(in.game, cut)
	if err := run(s); err != nil {
		in.faultf("search with %+v: %v", cut, err)
	}
	best := want.result.Best[:min(few, len(want.result.Best))]
	if result := s.Result(); len(result.Best) != len(best) || result.BestCount != want.result.BestCount {
		in.faultf("search with %+v: the solution is %+v; it should be cut to %+v", cut, result, best)
	}
	return mostLooks - want.looks
}

// compareWithWalk compares a solution with what the walk found, which knew nothing of keys.
func (in *inspection[P, M, K]) compareWithWalk(options search.Options, got engine.Solution[M]) {
	root := in.answer(in.game.Root())
	if got.Value != root.Value {
		in.faultf("search with %+v: the value is %d; it should be %d", options, got.Value, root.Value)
	}
	var texts []string
	for _, m := range got.Best {
		texts = append(texts, string(in.game.AppendMove(nil, m)))
	}
	if got.BestKnown && !slices.Equal(texts, root.Best) {
		in.faultf("search with %+v: the best moves are %v; they should be %v", options, texts, root.Best)
	}
	if (options.AllRootMoves || options.Exhaustive) && !got.BestKnown {
		in.faultf("search with %+v: the best moves are not known", options)
	}
}

// event writes an event for people.
func (in *inspection[P, M, K]) event(e search.Event[P, M]) string {
	move := "-"
	if e.HasMove {
		move = string(in.game.AppendMove(nil, e.Move))
	}
	return fmt.Sprintf("#%d kind %d, depth %d, %s by %s, value %d, because %d, distance %d", e.Number, e.Kind, e.Depth,
		in.text(e.Position), move, e.Value, e.Because, e.Distance)
}

// collect runs a search and returns its events and statistics.
func collect[P, M any, K comparable](
	g engine.Game[P, M, K], options search.Options,
) ([]search.Event[P, M], search.Statistics, error) {
	s := search.New(g, options)
	got, err := events(s)
	stats := s.Statistics()
	stats.Elapsed = 0
	return got, stats, err
}

// events runs a search and returns its events, ticks apart.
func events[P, M any, K comparable](s *search.Search[P, M, K]) ([]search.Event[P, M], error) {
	var got []search.Event[P, M]
	for e, err := range s.Events(context.Background()) {
		if err != nil {
			return nil, err
		}
		if e.Kind != search.Tick {
			got = append(got, e)
		}
	}
	return got, nil
}

// run runs a search and forgets its events.
func run[P, M any, K comparable](s *search.Search[P, M, K]) error {
	var failed error
	for _, err := range s.Events(context.Background()) {
		failed = errors.Join(failed, err)
	}
	return failed
}
