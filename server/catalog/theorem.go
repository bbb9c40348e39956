package catalog

import (
	"context"
	"iter"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// theoremProof is a proof by a single event: the position is decided by arithmetic.
type theoremProof struct {
	event    Event
	solution *zermelov1.Solution
	wanted   func(sequence int64, kind zermelov1.EventKind, depth int) bool
}

// theoremProof returns the proof of the position by its game's theorem, nil when none decides it or nothing is left to
// decide.
func (i *instance[P, M, K]) theoremProof(
	wanted func(sequence int64, kind zermelov1.EventKind, depth int) bool,
) *theoremProof {
	if _, over := i.game.Over(i.game.Root()); over {
		return nil
	}
	theorem, ok := i.game.(engine.ClosedForm[M])
	if !ok {
		return nil
	}
	decided, ok := theorem.Decide(DefaultMaxMoves)
	if !ok {
		return nil
	}
	event := Event{
		Sequence: 1,
		Kind:     zermelov1.EventKind_EVENT_KIND_THEOREM,
		Position: i.game.AppendPosition(nil, i.game.Root()),
		Outcome:  outcomeOf(i.game.Objective(), decided.Value),
		Theorem:  i.theorem,
	}
	if decided.Value != engine.Loss {
		event.Move = i.game.AppendMove(nil, decided.Best[0])
	}
	solution := i.solution(decided, zermelov1.Method_METHOD_CLOSED_FORM, search.Statistics{})
	return &theoremProof{event: event, solution: solution, wanted: wanted}
}

func (t *theoremProof) Events(context.Context) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		if t.wanted == nil || t.wanted(t.event.Sequence, t.event.Kind, 0) {
			yield(&t.event, nil)
		}
	}
}

// Price is next to nothing.
func (t *theoremProof) Price() Price                      { return Price{} }
func (t *theoremProof) Statistics() *zermelov1.Statistics { return statistics(search.Statistics{}) }
func (t *theoremProof) Solution() *zermelov1.Solution     { return t.solution }
