package catalog

import (
	"context"
	"errors"
	"iter"
	"slices"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// Trace is the search of a position, event by event, or the walk through all that can be reached from it.
type Trace interface {
	// Events runs the search, once, as it is ranged over. A nil event is a tick: it comes every few thousand positions
	// and lets a consumer that has nothing to send see to other things. An error comes last: ctx's cause or a
	// *engine.BudgetError. An event is good until the next one.
	Events(ctx context.Context) iter.Seq2[*Event, error]
	// Price is what Events takes at most: its work may be more than anything can do.
	Price() admission.Price
	// Statistics is the work so far.
	Statistics() *zermelov1.Statistics
	// Solution is that of a trace that ran to its end.
	Solution() *zermelov1.Solution
}

// Event is an Event of the contract, field by field. A trace has millions of them: they are made in one place, without
// allocating, and encoded from there.
type Event struct {
	Sequence       int64
	Kind           zermelov1.EventKind
	Depth          uint32
	Position, Move []byte
	Outcome        zermelov1.Outcome
	// Value is there if HasValue.
	Value    int64
	HasValue bool
	Because  int64
	Theorem  zermelov1.Theorem
	// MovesToEnd is there in an enumeration with distances.
	MovesToEnd int64
}

// TraceOptions say what a trace shows. Detail, Policy and Form are those of the request.
type TraceOptions struct {
	Detail zermelov1.Detail
	Policy zermelov1.MemoPolicy
	Form   zermelov1.ProofForm
	// Wanted reports, for each event in turn, whether it is to be handed out; nil: all are. What is not is never written.
	Wanted func(sequence int64, kind zermelov1.EventKind, depth int) bool
	// Concluding is told of the search for those moves of the root that the trace left untried; it may be nil.
	Concluding Progress
}

func (i *instance[P, M, K]) Explain(o TraceOptions) (Trace, error) {
	options := search.Options{Budget: i.limits.MemoBudget, MaxBest: DefaultMaxMoves}
	switch o.Detail {
	case zermelov1.Detail_DETAIL_DECISIONS, zermelov1.Detail_DETAIL_PROOF:
		options.Detail = search.Decisions
	case zermelov1.Detail_DETAIL_SEARCH:
		options.Detail = search.Everything
	default:
		return nil, InvalidField("detail", "has the unknown value %d; DETAIL_DECISIONS, DETAIL_SEARCH or DETAIL_PROOF "+
			"would do", o.Detail)
	}
	switch o.Policy {
	case zermelov1.MemoPolicy_MEMO_POLICY_ALL:
		options.Policy = search.RememberAll
	case zermelov1.MemoPolicy_MEMO_POLICY_LOSSES:
		options.Policy = search.RememberLosses
	case zermelov1.MemoPolicy_MEMO_POLICY_NONE:
		options.Policy = search.RememberNone
	default:
		return nil, InvalidField("memo_policy", "has the unknown value %d; one of %v would do", o.Policy, i.policies)
	}
	if !slices.Contains(i.policies, o.Policy) {
		return nil, InvalidField("memo_policy", "%s is not for this game, which has no lost positions to remember; "+
			"one of %v would do", o.Policy, i.policies)
	}
	if err := i.checkTraced("Explain"); err != nil {
		return nil, err
	}
	t := &trace[P, M, K]{
		instance: i, options: options, wanted: o.Wanted, price: i.explainPrice(o.Policy), concluding: o.Concluding,
	}
	if o.Detail == zermelov1.Detail_DETAIL_PROOF {
		return t, t.prove(o)
	}
	return t, nil
}

// prove makes the trace a proof of the form asked for.
func (t *trace[P, M, K]) prove(o TraceOptions) error {
	if o.Policy != zermelov1.MemoPolicy_MEMO_POLICY_ALL {
		return InvalidField("memo_policy", "is %s, but a proof needs every decision; leave it unset", o.Policy)
	}
	i := t.instance
	t.options.Proof = true
	_, over := i.Game.Over(i.Game.Root())
	_, decided := i.decide(0)
	switch o.Form {
	case zermelov1.ProofForm_PROOF_FORM_CERTIFICATE:
		decided = false
	case zermelov1.ProofForm_PROOF_FORM_THEOREM:
		if over || !decided {
			return InvalidField("proof_form", "is %s, but no theorem decides this position; leave it unset", o.Form)
		}
	case zermelov1.ProofForm_PROOF_FORM_UNSPECIFIED:
		decided = decided && !i.extent().Fits()
	default:
		return InvalidField("proof_form", "has the unknown value %d; PROOF_FORM_CERTIFICATE or PROOF_FORM_THEOREM "+
			"would do", o.Form)
	}
	if decided && !over {
		t.theorem, t.price = i.theorem, admission.Price{} // next to nothing
	} else {
		t.options.Uncut = i.extent().Fits()
	}
	return nil
}

func (i *instance[P, M, K]) Enumerate(outcome zermelov1.Outcome, limit int64, withDistance bool) (Trace, error) {
	switch {
	case outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED:
	case i.Game.Objective() == engine.Cost:
		return nil, InvalidField("outcome", "%s is asked for, but this game has one player and no outcomes; leave it unset",
			outcome)
	case zermelov1.Outcome_name[int32(outcome)] == "":
		return nil, InvalidField("outcome", "has the unknown value %d; OUTCOME_WIN, OUTCOME_LOSS or OUTCOME_DRAW would do",
			outcome)
	}
	if err := i.checkTraced("EnumeratePositions"); err != nil {
		return nil, err
	}
	extent := i.extent()
	if limit > 0 && outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED {
		extent.Positions = min(extent.Positions, uint64(limit)) // each position decided is one that is sent
	}
	if extent.Exceeds() {
		return nil, i.overBudget(extent, "at least %d positions are to be remembered; %d surely fit a memo budget of %d bytes")
	}
	return &trace[P, M, K]{instance: i, outcome: outcome, price: i.tracePrice(extent), options: search.Options{
		Budget: i.limits.MemoBudget, Detail: search.Decisions, Exhaustive: true, Distances: withDistance,
	}}, nil
}

// checkTraced is the error of a position with too many elements for what writes positions into events.
func (i *instance[P, M, K]) checkTraced(rpc string) error {
	v := violations{path: i.path}
	if limit := i.Traced; limit.Most > 0 && i.Elements > limit.Most {
		v.TooLargef(limit.Field, "has %d %s; %s accepts at most %d", i.Elements, limit.Field, rpc, limit.Most)
	}
	return v.err()
}

// trace is a Trace over a search.
type trace[P, M any, K comparable] struct {
	instance *instance[P, M, K]
	options  search.Options
	wanted   func(sequence int64, kind zermelov1.EventKind, depth int) bool
	// outcome is that of all positions that are handed out, unless it is unspecified.
	outcome zermelov1.Outcome
	// theorem, unless unspecified, takes the place of a search.
	theorem zermelov1.Theorem
	price   admission.Price
	// concluding is told of the search for the moves that the trace left untried; it may be nil.
	concluding Progress
	// search is there once Events has begun, unless there is a theorem.
	search   *search.Search[P, M, K]
	solution *zermelov1.Solution
}

func (t *trace[P, M, K]) Events(ctx context.Context) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		game, objective := t.instance.Game, t.instance.Game.Objective()
		if t.theorem != zermelov1.Theorem_THEOREM_UNSPECIFIED {
			t.byTheorem(yield)
			return
		}
		var out Event
		t.search = search.New(game, t.options)
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
			kind := eventKinds[e.Kind]
			if t.wanted != nil && !t.wanted(e.Number, kind, e.Depth) {
				continue
			}
			outcome := outcomeOf(objective, e.Value)
			if t.outcome != zermelov1.Outcome_OUTCOME_UNSPECIFIED && t.outcome != outcome {
				continue
			}
			out.Sequence, out.Kind, out.Depth, out.Because = e.Number, kind, uint32(e.Depth), e.Because
			out.MovesToEnd = e.Distance
			out.Position = game.AppendPosition(out.Position[:0], e.Position)
			if out.Move = out.Move[:0]; e.HasMove {
				out.Move = game.AppendMove(out.Move, e.Move)
			}
			if e.Kind == search.Enter {
				out.Outcome, out.Value, out.HasValue = zermelov1.Outcome_OUTCOME_UNSPECIFIED, 0, false
			} else {
				out.Outcome, out.Value, out.HasValue = outcome, e.Value, objective != engine.WinLoss
			}
			if !yield(&out, nil) {
				return
			}
		}
		err := t.conclude(ctx, func() bool { return yield(nil, nil) })
		if err != nil && !errors.Is(err, errLeft) {
			yield(nil, err)
		}
	}
}

