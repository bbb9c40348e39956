package rpc_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/servertest"
)

func analyze(
	t *testing.T, c zermelov1.SolverServiceClient, p *zermelov1.Position, skipDistance bool,
) *zermelov1.AnalyzeResponse {
	t.Helper()
	r, err := c.Analyze(t.Context(), &zermelov1.AnalyzeRequest{Position: p, SkipDistance: skipDistance})
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return r
}

// randomPositions are small positions of all games.
func randomPositions(random *rand.Rand, each int) []*zermelov1.Position {
	var positions []*zermelov1.Position
	for range each {
		for _, game := range games.All() {
			positions = append(positions, game.Draw(random))
		}
	}
	return positions
}

// worth is what a move is listed with, or what a solution says of the position after it, to the player who makes it.
type worth struct {
	outcome      zermelov1.Outcome
	margin, cost int64
}

func listed(m *zermelov1.RankedMove) worth {
	return worth{outcome: m.GetOutcome(), margin: m.GetMargin(), cost: m.GetCost()}
}

// found is what a move is worth by solving the positions after it.
func found(t *testing.T, c zermelov1.SolverServiceClient, m *zermelov1.Move) worth {
	t.Helper()
	var w worth
	for _, next := range m.GetNext() {
		s := solve(t, c, next)
		if s.Cost != nil {
			w.cost = max(w.cost, number(t, m.GetNotation())+s.GetCost())
			continue
		}
		w = worth{outcome: opposite(s.GetOutcome()), margin: -s.GetMargin()}
	}
	return w
}

// TestEveryMoveIsWorthWhatItIsListedWith: the position after it, sent back to Solve, has that value, seen from the other
// side. The list begins with the solution's best moves, and is the same without distances, but for the order of equals.
func TestEveryMoveIsWorthWhatItIsListedWith(t *testing.T) {
	c := start(t)
	for _, p := range randomPositions(rand.New(rand.NewPCG(1, 1913)), 15) {
		for _, skip := range []bool{false, true} {
			r := analyze(t, c, p, skip)
			if r.GetSolution().BestMoveCount == nil {
				t.Fatalf("%v: the best moves are not counted", p)
			}
			count := int(r.GetSolution().GetBestMoveCount())
			var best []string
			for i, m := range r.GetMoves() {
				if got, want := listed(m), found(t, c, m.GetMove()); got != want {
					t.Errorf("%v, skip %t: %s is listed with %+v; the position after it says %+v", p, skip, m.GetMove().GetNotation(), got, want)
				}
				if i < count {
					best = append(best, m.GetMove().GetNotation())
				}
				if skip == (m.MovesToEnd != nil) {
					t.Errorf("%v, skip %t: the distance is %v", p, skip, m.MovesToEnd)
				}
			}
			if got := notations(r.GetSolution().GetBestMoves()); !slices.Equal(got, best) {
				t.Errorf("%v, skip %t: the best moves are %v, the list begins with %v", p, skip, got, best)
			}
			sameAsSolve(t, r.GetSolution(), solve(t, c, p))
		}
	}
}

// sameAsSolve compares the solution of Analyze with that of Solve: the same but for the order of the best moves, how it
// was found, and the work.
func sameAsSolve(t *testing.T, analyzed, solved *zermelov1.Solution) {
	t.Helper()
	byNotation := protocmp.SortRepeated(func(a, b *zermelov1.Move) bool { return a.GetNotation() < b.GetNotation() })
	ignored := protocmp.IgnoreFields(&zermelov1.Solution{}, "statistics", "method")
	if diff := cmp.Diff(solved, analyzed, protocmp.Transform(), byNotation, ignored); diff != "" {
		t.Errorf("Analyze and Solve differ: %s", diff)
	}
}

// TestMainLineKeepsTheValue: replayed move by move through Analyze, each of its moves is the first of the list, keeps the
// value, and brings the end one move nearer.
func TestMainLineKeepsTheValue(t *testing.T) {
	c := start(t)
	for _, p := range randomPositions(rand.New(rand.NewPCG(2, 1913)), 10) {
		whole := analyze(t, c, p, false)
		left := whole.GetMovesToEnd()
		if whole.GetMainLineLength() != left || int64(len(whole.GetMainLine())) != left {
			t.Errorf("%v: %d moves, length %d, %d to the end", p, len(whole.GetMainLine()), whole.GetMainLineLength(), left)
		}
		at := p
		for _, m := range whole.GetMainLine() {
			r := analyze(t, c, at, false)
			if r.GetMovesToEnd() != left || len(r.GetMoves()) == 0 || r.GetMoves()[0].GetMove().GetNotation() != m.GetNotation() {
				t.Fatalf("%v: at %v, %d moves before the end, the line has %s; the list says %v", p, at, left, m.GetNotation(), r)
			}
			if first := r.GetMoves()[0]; first.GetMovesToEnd() != left || listed(first) != (worth{
				outcome: r.GetSolution().GetOutcome(), margin: r.GetSolution().GetMargin(), cost: r.GetSolution().GetCost(),
			}) {
				t.Errorf("%v: at %v: the first move %v, the solution %v", p, at, first, r.GetSolution())
			}
			if diff := cmp.Diff(r.GetMoves()[0].GetMove(), m, protocmp.Transform()); diff != "" {
				t.Errorf("%v: the same move differs: %s", p, diff)
			}
			left--
			at = costlier(t, c, m, left)
		}
		if r := analyze(t, c, at, false); left != 0 || len(r.GetMoves()) != 0 || r.MovesToEnd == nil {
			t.Errorf("%v: the line ends at %v, %d moves before the end", p, at, left)
		}
	}
}

