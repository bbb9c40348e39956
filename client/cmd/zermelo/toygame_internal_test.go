package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/proof"
	"github.com/zermelo-games/zermelo/client/rules"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	serverrun "github.com/zermelo-games/zermelo/server/run"
)

// This file is a whole game: what a further one takes, but for its message. It borrows that of the 100 game, and its
// rules are others: who brings the total to the desired one, or above, loses. It is written down three times, as each
// game is: for the server, for its oracle, and for the checker.

// toyMessage is a position of the toy game.
func toyMessage(n, total, current uint64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
		MaxChoosableInteger: n, DesiredTotal: total, CurrentTotal: current,
	}}}
}

// toyGame is the server's room: the rules alone. It is an engine.Game.
type toyGame struct{ n, total, root uint64 }

func (g toyGame) Objective() engine.Objective            { return engine.WinLoss }
func (g toyGame) Root() uint64                           { return g.root }
func (g toyGame) Over(p uint64) (int64, bool)            { return engine.Win, p >= g.total }
func (g toyGame) First(uint64) uint64                    { return 1 }
func (g toyGame) Next(_, m uint64) (uint64, bool)        { return m + 1, m < g.n }
func (g toyGame) Key(p uint64) uint64                    { return p }
func (g toyGame) Hash(key uint64) uint64                 { return engine.HashWord(key) }
func (g toyGame) AppendMove(dst []byte, m uint64) []byte { return strconv.AppendUint(dst, m, 10) }

func (g toyGame) After(p, m uint64, branch int) (uint64, bool) {
	return min(p+m, g.total), branch == 0
}

func (g toyGame) AppendPosition(dst []byte, p uint64) []byte { return strconv.AppendUint(dst, p, 10) }

// toyEntry is the toy game in the catalogue.
func toyEntry() catalog.Entry {
	return catalog.Entry{
		Name:             "hundred_game",
		Title:            "The toy game",
		Question:         "Who has to go too far?",
		Rules:            "Two players in turn add an integer from 1 to n. Who brings the total to the desired one or above loses.",
		PositionNotation: "the total: 42",
		MoveNotation:     "the integer added: 10",
		MoveOrder:        "ascending",
		Objective:        engine.WinLoss,
		Example:          toyMessage(3, 21, 0),
		Limits:           func(catalog.Limits) []*zermelov1.Limit { return nil },
		Open: func(r *catalog.Request, p *zermelov1.Position) catalog.Instance {
			asked := p.GetHundredGame()
			n, total := asked.GetMaxChoosableInteger(), asked.GetDesiredTotal()
			if n == 0 || n > 100 {
				r.Invalidf("max_choosable_integer", "is %d; it must be from 1 to 100", n)
			}
			if total == 0 || total > 10_000 {
				r.Invalidf("desired_total", "is %d; it must be from 1 to 10000", total)
			}
			if r.Failed() {
				return nil
			}
			return catalog.NewInstance(r, catalog.Opened[uint64, uint64, uint64]{
				Game:    toyGame{n, total, min(asked.GetCurrentTotal(), total)},
				Message: func(p uint64, _ int64) *zermelov1.Position { return toyMessage(n, total, p) },
			})
		},
		Oracle: func() func(p *zermelov1.Position) oracle.Answer {
			type spoken struct{ n, total, current uint64 }
			rules := oracle.Rules[spoken]{
				Moves: func(p spoken) (moves []oracle.Move[spoken]) {
					for m := uint64(1); m <= p.n && p.current < p.total; m++ {
						moves = append(moves, oracle.Move[spoken]{Text: fmt.Sprint(m), To: []spoken{{p.n, p.total, p.current + m}}})
					}
					return moves
				},
				Over:     func(spoken) int64 { return 1 },
				SoonWins: true,
			}
			return func(p *zermelov1.Position) oracle.Answer {
				asked := p.GetHundredGame()
				return rules.Solve(spoken{asked.GetMaxChoosableInteger(), asked.GetDesiredTotal(), asked.GetCurrentTotal()})
			}
		},
		Samples: func(yield func(*zermelov1.Position) bool) {
			for n := uint64(1); n <= 4; n++ {
				for total := uint64(1); total <= 15; total++ {
					if !yield(toyMessage(n, total, total/4)) {
						return
					}
				}
			}
		},
		Draw: func(r *rand.Rand) *zermelov1.Position { return toyMessage(1+r.Uint64N(5), 1+r.Uint64N(30), 0) },
	}
}

