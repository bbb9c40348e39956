package catalog

import (
	"context"
	"iter"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// enumeration is an Enumeration over an exhaustive search.
type enumeration[P, M any, K comparable] struct {
	instance *instance[P, M, K]
	outcome  zermelov1.Outcome
	// distances says that they are given too.
	distances bool
	price     Price
	search    *search.Search[P, M, K]
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
				if n.distances {
					out.MovesToEnd = &e.Distance
				}
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

func (n *enumeration[P, M, K]) Price() Price { return n.price }

func (n *enumeration[P, M, K]) Statistics() *zermelov1.Statistics {
	return statistics(n.search.Statistics())
}
