package rpc_test

import (
	"context"
	"sync"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// worked is an Observer that adds up the work it is told of.
type worked struct {
	call.Observer
	mu                       sync.Mutex
	times                    int
	positions, entries, most int64
	game                     string
}

func (w *worked) Worked(game string, positions, entries int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.times++
	w.game = game
	w.positions += positions
	w.entries += entries
	w.most = max(w.most, w.entries)
}

func (*worked) Solved(string, zermelov1.Method, call.Result) {}
func (*worked) Looked(bool)                                  {}

// TestSearchesOfUnaryCallsAreObservedWhileTheyRun, with what they remember, which is nothing once they have ended.
func TestSearchesOfUnaryCallsAreObservedWhileTheyRun(t *testing.T) {
	service := rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), newGate(t))
	for name, answer := range map[string]func(context.Context) (*zermelov1.Statistics, error){
		"Solve": func(ctx context.Context) (*zermelov1.Statistics, error) {
			r, err := service.Solve(ctx, &zermelov1.SolveRequest{Position: canIWin(40, 44)}) // too many integers for a table
			return r.GetSolution().GetStatistics(), err
		},
		"Analyze": func(ctx context.Context) (*zermelov1.Statistics, error) {
			r, err := service.Analyze(ctx, &zermelov1.AnalyzeRequest{Position: canIWin(16, 80)})
			return r.GetSolution().GetStatistics(), err
		},
		"BatchSolve": func(ctx context.Context) (*zermelov1.Statistics, error) {
			r, err := service.BatchSolve(ctx, &zermelov1.BatchSolveRequest{Positions: []*zermelov1.Position{canIWin(40, 44)}})
			return r.GetResults()[0].GetSolution().GetStatistics(), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := &worked{}
			statistics, err := answer(call.New(t.Context(), "", "", w))
			if err != nil {
				t.Fatal(err)
			}
			if w.game != "can_i_win" || w.positions != statistics.GetPositionsExpanded() || w.most != statistics.GetMemoEntries() {
				t.Errorf("told of %d positions and at most %d entries of %s, want %v", w.positions, w.most, w.game, statistics)
			}
			if w.times < 3 || w.most == 0 || w.entries != 0 {
				t.Errorf("told %d times; %d entries at most, %d at the end", w.times, w.most, w.entries)
			}
		})
	}
}
