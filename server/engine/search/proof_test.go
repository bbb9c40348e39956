package search_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
	"github.com/zermelo-games/zermelo/server/games/ends"
	"github.com/zermelo-games/zermelo/server/games/guess"
	"github.com/zermelo-games/zermelo/server/games/hundred"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

// checkProof checks a proof by the rules of the game alone: what each decision rests on has been decided before, and
// gives its value. It returns the number of decisions and the root's value.
func checkProof[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K], memory int64) (int, int64) {
	t.Helper()
	type decision struct {
		value, number int64
	}
	decided := map[K]decision{}
	known := func(p P) decision {
		if v, over := g.Over(p); over {
			return decision{v, 0}
		}
		d, ok := decided[g.Key(p)]
		if !ok {
			t.Fatalf("nothing was decided about %s", g.AppendPosition(nil, p))
		}
		return d
	}
	p := search.New(g, search.Options{
		Detail: search.Decisions, Budget: memory, MaxBest: 10, Proof: true, Uncut: search.Measure(g, memory).Fits(),
	})
	last := int64(0)
	for e, err := range p.Events(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == search.Tick {
			continue
		}
		name := fmt.Sprintf("%s, event %d", g.AppendPosition(nil, e.Position), e.Number)
		if last++; e.Kind != search.Decided || e.Number != last {
			t.Fatalf("%s: %+v", name, e)
		}
		if _, again := decided[g.Key(e.Position)]; again {
			t.Fatalf("%s is decided twice", name)
		}
		best, because := int64(0), int64(0)
		first, named := true, false
		for m := range engine.Moves(g, e.Position) {
			isNamed := e.HasMove && string(g.AppendMove(nil, m)) == string(g.AppendMove(nil, e.Move))
			if g.Objective() == engine.WinLoss && e.Value == engine.Win && !isNamed {
				continue // a win needs only its move
			}
			after := decision{}
			for branch := 0; ; branch++ {
				q, ok := g.After(e.Position, m, branch)
				if !ok {
					break
				}
				d := known(q)
				if g.Objective() != engine.Cost {
					d.value = -d.value
				}
				if branch == 0 || d.value > after.value {
					after = d
				}
			}
			if gain := engine.GainOf(g); gain != nil {
				after.value += gain(e.Position, m)
			}
			better := after.value > best
			if g.Objective() == engine.Cost {
				better = after.value < best
			}
			if first || better {
				best = after.value
			}
			first = false
			if isNamed && !named {
				named, because = true, after.number
				if after.value != e.Value {
					t.Fatalf("%s names a move of the value %d", name, after.value)
				}
			}
		}
		if best != e.Value || named != e.HasMove || because != e.Because {
			t.Fatalf("%s is said to be %d because of %d; it is %d because of %d", name, e.Value, e.Because, best, because)
		}
		decided[g.Key(e.Position)] = decision{e.Value, e.Number}
	}
	root := known(g.Root())
	if root.number != last {
		t.Fatalf("%s is decided as %d of %d", g.AppendPosition(nil, g.Root()), root.number, last)
	}
	if r := p.Result(); r.Value != root.value {
		t.Fatalf("the result is %d, the proof shows %d", r.Value, root.value)
	}
	return int(last), root.value
}

func TestProofsOfSmallGames(t *testing.T) {
	const much, little = 64 << 20, 64 << 10
	for _, memory := range []int64{much, little} {
		for piles := range 4 * 4 * 4 {
			for _, convention := range []nim.Convention{nim.Normal, nim.Misere} {
				checkProof(t, nim.New([]uint64{uint64(piles % 4), uint64(piles / 4 % 4), uint64(piles / 16)}, convention), memory)
			}
		}
		for n := 1; n <= 7; n++ {
			for total := range int64(n*(n+1)/2 + 2) {
				checkProof(t, caniwin.New(n, total, 0), memory)
			}
		}
		for total := uint64(1); total < 30; total++ {
			checkProof(t, hundred.New(3, total, 0), memory)
		}
		for low := uint32(1); low < 6; low++ {
			for high := low; high < 14; high++ {
				checkProof(t, guess.New(low, high), memory)
			}
		}
		checkProof(t, ends.New([]int64{0, 0, 7, 6, 5, 6, 1}), memory)
		checkProof(t, ends.New([]int64{-3, 5, -7, 2}), memory)
	}
}

// TestProofsOfCanIWinAreShort pins how many decisions the choices of the proof come to, with room for all positions and
// with room only for those of a search with cutoffs.
func TestProofsOfCanIWinAreShort(t *testing.T) {
	for _, test := range []struct {
		n      int
		total  int64
		memory int64
		want   int
	}{
		{15, 100, 512 << 20, 2160},
		{20, 100, 512 << 20, 16045},
	} {
		if got, _ := checkProof(t, caniwin.New(test.n, test.total, 0), test.memory); got != test.want {
			t.Errorf("1..%d to %d: %d decisions, want %d", test.n, test.total, got, test.want)
		}
	}
	whole, _ := checkProof(t, caniwin.New(14, 80, 0), 512<<20)
	cut, _ := checkProof(t, caniwin.New(14, 80, 0), 350<<10)
	if cut < whole {
		t.Errorf("with little room %d decisions, with much %d", cut, whole)
	}
}

// TestProofEndsLikeASearch: with its budget, its context, and its consumer.
func TestProofEndsLikeASearch(t *testing.T) {
	proof := func(memory int64, uncut bool) *search.Search[caniwin.Position, caniwin.Move, caniwin.Position] {
		return search.New(caniwin.New(18, 100, 0), search.Options{
			Detail: search.Decisions, Budget: memory, MaxBest: 1, Proof: true, Uncut: uncut,
		})
	}
	last := func(ctx context.Context, memory int64) (err error) {
		for _, err = range proof(memory, false).Events(ctx) {
		}
		return err
	}
	var spent *engine.BudgetError
	if err := last(t.Context(), 100_000); !errors.As(err, &spent) {
		t.Errorf("with too little memory: %v", err)
	}
	because := errors.New("because")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(because)
	if err := last(ctx, 1<<30); !errors.Is(err, because) {
		t.Errorf("with a context that has ended: %v", err)
	}
	// The context ends while the proof is handed out.
	ctx, cancel = context.WithCancelCause(t.Context())
	defer cancel(nil)
	events, after := 0, 0
	for e, err := range proof(1<<30, true).Events(ctx) {
		switch {
		case err != nil && !errors.Is(err, because):
			t.Error(err)
		case e.Kind == search.Decided:
			if events++; events == 10 {
				cancel(because)
			} else if events > 10 {
				after++
			}
		}
	}
	if events < 10 || after > search.TickPositions {
		t.Errorf("%d events, %d of them after the cancel", events, after)
	}
	events = 0
	for e, err := range proof(1<<30, true).Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == search.Decided {
			if events++; events == 5 {
				break
			}
		}
	}
	if events != 5 {
		t.Errorf("%d events after leaving", events)
	}
}
