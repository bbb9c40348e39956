package catalog

import (
	"context"
	"errors"
	"iter"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// trace is a Trace over a search.
type trace[P, M any, K comparable] struct {
	instance *instance[P, M, K]
	search   *search.Search[P, M, K]
	solution *zermelov1.Solution
}

func (t *trace[P, M, K]) Events(ctx context.Context) iter.Seq2[*zermelov1.Event, error] {
	return func(yield func(*zermelov1.Event, error) bool) {
		var w writer[zermelov1.Event]
		objective := t.instance.game.Objective()
		for e, err := range t.search.Events(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			if e.Kind == search.Tick {
				if !yield(nil, nil) {
					return
				}
				continue
			}
			out := w.next()
			out.Sequence = e.Number
			out.Kind = eventKinds[e.Kind]
			out.Depth = uint32(e.Depth)
			w.text = t.instance.game.AppendPosition(w.text[:0], e.Position)
			out.Position = string(w.text)
			if e.HasMove {
				w.text = t.instance.game.AppendMove(w.text[:0], e.Move)
				out.Move = string(w.text)
			}
			if e.Kind != search.Enter {
				out.Outcome = outcomeOf(objective, e.Value)
				if objective != engine.WinLoss {
					out.Value = &e.Value
				}
			}
			out.Because = e.Because
			if !yield(out, nil) {
				return
			}
		}
		err := t.conclude(ctx, func() bool { return yield(nil, nil) })
		if err != nil && !errors.Is(err, errLeft) {
			yield(nil, err)
		}
	}
}

func (t *trace[P, M, K]) Statistics() *zermelov1.Statistics { return statistics(t.search.Statistics()) }

func (t *trace[P, M, K]) Solution() *zermelov1.Solution { return t.solution }

// conclude finds the solution after the traced search has ended. Where that stopped at the first winning move, the other
// moves are looked at in a search of their own, which is not part of the trace but ticks like it.
func (t *trace[P, M, K]) conclude(ctx context.Context, tick func() bool) error {
	solved := t.search.Result()
	if !solved.BestKnown {
		all, err := t.instance.solve(ctx, DefaultMaxMoves, tick)
		if !errors.Is(err, engine.ErrMemoBudget) {
			t.solution = all
			return err
		}
		// There is no room to look at the others, but what the trace proved stands.
	}
	t.solution = t.instance.solution(solved, t.search.Statistics())
	return nil
}

var eventKinds = map[search.Kind]zermelov1.EventKind{
	search.Enter:    zermelov1.EventKind_EVENT_KIND_ENTER,
	search.MemoHit:  zermelov1.EventKind_EVENT_KIND_MEMO_HIT,
	search.Terminal: zermelov1.EventKind_EVENT_KIND_TERMINAL,
	search.Cutoff:   zermelov1.EventKind_EVENT_KIND_CUTOFF,
	search.Decided:  zermelov1.EventKind_EVENT_KIND_DECIDED,
}

// enumeration is an Enumeration over an exhaustive search.
type enumeration[P, M any, K comparable] struct {
	instance *instance[P, M, K]
	outcome  zermelov1.Outcome
	search   *search.Search[P, M, K]
}

func (n *enumeration[P, M, K]) Positions(ctx context.Context) iter.Seq2[*zermelov1.EnumeratedPosition, error] {
	return func(yield func(*zermelov1.EnumeratedPosition, error) bool) {
		var w writer[zermelov1.EnumeratedPosition]
		objective := n.instance.game.Objective()
		for e, err := range n.search.Events(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			outcome := outcomeOf(objective, e.Value)
			var out *zermelov1.EnumeratedPosition
			wanted := n.outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED || n.outcome == outcome
			switch {
			case e.Kind == search.Tick: // out is nil: a tick here too
			case !wanted:
				continue
			default:
				out = w.next()
				w.text = n.instance.game.AppendPosition(w.text[:0], e.Position)
				out.Notation = string(w.text)
				out.Outcome = outcome
				switch objective {
				case engine.Margin:
					out.Margin = &e.Value
				case engine.Cost:
					out.Cost = &e.Value
				default:
				}
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

func (n *enumeration[P, M, K]) Statistics() *zermelov1.Statistics {
	return statistics(n.search.Statistics())
}

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