// costlier is where the game goes on after a move: in the guessing game in the costlier range, of equal ones the longer.
func costlier(t *testing.T, c zermelov1.SolverServiceClient, m *zermelov1.Move, left int64) *zermelov1.Position {
	t.Helper()
	next := m.GetNext()
	if len(next) < 2 {
		return next[0]
	}
	low, high := analyze(t, c, next[0], false), analyze(t, c, next[1], false)
	at := next[0]
	switch a, b := low.GetSolution().GetCost(), high.GetSolution().GetCost(); {
	case a < b, a == b && low.GetMovesToEnd() < high.GetMovesToEnd():
		at = next[1]
		low = high
	}
	if low.GetMovesToEnd() != left {
		t.Errorf("after %s: %d moves to the end instead of %d", m.GetNotation(), low.GetMovesToEnd(), left)
	}
	return at
}

func TestKnownDistances(t *testing.T) {
	c := start(t)
	for _, test := range []struct {
		piles          []uint64
		normal, misere int64
	}{
		{[]uint64{7, 5, 3}, 15, 14}, {[]uint64{1, 3, 5, 7}, 16, 15}, {[]uint64{1, 2, 3}, 6, 5}, {[]uint64{2, 2}, 4, 3},
		{[]uint64{1, 1, 1}, 3, 3}, {[]uint64{0, 0}, 0, 0}, {nil, 0, 0},
	} {
		for convention, want := range map[zermelov1.PlayConvention]int64{normal: test.normal, misere: test.misere} {
			p := nim(convention, test.piles...)
			if r := analyze(t, c, p, false); r.GetMovesToEnd() != want || r.MovesToEnd == nil || r.MainLineLength == nil {
				t.Errorf("%v: %v to the end, want %d", p, r.MovesToEnd, want)
			}
			var first *zermelov1.EnumeratedPosition // the root is decided last
			got, _ := enumerate(t, c, &zermelov1.EnumeratePositionsRequest{Position: p})
			for _, first = range got {
				if first.MovesToEnd == nil {
					t.Errorf("%v: %v has no distance", p, first)
				}
			}
			if first.GetMovesToEnd() != want {
				t.Errorf("%v: enumerated at %d moves from the end, want %d", p, first.GetMovesToEnd(), want)
			}
		}
	}
}

// TestEnumerationAndAnalysisAgree on distances, and without them an enumeration is as it was.
func TestEnumerationAndAnalysisAgree(t *testing.T) {
	c := start(t)
	with, _ := enumerate(t, c, &zermelov1.EnumeratePositionsRequest{Position: canIWin(6, 14)})
	without, _ := enumerate(t, c, &zermelov1.EnumeratePositionsRequest{Position: canIWin(6, 14), SkipDistance: true})
	if len(with) != len(without) || len(with) == 0 {
		t.Fatalf("%d positions with distances, %d without", len(with), len(without))
	}
	for i, p := range with {
		var chosen []uint32
		if p.GetNotation() != "-" {
			for text := range strings.SplitSeq(p.GetNotation(), ",") {
				chosen = append(chosen, uint32(number(t, text)))
			}
		}
		r := analyze(t, c, canIWin(6, 14, chosen...), false)
		if r.GetMovesToEnd() != p.GetMovesToEnd() || r.GetSolution().GetOutcome() != p.GetOutcome() {
			t.Errorf("%v, but Analyze says %v", p, r)
		}
		p.MovesToEnd = nil
		if !proto.Equal(p, without[i]) {
			t.Errorf("%v with distances, %v without", p, without[i])
		}
	}
}

