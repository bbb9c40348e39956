package caniwin_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
)

func FuzzNotation(f *testing.F) {
	f.Add(uint8(10), int64(40), uint64(0b1001), "1,4", "7")
	f.Add(uint8(64), int64(2080), uint64(0), "-", "64")
	f.Add(uint8(1), int64(0), uint64(0), "1", "0")
	f.Add(uint8(3), int64(9), uint64(1), "2,1", "01")
	f.Add(uint8(3), int64(9), uint64(1), "1,,2", "+2")
	f.Fuzz(func(t *testing.T, n uint8, total int64, chosen uint64, position, move string) {
		n = n%caniwin.MaxInteger + 1
		root := caniwin.Position(chosen) & (1<<n - 1)
		g := caniwin.New(int(n), max(total, 0), root)
		if err := gametest.ReadPosition[caniwin.Position, caniwin.Move](g, position); err != nil {
			t.Error(err)
		}
		if _, over := g.Over(root); !over {
			if err := gametest.ReadMove(g, root, move); err != nil {
				t.Error(err)
			}
		}
		if p, err := g.ParsePosition(position); err == nil {
			for m := range engine.Moves(g, p) {
				if next, ok := g.After(p, m, 0); !ok || next.Sum() != p.Sum()+int64(m) {
					t.Errorf("%q, then %d: %d", position, m, next)
				}
			}
		}
	})
}
