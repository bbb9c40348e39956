// Package gametest holds what games and the engine are tested with: a conformance kit that every game passes, games
// given as explicit graphs, the search once more as a plain recursion, comparisons with oracles, and known answers.
//
// It is for tests only.
package gametest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
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
	// Seed is that of the playouts.
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
//   - Indexes are below Indexes, no two positions share one, and Follow says what After, Over and Index do.
//   - Moves with the same text do the same, and the game says of each but the first that it repeats one.
//   - Where the game says how large it is, play ends within Plies, Choices is the number of moves at the root, and
//     Reachable that of keys, up to any limit.
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
		gain:    engine.GainOf(g),
		repeats: engine.RepeatsOf(g),
		options: options,
		random:  rand.New(rand.NewPCG(options.Seed, 1913)),
		seen:    make(map[string]*visited[P, M]),
		texts:   make(map[K]string),
		keys:    make(map[string]K),
		indexes: make(map[uint64]string),
		looks:   make(map[string]look),
	}
	in.sized, _ = any(g).(engine.Sized)
	in.run()
	return in.found
}

// inspection is one run of the kit.
type inspection[P, M any, K comparable] struct {
	game engine.Game[P, M, K]
	// gain, repeats and sized are what the game knows beyond the rules, or nil.
	gain    func(p P, m M) int64
	repeats func(p P, m M) bool
	sized   engine.Sized
	options Options[P, M]
	random  *rand.Rand
	found   []string

	// seen holds the positions walked, by what they print as.
	seen map[string]*visited[P, M]
	// answer judges them, once all are known.
	answer func(p P) oracle.Answer
	// full is set when there are more positions than may be walked.
	full bool
	// texts and keys map the keys of all positions met to their texts and back.
	texts map[K]string
	keys  map[string]K
	// indexes maps the indexes of an engine.Indexed to texts.
	indexes map[uint64]string
	// looks holds, for each text, what the first position with it looked like.
	looks map[string]look
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
	if b := engine.BulkOf(g); b.Work < 0 || b.PositionBytes < 0 || b.KeyBytes < 0 {
		in.faultf("a negative bulk: %+v", b)
	}
	was := printed(g.Root())
	root := in.walk(g.Root())
	if texts := in.rootTexts(); in.sized != nil && texts != in.sized.Choices() {
		in.faultf("Choices is %d; there are %d moves at the root", in.sized.Choices(), texts)
	}
	keys := uint64(len(in.keys))
	switch {
	case in.full:
		for range in.options.Playouts {
			in.playOut()
		}
		if n := in.reachable(math.MaxUint64); n < uint64(len(in.keys)) {
			in.faultf("Reachable is %d; there are at least %d keys", n, len(in.keys))
		}
	case in.reachable(math.MaxUint64) != keys && in.sized != nil:
		in.faultf("Reachable is %d; there are %d keys", in.reachable(math.MaxUint64), keys)
	case root.height > in.plies():
		in.faultf("Plies is %d; there is a play of %d moves", in.plies(), root.height)
	case len(in.found) == 0:
		in.answer = in.judge()
		in.search()
	}
	in.unchanged("the root", g.Root(), was)
	for _, k := range in.kept {
		in.unchanged("a position handed out earlier", k.position, k.printed)
	}
}

// reachable is how many keys the game says that there are, up to a limit; it checks what the limit does to that.
func (in *inspection[P, M, K]) reachable(limit uint64) uint64 {
	if in.sized == nil {
		return math.MaxUint64
	}
	n := in.sized.Reachable(limit)
	for _, less := range []uint64{1, 2, n / 2, n - 1, n} {
		if got := in.sized.Reachable(less); got < min(less, n) || got > n {
			in.faultf("Reachable is %d, but %d up to the limit %d", n, got, less)
		}
	}
	return n
}

// plies bounds the moves of a play, as far as the game says.
func (in *inspection[P, M, K]) plies() uint64 {
	if in.sized == nil {
		return math.MaxUint64
	}
	return in.sized.Plies()
}

// gains is what a move earns or costs.
func (in *inspection[P, M, K]) gains(p P, m M) int64 {
	if in.gain == nil {
		return 0
	}
	return in.gain(p, m)
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
