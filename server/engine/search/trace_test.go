package search_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// budget is memory enough for every search that is not about memory.
const budget = 1 << 30

var kinds = map[search.Kind]string{
	search.Enter: "enter", search.MemoHit: "hit", search.Terminal: "terminal", search.Cutoff: "cutoff",
	search.Decided: "decided",
}

// written is an event as a line: number, kind, position, depth; then, where there are such, the move, the value and the
// number of the decision that it rests on.
func written[P, M any, K comparable](n engine.Game[P, M, K], e search.Event[P, M]) string {
	line := fmt.Sprintf("%d %s %s @%d", e.Number, kinds[e.Kind], n.AppendPosition(nil, e.Position), e.Depth)
	if e.HasMove {
		line += " " + string(n.AppendMove(nil, e.Move))
	}
	if e.Kind != search.Enter {
		line += fmt.Sprintf(" =%d", e.Value)
	}
	if e.Because != 0 {
		line += fmt.Sprintf(" because %d", e.Because)
	}
	return line
}

// events yields the events of a search that does not fail, without ticks.
func events[P, M any, K comparable](t *testing.T, s *search.Search[P, M, K]) iter.Seq[search.Event[P, M]] {
	t.Helper()
	return func(yield func(search.Event[P, M]) bool) {
		for e, err := range s.Events(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind != search.Tick && !yield(e) {
				return
			}
		}
	}
}

// trace is a search's events as lines.
func trace[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K], options search.Options) []string {
	t.Helper()
	options.Budget = budget
	var lines []string
	for e := range events(t, search.New(g, options)) {
		lines = append(lines, written(g, e))
	}
	return lines
}

// looks counts the positions that were looked at.
func looks(s search.Statistics) int64 { return s.PositionsExpanded + s.MemoHits + s.Terminals }
