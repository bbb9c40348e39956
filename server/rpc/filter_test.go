package rpc_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	enter    = zermelov1.EventKind_EVENT_KIND_ENTER
	terminal = zermelov1.EventKind_EVENT_KIND_TERMINAL
	decided  = zermelov1.EventKind_EVENT_KIND_DECIDED
)

// filtered are requests for parts of one trace, each with what it lets through, apart from the sampling.
func filtered() map[string]struct {
	request *zermelov1.ExplainRequest
	lets    func(*zermelov1.Event) bool
} {
	base := &zermelov1.ExplainRequest{Position: canIWin(10, 40), Detail: zermelov1.Detail_DETAIL_SEARCH}
	with := func(change func(*zermelov1.ExplainRequest)) *zermelov1.ExplainRequest {
		r := proto.CloneOf(base)
		change(r)
		return r
	}
	type part = struct {
		request *zermelov1.ExplainRequest
		lets    func(*zermelov1.Event) bool
	}
	all := func(*zermelov1.Event) bool { return true }
	return map[string]part{
		"all": {base, all},
		"the root alone": {
			with(func(r *zermelov1.ExplainRequest) { r.MaxDepth = new(uint32(0)) }),
			func(e *zermelov1.Event) bool { return e.GetDepth() == 0 },
		},
		"depth 2": {
			with(func(r *zermelov1.ExplainRequest) { r.MaxDepth = new(uint32(2)) }),
			func(e *zermelov1.Event) bool { return e.GetDepth() <= 2 },
		},
		"kinds": {
			with(func(r *zermelov1.ExplainRequest) { r.Kinds = []zermelov1.EventKind{enter, terminal} }),
			func(e *zermelov1.Event) bool { return e.GetKind() == enter || e.GetKind() == terminal },
		},
		"every seventh": {with(func(r *zermelov1.ExplainRequest) { r.SampleEvery = 7 }), all},
		"every third decision down to depth 4": {
			with(func(r *zermelov1.ExplainRequest) {
				r.MaxDepth, r.Kinds, r.SampleEvery = new(uint32(4)), []zermelov1.EventKind{decided}, 3
			}),
			func(e *zermelov1.Event) bool { return e.GetKind() == decided && e.GetDepth() <= 4 },
		},
	}
}

