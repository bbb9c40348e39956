package gametest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// searchBudget is the memory of the searches that Against makes.
const searchBudget = 1 << 30

// Against fails t when the engine's search of g, or the closed form or the kernel that g has for this root, does not
// give an oracle's answer: its value and all its best moves.
func Against[P, M any, K comparable](t testing.TB, g engine.Game[P, M, K], want Answer) {
	t.Helper()
	s := search.New(g, search.Options{Budget: searchBudget, AllRootMoves: true, MaxBest: math.MaxInt})
	if err := run(s); err != nil {
		t.Fatalf("search of %s: %v", root(g), err)
	}
	if err := differ(g, s.Result(), want); err != nil {
		t.Fatalf("search of %s: %v", root(g), err)
	}
	if theorem, ok := any(g).(engine.ClosedForm[M]); ok {
		if decided, ok := theorem.Decide(math.MaxInt); ok {
			if err := differ(g, decided, want); err != nil {
				t.Fatalf("closed form for %s: %v", root(g), err)
			}
		}
	}
	kernel, ok := any(g).(engine.Kernel[M])
	if !ok {
		return
	}
	solved, err := kernel.Solve(t.Context(), math.MaxInt)
	if errors.Is(err, engine.ErrNoKernel) {
		return
	}
	if err == nil {
		err = differ(g, solved, want)
	}
	if err != nil {
		t.Fatalf("kernel for %s: %v", root(g), err)
	}
}

// root describes what was asked.
func root[P, M any, K comparable](g engine.Game[P, M, K]) string {
	return fmt.Sprintf("%T %s", g, g.AppendPosition(nil, g.Root()))
}

// differ says in what a solution is not the answer.
func differ[P, M any](n engine.Notation[P, M], got engine.Solution[M], want Answer) error {
	if got.Value != want.Value {
		return fmt.Errorf("the value is %d; the oracle says %d", got.Value, want.Value)
	}
	same := len(got.Best) == len(want.Best)
	var text []byte
	for i := 0; same && i < len(want.Best); i++ {
		text = n.AppendMove(text[:0], got.Best[i])
		same = string(text) == want.Best[i]
	}
	switch {
	case !same:
		var texts []string
		for _, m := range got.Best {
			texts = append(texts, string(n.AppendMove(nil, m)))
		}
		return fmt.Errorf("the best moves are %v; the oracle says %v", texts, want.Best)
	case !got.BestKnown || got.BestCount != int64(len(want.Best)):
		return fmt.Errorf("the best moves are said to be %d (known: %t); there are %d", got.BestCount, got.BestKnown,
			len(want.Best))
	default:
		return nil
	}
}
