package rpc_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/games"
)

var update = flag.Bool("update", false, "write the golden traces (make golden)")

// goldenPositions are those of the golden traces; a game that has none here is traced from its example.
var goldenPositions = map[string]*zermelov1.Position{
	"nim":                nim(misere, 1, 2, 2),
	"can_i_win":          canIWin(4, 6),
	"hundred_game":       hundred(3, 7, 0),
	"predict_the_winner": predict(0, 1, 5, 233, 7),
	"stone_game":         stones(0, 5, 3, 4),
	"guess_number":       guess(1, 4),
}

// TestGoldenTraces compares the traces of one small position a game, in every detail, with those in testdata. Where they
// differ, the same request gives other events than before: that takes a new version of the engine.
func TestGoldenTraces(t *testing.T) {
	c := start(t)
	for _, game := range games.All() {
		name, p := game.Name, game.Example
		if golden := goldenPositions[name]; golden != nil {
			p = golden
		}
		for _, detail := range []zermelov1.Detail{
			zermelov1.Detail_DETAIL_DECISIONS, zermelov1.Detail_DETAIL_SEARCH, zermelov1.Detail_DETAIL_PROOF,
		} {
			short := strings.ToLower(strings.TrimPrefix(detail.String(), "DETAIL_"))
			t.Run(name+"/"+short, func(t *testing.T) {
				x := explain(t, c, &zermelov1.ExplainRequest{Position: p, Detail: detail})
				got := traceText(x)
				file := filepath.Join("testdata", "traces", name+"-"+short+".txt")
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
						t.Fatal(err)
					}
					return
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("%s:\n%s\nnow:\n%s", file, want, got)
				}
			})
		}
	}
}

// traceText writes a trace for people, an event a line.
func traceText(x *explained) string {
	var b strings.Builder
	for _, e := range x.events {
		fmt.Fprintf(&b, "%4d %-8s depth %d  %s", e.GetSequence(), strings.TrimPrefix(e.GetKind().String(), "EVENT_KIND_"), e.GetDepth(),
			e.GetPosition())
		if e.GetMove() != "" {
			fmt.Fprintf(&b, "  move %s", e.GetMove())
		}
		if e.GetOutcome() != zermelov1.Outcome_OUTCOME_UNSPECIFIED {
			fmt.Fprintf(&b, "  %s", strings.TrimPrefix(e.GetOutcome().String(), "OUTCOME_"))
		}
		if e.Value != nil {
			fmt.Fprintf(&b, "  value %d", e.GetValue())
		}
		if e.GetBecause() != 0 {
			fmt.Fprintf(&b, "  because %d", e.GetBecause())
		}
		b.WriteByte('\n')
	}
	s := x.summary.GetStatistics()
	fmt.Fprintf(&b, "%d expanded, %d memo hits, %d terminals, %d cutoffs, %d deep\n", s.GetPositionsExpanded(), s.GetMemoHits(),
		s.GetTerminals(), s.GetCutoffs(), s.GetMaxDepth())
	return b.String()
}
