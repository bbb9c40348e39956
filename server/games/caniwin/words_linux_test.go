package caniwin_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/server/games/caniwin"
)

// resident is how many bytes of the process are in memory.
func resident(t *testing.T) int64 {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

func TestTheTableIsGivenBack(t *testing.T) {
	const slack = 8 << 20
	g := caniwin.New(28, 300, 0)
	if g.TableBytes() < 3*slack {
		t.Fatalf("the table takes %d bytes only", g.TableBytes())
	}
	before := resident(t)
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := g.Solve(ctx, 1); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		cancel()
		if after := resident(t); after > before+slack {
			t.Errorf("cancelled: %d bytes in memory before, %d after", before, after)
		}
	}
	if _, err := g.Solve(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if after := resident(t); after > before+slack {
		t.Errorf("%d bytes in memory before, %d after", before, after)
	}
}

func TestARankingGivesItsTableBack(t *testing.T) {
	const slack = 8 << 20
	g := caniwin.New(28, 300, 0)
	before := resident(t)
	r, err := g.Ranking(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	if _, err := r.Rank(ctx, g.Root()); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	} else if after := resident(t); err != nil && after > before+slack {
		t.Errorf("cancelled: %d bytes in memory before, %d after", before, after)
	}
	cancel()
	if _, err := r.Rank(t.Context(), g.Root()); err != nil {
		t.Fatal(err)
	}
	if held := resident(t); held < before+int64(g.TableBytes())/2 {
		t.Errorf("%d bytes in memory before, %d with the table of %d", before, held, g.TableBytes())
	}
	r.Close()
	if after := resident(t); after > before+slack {
		t.Errorf("%d bytes in memory before, %d after Close", before, after)
	}
}