// TestAnalyzeIsRefusedForItsSize with the number of positions and the budget; without distances it answers.
func TestAnalyzeIsRefusedForItsSize(t *testing.T) {
	c := start(t, servertest.WithMemoBudget(1<<20))
	for name, p := range map[string]*zermelov1.Position{
		"can_i_win": canIWin(20, 152), "guess_number": guess(1, 1000),
	} {
		_, err := c.Analyze(t.Context(), &zermelov1.AnalyzeRequest{Position: p})
		wantError(t, err, codes.InvalidArgument, budgetLimit, "position."+name)
		wantText(t, err, "positions", "memo budget of 1048576 bytes", "skip_distance")
		r := analyze(t, c, p, true)
		if len(r.GetMoves()) == 0 || r.MovesToEnd != nil || r.MainLineLength != nil || len(r.GetMainLine()) == 0 {
			t.Errorf("%s: %v", name, r)
		}
	}
	// Neither does a table fit, with distances or without.
	_, err := c.Analyze(t.Context(), &zermelov1.AnalyzeRequest{Position: canIWin(40, 400), SkipDistance: true})
	wantError(t, err, codes.InvalidArgument, budgetLimit, "position.can_i_win.max_choosable_integer")
	// Distances that follow from arithmetic need no memory.
	if r := analyze(t, c, nim(misere, 2000, 1999, 1998, 31, 17), false); r.GetMovesToEnd() != 4060 {
		t.Errorf("%d moves", r.GetMovesToEnd())
	}
	if r := analyze(t, c, hundred(10, 1<<62, 0), false); r.GetMovesToEnd() != (1<<62)/11*2+1 || len(r.GetMainLine()) != 256 {
		t.Errorf("%d moves, %d listed", r.GetMovesToEnd(), len(r.GetMainLine()))
	}
}

// TestAnalyzeListsSoManyMoves and not more, and what it lists fits a default client.
func TestAnalyzeListsSoManyMoves(t *testing.T) {
	c := start(t)
	const most = 32_768
	for name, test := range map[string]struct{ most, more *zermelov1.Position }{
		"nim":          {nim(normal, most-1, 1, 1), nim(normal, most, 1)},
		"hundred_game": {hundred(most, 1<<62, 1<<61), hundred(most+1, 1<<62, 1<<61)},
	} {
		r := analyze(t, c, test.most, true)
		if len(r.GetMoves()) != most || proto.Size(r) > 4<<20 {
			t.Errorf("%s: %d moves, %d bytes", name, len(r.GetMoves()), proto.Size(r))
		}
		if last := r.GetMoves()[most-1].GetMove(); last.GetNextOmitted() == (len(last.GetNext()) > 0) {
			t.Errorf("%s: %v", name, last)
		}
		_, err := c.Analyze(t.Context(), &zermelov1.AnalyzeRequest{Position: test.more, SkipDistance: true})
		wantError(t, err, codes.InvalidArgument, sizeLimit, "position."+name)
		wantText(t, err, strconv.Itoa(most))
	}
	const scores = 20_000
	large := make([]int64, scores)
	for i := range large {
		large[i] = int64(i * 7919 % 1000)
	}
	r := analyze(t, c, predict(0, large...), false)
	if r.GetMovesToEnd() != scores || r.GetMainLineLength() != scores || len(r.GetMainLine()) != 256 || proto.Size(r) > 1<<20 {
		t.Errorf("%d to the end, %d of %d moves, %d bytes", r.GetMovesToEnd(), len(r.GetMainLine()), r.GetMainLineLength(), proto.Size(r))
	}
}

// TestGuessesAreRankedAlike by a row and by the table of distances; and by a row whether there is room for a table or not.
func TestGuessesAreRankedAlike(t *testing.T) {
	c := start(t)
	small := start(t, servertest.WithMemoBudget(64<<10)) // has no room for distances
	for _, p := range []*zermelov1.Position{guess(1, 200), guess(777, 999), guess(1<<31-50, 1<<31)} {
		want := make(map[string]int64)
		for _, m := range analyze(t, c, p, false).GetMoves() {
			want[m.GetMove().GetNotation()] = m.GetCost()
		}
		got := analyze(t, small, p, true)
		if got.GetSolution().GetMethod() != zermelov1.Method_METHOD_GAME_ALGORITHM || len(got.GetMoves()) != len(want) {
			t.Errorf("%v: by %v, %d moves of %d", p, got.GetSolution().GetMethod(), len(got.GetMoves()), len(want))
		}
		for _, m := range got.GetMoves() {
			if m.GetCost() != want[m.GetMove().GetNotation()] {
				t.Errorf("%v: %v, want %d", p, m, want[m.GetMove().GetNotation()])
			}
		}
		roomy := analyze(t, c, p, true)
		roomy.Solution.Statistics, got.Solution.Statistics = nil, nil // they tell the time
		if !proto.Equal(roomy, got) {
			t.Errorf("%v: with room for distances, which are not asked for, the answer is another", p)
		}
	}
}

// TestTheWidestRangeIsRankedInSeconds, when the distances are left out.
func TestTheWidestRangeIsRankedInSeconds(t *testing.T) {
	c := start(t)
	for _, p := range []*zermelov1.Position{guess(1, 32_768), guess(50_000, 82_767)} {
		began := time.Now()
		r := analyze(t, c, p, true)
		if took := time.Since(began); took > 20*time.Second { // well below one second on a core that does nothing else
			t.Errorf("%v takes %v", p, took)
		}
		if len(r.GetMoves()) != 32_768 || len(r.GetMainLine()) == 0 {
			t.Errorf("%v: %d moves, %d on the main line", p, len(r.GetMoves()), len(r.GetMainLine()))
		}
	}
}

// wantText checks that an error says these things.
func wantText(t *testing.T, err error, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(status.Convert(err).Message(), text) {
			t.Errorf("%q is not in %v", text, err)
		}
	}
}
