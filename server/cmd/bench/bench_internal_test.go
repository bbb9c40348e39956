package main

import (
	"testing"

	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

func TestTextbooksAgree(t *testing.T) {
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
		agree(t, nimCount(n))
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
	want := answer(t, c.ours)
	for _, other := range c.textbook {
		if got := answer(t, other); got != want {
			t.Errorf("%s %s: ours says %d, %s %d", c.game, c.size, want, other.name, got)
		}
	}
}

func answer(t *testing.T, w way) int64 {
	t.Helper()
	answer, err := w.solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
