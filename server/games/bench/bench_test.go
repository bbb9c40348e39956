package bench_test

import (
	"context"
	"fmt"
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

// way is a way to solve a position. All ways give one answer, or the same ones in the same order.
type way struct {
	name  string
	solve func(context.Context) (int64, error)
}

// contest is a position with the kernel's way to solve it and those of the textbooks.
type contest struct {
	game, size string
	// bench is the size as the benchmark calls it.
	bench    string
	kernel   way
	textbook []way
	// goal is by how much the kernel is to be faster than the first of the textbooks' ways, if that was said.
	goal float64
}

// byKernel solves by a game's kernel.
func byKernel[M any](game engine.Kernel[M]) way {
	return way{"kernel", func(ctx context.Context) (int64, error) {
		s, err := game.Solve(ctx, 1)
		return s.Value, err
	}}
}

// byTheorem solves by a game's closed form.
func byTheorem[M any](game engine.ClosedForm[M], answer func(engine.Solution[M]) int64) way {
	return way{"kernel", func(context.Context) (int64, error) {
		s, ok := game.Decide(1)
		if !ok {
			return 0, engine.ErrNoKernel
		}
		return answer(s), nil
	}}
}

func value[M any](s engine.Solution[M]) int64 { return s.Value }

// winningMoves is how many moves win.
func winningMoves[M any](s engine.Solution[M]) int64 {
	if s.Value != engine.Win {
		return 0 // the best moves are those that lose
	}
	return s.BestCount
}

// byTextbook solves by a textbook's way.
func byTextbook(name string, solve func() int64) way {
	return way{name, func(context.Context) (int64, error) { return solve(), nil }}
}

// outcome is what a winner and a loser have for a value.
func outcome(won bool) int64 {
	if won {
		return engine.Win
	}
	return engine.Loss
}

// worstTotals are the totals at which a memo comes to hold the most sets: 43,528, 194,163 and 770,565.
var worstTotals = []struct{ n, total int }{{16, 108}, {18, 137}, {20, 158}}

// hardTotal is 72 % of the sum of 1..n, near the worst totals of small n; for 32 it is 380.
func hardTotal(n int) int { return n * (n + 1) / 2 * 18 / 25 }

func canIWin(n, total int) contest {
	return contest{
		game: "can_i_win", size: fmt.Sprintf("1..%d to %d", n, total), bench: fmt.Sprintf("n=%d", n),
		kernel: byKernel(caniwin.New(n, int64(total), 0)),
		textbook: []way{
			byTextbook("memo in map", func() int64 { return outcome(canIWinByMap(n, total)) }),
			byTextbook("memo in array", func() int64 { return outcome(canIWinByArray(n, total)) }),
		},
	}
}

// endsGame has many rows for a small n, random ones. Each way goes through them in the same order: a processor that
// meets one small row again and again learns which way its branches go.
func endsGame(n int) contest {
	random := rand.New(rand.NewPCG(486, uint64(n)))
	rows := make([][]int64, max(1, 200_000/n))
	for i := range rows {
		rows[i] = make([]int64, n)
		for k := range rows[i] {
			rows[i][k] = random.Int64N(1_000_001)
		}
	}
	next := func() func() []int64 {
		i := -1
		return func() []int64 {
			i++
			return rows[i%len(rows)]
		}
	}
	forKernel, forTable, forRow := next(), next(), next()
	return contest{
		game: "ends games", size: digits(n) + " scores", bench: fmt.Sprintf("n=%d", n),
		kernel: way{"kernel", func(ctx context.Context) (int64, error) {
			s, err := ends.New(forKernel()).Solve(ctx, 1)
			return s.Value, err
		}},
		textbook: []way{
			byTextbook("interval table", func() int64 { return endsByTable(forTable()) }),
			byTextbook("one row of it", func() int64 { return endsByRow(forRow()) }),
		},
	}
}

func guessNumber(n int) contest {
	return contest{
		game: "guess_number", size: "1.." + digits(n), bench: fmt.Sprintf("n=%d", n),
		kernel:   byKernel(guess.New(1, uint32(n))),
		textbook: []way{byTextbook("interval table", func() int64 { return guessByTable(n)[1][n] })},
	}
}

// guessRanking asks for what every first guess in 1..n costs, and answers with the sum.
func guessRanking(n int) contest {
	game := guess.New(1, uint32(n))
	return contest{
		game: "guess_number", size: digits(n) + " guesses", bench: fmt.Sprintf("guesses=%d", n),
		kernel: way{"kernel", func(ctx context.Context) (int64, error) {
			ranking, err := game.Ranking(ctx, false)
			if err != nil {
				return 0, err
			}
			defer ranking.Close()
			moves, err := ranking.Rank(ctx, game.Root())
			sum := int64(0)
			for _, m := range moves {
				sum += m.Value
			}
			return sum, err
		}},
		textbook: []way{byTextbook("interval table", func() int64 {
			costs, sum := guessByTable(n), int64(0)
			for g := 1; g <= n && n > 1; g++ {
				sum += int64(g) + max(costs[1][g-1], costs[g+1][n])
			}
			return sum
		})},
	}
}

// nimMemo is a position for the memo: some piles as large as each other.
func nimMemo(piles, stones int) contest {
	position := slices.Repeat([]uint64{uint64(stones)}, piles)
	return contest{
		game: "nim", size: fmt.Sprintf("%d piles of %d", piles, stones), bench: fmt.Sprintf("piles=%dx%d", piles, stones),
		kernel: byTheorem(nim.New(position, nim.Normal), value),
		textbook: []way{byTextbook("memo in map", func() int64 {
			return outcome(nimByMemo(position, make(map[string]bool)))
		})},
	}
}

// nimCount asks for the number of winning moves at random piles of up to as many stones.
func nimCount(piles int, stones uint64, bench string) contest {
	random := rand.New(rand.NewPCG(1901, uint64(piles)))
	position := make([]uint64, piles)
	for i := range position {
		position[i] = 1 + random.Uint64N(stones)
	}
	return contest{
		game: "nim", size: digits(piles) + " piles", bench: bench,
		kernel:   byTheorem(nim.New(position, nim.Normal), winningMoves),
		textbook: []way{byTextbook("listing moves", func() int64 { return int64(nimByListing(position)) })},
	}
}

func hundredGame(total int) contest {
	const n = 10
	return contest{
		game: "hundred_game", size: "to " + digits(total), bench: fmt.Sprintf("total=%d", total),
		kernel:   byTheorem(hundred.New(n, uint64(total), 0), value),
		textbook: []way{byTextbook("table of wins", func() int64 { return outcome(hundredByTable(n, total)) })},
	}
}

// contests are those that the textbooks' ways can finish.
func contests() []contest {
	var all []contest
	for _, worst := range worstTotals {
		all = append(all, canIWin(worst.n, worst.total))
	}
	all[len(all)-1].goal = 100
	all = append(all, endsGame(500), endsGame(5_000))
	all[len(all)-1].goal = 500
	all = append(all, guessRanking(200), guessNumber(200), guessNumber(1_000))
	all[len(all)-1].goal = 100
	return append(all,
		nimMemo(3, 7), nimCount(100_000, 1_000, "piles=100000"),
		hundredGame(100), hundredGame(1_000_000))
}

// growths are the sizes of each game by which the kernel's time is compared with the law.
func growths() []growth {
	canIWinSizes := []int{18, 20, 22, 24, 26}
	if gametest.Long() {
		canIWinSizes = append(canIWinSizes, 28, 30)
	}
	linear := func(n int) float64 { return float64(n) }
	return []growth{
		{
			sizes: canIWinSizes,
			at:    func(n int) contest { return canIWin(n, hardTotal(n)) },
			work:  func(n int) float64 { return float64(n) * float64(uint64(1)<<n) / 64 },
		},
		{sizes: []int{1_000, 10_000, 100_000, 1_000_000}, at: endsGame, work: linear},
		{sizes: []int{1_000, 10_000, 50_000, 100_000, 200_000}, at: guessNumber, work: linear},
	}
}

func TestTextbookAgreesWithKernel(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for total := n + 1; total <= n*(n+1)/2; total++ {
			agree(t, canIWin(n, total))
		}
	}
	for n := 1; n <= 20; n++ {
		agree(t, endsGame(n))
		agree(t, guessNumber(n))
		agree(t, guessRanking(n))
		agree(t, hundredGame(n))
		agree(t, nimMemo(2, n))
		agree(t, nimCount(n, 20, ""))
	}
	for _, c := range contests() {
		if c.goal > 0 && !gametest.Long() {
			c.textbook = c.textbook[1:] // the first one takes long at the largest sizes; the table compares it as well
		}
		agree(t, c)
	}
}

