package gametest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// diamond is a small game with a transposition, two moves that are the same, and two positions that are the same.
func diamond() *Graph {
	return &Graph{
		Values: engine.WinLoss,
		Start:  "top",
		Ends:   map[string]int64{"lost": engine.Loss, "drawn": engine.Draw},
		Moves: map[string][]Edge{
			"top":    {{Text: "l", To: []string{"left"}}, {Text: "r", To: []string{"right"}}, {Text: "t", To: []string{"twin"}}},
			"left":   {{Text: "d", To: []string{"bottom"}}, {Text: "d", To: []string{"bottom"}}},
			"right":  {{Text: "d", To: []string{"bottom"}}, {Text: "x", To: []string{"drawn"}}},
			"twin":   {{Text: "d", To: []string{"bottom"}}, {Text: "d", To: []string{"bottom"}}},
			"bottom": {{Text: "y", To: []string{"lost"}}},
		},
		Same: map[string]string{"twin": "left"},
	}
}

// options for diamond: moves with the same text are apart.
func diamondOptions() Options[string, GraphMove] {
	return Options[string, GraphMove]{
		Legal: func(p string) []GraphMove {
			return map[string][]GraphMove{
				"top":    {{0, "l"}, {1, "r"}, {2, "t"}},
				"left":   {{0, "d"}, {1, "d"}},
				"right":  {{0, "d"}, {1, "x"}},
				"twin":   {{0, "d"}, {1, "d"}},
				"bottom": {{0, "y"}},
			}[p]
		},
		Identity: func(m GraphMove) string { return fmt.Sprint(m.Index) },
	}
}

func TestRunAcceptsAGameThatKeepsItsPromises(t *testing.T) {
	Run(t, diamond(), diamondOptions())
	alone := diamondOptions()
	alone.Positions, alone.Playouts = 1, 10
	Run(t, diamond(), alone)
}

// faulty is a diamond of which some methods are replaced.
type faulty struct {
	*Graph
	objective  engine.Objective
	over       func(p string) (int64, bool)
	next       func(p string, m GraphMove) (GraphMove, bool)
	after      func(p string, m GraphMove, branch int) (string, bool)
	gain       func(p string, m GraphMove) int64
	key        func(p string) string
	reachable  uint64
	beyond     uint64
	plies      uint64
	choices    uint64
	repeats    func(p string, m GraphMove) bool
	appendMove func(dst []byte, m GraphMove) []byte
}

func (g *faulty) Objective() engine.Objective {
	if g.objective != 0 {
		return g.objective
	}
	return g.Graph.Objective()
}

func (g *faulty) Over(p string) (int64, bool) {
	if g.over != nil {
		return g.over(p)
	}
	return g.Graph.Over(p)
}

func (g *faulty) Next(p string, m GraphMove) (GraphMove, bool) {
	if g.next != nil {
		return g.next(p, m)
	}
	return g.Graph.Next(p, m)
}

func (g *faulty) After(p string, m GraphMove, branch int) (string, bool) {
	if g.after != nil {
		return g.after(p, m, branch)
	}
	return g.Graph.After(p, m, branch)
}

func (g *faulty) Gain(p string, m GraphMove) int64 {
	if g.gain != nil {
		return g.gain(p, m)
	}
	return g.Graph.Gain(p, m)
}

func (g *faulty) Key(p string) string {
	if g.key != nil {
		return g.key(p)
	}
	return g.Graph.Key(p)
}

func (g *faulty) Reachable(limit uint64) uint64 {
	if g.reachable != 0 {
		return min(g.reachable, limit+g.beyond)
	}
	return g.Graph.Reachable(limit)
}

func (g *faulty) Plies() uint64 {
	if g.plies != 0 {
		return g.plies
	}
	return g.Graph.Plies()
}

func (g *faulty) Choices() uint64 {
	if g.choices != 0 {
		return g.choices
	}
	return g.Graph.Choices()
}

func (g *faulty) Repeats(p string, m GraphMove) bool {
	if g.repeats != nil {
		return g.repeats(p, m)
	}
	return g.Graph.Repeats(p, m)
}

func (g *faulty) AppendMove(dst []byte, m GraphMove) []byte {
	if g.appendMove != nil {
		return g.appendMove(dst, m)
	}
	return g.Graph.AppendMove(dst, m)
}

