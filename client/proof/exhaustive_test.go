package proof_test

import (
	"iter"
	"os"
	"testing"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// TestEveryProofOfTheSmallDomainsIsAccepted makes the server's proofs without a stream in between, for every position of
// the domains in which the search is compared with the oracles: Nim to 4 piles of 5 in both conventions, Can I Win to
// n = 8 with every total and every set chosen, the 100 game to n = 12 and total 60, rows to length 6 over -2..3, and
// ranges to 60. Unless the long tests are asked for, it takes every 29th.
func TestEveryProofOfTheSmallDomainsIsAccepted(t *testing.T) {
	stride := 29
	if os.Getenv("ZERMELO_LONG") == "1" {
		stride = 1
	}
	n, checked := 0, 0
	for p := range smallDomains() {
		if n++; n%stride != 0 {
			continue
		}
		checked++
		instance, err := catalog.Open(p, "position", catalog.DefaultLimits())
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

func smallDomains() iter.Seq[*zermelov1.Position] {
	return func(yield func(*zermelov1.Position) bool) {
		for _, domain := range []iter.Seq[*zermelov1.Position]{smallNim, smallCanIWin, smallHundred, smallRows, smallRanges} {
			for p := range domain {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// sequences yields every sequence of up to most numbers from least to largest.
func sequences(most int, least, largest int64) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		var extend func(prefix []int64) bool
		extend = func(prefix []int64) bool {
			if !yield(prefix) {
				return false
			}
			for v := least; len(prefix) < most && v <= largest; v++ {
				if !extend(append(prefix[:len(prefix):len(prefix)], v)) {
					return false
				}
			}
			return true
		}
		extend(nil)
	}
}

func smallNim(yield func(*zermelov1.Position) bool) {
	for numbers := range sequences(4, 0, 5) {
		piles := make([]uint64, len(numbers))
		for i, number := range numbers {
			piles[i] = uint64(number)
		}
		if !yield(nim(normal, piles...)) || !yield(nim(misere, piles...)) {
			return
		}
	}
}

func smallCanIWin(yield func(*zermelov1.Position) bool) {
	for n := uint32(1); n <= 8; n++ {
		for total := range n*(n+1)/2 + 3 {
			for set := range 1 << n {
				var chosen []uint32
				for i := range n {
					if set>>i%2 == 1 {
						chosen = append(chosen, i+1)
					}
				}
				if !yield(canIWin(n, total, chosen...)) {
					return
				}
			}
		}
	}
}

func smallHundred(yield func(*zermelov1.Position) bool) {
	for n := uint64(1); n <= 12; n++ {
		for total := uint64(1); total <= 60; total++ {
			for current := range total + 1 {
				if !yield(hundredGame(n, total, current)) {
					return
				}
			}
		}
	}
}

func smallRows(yield func(*zermelov1.Position) bool) {
	for scores := range sequences(6, -2, 3) {
		if !yield(predictTheWinner(0, scores...)) {
			return
		}
	}
}

func smallRanges(yield func(*zermelov1.Position) bool) {
	for low := uint32(1); low <= 60; low++ {
		for high := low; high <= 60; high++ {
			if !yield(guessNumber(low, high)) {
				return
			}
		}
	}
}
