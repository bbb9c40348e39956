package rpc_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// examples are positions of every game, small enough to look at whole.
var examples = map[string]*zermelov1.Position{
	"nim misère":         nim(misere, 5, 0, 4, 3),
	"nim normal":         nim(normal, 3, 4, 5),
	"nim lost":           nim(normal, 1, 2, 3),
	"nim over":           nim(misere),
	"can_i_win":          canIWin(10, 40, 4, 1),
	"can_i_win drawn":    canIWin(6, 22),
	"hundred_game":       hundred(3, 21, 2),
	"predict_the_winner": predict(-3, 1, 5, -2, 233, 7),
	"predict tied":       predict(0, 2, 2, 2, 2),
	"stone_game":         stones(2, 5, 3, 4, 5),
	"guess_number":       guess(3, 12),
	"guess over":         guess(7, 7),
}

// TestDecisionsRestOnWhatTheyName follows `because`: the decision that it names is about the position that the deciding
// move leads to, and explains the value.
func TestDecisionsRestOnWhatTheyName(t *testing.T) {
	c := start(t)
	for name, p := range examples {
		for _, detail := range []zermelov1.Detail{zermelov1.Detail_DETAIL_DECISIONS, zermelov1.Detail_DETAIL_SEARCH} {
			x := explain(t, c, &zermelov1.ExplainRequest{Position: p, Detail: detail})
			if !proto.Equal(x.opening.GetPosition(), p) || x.opening.GetDetail() != detail ||
				x.opening.GetMemoPolicy() != policyAll || x.opening.GetEngineVersion() == "" {
				t.Errorf("%s: opening %v", name, x.opening)
			}
			if x.summary.GetCompletion() != zermelov1.Completion_COMPLETION_COMPLETE {
				t.Errorf("%s: %v", name, x.summary)
			}
			for _, e := range x.events {
				if e.GetBecause() == 0 {
					continue
				}
				b := x.events[e.GetBecause()-1]
				if b.GetKind() != zermelov1.EventKind_EVENT_KIND_DECIDED || b.GetSequence() >= e.GetSequence() {
					t.Fatalf("%s: %v rests on %v", name, e, b)
				}
				if e.GetKind() == zermelov1.EventKind_EVENT_KIND_DECIDED && e.GetOutcome() == win && e.Value == nil &&
					b.GetOutcome() != loss {
					t.Fatalf("%s: the win %v rests on %v", name, e, b)
				}
				if e.GetKind() == zermelov1.EventKind_EVENT_KIND_MEMO_HIT && (e.GetPosition() != b.GetPosition() ||
					e.GetOutcome() != b.GetOutcome() || e.GetValue() != b.GetValue()) {
					t.Fatalf("%s: %v remembers %v", name, e, b)
				}
			}
		}
	}
}

// TestExplainEndsWithTheSolutionOfSolve: the summary's solution is the one that Solve gives, and the last decision
// agrees with it.
func TestExplainEndsWithTheSolutionOfSolve(t *testing.T) {
	c := start(t)
	ignore := protocmp.IgnoreFields(&zermelov1.Solution{}, "statistics", "method")
	for name, p := range examples {
		want := solve(t, c, p)
		for _, policy := range []zermelov1.MemoPolicy{policyAll, policyNone} {
			x := explain(t, c, &zermelov1.ExplainRequest{Position: p, MemoPolicy: policy})
			if diff := cmp.Diff(want, x.summary.GetSolution(), protocmp.Transform(), ignore); diff != "" {
				t.Errorf("%s, %v: %s", name, policy, diff)
			}
			if len(x.events) == 0 {
				continue // the game is over
			}
			last := x.events[len(x.events)-1]
			lead := p.GetPredictTheWinner().GetLead() + p.GetStoneGame().GetLead()
			if want.Margin != nil && last.GetValue()+lead != want.GetMargin() ||
				want.Cost != nil && last.GetValue() != want.GetCost() ||
				want.Margin == nil && last.GetOutcome() != want.GetOutcome() {
				t.Errorf("%s: the last decision is %v, the solution %v", name, last, want)
			}
		}
	}
}

// TestTheSameRequestGivesTheSameTrace, event by event, and the same work.
func TestTheSameRequestGivesTheSameTrace(t *testing.T) {
	c := start(t)
	elapsed := protocmp.IgnoreFields(&zermelov1.Statistics{}, "elapsed")
	for name, p := range examples {
		r := &zermelov1.ExplainRequest{Position: p, Detail: zermelov1.Detail_DETAIL_SEARCH}
		first, second := explain(t, c, r), explain(t, c, r)
		if diff := cmp.Diff(first.events, second.events, protocmp.Transform()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(first.summary, second.summary, protocmp.Transform(), elapsed); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestMaxEvents cuts a trace, and says so only when something was left.
func TestMaxEvents(t *testing.T) {
	c := start(t)
	whole := explain(t, c, &zermelov1.ExplainRequest{Position: nim(misere, 7, 5, 3)})
	all := int64(len(whole.events))
	if all != 61 {
		t.Fatalf("7-5-3 in misère play has %d decisions, want 61", all)
	}
	for limit, want := range map[int64]zermelov1.Completion{
		1:       zermelov1.Completion_COMPLETION_LIMIT_REACHED,
		all - 1: zermelov1.Completion_COMPLETION_LIMIT_REACHED,
		all:     zermelov1.Completion_COMPLETION_COMPLETE,
		all + 1: zermelov1.Completion_COMPLETION_COMPLETE,
	} {
		x := explain(t, c, &zermelov1.ExplainRequest{Position: nim(misere, 7, 5, 3), MaxEvents: limit})
		if got := x.summary.GetCompletion(); got != want {
			t.Errorf("max_events %d: %v, want %v", limit, got, want)
		}
		sent := min(limit, all)
		if x.summary.GetEventCount() != sent || x.summary.GetLastSequence() != sent {
			t.Errorf("max_events %d: %v", limit, x.summary)
		}
		if (x.summary.GetSolution() != nil) != (want == zermelov1.Completion_COMPLETION_COMPLETE) {
			t.Errorf("max_events %d: solution %v", limit, x.summary.GetSolution())
		}
		if diff := cmp.Diff(whole.events[:sent], x.events, protocmp.Transform()); diff != "" {
			t.Errorf("max_events %d: %s", limit, diff)
		}
	}
}

// TestFramesAreBounded: a frame is cut at FrameBytes; only a single long event may be larger.
func TestFramesAreBounded(t *testing.T) {
	c := start(t)
	many := explain(t, c, &zermelov1.ExplainRequest{Position: canIWin(14, 60), Detail: zermelov1.Detail_DETAIL_SEARCH})
	if many.largest > rpc.FrameBytes || many.largest < rpc.FrameBytes*9/10 {
		t.Errorf("the largest frame of many events has %d bytes", many.largest)
	}
	over := slices.Repeat([]uint64{0}, 10_000)
	over[0] = 1
	wide := explain(t, c, &zermelov1.ExplainRequest{Position: nim(normal, over...)})
	if wide.largest > 1<<20 {
		t.Errorf("a frame of %d bytes", wide.largest)
	}
}
