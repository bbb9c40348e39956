// Package gametest holds what games and the engine are tested with: a conformance kit that every game passes, games
// given as explicit graphs, the search once more as a plain recursion, oracles that define each game in a few lines of
// their own, and known answers. The oracles share no code with the engine and none with the games' rules.
//
// It is for tests only.
package gametest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Long reports whether the tests that take minutes are asked for: ZERMELO_LONG=1.
func Long() bool { return os.Getenv("ZERMELO_LONG") == "1" }

// Options of Run.
type Options[P, M any] struct {
	// Legal lists the legal moves at p, which is not over, in natural order, without the help of First and Next. Nil:
	// the moves are not compared with a list.
	Legal func(p P) []M
	// Identity tells legal moves at one position apart by what they do; no two of them may have the same. Nil: their
	// text does.
	Identity func(m M) string
	// Positions is how many positions are walked before the walk gives way to playouts; 0 means 1,000. Positions that
	// print differently count each, even if their keys are the same.
	Positions int
	// Playouts is how many random games are played when the walk gave way; 0 means 10.
	Playouts int
	// Seed is that of the playouts and of the choice of texts.
	Seed uint64
}

const (
	defaultPositions = 1_000
	defaultPlayouts  = 10
	// mostFaults is where a game has shown enough of them.
	mostFaults = 10
)

// Run checks that a game keeps what engine.Game promises, on the positions reachable from its root: all of them when
// they are not too many, otherwise those of random games.
//
//   - Legal moves come in natural order, each once; without them a game is over, and not otherwise.
//   - Methods answer alike each time and change nothing that they are given.
//   - Branches are counted from 0 without a gap; only Cost games have more than one. WinLoss moves earn nothing.
//   - Keys are equal exactly when texts are, and what is equal cannot be told apart by any play.
//   - Texts are read back, and nothing is read that would not be written.
//   - Play ends within Plies, Choices is the number of moves at the root, and Reachable that of keys.
//   - A search makes the events, statistics and solution that a plain recursion over the rules makes, under every policy
//     and detail, with distances too, and stays within the memory that search.FitPositions states.
//   - What a search, and the game itself where it is an engine.Ranker, say about each move at each position is what a
//     plain recursion finds that knows nothing of keys.
func Run[P, M any, K comparable](t *testing.T, g engine.Game[P, M, K], options Options[P, M]) {
	t.Helper()
	for _, fault := range faults(g, options) {
		t.Error(fault)
	}
}

// faults lists what Run reports.
func faults[P, M any, K comparable](g engine.Game[P, M, K], options Options[P, M]) []string {
	if options.Positions == 0 {
		options.Positions = defaultPositions
	}
	if options.Playouts == 0 {
		options.Playouts = defaultPlayouts
	}
	in := &inspection[P, M, K]{
		game:    g,
		options: options,
		random:  rand.New(rand.NewPCG(options.Seed, 1913)),
		seen:    make(map[string]*judged),
		texts:   make(map[K]string),
		keys:    make(map[string]K),
	}
	in.run()
	return in.found
}

// inspection is one run of the kit.
type inspection[P, M any, K comparable] struct {
	game    engine.Game[P, M, K]
	options Options[P, M]
	random  *rand.Rand
	found   []string

	// seen holds the positions walked, by what they print as.
	seen map[string]*judged
	// full is set when there are more positions than may be walked.
	full bool
	// texts and keys map the keys of all positions met to their texts and back.
	texts map[K]string
	keys  map[string]K
	// kept are the positions that were handed out, to be looked at again in the end.
	kept []kept[P]
}

type kept[P any] struct {
	position P
	printed  string
}

func (in *inspection[P, M, K]) run() {
	g := in.game
	switch g.Objective() {
	case engine.WinLoss, engine.Margin, engine.Cost:
	default:
		in.faultf("the objective %d is none", g.Objective())
		return
	}
	if b := g.Bulk(); b.Work < 0 || b.PositionBytes < 0 || b.KeyBytes < 0 {
		in.faultf("a negative bulk: %+v", b)
	}
	was := printed(g.Root())
	root := in.walk(g.Root())
	if texts := in.rootTexts(); texts != g.Choices() {
		in.faultf("Choices is %d; there are %d moves at the root", g.Choices(), texts)
	}
	keys := uint64(len(in.keys))
	switch {
	case in.full:
		for range in.options.Playouts {
			in.playOut()
		}
		if keys := uint64(len(in.keys)); keys > g.Reachable() {
			in.faultf("Reachable is %d; there are at least %d keys", g.Reachable(), keys)
		}
	case keys != g.Reachable():
		in.faultf("Reachable is %d; there are %d keys", g.Reachable(), keys)
	case root.height > g.Plies():
		in.faultf("Plies is %d; there is a play of %d moves", g.Plies(), root.height)
	case len(in.found) == 0:
		in.search(root)
	}
	in.unchanged("the root", g.Root(), was)
	for _, k := range in.kept {
		in.unchanged("a position handed out earlier", k.position, k.printed)
	}
}

// rootTexts counts the different texts of the legal moves at the root.
func (in *inspection[P, M, K]) rootTexts() uint64 {
	texts := make(map[string]bool)
	moves := 0
	for m := range engine.Moves(in.game, in.game.Root()) {
		if moves++; moves > mostMoves {
			break
		}
		texts[string(in.game.AppendMove(nil, m))] = true
	}
	return uint64(len(texts))
}

func (in *inspection[P, M, K]) faultf(format string, args ...any) {
	if !in.enough() {
		in.found = append(in.found, fmt.Sprintf(format, args...))
	}
}

func (in *inspection[P, M, K]) enough() bool { return len(in.found) == mostFaults }

func (in *inspection[P, M, K]) unchanged(what string, v any, was string) {
	if now := printed(v); now != was {
		in.faultf("%s was changed: %s is now %s", what, was, now)
	}
}

func (in *inspection[P, M, K]) text(p P) string { return string(in.game.AppendPosition(nil, p)) }

// printed is what a value shows of itself, apart from any notation.
func printed(v any) string { return fmt.Sprintf("%+v", v) }
