package catalog

import (
	"context"
	"iter"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// Enumeration is a walk through the reachable positions.
type Enumeration interface {
	// Positions runs the search, once, as it is ranged over. A nil position is a tick; see Trace.Events.
	Positions(ctx context.Context) iter.Seq2[*zermelov1.EnumeratedPosition, error]
	// Statistics is the work so far.
	Statistics() *zermelov1.Statistics
	// Price is what Positions takes.
	Price() admission.Price
}

func (i *instance[P, M, K]) Enumerate(
	outcome zermelov1.Outcome, limit int64, withDistance bool,
) (Enumeration, error) {
	switch {
	case outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED:
	case i.Game.Objective() == engine.Cost:
		return nil, InvalidField("outcome", "%s is asked for, but this game has one player and no outcomes; leave it unset",
			outcome)
	case zermelov1.Outcome_name[int32(outcome)] == "":
		return nil, InvalidField("outcome", "has the unknown value %d; OUTCOME_WIN, OUTCOME_LOSS or OUTCOME_DRAW would do",
			outcome)
	}
	v := violations{path: i.path}
	i.checkTraced(&v, "EnumeratePositions")
	options := search.Options{Budget: i.limits.MemoBudget, Detail: search.Decisions, Exhaustive: true, Distances: withDistance}
	extent := i.extent()
	if limit > 0 && outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED {
		extent.Positions = min(extent.Positions, uint64(limit)) // each position decided is one that is sent
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	if extent.Exceeds() {
		return nil, i.overBudget(extent, "at least %d positions are to be remembered; %d surely fit a memo budget of %d bytes")
	}
	return &enumeration[P, M, K]{
		instance: i, outcome: outcome, distances: withDistance, price: i.tracePrice(extent), options: options,
	}, nil
}

// enumeration is an Enumeration over an exhaustive search.
type enumeration[P, M any, K comparable] struct {
	instance *instance[P, M, K]
	outcome  zermelov1.Outcome
	// distances says that they are given too.
	distances bool
	price     admission.Price
	options   search.Options
	// search is there once Positions has begun.
	search *search.Search[P, M, K]
}

func (n *enumeration[P, M, K]) Positions(ctx context.Context) iter.Seq2[*zermelov1.EnumeratedPosition, error] {
	return func(yield func(*zermelov1.EnumeratedPosition, error) bool) {
		var w writer[zermelov1.EnumeratedPosition]
		objective := n.instance.Game.Objective()
		n.search = search.New(n.instance.Game, n.options)
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
				w.text = n.instance.Game.AppendPosition(w.text[:0], e.Position)
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

func (n *enumeration[P, M, K]) Price() admission.Price { return n.price }

func (n *enumeration[P, M, K]) Statistics() *zermelov1.Statistics {
	if n.search == nil {
		return statistics(search.Statistics{})
	}
	return statistics(n.search.Statistics())
}
