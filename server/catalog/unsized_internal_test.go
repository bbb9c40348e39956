package catalog

import (
	"errors"
	"math"
	"strconv"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/engine"
)

// heap is a game that has the rules and nothing else: who takes the last of a heap, one to three at a time, wins. It
// counts how often it is asked for a move.
type heap struct {
	size  uint64
	asked int
}

func (g *heap) Objective() engine.Objective                { return engine.WinLoss }
func (g *heap) Root() uint64                               { return g.size }
func (g *heap) Over(p uint64) (int64, bool)                { return engine.Loss, p == 0 }
func (g *heap) Key(p uint64) uint64                        { return p }
func (g *heap) Hash(p uint64) uint64                       { return engine.HashWord(p) }
func (g *heap) AppendPosition(dst []byte, p uint64) []byte { return strconv.AppendUint(dst, p, 10) }
func (g *heap) AppendMove(dst []byte, m uint64) []byte     { return strconv.AppendUint(dst, m, 10) }

func (g *heap) First(uint64) uint64 {
	g.asked++
	return 1
}

func (g *heap) Next(p, m uint64) (uint64, bool) {
	g.asked++
	return m + 1, m < min(3, p)
}

func (g *heap) After(p, m uint64, branch int) (uint64, bool) {
	g.asked++
	return p - m, branch == 0
}

func (g *heap) instance() Instance {
	r := &Request{Limits: Limits{MemoBudget: 4 << 20}, entry: &Entry{Objective: engine.WinLoss}}
	return NewInstance(r, Opened[uint64, uint64, uint64]{
		Game:    g,
		Message: func(uint64, int64) *zermelov1.Position { return &zermelov1.Position{} },
	})
}

// TestAGameMayHaveRulesAlone: one that cannot say how large it is gets the whole memo budget, and is solved if that is
// enough.
func TestAGameMayHaveRulesAlone(t *testing.T) {
	g := &heap{size: 4001}
	i := g.instance()
	s, err := i.Solve(t.Context(), 5, nil)
	if err != nil || s.GetOutcome() != zermelov1.Outcome_OUTCOME_WIN || len(s.GetBestMoves()) != 1 ||
		s.GetBestMoves()[0].GetNotation() != "1" {
		t.Errorf("%v, %v", s, err)
	}
	a, err := i.Analyze(t.Context(), false, nil)
	if err != nil || len(a.GetMoves()) != 3 || a.GetMovesToEnd() != 2001 {
		t.Errorf("%d moves, %d to the end, %v", len(a.GetMoves()), a.GetMovesToEnd(), err)
	}
	large := (&heap{size: 1 << 40}).instance()
	if _, err := large.Solve(t.Context(), 1, nil); !errors.Is(err, engine.ErrMemoBudget) {
		t.Errorf("2^40 in one heap: %v", err)
	}
}

// TestNoPositionIsLookedAtBeforeAdmission: to prepare a call, and to price it, no move is asked for.
func TestNoPositionIsLookedAtBeforeAdmission(t *testing.T) {
	g := &heap{size: 1 << 40}
	i := g.instance()
	whole := admission.Price{Bytes: 4 << 20, Positions: math.MaxUint64}
	for what, price := range map[string]func() (admission.Price, error){
		"solving":                     i.SolvePrice,
		"analyzing":                   func() (admission.Price, error) { return i.AnalyzePrice(false) },
		"analyzing without distances": func() (admission.Price, error) { return i.AnalyzePrice(true) },
	} {
		if p, err := price(); p != whole || err != nil {
			t.Errorf("%s: %+v %v", what, p, err)
		}
	}
	trace, err := i.Explain(TraceOptions{
		Detail: zermelov1.Detail_DETAIL_PROOF, Policy: zermelov1.MemoPolicy_MEMO_POLICY_ALL,
	})
	if err != nil || trace.Price() != whole {
		t.Errorf("%v", err)
	}
	walk, err := i.Enumerate(zermelov1.Outcome_OUTCOME_UNSPECIFIED, 0, true)
	if err != nil || walk.Price() != whole {
		t.Errorf("%v", err)
	}
	if g.asked > 0 {
		t.Errorf("%d moves were asked for", g.asked)
	}
}