func agree(t *testing.T, c contest) {
	t.Helper()
	want := c.kernel.answer(t)
	for _, other := range c.textbook {
		if got := other.answer(t); got != want {
			t.Errorf("%s %s: the kernel says %d, %s %d", c.game, c.size, want, other.name, got)
		}
	}
}

func (w way) answer(tb testing.TB) int64 {
	tb.Helper()
	answer, err := w.solve(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return answer
}

// run is a benchmark of each way: the kernel's alone, or also the textbooks', the first of which is called textbook.
func (c contest) run(b *testing.B, alone bool) {
	b.Helper()
	b.Run(c.bench, func(b *testing.B) {
		b.Run("kernel", func(b *testing.B) { c.kernel.run(b) })
		if alone {
			return
		}
		b.Run("textbook", func(b *testing.B) { c.textbook[0].run(b) })
		for i, other := range c.textbook[1:] {
			b.Run(fmt.Sprintf("textbook-%d", i+2), func(b *testing.B) { other.run(b) })
		}
	})
}

func (w way) run(b *testing.B) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		w.answer(b)
	}
}

// BenchmarkCanIWin is at the worst totals of 16, 18 and 20, and at 72 % of the sum for larger n. textbook keeps its memo
// in a map, textbook-2 in an array.
func BenchmarkCanIWin(b *testing.B) {
	for _, worst := range worstTotals {
		canIWin(worst.n, worst.total).run(b, false)
	}
	alone := []int{22, 24, 26}
	if gametest.Long() {
		alone = append(alone, 28, 30)
	}
	for _, n := range alone {
		canIWin(n, hardTotal(n)).run(b, true)
	}
}

