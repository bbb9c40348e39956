package main

import (
	"math"
	"slices"
)

// canIWinByMap recurs over the sets of chosen integers and keeps the answers in a map.
func canIWinByMap(n, total int) bool {
	if n*(n+1)/2 < total {
		return false
	}
	return winsByMap(n, total, 0, make(map[int]bool))
}

func winsByMap(n, missing, chosen int, memo map[int]bool) bool {
	if won, ok := memo[chosen]; ok {
		return won
	}
	won := false
	for i := 1; i <= n && !won; i++ {
		if bit := 1 << (i - 1); chosen&bit == 0 {
			won = i >= missing || !winsByMap(n, missing-i, chosen|bit, memo)
		}
	}
	memo[chosen] = won
	return won
}

// canIWinByArray keeps the answers in an array with a place for each set.
func canIWinByArray(n, total int) bool {
	if n*(n+1)/2 < total {
		return false
	}
	return winsByArray(n, total, 0, make([]int8, 1<<n))
}

func winsByArray(n, missing, chosen int, memo []int8) bool {
	if memo[chosen] != 0 {
		return memo[chosen] > 0
	}
	memo[chosen] = -1
	for i := 1; i <= n; i++ {
		bit := 1 << (i - 1)
		if chosen&bit == 0 && (i >= missing || !winsByArray(n, missing-i, chosen|bit, memo)) {
			memo[chosen] = 1
			break
		}
	}
	return memo[chosen] > 0
}

// endsByTable fills a table of the margins of all intervals of a row.
func endsByTable(scores []int64) int64 {
	n := len(scores)
	margin := make([][]int64, n)
	for i := range margin {
		margin[i] = make([]int64, n)
		margin[i][i] = scores[i]
	}
	for length := 2; length <= n; length++ {
		for i := 0; i+length <= n; i++ {
			j := i + length - 1
			margin[i][j] = max(scores[i]-margin[i+1][j], scores[j]-margin[i][j-1])
		}
	}
	return margin[0][n-1]
}

// endsByRow keeps only the intervals of one length, each in the place of the one that is a score shorter.
func endsByRow(scores []int64) int64 {
	margin := slices.Clone(scores)
	for length := 2; length <= len(scores); length++ {
		for i := 0; i+length <= len(scores); i++ {
			margin[i] = max(scores[i]-margin[i+1], scores[i+length-1]-margin[i])
		}
	}
	return margin[0]
}

// guessByTable fills a table of the costs of all ranges within 1..n, trying each guess in each; the costs of 1..m for
// all m are in the row of 1.
func guessByTable(n int) [][]int64 {
	cost := make([][]int64, n+2)
	for low := range cost {
		cost[low] = make([]int64, n+1)
	}
	for low := n - 1; low >= 1; low-- {
		for high := low + 1; high <= n; high++ {
			least := int64(math.MaxInt64)
			for guess := low; guess <= high; guess++ {
				least = min(least, int64(guess)+max(cost[low][guess-1], cost[guess+1][high]))
			}
			cost[low][high] = least
		}
	}
	return cost
}

// nimByMemo recurs over sorted piles of fewer than 256 stones: whether who is to move takes the last stone.
func nimByMemo(piles []uint64, memo map[string]bool) bool {
	sorted := slices.Sorted(slices.Values(piles))
	name := make([]byte, 0, len(sorted))
	for _, pile := range sorted {
		name = append(name, byte(pile))
	}
	key := string(name)
	if won, ok := memo[key]; ok {
		return won
	}
	won := false
	for i, pile := range sorted {
		for after := uint64(0); after < pile && !won; after++ {
			sorted[i] = after
			won = !nimByMemo(sorted, memo)
		}
		sorted[i] = pile
	}
	memo[key] = won
	return won
}

// nimByListing tries each move at each pile for whether it makes the nim-sum 0, and counts those that are different.
func nimByListing(piles []uint64) int {
	sum := uint64(0)
	for _, pile := range piles {
		sum ^= pile
	}
	type move struct{ before, after uint64 }
	winning := make(map[move]bool)
	for _, pile := range piles {
		for after := range pile {
			if sum^pile^after == 0 {
				winning[move{pile, after}] = true
			}
		}
	}
	return len(winning)
}

// hundredByTable fills a table of who wins by what is missing to the total.
func hundredByTable(n, total int) bool {
	won := make([]bool, total+1)
	for missing := 1; missing <= total; missing++ {
		for m := 1; m <= n && !won[missing]; m++ {
			won[missing] = m >= missing || !won[missing-m]
		}
	}
	return won[total]
}
