package gametest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// searchBudget is the memory of the searches that Against makes.
const searchBudget = 1 << 30

// Against fails t when the engine's search of g, or the closed form or the algorithm that g has for this root, does not
// give an oracle's answer: its value and all its best moves.
func Against[P, M any, K comparable](t testing.TB, g engine.Game[P, M, K], want oracle.Answer) {
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
	algorithm, ok := any(g).(engine.Algorithm[M])
	if !ok {
		return
	}
	solved, err := algorithm.Solve(t.Context(), math.MaxInt)
	if errors.Is(err, engine.ErrNoAlgorithm) {
		return
	}
	if err == nil {
		err = differ(g, solved, want)
	}
	if err != nil {
		t.Fatalf("algorithm for %s: %v", root(g), err)
	}
}

// root names a game and its root position.
func root[P, M any, K comparable](g engine.Game[P, M, K]) string {
	return fmt.Sprintf("%T %s", g, g.AppendPosition(nil, g.Root()))
}

// differ says in what a solution is not the answer.
func differ[P, M any, K comparable](n engine.Game[P, M, K], got engine.Solution[M], want oracle.Answer) error {
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

// RankedAgainst fails t when what a search of g, or the ranking that g itself has, says about the moves at any position
// that can be reached from its root is not the oracle's answer: each move's value, distance and branch, and the order.
func RankedAgainst[P, M any, K comparable](t testing.TB, g engine.Game[P, M, K], answer func(p P) oracle.Answer) {
	t.Helper()
	var positions []P
	s := search.New(g, search.Options{
		Exhaustive: true, Distances: true, Detail: search.Decisions, Budget: searchBudget, MaxBest: math.MaxInt,
	})
	for e, err := range s.Events(t.Context()) {
		if err != nil {
			t.Fatalf("search of %s: %v", root(g), err)
		}
		if e.Kind == search.Tick {
			continue
		}
		positions = append(positions, e.Position)
		if want := answer(e.Position); e.Value != want.Value || e.Distance != want.Distance {
			t.Fatalf("search of %s: at %s, the value is %d and the distance %d; the oracle says %d and %d", root(g),
				g.AppendPosition(nil, e.Position), e.Value, e.Distance, want.Value, want.Distance)
		}
	}
	if err := checkRankings(t.Context(), g, searchBudget, positions, answer); err != nil {
		t.Fatalf("%s: %v", root(g), err)
	}
}