func TestRunFindsFaults(t *testing.T) {
	d := diamond()
	looks := 0
	for name, test := range map[string]struct {
		game *faulty
		want string
	}{
		"an objective that is none":   {&faulty{objective: 9}, "objective"},
		"too few positions":           {&faulty{reachable: 5}, "Reachable is 5; there are 6 keys"},
		"too many positions":          {&faulty{reachable: 7}, "Reachable is 7; there are 6 keys"},
		"a limit that is not kept":    {&faulty{reachable: 6, beyond: ^uint64(0)}, "Reachable is 6, but 0 up to the limit 1"},
		"too few plies":               {&faulty{plies: 2}, "Plies is 2; there is a play of 3 moves"},
		"too few choices":             {&faulty{choices: 2}, "Choices is 2; there are 3 moves at the root"},
		"too many choices":            {&faulty{choices: 4}, "Choices is 4; there are 3 moves at the root"},
		"a gain in a win/loss game":   {&faulty{gain: func(string, GraphMove) int64 { return 1 }}, "earns 1"},
		"a value beyond win":          {&faulty{over: func(p string) (int64, bool) { v, o := d.Over(p); return 2 * v, o }}, "ends with -2"},
		"a move left out":             {&faulty{next: func(string, GraphMove) (GraphMove, bool) { return GraphMove{}, false }}, "the moves are"},
		"a key for two positions":     {&faulty{key: func(p string) string { return p[:1] }}, "have the same key"},
		"a key that changes its mind": {&faulty{key: func(string) string { looks++; return fmt.Sprint(looks) }}, "Key changes its mind"},
		"two keys for one position":   {&faulty{key: func(p string) string { return p }}, "has the keys"},
		"two branches without a cost": {&faulty{after: func(p string, m GraphMove, b int) (string, bool) { q, _ := d.After(p, m, 0); return q, b < 2 }}, "has 2 branches"},
		"no branch":                   {&faulty{after: func(string, GraphMove, int) (string, bool) { return "", false }}, "has 0 branches"},
		"a gap between branches": {&faulty{after: func(p string, m GraphMove, b int) (string, bool) {
			q, _ := d.After(p, m, 0)
			return q, b%2 == 0 && b < 3
		}}, "a gap before branch 2"},
		"a move that comes twice":      {&faulty{next: func(_ string, m GraphMove) (GraphMove, bool) { looks++; return m, looks%3 != 0 }}, "comes twice"},
		"one text for different moves": {&faulty{appendMove: func(dst []byte, _ GraphMove) []byte { return append(dst, 'm') }}, "do different things"},
		"a twin that is not said to repeat": {&faulty{repeats: func(string, GraphMove) bool { return false }},
			"repeats an earlier one: true; the game says false"},
		"a move that is said to repeat another": {&faulty{repeats: func(_ string, m GraphMove) bool { return m.Index > 0 }},
			"repeats an earlier one: false; the game says true"},
		"play that comes back": {&faulty{plies: 9, after: func(p string, m GraphMove, b int) (string, bool) {
			q, ok := d.After(p, m, b)
			if q == "lost" {
				q = "top"
			}
			return q, ok
		}}, "play comes back"},
	} {
		t.Run(name, func(t *testing.T) {
			test.game.Graph = diamond()
			found := faults(test.game, diamondOptions())
			for _, fault := range found {
				if strings.Contains(fault, test.want) {
					return
				}
			}
			t.Errorf("no fault says %q: %q", test.want, found)
		})
	}
}

// tie is a Cost game with a move after which the adversary has two positions that cost as much: the second is farther
// from the end.
func tie() *Graph {
	return &Graph{
		Values: engine.Cost,
		Start:  "top",
		Ends:   map[string]int64{"end": 0},
		Moves: map[string][]Edge{
			"top":  {{Text: "m", Gain: 1, To: []string{"near", "far"}}, {Text: "n", Gain: 3, To: []string{"end"}}},
			"near": {{Text: "e", Gain: 2, To: []string{"end"}}},
			"far":  {{Text: "s", Gain: 1, To: []string{"last"}}},
			"last": {{Text: "e", Gain: 1, To: []string{"end"}}},
		},
	}
}

// ranking is a game that ranks moves as a search does, and then changes what it found.
type ranking struct {
	*Graph
	// with and without change the moves at a position, in rankings with and without distances.
	with, without func(moves []engine.Ranked[GraphMove]) []engine.Ranked[GraphMove]
	err           error
}

type changed struct {
	engine.Ranking[string, GraphMove]
	change func(moves []engine.Ranked[GraphMove]) []engine.Ranked[GraphMove]
}

func (g *ranking) Ranks(bool) bool { return !errors.Is(g.err, engine.ErrNoAlgorithm) }

func (g *ranking) Ranking(ctx context.Context, distances bool) (engine.Ranking[string, GraphMove], error) {
	if g.err != nil {
		return nil, g.err
	}
	r, err := search.Rank(ctx, g.Graph, 1<<20, nil)
	if distances {
		return changed{r, g.with}, err
	}
	return changed{r, func(moves []engine.Ranked[GraphMove]) []engine.Ranked[GraphMove] {
		for i := range moves {
			moves[i].Distance, moves[i].Branch = 0, 0 // of the two in tie, the first; elsewhere there is one
		}
		return g.without(moves)
	}}, err
}

func (c changed) Rank(ctx context.Context, p string) ([]engine.Ranked[GraphMove], error) {
	moves, err := c.Ranking.Rank(ctx, p)
	return c.change(moves), err
}

