package proof_test

import (
	"iter"
	"os"
	"testing"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/games"
)

// TestEveryProofOfTheSmallDomainsIsAccepted makes the server's proofs without a stream in between, for every sample of
// each game: the positions at which the search is compared with the oracles. Unless the long tests are asked for, it takes
// every 29th.
func TestEveryProofOfTheSmallDomainsIsAccepted(t *testing.T) {
	stride := 29
	if os.Getenv("ZERMELO_LONG") == "1" {
		stride = 1
	}
	n, checked := 0, 0
	offered := catalog.New(games.All(), catalog.DefaultLimits())
	for p := range samples() {
		if n++; n%stride != 0 {
			continue
		}
		checked++
		instance, err := offered.Open(p, "position")
		if err != nil {
			t.Fatal(err)
		}
		solution, err := instance.Solve(t.Context(), catalog.MaxMaxMoves)
		if err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		trace, err := instance.Explain(catalog.TraceOptions{
			Detail: zermelov1.Detail_DETAIL_PROOF, Policy: zermelov1.MemoPolicy_MEMO_POLICY_ALL,
			Form: zermelov1.ProofForm_PROOF_FORM_CERTIFICATE,
		})
		if err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		verdict, err := proof.Check(p, messages(trace.Events(t.Context())))
		if err == nil {
			err = verdict.Agrees(solution)
		}
		if err != nil {
			t.Fatalf("%v: %v", p, err)
		}
	}
	t.Logf("%d of %d positions", checked, n)
}

// messages are the events as they come over the wire.
func messages(events iter.Seq2[*catalog.Event, error]) iter.Seq2[*zermelov1.Event, error] {
	return func(yield func(*zermelov1.Event, error) bool) {
		for e, err := range events {
			if err != nil {
				yield(nil, err)
				return
			}
			if e == nil {
				continue
			}
			m := &zermelov1.Event{
				Sequence: e.Sequence, Kind: e.Kind, Depth: e.Depth, Position: string(e.Position), Move: string(e.Move),
				Outcome: e.Outcome, Because: e.Because, Theorem: e.Theorem,
			}
			if e.HasValue {
				m.Value = &e.Value
			}
			if !yield(m, nil) {
				return
			}
		}
	}
}

// samples are those of every game.
func samples() iter.Seq[*zermelov1.Position] {
	return func(yield func(*zermelov1.Position) bool) {
		for _, game := range games.All() {
			for p := range game.Samples {
				if !yield(p) {
					return
				}
			}
		}
	}
}