// byTheorem hands out the one event of a position that is decided by arithmetic.
func (t *trace[P, M, K]) byTheorem(yield func(*Event, error) bool) {
	game := t.instance.Game
	decided, _ := t.instance.decide(DefaultMaxMoves)
	t.solution = t.instance.solution(decided, zermelov1.Method_METHOD_CLOSED_FORM, search.Statistics{})
	event := &Event{
		Sequence: 1,
		Kind:     zermelov1.EventKind_EVENT_KIND_THEOREM,
		Position: game.AppendPosition(nil, game.Root()),
		Outcome:  outcomeOf(game.Objective(), decided.Value),
		Theorem:  t.theorem,
	}
	if decided.Value != engine.Loss {
		event.Move = game.AppendMove(nil, decided.Best[0])
	}
	if t.wanted == nil || t.wanted(event.Sequence, event.Kind, 0) {
		yield(event, nil)
	}
}

func (t *trace[P, M, K]) Price() admission.Price { return t.price }

func (t *trace[P, M, K]) Statistics() *zermelov1.Statistics {
	if t.search == nil {
		return statistics(search.Statistics{})
	}
	return statistics(t.search.Statistics())
}

func (t *trace[P, M, K]) Solution() *zermelov1.Solution { return t.solution }

// conclude finds the solution after the traced search has ended. Where that stopped at the first winning move, the other
// moves are looked at in a search of their own, which is not part of the trace but ticks like it.
func (t *trace[P, M, K]) conclude(ctx context.Context, tick func() bool) error {
	solved := t.search.Result()
	if !solved.BestKnown {
		all, err := t.instance.solve(ctx, DefaultMaxMoves, t.concluding, tick)
		if !errors.Is(err, engine.ErrMemoBudget) {
			t.solution = all
			return err
		}
		// There is no room to look at the others, but what the trace proved stands.
	}
	t.solution = t.instance.solution(solved, zermelov1.Method_METHOD_SEARCH, t.search.Statistics())
	return nil
}

// eventKinds are the kinds of the contract, by those of the engine.
var eventKinds = [...]zermelov1.EventKind{
	search.Enter:    zermelov1.EventKind_EVENT_KIND_ENTER,
	search.MemoHit:  zermelov1.EventKind_EVENT_KIND_MEMO_HIT,
	search.Terminal: zermelov1.EventKind_EVENT_KIND_TERMINAL,
	search.Cutoff:   zermelov1.EventKind_EVENT_KIND_CUTOFF,
	search.Decided:  zermelov1.EventKind_EVENT_KIND_DECIDED,
}
