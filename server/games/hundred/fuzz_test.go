package hundred_test

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/games/hundred"
)

func FuzzNotation(f *testing.F) {
	f.Add(uint16(10), uint64(100), "42", "10")
	f.Add(uint16(1), uint64(1), "0", "0")
	f.Add(uint16(3), uint64(1<<63), "-1", "03")
	f.Fuzz(func(t *testing.T, n uint16, total uint64, position, move string) {
		g := hundred.New(uint64(n)+1, total>>1+1, 0)
		if err := gametest.ReadPosition[hundred.Position, hundred.Move](g, position); err != nil {
			t.Error(err)
		}
		if err := gametest.ReadMove(g, g.Root(), move); err != nil {
			t.Error(err)
		}
	})
}
