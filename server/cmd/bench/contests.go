package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zermelo-games/zermelo/server/engine"
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

// contest is a position with our way to solve it and those of the textbooks.
type contest struct {
	game, size string
	ours       way
	textbook   []way
	// goal is by how much ours is to be faster than the first of the textbooks' ways, if that was said.
	goal float64
}

// solved is the value that a game's algorithm finds.
func solved[M any](solve func(context.Context, int) (engine.Solution[M], error)) way {
	return way{"ours", func(ctx context.Context) (int64, error) {
		s, err := solve(ctx, 1)
		return s.Value, err
	}}
}

// decided is what a game's closed form says.
func decided[M any](decide func(int) (engine.Solution[M], bool), answer func(engine.Solution[M]) int64) way {
	return way{"ours", func(context.Context) (int64, error) {
		s, ok := decide(1)
		if !ok {
			return 0, errors.New("there is no closed form of it")
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

// textbook is a textbook's way.
func textbook(name string, solve func() int64) way {
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
		game: "can_i_win", size: fmt.Sprintf("1..%d to %d", n, total),
		ours: solved(caniwin.New(n, int64(total), 0).Solve),
		textbook: []way{
			textbook("memo in map", func() int64 { return outcome(canIWinByMap(n, total)) }),
			textbook("memo in array", func() int64 { return outcome(canIWinByArray(n, total)) }),
		},
	}
}

// canIWinSearched is decided by the search that explains it, which remembers everything, in place of the table of outcomes.
func canIWinSearched(n, total int) contest {
	c := canIWin(n, total)
	c.size += ", by search"
	c.ours = way{"ours", func(ctx context.Context) (int64, error) {
		s := search.New(caniwin.New(n, int64(total), 0), search.Options{Budget: 512 << 20})
		for _, err := range s.Events(ctx) { // a silent search: ticks only
			if err != nil {
				return 0, err
			}
		}
		return s.Result().Value, nil
	}}
	return c
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
	forOurs, forTable, forRow := next(), next(), next()
	return contest{
		game: "ends games", size: digits(n) + " scores",
		ours: way{"ours", func(ctx context.Context) (int64, error) {
			s, err := ends.New(forOurs()).Solve(ctx, 1)
			return s.Value, err
		}},
		textbook: []way{
			textbook("interval table", func() int64 { return endsByTable(forTable()) }),
			textbook("one row of it", func() int64 { return endsByRow(forRow()) }),
		},
	}
}

func guessNumber(n int) contest {
	return contest{
		game: "guess_number", size: "1.." + digits(n),
		ours:     solved(guess.New(1, uint32(n)).Solve),
		textbook: []way{textbook("interval table", func() int64 { return guessByTable(n)[1][n] })},
	}
}

// guessRanking asks for what every first guess in 1..n costs, and answers with the sum.
func guessRanking(n int) contest {
	game := guess.New(1, uint32(n))
	return contest{
		game: "guess_number", size: digits(n) + " guesses",
		ours: way{"ours", func(ctx context.Context) (int64, error) {
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
		textbook: []way{textbook("interval table", func() int64 {
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
		game: "nim", size: fmt.Sprintf("%d piles of %d", piles, stones),
		ours: decided(nim.New(position, nim.Normal).Decide, value),
		textbook: []way{textbook("memo in map", func() int64 {
			return outcome(nimByMemo(position, make(map[string]bool)))
		})},
	}
}

// nimCount asks for the number of winning moves at random piles of up to 1,000 stones.
func nimCount(piles int) contest {
	const stones = 1_000
	random := rand.New(rand.NewPCG(1901, uint64(piles)))
	position := make([]uint64, piles)
	for i := range position {
		position[i] = 1 + random.Uint64N(stones)
	}
	return contest{
		game: "nim", size: digits(piles) + " piles",
		ours:     decided(nim.New(position, nim.Normal).Decide, winningMoves),
		textbook: []way{textbook("listing moves", func() int64 { return int64(nimByListing(position)) })},
	}
}

func hundredGame(total int) contest {
	const n = 10
	return contest{
		game: "hundred_game", size: "to " + digits(total),
		ours:     decided(hundred.New(n, uint64(total), 0).Decide, value),
		textbook: []way{textbook("table of wins", func() int64 { return outcome(hundredByTable(n, total)) })},
	}
}

// contests are those that the textbooks' ways can finish.
func contests() []contest {
	var all []contest
	for _, worst := range worstTotals {
		all = append(all, canIWin(worst.n, worst.total))
	}
	all[len(all)-1].goal = 100
	all = append(all, canIWinSearched(20, 152))
	all[len(all)-1].goal = 3
	all = append(all, endsGame(500), endsGame(5_000))
	all[len(all)-1].goal = 500
	all = append(all, guessRanking(200), guessNumber(200), guessNumber(1_000))
	all[len(all)-1].goal = 100
	return append(all,
		nimMemo(3, 7), nimCount(100_000),
		hundredGame(100), hundredGame(1_000_000))
}

// growth is a law that the time of our way follows from size to size.
type growth struct {
	sizes []int
	at    func(n int) contest
	work  func(n int) float64
}

// growths are the sizes of each game by which the time is compared with the law.
func growths() []growth {
	linear := func(n int) float64 { return float64(n) }
	return []growth{
		{
			sizes: []int{18, 20, 22, 24, 26, 28},
			at:    func(n int) contest { return canIWin(n, hardTotal(n)) },
			work:  func(n int) float64 { return float64(n) * float64(uint64(1)<<n) / 64 },
		},
		{sizes: []int{1_000, 10_000, 100_000, 1_000_000}, at: endsGame, work: linear},
		{sizes: []int{1_000, 10_000, 50_000, 100_000, 200_000}, at: guessNumber, work: linear},
	}
}

// task is something large, with the resident memory, in bytes, and the time that it may take at most; 0: none was said.
type task struct {
	contest

	bytes uint64
	time  time.Duration
}

func tasks() []task {
	return []task{
		{contest: canIWin(32, hardTotal(32)), bytes: (512 + 64) << 20},
		{contest: guessNumber(200_000), bytes: 64 << 20, time: 2 * time.Second},
		{contest: guessRanking(32_768), bytes: 64 << 20, time: 5 * time.Second},
	}
}