// toyRules are those of the checker. They are a rules.WinLoss.
type toyRules struct {
	n, total, root, current uint64
	known                   map[uint64]rules.Known
}

func (g *toyRules) Read(text string) error {
	current, ok := rules.ParseNumber(text)
	if !ok || current < g.root || current > g.total {
		return rules.ErrNotation
	}
	g.current = current
	return nil
}

func (g *toyRules) Plays() (shortest, longest uint64) {
	return (g.current - g.root + g.n - 1) / g.n, g.current - g.root
}

func (g *toyRules) endedAt(current uint64) zermelov1.Outcome {
	if current < g.total {
		return rules.Unknown
	}
	return rules.Win // the other player went too far
}

func (g *toyRules) Ended() zermelov1.Outcome     { return g.endedAt(g.current) }
func (g *toyRules) Found() rules.Known           { return g.known[g.current] }
func (g *toyRules) Record(k rules.Known)         { g.known[g.current] = k }
func (g *toyRules) First() uint64                { return 1 }
func (g *toyRules) Next(m uint64) (uint64, bool) { return m + 1, m < g.n }
func (g *toyRules) Print(m uint64) string        { return strconv.FormatUint(m, 10) }

func (g *toyRules) Move(text string) (uint64, error) {
	m, ok := rules.ParseNumber(text)
	if !ok || m < 1 || m > g.n {
		return 0, rules.ErrNotation
	}
	return m, nil
}

func (g *toyRules) After(m uint64) rules.Known {
	current := min(g.current+m, g.total)
	if outcome := g.endedAt(current); outcome != rules.Unknown {
		return rules.KnownAs(outcome, 0)
	}
	return g.known[current]
}

func (g *toyRules) Theorem() zermelov1.Theorem             { return zermelov1.Theorem_THEOREM_UNSPECIFIED }
func (g *toyRules) Foretell() zermelov1.Outcome            { return rules.Unknown }
func (g *toyRules) ForetellAfter(uint64) zermelov1.Outcome { return rules.Unknown }

// toyWords is a position in words.
type toyWords struct {
	words.Plain
	*zermelov1.HundredGame
}

func (w toyWords) Title() string               { return fmt.Sprintf("The toy game to %d", w.GetDesiredTotal()) }
func (w toyWords) Short() string               { return fmt.Sprint(w.GetCurrentTotal()) }
func (w toyWords) Rules() string               { return "Add an integer; who goes too far loses." }
func (w toyWords) Board() []words.Row          { return []words.Row{{Label: "total", Text: w.Short()}} }
func (w toyWords) Reading() string             { return "Positions are the total so far." }
func (w toyWords) Move(notation string) string { return "go " + notation + " farther" }
func (w toyWords) Over() string                { return "The other player went too far." }

func (w toyWords) Leaves(next []*zermelov1.Position) string {
	return fmt.Sprint(next[0].GetHundredGame().GetCurrentTotal())
}

// toyRoom is the client's room of the toy game.
func toyRoom() games.Game {
	return games.Game{
		Game: words.Game{
			Field:    "hundred_game",
			Title:    "The toy game",
			Summary:  "The toy game: who goes too far loses.",
			Help:     "Two players in turn add an integer; who goes too far loses.",
			Examples: []string{"3 21"},
			Fields: []words.Field{
				{Name: "max_choosable_integer", Flag: "max", Placeholder: "N", Argument: true, Help: "The integers are 1 to N."},
				{Name: "desired_total", Flag: "total", Placeholder: "T", Argument: true, Help: "Too far."},
				{Name: "current_total", Flag: "current", Placeholder: "C", Argument: true, Default: "0", Help: "The total so far."},
			},
			Describe: func(p *zermelov1.Position) words.Position { return toyWords{HundredGame: p.GetHundredGame()} },
		},
		Rules: func(p *zermelov1.Position) (rules.Game, error) {
			asked := p.GetHundredGame()
			root := min(asked.GetCurrentTotal(), asked.GetDesiredTotal())
			return rules.NewWinLoss[uint64](&toyRules{
				n: asked.GetMaxChoosableInteger(), total: asked.GetDesiredTotal(), root: root, current: root,
				known: make(map[uint64]rules.Known),
			}), nil
		},
	}
}

