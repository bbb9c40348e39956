package catalog

import (
	"context"
	"iter"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// theoremProof is a proof by a single event: the position is decided by arithmetic.
type theoremProof[P, M any, K comparable] struct {
	instance *instance[P, M, K]
	wanted   func(sequence int64, kind zermelov1.EventKind, depth int) bool
	solution *zermelov1.Solution
}

// theoremProof returns the proof of the position by its game's theorem, nil when none decides it or nothing is left to
// decide.
func (i *instance[P, M, K]) theoremProof(o TraceOptions) Trace {
	if _, over := i.Game.Over(i.Game.Root()); over {
		return nil
	}
	if _, ok := i.decide(0); !ok {
		return nil
	}
	return &theoremProof[P, M, K]{instance: i, wanted: o.Wanted}
}

func (t *theoremProof[P, M, K]) Events(context.Context) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		i := t.instance
		decided, _ := i.decide(DefaultMaxMoves)
		t.solution = i.solution(decided, zermelov1.Method_METHOD_CLOSED_FORM, search.Statistics{})
		event := &Event{
			Sequence: 1,
			Kind:     zermelov1.EventKind_EVENT_KIND_THEOREM,
			Position: i.Game.AppendPosition(nil, i.Game.Root()),
			Outcome:  outcomeOf(i.Game.Objective(), decided.Value),
			Theorem:  i.theorem,
		}
		if decided.Value != engine.Loss {
			event.Move = i.Game.AppendMove(nil, decided.Best[0])
		}
		if t.wanted == nil || t.wanted(event.Sequence, event.Kind, 0) {
			yield(event, nil)
		}
	}
}

// Price is next to nothing.
func (t *theoremProof[P, M, K]) Price() admission.Price { return admission.Price{} }
func (t *theoremProof[P, M, K]) Statistics() *zermelov1.Statistics {
	return statistics(search.Statistics{})
}
func (t *theoremProof[P, M, K]) Solution() *zermelov1.Solution { return t.solution }