// BenchmarkEnds has random rows. textbook fills the table of all intervals, textbook-2 keeps one row of it.
func BenchmarkEnds(b *testing.B) {
	for _, n := range []int{500, 5_000} {
		endsGame(n).run(b, false)
	}
	for _, n := range []int{100_000, 1_000_000} {
		endsGame(n).run(b, true)
	}
}

// BenchmarkGuess has the ranges from 1.
func BenchmarkGuess(b *testing.B) {
	for _, n := range []int{200, 1_000} {
		guessNumber(n).run(b, false)
	}
	for _, n := range []int{10_000, 100_000, 200_000} {
		guessNumber(n).run(b, true)
	}
}

// BenchmarkNim has three equal piles, then random piles of up to 1,000 and of up to 2^62 stones, almost all different.
func BenchmarkNim(b *testing.B) {
	nimMemo(3, 7).run(b, false)
	nimCount(100_000, 1_000, "piles=100000").run(b, false)
	nimCount(100_000, 1<<62, "piles=100000-different").run(b, true)
}

func BenchmarkHundred(b *testing.B) {
	hundredGame(100).run(b, false)
	hundredGame(1_000_000).run(b, false)
}

// BenchmarkDistances ranks every guess of the ranges from 1 with its distance: by the kernel, which has all ranges of a
// range, and by a search of the whole game.
func BenchmarkDistances(b *testing.B) {
	rank := func(b *testing.B, prepare func(g *guess.Game) (engine.Ranking[guess.Position, guess.Move], error), n int) {
		b.Helper()
		b.ReportAllocs()
		for b.Loop() {
			g := guess.New(1, uint32(n))
			r, err := prepare(g)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := r.Rank(b.Context(), g.Root()); err != nil {
				b.Fatal(err)
			}
			r.Close()
		}
	}
	for _, n := range []int{500, 1_000, 5_000} {
		b.Run(fmt.Sprintf("range=%d/kernel", n), func(b *testing.B) {
			rank(b, func(g *guess.Game) (engine.Ranking[guess.Position, guess.Move], error) {
				return g.Ranking(b.Context(), true)
			}, n)
		})
	}
	searched := []int{500}
	if gametest.Long() {
		searched = append(searched, 1_000)
	}
	for _, n := range searched {
		b.Run(fmt.Sprintf("range=%d/search", n), func(b *testing.B) {
			rank(b, func(g *guess.Game) (engine.Ranking[guess.Position, guess.Move], error) {
				return search.Rank(b.Context(), g, 1<<30)
			}, n)
		})
	}
}
