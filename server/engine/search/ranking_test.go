package search_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/search"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
	"github.com/zermelo-games/zermelo/server/games/ends"
	"github.com/zermelo-games/zermelo/server/games/guess"
	"github.com/zermelo-games/zermelo/server/games/hundred"
	"github.com/zermelo-games/zermelo/server/games/nim"
)

// rank searches a game that fits.
func rank[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K]) *search.Ranking[P, M, K] {
	t.Helper()
	r, err := search.Rank(t.Context(), g, budget, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// moves ranks p, best first.
func moves[P, M any, K comparable](
	t *testing.T, g engine.Game[P, M, K], r engine.Ranking[P, M], p P,
) []engine.Ranked[M] {
	t.Helper()
	ranked, err := r.Rank(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	search.Order(g.Objective(), ranked)
	return ranked
}

// requireRanked compares the root's moves, best first: the text, then "=" and the value, "in" and the distance, "to" and
// the branch.
func requireRanked(t *testing.T, g *gametest.Graph, want ...string) {
	t.Helper()
	var got []string
	for _, m := range moves(t, g, rank(t, g), g.Start) {
		got = append(got, fmt.Sprintf("%s =%d in %d to %d", m.Move.Text, m.Value, m.Distance, m.Branch))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the moves are %q; they should be %q", got, want)
	}
}

func TestWinnersHurryAndLosersDelay(t *testing.T) {
	requireRanked(t, graph(engine.WinLoss,
		"top: slow fast drawn quick lost later",
		"slow: won1 won3", // lost for the other, who can last to won3
		"fast: won1", "won1: end", "won3: back", "back: won1",
		"drawn: tie", "quick = 0", "lost = 1", "later: end",
		"end = -1", "tie = 0"),
		"fast =1 in 3 to 0",
		"slow =1 in 5 to 0",
		"drawn =0 in 2 to 0", // a draw is put off
		"quick =0 in 1 to 0",
		"later =-1 in 2 to 0", // and so is a loss
		"lost =-1 in 1 to 0",
	)
}

func TestInMarginGamesBothDelay(t *testing.T) {
	requireRanked(t, graph(engine.Margin,
		"top: now:3 then:1 fewer:2",
		"then: x:-2 y:-2", "x = 0", "y: z:0", "z = 0",
		"fewer = 0", "now = 0"),
		"then =3 in 3 to 0",
		"now =3 in 1 to 0",
		"fewer =2 in 1 to 0",
	)
}

func TestInCostGamesThePlayerHurriesAndTheAdversaryDelaysAmongTheCostliest(t *testing.T) {
	requireRanked(t, graph(engine.Cost,
		"top: a/near/far:1 b/cheap/near:1 c/near/near2:1 d/end:4 e/end:3",
		"near: n/end:2", "near2: n/end:2", "far: f/last:1", "last: l/end:1", "cheap: p/more:0", "more: q/most:0", "most: r/end:1",
		"end = 0"),
		"e =3 in 1 to 0",
		"b =3 in 2 to 1", // the cheaper position is farther: it does not count
		"c =3 in 2 to 0", // the first of those as far
		"a =3 in 3 to 1", // the farther of those that cost as much
		"d =4 in 1 to 0",
	)
}

// TestASearchForDistancesNamesTheMoveByWhichTheyAreReached also shows that no event says what it rests on.
func TestASearchForDistancesNamesTheMoveByWhichTheyAreReached(t *testing.T) {
	g := graph(engine.WinLoss, "top: long short short2", "long: won", "won: lost", "lost: end1", "end1 = -1",
		"short = -1", "short2 = -1")
	g.Moves["won"] = append(g.Moves["won"], gametest.Edge{Text: "end1", To: []string{"end1"}})
	options := search.Options{Budget: budget, Detail: search.Everything, Exhaustive: true, Distances: true}
	var got []string
	for e := range events(t, search.New(g, options)) {
		got = append(got, fmt.Sprintf("%s in %d", written(g, e), e.Distance))
	}
	want := []string{
		"1 enter top @0 in 0",
		"2 enter long @1 long in 0",
		"3 enter won @2 won in 0",
		"4 enter lost @3 lost in 0",
		"5 terminal end1 @4 end1 =-1 in 0",
		"6 decided lost @3 end1 =1 in 1",
		"7 hit end1 @3 end1 =-1 in 0",
		"8 decided won @2 end1 =1 in 1", // lost is won for the other
		"9 decided long @1 =-1 in 2",
		"10 terminal short @1 short =-1 in 0",
		"11 terminal short2 @1 short2 =-1 in 0",
		"12 decided top @0 short =1 in 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the events are %q; they should be %q", got, want)
	}
}

func TestMovesWithTheSameTextAreRankedOnce(t *testing.T) {
	g := graph(engine.WinLoss, "top: a b a b a", "a = 0", "b = -1")
	requireRanked(t, g, "b =1 in 1 to 0", "a =0 in 1 to 0")
	requireRanked(t, graph(engine.WinLoss, "top = -1"))
}

func TestOrderKeepsNaturalOrderWhereNothingTellsMovesApart(t *testing.T) {
	ranked := func(value, distance int64, m int) engine.Ranked[int] {
		return engine.Ranked[int]{Move: m, Value: value, Distance: distance}
	}
	given := []engine.Ranked[int]{
		ranked(1, 5, 0), ranked(-1, 2, 1), ranked(1, 3, 2), ranked(0, 1, 3), ranked(-1, 4, 4), ranked(1, 3, 5), ranked(0, 7, 6),
		ranked(-1, 4, 7), ranked(9, 1, 8), ranked(9, 2, 9),
	}
	for objective, want := range map[engine.Objective][]int{
		engine.WinLoss: {9, 8, 2, 5, 0, 6, 3, 4, 7, 1},
		engine.Margin:  {9, 8, 0, 2, 5, 6, 3, 4, 7, 1},
		engine.Cost:    {1, 4, 7, 3, 6, 2, 5, 0, 8, 9},
	} {
		sorted := slices.Clone(given)
		search.Order(objective, sorted)
		var got []int
		for _, m := range sorted {
			got = append(got, m.Move)
		}
		if !slices.Equal(got, want) || search.Best(objective, given).Move != want[0] {
			t.Errorf("objective %d: %v, best %d; it should be %v", objective, got, search.Best(objective, given).Move, want)
		}
	}
	unknown := []engine.Ranked[int]{ranked(-1, 0, 0), ranked(1, 0, 1), ranked(1, 0, 2)}
	if got := search.Best(engine.WinLoss, unknown); got.Move != 1 {
		t.Errorf("without distances the best move is %d", got.Move)
	}
}

// play follows one player, who takes search.Best each time, through all that the other one, or the adversary, can do.
type play[P, M any, K comparable] struct {
	t       *testing.T
	game    engine.Game[P, M, K]
	ranking *search.Ranking[P, M, K]
	// seen holds what has been found out, by what a position prints as and who is to move.
	seen map[string][]ending
}

// ending is a way in which a play can end: what the player who takes the best moves has earned, or paid, from here on,
// and the moves until then. Of the plays with the same value only the shortest and the longest are kept.
type ending struct {
	value             int64
	shortest, longest int64
}

// endings lists how play from p on can end. mine says that the player who takes the best moves is to move.
func (s *play[P, M, K]) endings(p P, mine bool) []ending {
	g := s.game
	value, over := g.Over(p)
	if over {
		return []ending{{value: s.forPlayer(value, mine)}}
	}
	name := fmt.Sprint(p, mine)
	if known, ok := s.seen[name]; ok {
		return known
	}
	var all []ending
	follow := func(m M) {
		gain := int64(0)
		if earns := engine.GainOf(g); earns != nil {
			gain = s.forPlayer(earns(p, m), mine)
		}
		for branch := 0; ; branch++ {
			next, ok := g.After(p, m, branch)
			if !ok {
				return
			}
			for _, e := range s.endings(next, !mine || g.Objective() == engine.Cost) {
				all = merge(all, ending{e.value + gain, e.shortest + 1, e.longest + 1})
			}
		}
	}
	if mine {
		follow(moves(s.t, g, s.ranking, p)[0].Move)
	} else {
		for m := range engine.Moves(g, p) {
			follow(m)
		}
	}
	s.seen[name] = all
	return all
}

// forPlayer is what counts for the player who takes the best moves.
func (s *play[P, M, K]) forPlayer(value int64, mine bool) int64 {
	if mine || s.game.Objective() == engine.Cost {
		return value
	}
	return -value
}

func merge(all []ending, e ending) []ending {
	for i := range all {
		if all[i].value == e.value {
			all[i].shortest, all[i].longest = min(all[i].shortest, e.shortest), max(all[i].longest, e.longest)
			return all
		}
	}
	return append(all, e)
}

// requireBestPlay checks the strategy at every position: whatever the other player does, who takes the best moves gets
// the value or more, or pays it or less. When it is just the value:
//   - who wins has won, and who pays has paid, by the distance at the latest;
//   - who loses lasts as long as the distance at least;
//   - where both delay, so does who draws, or has the margin, if the other one delays no less.
func requireBestPlay[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K]) {
	t.Helper()
	s := &play[P, M, K]{t: t, game: g, ranking: rank(t, g), seen: make(map[string][]ending)}
	options := search.Options{Budget: budget, Detail: search.Decisions, Exhaustive: true, Distances: true}
	for e := range events(t, search.New(g, options)) {
		exact := false
		for _, end := range s.endings(e.Position, true) {
			short := end.value < e.Value
			if g.Objective() == engine.Cost {
				short = end.value > e.Value
			}
			ok := !short
			if end.value == e.Value {
				exact = true
				switch {
				case g.Objective() == engine.Cost, g.Objective() == engine.WinLoss && e.Value == engine.Win:
					ok = end.longest == e.Distance
				case g.Objective() == engine.WinLoss && e.Value == engine.Loss:
					ok = end.shortest == e.Distance
				default:
					ok = end.longest >= e.Distance
				}
			}
			if !ok {
				t.Fatalf("%s at %s: %+v, of the value %d, %d moves from the end", g.AppendPosition(nil, g.Root()),
					g.AppendPosition(nil, e.Position), end, e.Value, e.Distance)
			}
		}
		if !exact {
			t.Fatalf("at %s nobody can keep the player to %d", g.AppendPosition(nil, e.Position), e.Value)
		}
	}
}

func TestBestMovesKeepWhatTheyPromiseAgainstEveryStrategy(t *testing.T) {
	t.Run("nim", func(t *testing.T) {
		for _, convention := range []nim.Convention{nim.Normal, nim.Misere} {
			for _, piles := range [][]uint64{{4, 4, 4}, {3, 5}, {7, 5, 3}, {2, 2, 2, 2}, {1, 1, 1, 1, 1}, {}} {
				requireBestPlay(t, nim.New(piles, convention))
			}
		}
	})
	t.Run("can_i_win", func(t *testing.T) {
		for n := 1; n <= 6; n++ {
			for total := int64(0); total <= int64(n*(n+1)/2+1); total++ {
				requireBestPlay(t, caniwin.New(n, total, 0))
			}
		}
	})
	t.Run("hundred_game", func(t *testing.T) {
		for n := uint64(1); n <= 5; n++ {
			requireBestPlay(t, hundred.New(n, 31, 0))
		}
	})
	t.Run("ends", func(t *testing.T) {
		requireBestPlay(t, ends.New([]int64{1, 5, 233, 7}))
		requireBestPlay(t, ends.New([]int64{-3, 5, -7, 2, 0, 0, 4, -1, 9}))
	})
	t.Run("guess_number", func(t *testing.T) {
		requireBestPlay(t, guess.New(1, 24))
		requireBestPlay(t, guess.New(guess.MaxHigh-15, guess.MaxHigh))
	})
	t.Run("graphs", func(t *testing.T) {
		random := rand.New(rand.NewPCG(1966, 1))
		for range 60 {
			for _, values := range []engine.Objective{engine.WinLoss, engine.Margin, engine.Cost} {
				g := randomGraph(random, values)
				if values == engine.Cost {
					for end := range g.Ends {
						g.Ends[end] = 0
					}
				}
				requireBestPlay(t, g)
			}
		}
	})
}

func TestRankSaysWhatItTook(t *testing.T) {
	g := caniwin.New(8, 20, 0)
	s := rank(t, g).Statistics()
	if s.MemoEntries != int64(g.Reachable(math.MaxUint64)) || s.PositionsExpanded+s.Terminals != s.MemoEntries || s.Elapsed <= 0 {
		t.Errorf("%+v of %d positions", s, g.Reachable(math.MaxUint64))
	}
}

func TestRankEndsWithTheBudget(t *testing.T) {
	for _, little := range []int64{0, 1_000, 100_000} {
		var spent *engine.BudgetError
		r, err := search.Rank(t.Context(), guess.New(1, 300), little, nil)
		if !errors.As(err, &spent) || spent.Budget != little || r != nil {
			t.Errorf("%d bytes: %v", little, err)
		}
		_, err = search.Rank(t.Context(), nim.New([]uint64{60, 50, 40, 30}, nim.Misere), little, nil)
		if !errors.As(err, &spent) || spent.Budget != little {
			t.Errorf("%d bytes: %v", little, err)
		}
	}
}

// counted counts the positions that are looked at.
type counted struct {
	engine.Game[guess.Position, guess.Move, guess.Position]
	looks *int
}

func (g counted) Over(p guess.Position) (int64, bool) {
	*g.looks++
	return g.Game.Over(p)
}

func TestACancelledRankStopsWithinTickPositions(t *testing.T) {
	for _, patient := range []int{0, 1, 2, 30} {
		looks := 0
		g := counted{guess.New(1, 2_000), &looks}
		r, err := search.Rank[guess.Position, guess.Move, guess.Position](gametest.Patience(t.Context(), patient), g, budget, nil)
		if !errors.Is(err, gametest.ErrEnough) || r != nil {
			t.Errorf("%d looks at the context: %v", patient, err)
		}
		if most := patient * (search.TickPositions + 1); looks > most {
			t.Errorf("%d positions looked at between %d looks at the context", looks, patient)
		}
	}
}

// TestACancelledRankingOfManyMovesStops ranks a position with more moves than lie between two looks at the context.
func TestACancelledRankingOfManyMovesStops(t *testing.T) {
	g := hundred.New(3*search.TickPositions, 100, 0)
	r := rank(t, g)
	for _, looks := range []int{0, 1, 2} {
		if ranked, err := r.Rank(gametest.Patience(t.Context(), looks), 7); !errors.Is(err, gametest.ErrEnough) || ranked != nil {
			t.Errorf("%d looks: %d moves, %v", looks, len(ranked), err)
		}
	}
	if ranked, err := r.Rank(gametest.Patience(t.Context(), 3), 7); err != nil || len(ranked) != 3*search.TickPositions {
		t.Errorf("left alone: %d moves, %v", len(ranked), err)
	}
}
