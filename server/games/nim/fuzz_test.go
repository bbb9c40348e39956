package nim_test

import (
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

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
		searched, err := search.Rank(t.Context(), g, 1<<30, nil)
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
