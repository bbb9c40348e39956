package nim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/nim"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// TestRankingsAgreeWithTheOracleUpTo4PilesOf7 meets every multiset of up to four piles in some order.
func TestRankingsAgreeWithTheOracleUpTo4PilesOf7(t *testing.T) {
	for name, convention := range conventions {
		t.Run(name, func(t *testing.T) {
			solve := nim.Entry().Oracle()
			for _, piles := range [][]uint64{{7, 7, 7, 7}, {0, 1, 0}, {2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 2, 3, 1}} {
				gametest.RankedAgainst(t, nim.New(piles, convention), func(p nim.Position) oracle.Answer {
					return solve(positions.Nim(zermelov1.PlayConvention(convention), p...))
				})
			}
		})
	}
}

// rank is the game's own ranking of its root.
func rank(t *testing.T, g *nim.Game, distances bool) []engine.Ranked[nim.Move] {
	t.Helper()
	r, err := g.Ranking(t.Context(), distances)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ranked, err := r.Rank(t.Context(), g.Root())
	if err != nil {
		t.Fatal(err)
	}
	return ranked
}

func TestKnownDistances(t *testing.T) {
	known := gametest.Known()
	known.NimMovesToEnd = append(known.NimMovesToEnd,
		gametest.KnownNimMovesToEnd{Piles: []uint64{7, 5, 3}, ByConvention: known.Nim753.MovesToEnd})
	for _, k := range known.NimMovesToEnd {
		for convention, want := range map[nim.Convention]int64{nim.Normal: k.Normal, nim.Misere: k.Misere} {
			g := nim.New(k.Piles, convention)
			if best := search.Best(g.Objective(), rank(t, g, true)); best.Distance != want {
				t.Errorf("%v, convention %d: %d moves to the end instead of %d", k.Piles, convention, best.Distance, want)
			}
		}
	}
}

// TestDistancesOfLargerPilesAreThoseOfTheSearch takes piles at random; equal ones, pairs and ones among them.
func TestDistancesOfLargerPilesAreThoseOfTheSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(1966, 5))
	for range 60 {
		piles := make([]uint64, 1+random.IntN(6))
		for i := range piles {
			piles[i] = random.Uint64N(24 >> (len(piles) / 2))
		}
		for _, convention := range conventions {
			g := nim.New(piles, convention)
			searched, err := search.Rank(t.Context(), g, 1<<30, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := searched.Rank(t.Context(), g.Root())
			if err != nil {
				t.Fatal(err)
			}
			if got := rank(t, g, true); !slices.Equal(got, want) {
				t.Fatalf("%v, convention %d:\n%+v\ninstead of\n%+v", piles, convention, got, want)
			}
		}
	}
}

// TestBestPlayOfPilesTooLargeToSearchTakesAsLongAsSaid plays to the end, by the best moves of both. From a lost position
// that is as many moves as stones, one less in misère play.
func TestBestPlayOfPilesTooLargeToSearchTakesAsLongAsSaid(t *testing.T) {
	random := rand.New(rand.NewPCG(1901, 1966))
	for round := range 12 {
		piles := nim.Position{random.Uint64N(128), random.Uint64N(128), 64 + random.Uint64N(64), 5, 5, 0}
		if round%3 > 0 {
			piles[5] = piles[0] ^ piles[1] ^ piles[2] // lost
		}
		for _, convention := range conventions {
			g := nim.New(piles, convention)
			r, err := g.Ranking(t.Context(), true)
			if err != nil {
				t.Fatal(err)
			}
			p := slices.Clone(piles)
			value, left := engine.Loss, int64(0)
			for moves := 0; ; moves++ {
				end, over := g.Over(p)
				if over {
					if end != value || left != 0 {
						t.Fatalf("%v, convention %d: over with %d, %d moves before the end", piles, convention, end, left)
					}
					break
				}
				ranked, err := r.Rank(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				best := search.Best(g.Objective(), ranked)
				switch {
				case moves == 0:
					value, left = best.Value, best.Distance
					want := stones(piles)
					if convention == nim.Misere {
						want--
					}
					if value == engine.Loss && left != want {
						t.Fatalf("%v, convention %d: lost in %d moves instead of %d", piles, convention, left, want)
					}
				case best.Value != value || best.Distance != left:
					t.Fatalf("%v, convention %d: at %v %+v instead of %d in %d", piles, convention, p, best, value, left)
				}
				p, _ = g.After(p, best.Move, 0)
				value, left = -value, left-1
			}
			r.Close()
		}
	}
}

func stones(piles []uint64) int64 {
	var n uint64
	for _, pile := range piles {
		n += pile
	}
	return int64(n)
}

func TestDistancesBelow2To63StonesAreKnown(t *testing.T) {
	if _, err := nim.New([]uint64{math.MaxInt64, 1}, nim.Misere).Ranking(t.Context(), true); !errors.Is(err, engine.ErrNoAlgorithm) {
		t.Errorf("2^63 stones: %v", err)
	}
	if _, err := nim.New([]uint64{math.MaxInt64, 0}, nim.Misere).Ranking(t.Context(), true); err != nil {
		t.Errorf("2^63-1 stones: %v", err)
	}
}

// TestACancelledRankingStops would list 2^40 moves.
func TestACancelledRankingStops(t *testing.T) {
	for _, distances := range []bool{false, true} {
		g := nim.New([]uint64{1 << 40, 1 << 39, 5, 5}, nim.Misere)
		r, err := g.Ranking(t.Context(), distances)
		if err != nil {
			t.Fatal(err)
		}
		for _, looks := range []int{0, 1, 20} {
			if moves, err := r.Rank(gametest.Patience(t.Context(), looks), g.Root()); !errors.Is(err, gametest.ErrEnough) || moves != nil {
				t.Errorf("distances %t, %d looks: %d moves, %v", distances, looks, len(moves), err)
			}
		}
		r.Close()
	}
}