func TestRunFindsFaultsOfRankings(t *testing.T) {
	type moves = []engine.Ranked[GraphMove]
	same := func(m moves) moves { return m }
	each := func(change func(m *engine.Ranked[GraphMove])) func(m moves) moves {
		return func(m moves) moves {
			for i := range m {
				change(&m[i])
			}
			return m
		}
	}
	for name, test := range map[string]struct {
		game *ranking
		want string
	}{
		"none":                                 {&ranking{diamond(), same, same, nil}, ""},
		"none with costs":                      {&ranking{tie(), same, same, nil}, ""},
		"a game that has no ranking after all": {&ranking{diamond(), nil, nil, engine.ErrNoAlgorithm}, ""},
		"an error":                             {&ranking{diamond(), nil, nil, errors.New("no")}, "ranking with distances true: no"},
		"a wrong value": {&ranking{diamond(), same, each(func(m *engine.Ranked[GraphMove]) { m.Value = -m.Value }), nil},
			"ranking with distances false: top: the move is"},
		"a wrong distance": {&ranking{diamond(), each(func(m *engine.Ranked[GraphMove]) { m.Distance++ }), same, nil},
			"ranking with distances true: top: the move is"},
		"no distance": {&ranking{diamond(), each(func(m *engine.Ranked[GraphMove]) { m.Distance = 0 }), same, nil},
			"ranking with distances true: top: the move is"},
		"a wrong distance that was not asked for": {
			&ranking{diamond(), same, each(func(m *engine.Ranked[GraphMove]) { m.Distance = 9 }), nil},
			"ranking with distances false: top: the move is"},
		"a branch in a win/loss game": {&ranking{diamond(), each(func(m *engine.Ranked[GraphMove]) { m.Branch = 1 }), same, nil},
			"ranking with distances true: top: the move is"},
		"the nearer branch": {&ranking{tie(), each(func(m *engine.Ranked[GraphMove]) { m.Branch = 0 }), same, nil},
			"ranking with distances true: top: the move is"},
		"the second branch": {
			&ranking{tie(), same, each(func(m *engine.Ranked[GraphMove]) { m.Branch = 1 }), nil},
			"ranking with distances false: top: the move is"},
		"a move left out": {&ranking{diamond(), func(m moves) moves { return m[:max(0, len(m)-1)] }, same, nil},
			"ranking with distances true: top: 2 moves instead of 3"},
		"moves out of order": {&ranking{diamond(), func(m moves) moves { slices.Reverse(m); return m }, same, nil},
			"ranking with distances true: top: move 0 is {Index:2 Text:t} instead of l"},
		"a move's twin": {&ranking{diamond(), same, each(func(m *engine.Ranked[GraphMove]) {
			if m.Move.Text == "d" {
				m.Move.Index = 1
			}
		}), nil}, "ranking with distances false: left: move 0 is {Index:1 Text:d} instead of d"},
	} {
		t.Run(name, func(t *testing.T) {
			options := Options[string, GraphMove]{Identity: diamondOptions().Identity}
			all := strings.Join(faults(test.game, options), "\n")
			if (all == "") != (test.want == "") || !strings.Contains(all, test.want) {
				t.Errorf("no fault says %q:\n%s", test.want, all)
			}
		})
	}
}

func TestRunFindsTwinsThatAreNotTheSame(t *testing.T) {
	g := diamond()
	g.Moves["twin"] = []Edge{{Text: "d", To: []string{"drawn"}}}
	found := faults(g, Options[string, GraphMove]{Identity: diamondOptions().Identity})
	if all := fmt.Sprint(found); !strings.Contains(all, "which has the same text") {
		t.Errorf("found %q", found)
	}
}

// shared is a game whose positions share memory with those after them.
type shared struct {
	*Graph
}

type sharedPosition []int

func (g shared) Root() sharedPosition                      { return sharedPosition{2} }
func (g shared) Over(p sharedPosition) (int64, bool)       { return engine.Loss, p[0] == 0 }
func (g shared) First(sharedPosition) GraphMove            { return GraphMove{Text: "m"} }
func (g shared) Key(p sharedPosition) int                  { return p[0] }
func (g shared) Hash(key int) uint64                       { return engine.HashWord(uint64(key)) }
func (g shared) Gain(sharedPosition, GraphMove) int64      { return 0 }
func (g shared) Reachable(uint64) uint64                   { return 3 }
func (g shared) Repeats(sharedPosition, GraphMove) bool    { return false }
func (g shared) Plies() uint64                             { return 2 }
func (g shared) AppendMove(dst []byte, m GraphMove) []byte { return append(dst, m.Text...) }
func (g shared) Next(sharedPosition, GraphMove) (GraphMove, bool) {
	return GraphMove{}, false
}

func (g shared) After(p sharedPosition, _ GraphMove, branch int) (sharedPosition, bool) {
	if branch == 0 {
		p[0]--
	}
	return p, branch == 0
}

func (g shared) AppendPosition(dst []byte, p sharedPosition) []byte { return fmt.Append(dst, p[0]) }

func TestRunFindsPositionsThatAreChanged(t *testing.T) {
	found := faults[sharedPosition, GraphMove, int](shared{diamond()}, Options[sharedPosition, GraphMove]{})
	if all := fmt.Sprint(found); !strings.Contains(all, "was changed") {
		t.Errorf("found %q", found)
	}
}
