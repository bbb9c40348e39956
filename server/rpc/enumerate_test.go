package rpc_test

import (
	"slices"
	"testing"

	"google.golang.org/grpc/codes"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// TestEnumerationIsWholeAndSolved: every position comes once, with the outcome that the same position has in a trace
// of the exhaustive kind, the asked one last, and the summary counts them.
func TestEnumerationIsWholeAndSolved(t *testing.T) {
	c := start(t)
	for name, p := range examples {
		positions, summary := enumerate(t, c, &zermelov1.EnumeratePositionsRequest{Position: p})
		seen := map[string]bool{}
		counts := map[zermelov1.Outcome]int64{}
		for _, e := range positions {
			if seen[e.GetNotation()] {
				t.Errorf("%s: %s comes twice", name, e.GetNotation())
			}
			seen[e.GetNotation()] = true
			counts[e.GetOutcome()]++
		}
		if summary.GetWins() != counts[win] || summary.GetLosses() != counts[loss] || summary.GetDraws() != counts[draw] ||
			summary.GetCompletion() != zermelov1.Completion_COMPLETION_COMPLETE {
			t.Errorf("%s: %v, counted %v", name, summary, counts)
		}
		for _, e := range explain(t, c, &zermelov1.ExplainRequest{Position: p}).events {
			i := slices.IndexFunc(positions, func(q *zermelov1.EnumeratedPosition) bool { return q.GetNotation() == e.GetPosition() })
			if i < 0 || positions[i].GetOutcome() != e.GetOutcome() ||
				positions[i].GetMargin()+positions[i].GetCost() != e.GetValue() {
				t.Errorf("%s: the trace decides %v, the enumeration has it at %d", name, e, i)
			}
		}
		if p.GetGuessNumber() != nil {
			continue
		}
		for _, outcome := range []zermelov1.Outcome{win, loss, draw} {
			some, _ := enumerate(t, c, &zermelov1.EnumeratePositionsRequest{Position: p, Outcome: outcome})
			want := slices.DeleteFunc(slices.Clone(positions), func(q *zermelov1.EnumeratedPosition) bool { return q.GetOutcome() != outcome })
			if !slices.EqualFunc(some, want, func(a, b *zermelov1.EnumeratedPosition) bool { return a.GetNotation() == b.GetNotation() }) {
				t.Errorf("%s: %d positions with %v, want %d", name, len(some), outcome, len(want))
			}
		}
	}
}

func TestMaxPositions(t *testing.T) {
	c := start(t)
	all, _ := enumerate(t, c, &zermelov1.EnumeratePositionsRequest{Position: nim(misere, 7, 5, 3), Outcome: loss})
	for limit, want := range map[int]zermelov1.Completion{
		1:            zermelov1.Completion_COMPLETION_LIMIT_REACHED,
		len(all) - 1: zermelov1.Completion_COMPLETION_LIMIT_REACHED,
		len(all):     zermelov1.Completion_COMPLETION_COMPLETE,
		len(all) + 1: zermelov1.Completion_COMPLETION_COMPLETE,
	} {
		some, summary := enumerate(t, c, &zermelov1.EnumeratePositionsRequest{
			Position: nim(misere, 7, 5, 3), Outcome: loss, MaxPositions: int64(limit),
		})
		if len(some) != min(limit, len(all)) || summary.GetCompletion() != want {
			t.Errorf("max_positions %d: %d positions, %v", limit, len(some), summary)
		}
	}
}

// TestEnumerationThatDoesNotFitIsRefused before it starts, with the number of positions and what would fit; a limit on
// the number sent makes it fit.
func TestEnumerationThatDoesNotFitIsRefused(t *testing.T) {
	c := start(t, servertest.WithMemoBudget(1<<20))
	stream, err := c.EnumeratePositions(t.Context(), &zermelov1.EnumeratePositionsRequest{Position: canIWin(30, 200)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = stream.Recv()
	wantError(t, err, codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_BUDGET_LIMIT, "position.can_i_win")
	some, summary := enumerate(t, c, &zermelov1.EnumeratePositionsRequest{Position: canIWin(30, 200), MaxPositions: 100})
	if len(some) != 100 || summary.GetCompletion() != zermelov1.Completion_COMPLETION_LIMIT_REACHED {
		t.Errorf("%d positions, %v", len(some), summary)
	}
}
