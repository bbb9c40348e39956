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

// Trace is the search of a position, event by event.
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
	v := violations{path: i.path}
	if i.checkTraced(&v, "Explain"); v.err() != nil {
		return nil, v.err()
	}
	if o.Detail == zermelov1.Detail_DETAIL_PROOF {
		return i.prove(o)
	}
	return i.trace(o, func() searching[P, M] { return search.New(i.Game, options) }), nil
}

// prove prepares a proof of the form asked for.
func (i *instance[P, M, K]) prove(o TraceOptions) (Trace, error) {
	if o.Policy != zermelov1.MemoPolicy_MEMO_POLICY_ALL {
		return nil, InvalidField("memo_policy", "is %s, but a proof needs every decision; leave it unset", o.Policy)
	}
	theorem := i.theoremProof(o)
	switch o.Form {
	case zermelov1.ProofForm_PROOF_FORM_CERTIFICATE:
		theorem = nil
	case zermelov1.ProofForm_PROOF_FORM_THEOREM:
		if theorem == nil {
			return nil, InvalidField("proof_form", "is %s, but no theorem decides this position; leave it unset", o.Form)
		}
	case zermelov1.ProofForm_PROOF_FORM_UNSPECIFIED:
		if i.extent().Fits() {
			theorem = nil
		}
	default:
		return nil, InvalidField("proof_form", "has the unknown value %d; PROOF_FORM_CERTIFICATE or PROOF_FORM_THEOREM "+
			"would do", o.Form)
	}
	if theorem != nil {
		return theorem, nil
	}
	return i.trace(o, func() searching[P, M] {
		return search.NewProof(i.Game, i.limits.MemoBudget, DefaultMaxMoves, i.extent().Fits())
	}), nil
}

// trace is the trace of a search that is made when it begins.
func (i *instance[P, M, K]) trace(o TraceOptions, begin func() searching[P, M]) *trace[P, M, K] {
	return &trace[P, M, K]{instance: i, wanted: o.Wanted, price: i.explainPrice(o.Policy), begin: begin, concluding: o.Concluding}
}

// searching is what a trace and a proof have in common.
type searching[P, M any] interface {
	Events(ctx context.Context) iter.Seq2[search.Event[P, M], error]
	Statistics() search.Statistics
	Result() engine.Solution[M]
}

// trace is a Trace over a search.
type trace[P, M any, K comparable] struct {
	instance *instance[P, M, K]
	wanted   func(sequence int64, kind zermelov1.EventKind, depth int) bool
	price    admission.Price
	begin    func() searching[P, M]
	// concluding is told of the search for the moves that the trace left untried; it may be nil.
	concluding Progress
	// search is there once Events has begun.
	search   searching[P, M]
	solution *zermelov1.Solution
}

func (t *trace[P, M, K]) Events(ctx context.Context) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		game, objective := t.instance.Game, t.instance.Game.Objective()
		var out Event
		t.search = t.begin()
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
			out.Sequence, out.Kind, out.Depth, out.Because = e.Number, kind, uint32(e.Depth), e.Because
			out.Position = game.AppendPosition(out.Position[:0], e.Position)
			if out.Move = out.Move[:0]; e.HasMove {
				out.Move = game.AppendMove(out.Move, e.Move)
			}
			if e.Kind == search.Enter {
				out.Outcome, out.Value, out.HasValue = zermelov1.Outcome_OUTCOME_UNSPECIFIED, 0, false
			} else {
				out.Outcome, out.Value, out.HasValue = outcomeOf(objective, e.Value), e.Value, objective != engine.WinLoss
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
