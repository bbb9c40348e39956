package main_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/servertest/load"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

const gib = 1 << 30

// TestFlood: many callers at once ask for the largest solve that is allowed. Those for whom there is no room are told to
// come back, and after what time; small solves are answered all the time; the memory of the process stays within the
// budget and a fifth; and after it everything works. It counts calls; with ZERMELO_LONG=1 there are 2,000 callers, as
// many bytes as by default, and small solves have to be answered within 50 ms at the 99th percentile.
func TestFlood(t *testing.T) {
	callers, integers, memory := 300, uint32(29), 192<<20
	if gametest.Long() {
		callers, integers, memory = 2000, 33, 2*gib
	}
	p := start(t, fmt.Sprintf("--memory=%dB", memory), "--memo-budget=512MiB")
	ctx, cancel := context.WithTimeout(t.Context(), 12*guard)
	defer cancel()
	book := load.NewBook()
	var asked atomic.Int64
	largest := load.Kind{Name: "largest solve", May: []string{"SERVER_BUSY"}, Call: func(ctx context.Context, c *load.Caller) error {
		total := 200 + uint32(asked.Add(1)%300) // another request each time, which no other can be answered with
		s, err := c.Client.Solve(ctx, &zermelov1.SolveRequest{Position: positions.CanIWin(integers, total)})
		if err == nil {
			c.Answered(s.GetOutcome() != zermelov1.Outcome_OUTCOME_UNSPECIFIED, "%v", s)
		}
		return err
	}}
	const leastMoney = 16 // for 1..10
	small := load.Kind{Name: "small solve", Call: func(ctx context.Context, c *load.Caller) error {
		s, err := c.Client.Solve(ctx, &zermelov1.SolveRequest{Position: positions.Guess(1, 10)})
		c.Answered(s.GetCost() == leastMoney, "%v", s)
		return err
	}}
	put := func(kind load.Kind, callers int, more func() bool) {
		// A client of its own: what is measured is the server, not the flood in the client.
		c, err := client.New(p.address, client.WithoutBusyRetry())
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = c.Close() }()
		(&load.Load{Client: c, Book: book, Mix: load.Mix{{Of: 1, Kind: kind}}, Callers: callers}).Run(ctx, more)
	}
	times := func(n int) func() bool {
		var made atomic.Int64
		return func() bool { return made.Add(1) <= int64(n) }
	}
	put(small, 1, times(1))
	over := make(chan struct{})
	go func() {
		defer close(over)
		put(largest, callers, times(callers))
	}()
	put(small, 1, func() bool {
		select {
		case <-over:
			return false
		case <-time.After(time.Millisecond):
			return true
		}
	})
	<-over
	refused := book.Provoked(largest.Name, "SERVER_BUSY")
	if refused == 0 || refused == callers {
		t.Errorf("%d of %d are refused", refused, callers)
	}
	put(largest, 1, times(1))
	if book.Provoked(largest.Name, "SERVER_BUSY") > refused {
		t.Error("after the flood the server is busy")
	}
	if !book.Write(t.Output()) {
		t.Error("wrong answers, or errors that were not to come")
	}
	peak := peakMemory(t, p.Process.Pid)
	if peak > uint64(memory)*6/5 {
		t.Errorf("the process had %d MiB at its peak; its calls may have %d", peak>>20, memory>>20)
	}
	took := book.Took(small.Name)
	p50, p99 := took[len(took)/2], took[len(took)*99/100]
	t.Logf("%d callers, %d refused; small solves: p50 %v, p99 %v; peak %d MiB of %d", callers, refused, p50, p99, peak>>20, memory>>20)
	if gametest.Long() && p99 > 50*time.Millisecond {
		t.Errorf("small solves took %v at the 99th percentile", p99)
	}
}

// peakMemory is the most that a process had resident, in bytes; 0 on systems that do not tell.
func peakMemory(t *testing.T, pid int) uint64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kib << 10
		}
	}
	return 0
}