// TestAGameInOneFile runs the toy game through the server, the client, the checker and the command line.
func TestAGameInOneFile(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, nil, serverrun.WithGames([]catalog.Entry{toyEntry()}))
	c, err := client.New(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	list := games.List{toyRoom()}

	t.Run("catalogue", func(t *testing.T) {
		all, err := c.ListGames(t.Context())
		if err != nil || len(all.GetGames()) != 1 || all.GetGames()[0].GetTitle() != "The toy game" {
			t.Errorf("%v, %v", all, err)
		}
		_, err = c.Solve(t.Context(), &zermelov1.SolveRequest{Position: &zermelov1.Position{
			Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{}},
		}})
		if client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD {
			t.Errorf("a game that is not offered: %v", err)
		}
	})
	t.Run("answers and proofs", func(t *testing.T) {
		answer := toyEntry().Oracle()
		n := 0
		for p := range toyEntry().Samples {
			n++
			want := answer(p)
			a, err := c.Analyze(t.Context(), &zermelov1.AnalyzeRequest{Position: p})
			if err != nil {
				t.Fatalf("%v: %v", p, err)
			}
			var ranked, best []string
			for _, m := range a.GetMoves() {
				ranked = append(ranked, m.GetMove().GetNotation())
			}
			for _, m := range a.GetSolution().GetBestMoves() {
				best = append(best, m.GetNotation())
			}
			slices.Sort(best)
			if !slices.Equal(ranked, want.Ranked) || len(best) != len(want.Best) || a.GetMovesToEnd() != want.Distance ||
				(a.GetSolution().GetOutcome() == rules.Win) != (want.Value == 1) {
				t.Fatalf("%v: %v; the oracle says %+v", p, a, want)
			}
			for _, detail := range []zermelov1.Detail{zermelov1.Detail_DETAIL_PROOF, zermelov1.Detail_DETAIL_SEARCH} {
				trace := c.Explain(t.Context(), &zermelov1.ExplainRequest{Position: p, Detail: detail})
				if detail != zermelov1.Detail_DETAIL_PROOF {
					for _, err := range trace.Events() {
						if err != nil {
							t.Fatalf("%v: %v", p, err)
						}
					}
					continue
				}
				verdict, err := proof.Check(p, trace.Events(), proof.With(list))
				if err == nil {
					err = verdict.Agrees(trace.Summary().GetSolution())
				}
				if err != nil {
					t.Fatalf("%v: %v", p, err)
				}
			}
		}
		if n < 60 {
			t.Errorf("%d samples", n)
		}
	})
	t.Run("command line", func(t *testing.T) {
		for line, want := range map[string]string{
			"solve hundred-game 3 21":         "The toy game to 21",
			"analyze hundred-game 3 22":       "go 1 farther",
			"explain hundred-game 3 6":        "The toy game to 6",
			"verify hundred-game 3 9":         "The toy game to 9",
			"positions hundred-game 3 9":      "The toy game to 9",
			"games hundred-game":              "The toy game",
			"solve hundred-game 3 21 -o json": "OUTCOME_LOSS",
		} {
			args := append(fields(line), "--addr", address)
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), list, args, strings.NewReader(""), &stdout, &stderr, func(string) string { return "" })
			if code != exitOK || !strings.Contains(stdout.String(), want) {
				t.Errorf("zermelo %s: exit code %d\n%s%s", line, code, &stdout, &stderr)
			}
		}
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), list, fields("solve nim 3"), strings.NewReader(""), &stdout, &stderr, func(string) string { return "" })
		if code != exitUsage {
			t.Errorf("a game that is not in the list: exit code %d\n%s%s", code, &stdout, &stderr)
		}
	})
}
