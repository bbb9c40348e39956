package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// graph reads a game. Each line holds a position and its moves, "top: left right:5 both/one/other", or the value at
// which the game is over there, "end = -1". A move is the position it leads to, or a text, / and the positions of its
// branches; after : comes what it earns or costs. The first line is the root.
func graph(values engine.Objective, lines ...string) *gametest.Graph {
	g := &gametest.Graph{Values: values, Ends: make(map[string]int64), Moves: make(map[string][]gametest.Edge)}
	for _, line := range lines {
		fields := strings.Fields(line)
		name := strings.TrimSuffix(fields[0], ":")
		if g.Start == "" {
			g.Start = name
		}
		if fields[1] == "=" {
			var value int64
			_, _ = fmt.Sscan(fields[2], &value)
			g.Ends[name] = value
			continue
		}
		for _, field := range fields[1:] {
			move, gain, _ := strings.Cut(field, ":")
			text, to, branches := strings.Cut(move, "/")
			if !branches {
				to = text
			}
			edge := gametest.Edge{Text: text, To: strings.Split(to, "/")}
			if gain != "" {
				_, _ = fmt.Sscan(gain, &edge.Gain)
			}
			g.Moves[name] = append(g.Moves[name], edge)
		}
	}
	return g
}

func requireTrace(t *testing.T, g *gametest.Graph, options search.Options, want ...string) {
	t.Helper()
	if got := trace(t, g, options); !slices.Equal(got, want) {
		t.Errorf("the events are\n%s\nthey should be\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestATranspositionIsAnsweredFromTheMemo(t *testing.T) {
	g := graph(engine.WinLoss, "top: left right", "left: shared", "right: shared", "shared: end", "end = -1")
	requireTrace(t, g, search.Options{Detail: search.Everything},
		"1 enter top @0",
		"2 enter left @1 left",
		"3 enter shared @2 shared",
		"4 terminal end @3 end =-1",
		"5 decided shared @2 end =1",
		"6 decided left @1 =-1",
		"7 cutoff top @0 left =1 because 6",
		"8 decided top @0 left =1 because 6",
	)
	g = graph(engine.WinLoss, "top: w/shared right", "right: shared", "shared: end", "end = -1")
	requireTrace(t, g, search.Options{Detail: search.Everything},
		"1 enter top @0",
		"2 enter shared @1 w",
		"3 terminal end @2 end =-1",
		"4 decided shared @1 end =1",
		"5 enter right @1 right",
		"6 hit shared @2 shared =1 because 4",
		"7 decided right @1 =-1",
		"8 decided top @0 right =1 because 7",
	)
}

func TestTwinsHaveOneDecision(t *testing.T) {
	g := graph(engine.Margin, "top: a b", "a: end:2", "b: end:2", "end = 0")
	g.Same = map[string]string{"b": "a"}
	requireTrace(t, g, search.Options{Detail: search.Everything},
		"1 enter top @0",
		"2 enter a @1 a",
		"3 terminal end @2 end =0",
		"4 decided a @1 end =2",
		"5 hit a @1 b =2 because 4",
		"6 decided top @0 a =-2 because 4",
	)
}

func TestACutoffIsAWinWithMovesLeftUntried(t *testing.T) {
	g := graph(engine.WinLoss, "top: won drawn lost also", "won = 1", "drawn = 0", "lost = -1", "also = -1")
	requireTrace(t, g, search.Options{Detail: search.Everything},
		"1 enter top @0",
		"2 terminal won @1 won =1",
		"3 terminal drawn @1 drawn =0",
		"4 terminal lost @1 lost =-1",
		"5 cutoff top @0 lost =1",
		"6 decided top @0 lost =1",
	)
	g.Moves["top"] = g.Moves["top"][:3] // the winning move is the last
	requireTrace(t, g, search.Options{Detail: search.Everything},
		"1 enter top @0",
		"2 terminal won @1 won =1",
		"3 terminal drawn @1 drawn =0",
		"4 terminal lost @1 lost =-1",
		"5 decided top @0 lost =1",
	)
	m := graph(engine.Margin, "top: end:9 end:1", "end = 0")
	m.Moves["top"][1].Text = "less"
	requireTrace(t, m, search.Options{Detail: search.Everything}, // margins know no cutoff
		"1 enter top @0",
		"2 terminal end @1 end =0",
		"3 terminal end @1 less =0",
		"4 decided top @0 end =9",
	)
}

func TestAllRootMovesAreLookedAtWhenAskedForAndOnlyThose(t *testing.T) {
	g := graph(engine.WinLoss, "top: a b c", "a: x y", "b: y x", "c: x", "x: end end2", "y: end2 end", "end = -1", "end2 = -1")
	s := search.New(g, search.Options{Budget: budget, AllRootMoves: true, MaxBest: 9})
	for range events(t, s) {
	}
	if r := s.Result(); r.Value != engine.Win || fmt.Sprint(r.Best) != "[{0 a} {1 b} {2 c}]" || r.BestCount != 3 || !r.BestKnown {
		t.Errorf("the solution is %+v", r)
	}
	if got := s.Statistics().Cutoffs; got != 2 {
		t.Errorf("%d cutoffs; x and y have one each", got)
	}
	s = search.New(g, search.Options{Budget: budget, MaxBest: 9})
	for range events(t, s) {
	}
	if r := s.Result(); r.Value != engine.Win || fmt.Sprint(r.Best) != "[{0 a}]" || r.BestKnown {
		t.Errorf("the solution is %+v", r)
	}
}

func TestMovesWithTheSameTextAreOneBestMove(t *testing.T) {
	g := graph(engine.WinLoss, "top: a b a b a", "a = 0", "b = 0")
	for _, maxBest := range []int{0, 1, 2, 9} {
		s := search.New(g, search.Options{Budget: budget, MaxBest: maxBest})
		for range events(t, s) {
		}
		r := s.Result()
		if r.BestCount != 2 || !r.BestKnown || len(r.Best) != min(2, maxBest) {
			t.Errorf("with %d at most: %+v", maxBest, r)
		}
	}
}

func TestADrawNeedsOneDrawingMoveAndNoWinningOne(t *testing.T) {
	g := graph(engine.WinLoss, "top: w d1 d2", "w = 1", "d1 = 0", "d2 = 0")
	requireTrace(t, g, search.Options{Detail: search.Decisions}, "1 decided top @0 d1 =0")
	g = graph(engine.WinLoss, "top: a b", "a: d", "b: d", "d = 0")
	requireTrace(t, g, search.Options{Detail: search.Decisions},
		"1 decided a @1 d =0",
		"2 decided b @1 d =0",
		"3 decided top @0 a =0 because 1",
	)
}

func TestALossIsDecidedByNoMove(t *testing.T) {
	g := graph(engine.WinLoss, "top: a b", "a: end", "b: end", "end = -1")
	requireTrace(t, g, search.Options{Detail: search.Decisions},
		"1 decided a @1 end =1",
		"2 decided b @1 end =1",
		"3 decided top @0 =-1",
	)
}

func TestANegativeMarginIsDecidedByAMove(t *testing.T) {
	g := graph(engine.Margin, "top: a:-5 b:-3", "a: end:1", "b: end:-1", "end = 0")
	requireTrace(t, g, search.Options{Detail: search.Decisions},
		"1 decided a @1 end =1",
		"2 decided b @1 end =-1",
		"3 decided top @0 b =-2 because 2",
	)
}

func TestOfEqualMovesTheFirstDecides(t *testing.T) {
	g := graph(engine.Margin, "top: a:1 b:2 c:3 d:1", "a: end:1", "b: end:0", "c: end:1", "d: end:-1", "end = 0")
	requireTrace(t, g, search.Options{Detail: search.Decisions},
		"1 decided a @1 end =1",
		"2 decided b @1 end =0",
		"3 decided c @1 end =1",
		"4 decided d @1 end =-1",
		"5 decided top @0 b =2 because 2", // 0 2 2 2
	)
	g = graph(engine.Cost, "top: a:4 b:2 c:1", "a: end:0", "b: end:1", "c: end:2", "end = 0")
	requireTrace(t, g, search.Options{Detail: search.Decisions},
		"1 decided a @1 end =0",
		"2 decided b @1 end =1",
		"3 decided c @1 end =2",
		"4 decided top @0 b =3 because 2", // 4 3 3
	)
}

func TestTheAdversaryTakesTheCostlierBranchAndOnATieTheLower(t *testing.T) {
	g := graph(engine.Cost, "top: m/low/high:1", "low: end:2", "high: end:3", "end = 0")
	requireTrace(t, g, search.Options{Detail: search.Decisions},
		"1 decided low @1 end =2",
		"2 decided high @1 end =3",
		"3 decided top @0 m =4 because 2",
	)
	g = graph(engine.Cost, "top: m/low/high:1", "low: end:3", "high: end:3", "end = 0")
	requireTrace(t, g, search.Options{Detail: search.Decisions},
		"1 decided low @1 end =3",
		"2 decided high @1 end =3",
		"3 decided top @0 m =4 because 1",
	)
	g = graph(engine.Cost, "top: m/low/end:1 n/end/high/low:1", "low: end:3", "high: end:2", "end = 0")
	requireTrace(t, g, search.Options{Detail: search.Everything},
		"1 enter top @0",
		"2 enter low @1 m",
		"3 terminal end @2 end =0",
		"4 decided low @1 end =3",
		"5 terminal end @1 m =0",
		"6 terminal end @1 n =0",
		"7 enter high @1 n",
		"8 terminal end @2 end =0",
		"9 decided high @1 end =2",
		"10 hit low @1 n =3 because 4",
		"11 decided top @0 m =4 because 4",
	)
}

func TestPoliciesRememberWhatTheySay(t *testing.T) {
	// top meets won twice, and lost, the only lost position, from top and from both won ones.
	g := graph(engine.WinLoss, "top: won won2 lost", "won: lost", "won2: won lost", "lost: won3", "won3: end", "end = -1")
	for _, test := range []struct {
		policy                  search.Policy
		expanded, hits, entries int64
	}{
		{search.RememberAll, 5, 3, 5},
		{search.RememberLosses, 6, 3, 1},
		{search.RememberNone, 12, 0, 0},
	} {
		s := search.New(g, search.Options{Budget: budget, Policy: test.policy})
		for range events(t, s) {
		}
		got := s.Statistics()
		if got.PositionsExpanded != test.expanded || got.MemoHits != test.hits || got.MemoEntries != test.entries {
			t.Errorf("policy %d: %+v", test.policy, got)
		}
	}
}

func TestWithoutMemoADecisionRestsOnTheOneJustMade(t *testing.T) {
	g := graph(engine.Margin, "top: s/shared:1 t/shared:2", "shared: end:5", "end = 0")
	requireTrace(t, g, search.Options{Detail: search.Decisions, Policy: search.RememberNone},
		"1 decided shared @1 end =5",
		"2 decided shared @1 end =5",
		"3 decided top @0 t =-3 because 2",
	)
}

func TestWithLossesRememberedAWinMayRestOnOne(t *testing.T) {
	g := graph(engine.WinLoss, "top: a b", "a: lost", "b: a lost", "lost: won", "won: end", "end = -1")
	requireTrace(t, g, search.Options{Detail: search.Everything, Policy: search.RememberLosses},
		"1 enter top @0",
		"2 enter a @1 a",
		"3 enter lost @2 lost",
		"4 enter won @3 won",
		"5 terminal end @4 end =-1",
		"6 decided won @3 end =1",
		"7 decided lost @2 =-1",
		"8 decided a @1 lost =1 because 7",
		"9 enter b @1 b",
		"10 enter a @2 a",
		"11 hit lost @3 lost =-1 because 7",
		"12 decided a @2 lost =1 because 7",
		"13 hit lost @2 lost =-1 because 7",
		"14 decided b @1 lost =1 because 7",
		"15 decided top @0 =-1",
	)
}

func TestExhaustiveDecidesEachPositionOnceAfterAllThatFollow(t *testing.T) {
	g := graph(engine.WinLoss, "top: a b lost", "a: lost b", "b: drawn lost", "lost = -1", "drawn = 0", "far = 1")
	requireTrace(t, g, search.Options{Detail: search.Decisions, Exhaustive: true},
		"1 terminal lost @2 lost =-1",
		"2 terminal drawn @3 drawn =0",
		"3 decided b @2 lost =1 because 1",
		"4 decided a @1 lost =1 because 1",
		"5 decided top @0 lost =1 because 1",
	)
}

func TestARootThatIsOver(t *testing.T) {
	for _, exhaustive := range []bool{false, true} {
		for detail, want := range map[search.Detail][]string{
			search.Everything: {"1 terminal top @0 =1"},
			search.Silent:     nil,
		} {
			g := graph(engine.WinLoss, "top = 1")
			s := search.New(g, search.Options{Budget: budget, Detail: detail, Exhaustive: exhaustive, AllRootMoves: true})
			var got []string
			for e := range events(t, s) {
				got = append(got, written(g, e))
			}
			if !slices.Equal(got, want) {
				t.Errorf("the events are %q instead of %q", got, want)
			}
			if r := s.Result(); r.Value != 1 || len(r.Best) > 0 || r.BestCount != 0 || !r.BestKnown {
				t.Errorf("the solution is %+v", r)
			}
			if st := s.Statistics(); st.Terminals != 1 || looks(st) != 1 || st.MaxDepth != 0 {
				t.Errorf("the statistics are %+v", st)
			}
		}
	}
}

func TestARootThatIsOverNeedsNoMemory(t *testing.T) {
	s := search.New(graph(engine.WinLoss, "top = 1"), search.Options{})
	for range events(t, s) {
	}
	if s.Result().Value != 1 {
		t.Errorf("the solution is %+v", s.Result())
	}
}

func TestMaxDepthIsThatOfThePositionsLookedAt(t *testing.T) {
	g := graph(engine.WinLoss, "top: short long", "short = -1", "long: longer", "longer: end", "end = -1")
	for allRootMoves, want := range map[bool]int64{false: 1, true: 3} {
		s := search.New(g, search.Options{Budget: budget, AllRootMoves: allRootMoves})
		for range events(t, s) {
		}
		if got := s.Statistics().MaxDepth; got != want {
			t.Errorf("all root moves %t: %d instead of %d", allRootMoves, got, want)
		}
	}
}

// randomGraph makes a game of up to n positions in which moves lead from lower numbers to higher ones.
func randomGraph(random *rand.Rand, values engine.Objective) *gametest.Graph {
	n := 3 + random.IntN(12)
	name := func(i int) string { return fmt.Sprintf("p%d", i) }
	g := &gametest.Graph{
		Values: values, Start: name(0), Ends: make(map[string]int64), Moves: make(map[string][]gametest.Edge),
		Same: make(map[string]string),
	}
	for i := range n {
		if i == n-1 || i > n/2 && random.IntN(2) == 0 {
			g.Ends[name(i)] = int64(random.IntN(3) - 1)
			continue
		}
		for m := range 1 + random.IntN(4) {
			edge := gametest.Edge{Text: fmt.Sprint("m", m)}
			if values != engine.WinLoss {
				edge.Gain = int64(random.IntN(7) - 2)
			}
			for len(edge.To) == 0 || values == engine.Cost && random.IntN(2) == 0 {
				edge.To = append(edge.To, name(i+1+random.IntN(n-i-1)))
			}
			g.Moves[name(i)] = append(g.Moves[name(i)], edge)
			if random.IntN(4) == 0 {
				g.Moves[name(i)] = append(g.Moves[name(i)], edge) // the same once more
			}
		}
	}
	// Some positions have a twin, to which some of the moves go that would go to them.
	for i := 1; i < n; i++ {
		twin := "t" + name(i)
		if moves, ok := g.Moves[name(i)]; ok && random.IntN(3) == 0 {
			g.Moves[twin], g.Same[twin] = moves, name(i)
			for _, moves := range g.Moves {
				for _, edge := range moves {
					for b, to := range edge.To {
						if to == name(i) && random.IntN(2) == 0 {
							edge.To[b] = twin
						}
					}
				}
			}
		}
	}
	return g
}

// TestRandomGraphs runs the whole kit, and with it the comparison of every policy and detail with a plain recursion, on
// random games.
func TestRandomGraphs(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 120 {
		for _, values := range []engine.Objective{engine.WinLoss, engine.Margin, engine.Cost} {
			g := randomGraph(random, values)
			gametest.Run(t, g, gametest.Options[string, gametest.GraphMove]{
				Identity: func(m gametest.GraphMove) string { return fmt.Sprint(m.Index) },
				Legal: func(p string) []gametest.GraphMove {
					var moves []gametest.GraphMove
					for index, edge := range g.Moves[p] {
						moves = append(moves, gametest.GraphMove{Index: index, Text: edge.Text})
					}
					return moves
				},
			})
			if t.Failed() {
				t.Fatalf("graph %d: %+v", i, g)
			}
		}
	}
}
