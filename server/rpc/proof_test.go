package rpc_test

import (
	"testing"

	"google.golang.org/grpc/codes"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

const proof = zermelov1.Detail_DETAIL_PROOF

// TestProofHasEachPositionOnceAndTheAskedOneLast; what its decisions rest on, package proof of the client checks.
func TestProofHasEachPositionOnceAndTheAskedOneLast(t *testing.T) {
	c := start(t)
	for name, p := range examples {
		x := explain(t, c, &zermelov1.ExplainRequest{Position: p, Detail: proof})
		seen := map[string]bool{}
		for _, e := range x.events {
			if e.GetKind() != zermelov1.EventKind_EVENT_KIND_DECIDED || seen[e.GetPosition()] || e.GetBecause() >= e.GetSequence() {
				t.Errorf("%s: %v", name, e)
			}
			seen[e.GetPosition()] = true
		}
		if n := len(x.events); n > 0 && x.events[n-1].GetDepth() != 0 {
			t.Errorf("%s: the last decision is %v", name, x.events[n-1])
		}
		if want := solve(t, c, p); x.summary.GetSolution().GetOutcome() != want.GetOutcome() ||
			x.summary.GetSolution().GetMargin() != want.GetMargin() || x.summary.GetSolution().GetCost() != want.GetCost() {
			t.Errorf("%s: the proof ends with %v, solved %v", name, x.summary.GetSolution(), want)
		}
	}
}

// TestProofsAreShort: the counts are those of the choices that the proof makes among winning moves.
func TestProofsAreShort(t *testing.T) {
	c := start(t)
	for _, test := range []struct {
		n, total uint32
		want     int
	}{{20, 100, 16_045}, {20, 152, 192_704}} {
		x := explain(t, c, &zermelov1.ExplainRequest{Position: canIWin(test.n, test.total), Detail: proof})
		if len(x.events) != test.want {
			t.Errorf("1..%d to %d: %d decisions, want %d", test.n, test.total, len(x.events), test.want)
		}
	}
}

// TestTheoremInsteadOfACertificate: a theorem is sent when it is asked for, and by itself where a certificate does not
// surely fit; where there is none, asking for it is an error, and a certificate that does not fit is one too.
func TestTheoremInsteadOfACertificate(t *testing.T) {
	c := start(t, servertest.WithMemoBudget(4<<20))
	const (
		auto        = zermelov1.ProofForm_PROOF_FORM_UNSPECIFIED
		certificate = zermelov1.ProofForm_PROOF_FORM_CERTIFICATE
		theorem     = zermelov1.ProofForm_PROOF_FORM_THEOREM
	)
	for name, test := range map[string]struct {
		position *zermelov1.Position
		form     zermelov1.ProofForm
		theorem  zermelov1.Theorem // unspecified: a certificate
		outcome  zermelov1.Outcome
		move     string
	}{
		"small nim":           {nim(misere, 7, 5, 3), auto, 0, win, ""},
		"small nim, asked":    {nim(misere, 7, 5, 3), theorem, zermelov1.Theorem_THEOREM_BOUTON, win, "7>6"},
		"lost nim, asked":     {nim(normal, 1, 2, 3), theorem, zermelov1.Theorem_THEOREM_BOUTON, loss, ""},
		"large nim":           {nim(normal, 1<<62, 1<<61, 5), auto, zermelov1.Theorem_THEOREM_BOUTON, win, "4611686018427387904>2305843009213693957"},
		"hundred":             {hundred(10, 100, 0), auto, 0, win, ""},
		"large hundred":       {hundred(10, 1<<60, 0), auto, zermelov1.Theorem_THEOREM_MODULO, win, "1"},
		"drawn can_i_win":     {canIWin(6, 22), auto, 0, draw, ""},
		"drawn, asked":        {canIWin(6, 22), theorem, zermelov1.Theorem_THEOREM_OUT_OF_REACH, draw, "1"},
		"large drawn":         {canIWin(64, 3000), auto, zermelov1.Theorem_THEOREM_OUT_OF_REACH, draw, "1"},
		"certificate of nim":  {nim(normal, 5, 4), certificate, 0, win, ""},
		"what is over is nil": {nim(normal), auto, 0, loss, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x := explain(t, c, &zermelov1.ExplainRequest{Position: test.position, Detail: proof, ProofForm: test.form})
			if x.summary.GetSolution().GetOutcome() != test.outcome {
				t.Errorf("%v, want %v", x.summary.GetSolution(), test.outcome)
			}
			if test.theorem == zermelov1.Theorem_THEOREM_UNSPECIFIED {
				for _, e := range x.events {
					if e.GetKind() != zermelov1.EventKind_EVENT_KIND_DECIDED || e.GetTheorem() != 0 {
						t.Fatalf("in a certificate: %v", e)
					}
				}
				return
			}
			if len(x.events) != 1 || x.events[0].GetKind() != zermelov1.EventKind_EVENT_KIND_THEOREM ||
				x.events[0].GetTheorem() != test.theorem || x.events[0].GetOutcome() != test.outcome ||
				x.events[0].GetMove() != test.move {
				t.Errorf("%v", x.events)
			}
		})
	}
	for _, p := range []*zermelov1.Position{canIWin(10, 40), predict(0, 1, 2), guess(1, 9), nim(normal)} {
		err := drainStream(c.Explain(t.Context(), &zermelov1.ExplainRequest{Position: p, Detail: proof, ProofForm: theorem}))
		wantError(t, err, codes.InvalidArgument, invalidField, "proof_form")
	}
	for _, r := range []*zermelov1.ExplainRequest{
		{Position: canIWin(20, 152), Detail: proof},
		{Position: nim(normal, 1<<40, 1<<40), Detail: proof, ProofForm: certificate},
	} {
		wantError(t, drainStream(c.Explain(t.Context(), r)), codes.ResourceExhausted, zermelov1.ErrorReason_ERROR_REASON_MEMO_BUDGET)
	}
}

// TestProofWithoutRoomForEverything falls back to what a search with cutoffs decides.
func TestProofWithoutRoomForEverything(t *testing.T) {
	p := canIWin(14, 80)
	whole := explain(t, start(t), &zermelov1.ExplainRequest{Position: p, Detail: proof})
	c := start(t, servertest.WithMemoBudget(350<<10)) // all that can be reached does not surely fit
	small := explain(t, c, &zermelov1.ExplainRequest{Position: p, Detail: proof})
	if small.summary.GetStatistics().GetCutoffs() == 0 || whole.summary.GetStatistics().GetCutoffs() != 0 {
		t.Fatalf("cutoffs: %d with little room, %d with much", small.summary.GetStatistics().GetCutoffs(), whole.summary.GetStatistics().GetCutoffs())
	}
	if len(small.events) < len(whole.events) || small.summary.GetSolution().GetOutcome() != whole.summary.GetSolution().GetOutcome() {
		t.Errorf("%d decisions, %d with more room", len(small.events), len(whole.events))
	}
}
