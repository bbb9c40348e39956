package ends_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/ends"
)

func FuzzNotation(f *testing.F) {
	f.Add(uint8(6), "2..6", "L")
	f.Add(uint8(3), "3..3", "R")
	f.Add(uint8(0), "0..0", "l")
	f.Add(uint8(9), "4..3", "LR")
	f.Fuzz(func(t *testing.T, n uint8, position, move string) {
		g := ends.New(make([]int64, n))
		if err := gametest.ReadPosition[ends.Position, ends.Move](g, position); err != nil {
			t.Error(err)
		}
		if n > 0 {
			if err := gametest.ReadMove(g, g.Root(), move); err != nil {
				t.Error(err)
			}
		}
		if p, err := g.ParsePosition(position); err == nil && (p.From > p.To || p.To > uint32(n)) {
			t.Errorf("%q of %d scores is read as %+v", position, n, p)
		}
	})
}
