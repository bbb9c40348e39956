package nim_test

import (
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

func FuzzNotation(f *testing.F) {
	f.Add([]byte{7, 5, 3}, "6-5-3", "7>6")
	f.Add([]byte{2, 0, 2}, "2-2-0", "2>0")
	f.Add([]byte{}, "-", ">")
	f.Add([]byte{200}, "9223372036854775807", "200>199")
	f.Add([]byte{1, 1}, "01-1", "1>00")
	f.Fuzz(func(t *testing.T, given []byte, position, move string) {
		piles := make(nim.Position, len(given))
		for i, pile := range given {
			piles[i] = uint64(pile)
		}
		g := nim.New(piles, nim.Misere)
		if err := gametest.ReadPosition[nim.Position, nim.Move](g, position); err != nil {
			t.Error(err)
		}
		if _, over := g.Over(piles); !over {
			if err := gametest.ReadMove(g, piles, move); err != nil {
				t.Error(err)
			}
		}
		if p, err := g.ParsePosition(position); err == nil {
			for m := range engine.Moves(g, p) {
				if next, ok := g.After(p, m, 0); !ok || len(next) != len(p) {
					t.Errorf("%q, then %+v: %v", position, m, next)
				}
				break
			}
		}
	})
}

// FuzzDistances compares the game's own ranking, at small piles, with that of a search.
func FuzzDistances(f *testing.F) {
	f.Add([]byte{7, 5, 3}, false)
	f.Add([]byte{2, 2}, true)
	f.Add([]byte{13, 1, 1, 1}, true)
	f.Add([]byte{1, 1, 1, 1, 1, 0}, true)
	f.Add([]byte{12, 12, 6, 6, 3}, false)
	f.Fuzz(func(t *testing.T, given []byte, misere bool) {
		const most, largest = 5, 15
		piles := make(nim.Position, min(len(given), most))
		for i := range piles {
			piles[i] = uint64(given[i] % (largest + 1))
		}
		convention := nim.Normal
		if misere {
			convention = nim.Misere
		}
		g := nim.New(piles, convention)
		searched, err := search.Rank(t.Context(), g, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		want, err := searched.Rank(t.Context(), piles)
		if err != nil {
			t.Fatal(err)
		}
		if got := rank(t, g, true); !slices.Equal(got, want) {
			t.Errorf("%v, convention %d:\n%+v\ninstead of\n%+v", piles, convention, got, want)
		}
	})
}