// TestFiltersLeaveTheTraceAsItIs: what comes through has the numbers that it has in the whole trace, and the search
// does the same work.
func TestFiltersLeaveTheTraceAsItIs(t *testing.T) {
	c := start(t)
	parts := filtered()
	whole := explain(t, c, parts["all"].request)
	elapsed := protocmp.IgnoreFields(&zermelov1.Statistics{}, "elapsed")
	for name, part := range parts {
		var want []*zermelov1.Event
		passed := int64(0)
		for _, e := range whole.events {
			if part.lets(e) {
				if passed%max(part.request.GetSampleEvery(), 1) == 0 {
					want = append(want, e)
				}
				passed++
			}
		}
		got := explain(t, c, part.request)
		if diff := cmp.Diff(want, got.events, protocmp.Transform()); diff != "" || len(want) == 0 {
			t.Errorf("%s: %s", name, diff)
		}
		if last := want[len(want)-1].GetSequence(); got.summary.GetLastSequence() != last {
			t.Errorf("%s: last_sequence %d, want %d", name, got.summary.GetLastSequence(), last)
		}
		if diff := cmp.Diff(whole.summary.GetStatistics(), got.summary.GetStatistics(), protocmp.Transform(), elapsed); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestInvalidFilters(t *testing.T) {
	c := start(t)
	p := nim(misere, 7, 5, 3)
	for _, test := range []struct {
		field   string
		request *zermelov1.ExplainRequest
	}{
		{"sample_every", &zermelov1.ExplainRequest{Position: p, SampleEvery: -1}},
		{"kinds[1]", &zermelov1.ExplainRequest{Position: p, Kinds: []zermelov1.EventKind{decided, enter}}},
		{"kinds[0]", &zermelov1.ExplainRequest{Position: p, Kinds: []zermelov1.EventKind{0}, Detail: zermelov1.Detail_DETAIL_SEARCH}},
		{"kinds[0]", &zermelov1.ExplainRequest{Position: p, Kinds: []zermelov1.EventKind{77}, Detail: zermelov1.Detail_DETAIL_SEARCH}},
		{"max_depth", &zermelov1.ExplainRequest{Position: p, MaxDepth: new(uint32(0)), Detail: proof}},
		{"kinds", &zermelov1.ExplainRequest{Position: p, Kinds: []zermelov1.EventKind{decided}, Detail: proof}},
		{"sample_every", &zermelov1.ExplainRequest{Position: p, SampleEvery: 2, Detail: proof}},
		{"proof_form", &zermelov1.ExplainRequest{Position: p, ProofForm: 1}},
		{"proof_form", &zermelov1.ExplainRequest{Position: p, ProofForm: 77, Detail: proof}},
		{"memo_policy", &zermelov1.ExplainRequest{Position: p, MemoPolicy: policyNone, Detail: proof}},
		{"resume_after_sequence", &zermelov1.ExplainRequest{Position: p, ResumeAfterSequence: -1}},
		{"resume_token", &zermelov1.ExplainRequest{Position: p, ResumeAfterSequence: 1}},
	} {
		wantError(t, drainStream(c.Explain(t.Context(), test.request)), codes.InvalidArgument, invalidField, test.field)
	}
}

// TestResumeGoesOnWithTheSameTrace, after any event, for filtered traces too.
func TestResumeGoesOnWithTheSameTrace(t *testing.T) {
	c := start(t)
	for name, part := range filtered() {
		whole := explain(t, c, part.request)
		n := len(whole.events)
		for _, have := range slices.Compact([]int{0, 1, n / 2, n - 1, n}) {
			r := proto.CloneOf(part.request)
			r.ResumeToken = whole.opening.GetResumeToken()
			if have > 0 {
				r.ResumeAfterSequence = whole.events[have-1].GetSequence()
			}
			rest := explain(t, c, r)
			if diff := cmp.Diff(whole.opening, rest.opening, protocmp.Transform()); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			if diff := cmp.Diff(whole.events[have:], rest.events, protocmp.Transform(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s, after %d of %d events: %s", name, have, n, diff)
			}
			if rest.summary.GetLastSequence() != max(r.GetResumeAfterSequence(), whole.summary.GetLastSequence()) ||
				rest.summary.GetEventCount() != int64(n-have) {
				t.Errorf("%s, after %d of %d events: %v", name, have, n, rest.summary)
			}
		}
	}
}

// TestResumeCountsItsOwnEvents: max_events is for one stream, and not part of what the token stands for.
func TestResumeCountsItsOwnEvents(t *testing.T) {
	c := start(t)
	r := &zermelov1.ExplainRequest{Position: nim(misere, 7, 5, 3), MaxEvents: 40}
	first := explain(t, c, r)
	r.ResumeToken, r.ResumeAfterSequence, r.MaxEvents = first.opening.GetResumeToken(), 40, 21
	second := explain(t, c, r)
	if second.summary.GetCompletion() != zermelov1.Completion_COMPLETION_COMPLETE || second.summary.GetLastSequence() != 61 ||
		second.summary.GetEventCount() != 21 {
		t.Errorf("%v", second.summary)
	}
}

func TestTokenOfAnotherRequestIsRefused(t *testing.T) {
	c := start(t)
	token := explain(t, c, &zermelov1.ExplainRequest{Position: nim(misere, 7, 5, 3)}).opening.GetResumeToken()
	for name, r := range map[string]*zermelov1.ExplainRequest{
		"position":   {Position: nim(misere, 7, 3, 5)},
		"convention": {Position: nim(normal, 7, 5, 3)},
		"detail":     {Position: nim(misere, 7, 5, 3), Detail: zermelov1.Detail_DETAIL_SEARCH},
		"policy":     {Position: nim(misere, 7, 5, 3), MemoPolicy: policyNone},
		"depth":      {Position: nim(misere, 7, 5, 3), MaxDepth: new(uint32(9))},
		"sampling":   {Position: nim(misere, 7, 5, 3), SampleEvery: 2},
		"proof":      {Position: nim(misere, 7, 5, 3), Detail: proof},
		"token":      {Position: nim(misere, 7, 5, 3), ResumeToken: token + "x"},
	} {
		if r.ResumeToken == "" {
			r.ResumeToken = token
		}
		t.Run(name, func(t *testing.T) {
			wantError(t, drainStream(c.Explain(t.Context(), r)), codes.FailedPrecondition,
				zermelov1.ErrorReason_ERROR_REASON_RESUME_TOKEN_MISMATCH)
		})
	}
	// Spelled out or not, a default is the same request.
	for _, r := range []*zermelov1.ExplainRequest{
		{Position: nim(misere, 7, 5, 3), Detail: zermelov1.Detail_DETAIL_DECISIONS, MemoPolicy: policyAll, SampleEvery: 1},
	} {
		r.ResumeToken = token
		explain(t, c, r)
	}
}
