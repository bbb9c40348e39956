package search_test

import (
	"context"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/games/caniwin"
	"github.com/zermelo-games/zermelo/server/engine/games/guess"
	"github.com/zermelo-games/zermelo/server/engine/games/nim"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

func run[P, M any, K comparable](b *testing.B, g engine.Game[P, M, K]) {
	b.ReportAllocs()
	for b.Loop() {
		s := search.New(g, search.Options{Budget: 1 << 30})
		for _, err := range s.Events(context.Background()) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
func BenchmarkGuess(b *testing.B)   { run(b, guess.New(1, 500)) }
func BenchmarkCanIWin(b *testing.B) { run(b, caniwin.New(20, 152, 0)) }
func BenchmarkNim(b *testing.B)     { run(b, nim.New([]uint64{15, 14, 13, 12, 11}, nim.Misere)) }
func BenchmarkNimNone(b *testing.B) {
	for b.Loop() {
		s := search.New(nim.New([]uint64{7, 5, 3}, nim.Misere), search.Options{Budget: 1 << 30, Policy: search.RememberNone})
		for range s.Events(context.Background()) {
		}
	}
}
