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
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

const gib = 1 << 30

// TestFlood: many callers at once ask for the largest solve that is allowed. Those for whom there is no room are told to
// come back, and after what time; and after the flood everything works. See flood for the rest. It counts calls; with
// ZERMELO_LONG=1 there are 2,000 callers, and as many bytes as by default.
func TestFlood(t *testing.T) {
	callers, integers, memory := 300, uint32(29), 192<<20
	if gametest.Long() {
		callers, integers, memory = 2000, 33, 2*gib
	}
	p := start(t, fmt.Sprintf("--memory=%dB", memory), "--memo-budget=512MiB")
	var asked atomic.Int64
	largest := Kind{Name: "largest solve", May: []string{"SERVER_BUSY"}, Call: func(ctx context.Context, c *Caller) error {
		total := 200 + uint32(asked.Add(1)%300) // another request each time, which no other can be answered with
		s, err := c.Client.Solve(ctx, &zermelov1.SolveRequest{Position: positions.CanIWin(integers, total)})
		if err == nil {
			c.Answered(s.GetOutcome() != zermelov1.Outcome_OUTCOME_UNSPECIFIED, "%v", s)
		}
		return err
	}}
	refused := flood(t, p, memory, Mix{{Of: 1, Kind: largest}}, callers, callers).Provoked(largest.Name, "SERVER_BUSY")
	if refused == 0 || refused == callers {
		t.Errorf("%d of %d are refused", refused, callers)
	}
	after := NewBook()
	put(t, p, after, Mix{{Of: 1, Kind: largest}}, 1, times(1))
	if !after.Write(t.Output()) || after.Provoked(largest.Name, "SERVER_BUSY") > 0 {
		t.Error("after the flood it does not work")
	}
}

// TestFloodOfTinyRequests: many callers at once send requests of a few bytes whose numbers are large, to calls that answer
// without a search or refuse it. Nothing that such a call does before it is admitted grows with these numbers.
func TestFloodOfTinyRequests(t *testing.T) {
	callers, each, memory := 100, 20, 192<<20
	if gametest.Long() {
		callers, each = 500, 200
	}
	p := start(t, fmt.Sprintf("--memory=%dB", memory))
	piles := positions.Nim(positions.Normal, 1<<20, 1<<20, 1<<21, 1<<21)
	flood(t, p, memory, Mix{
		{Of: 1, Kind: Kind{Name: "proof by a theorem", Call: func(ctx context.Context, c *Caller) error {
			return c.Prove(ctx, piles)
		}}},
		{Of: 1, Kind: Kind{
			Name: "enumeration that does not fit", May: []string{"BUDGET_LIMIT"},
			Call: func(ctx context.Context, c *Caller) error {
				for _, err := range c.Client.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{Position: piles}).Positions() {
					return err
				}
				c.Answered(false, "so many positions are enumerated")
				return nil
			},
		}},
		{Of: 1, Kind: Kind{Name: "estimate", Call: func(ctx context.Context, c *Caller) error {
			_, err := c.Client.EstimateCost(ctx, &zermelov1.EstimateCostRequest{
				Call: &zermelov1.EstimateCostRequest_Explain{
					Explain: &zermelov1.ExplainRequest{Position: piles, Detail: zermelov1.Detail_DETAIL_PROOF},
				},
			})
			return err
		}}},
	}, callers, callers*each)
}

// flood has callers make calls at once, and one more make small solves meanwhile: these are answered all the time, with
// ZERMELO_LONG=1 within 50 ms at the 99th percentile. The memory of the process stays within its budget and a fifth.
func flood(t *testing.T, p *process, memory int, mix Mix, callers, calls int) *Book {
	t.Helper()
	book := NewBook()
	const leastMoney = 16 // for 1..10
	small := Kind{Name: "small solve", Call: func(ctx context.Context, c *Caller) error {
		s, err := c.Client.Solve(ctx, &zermelov1.SolveRequest{Position: positions.Guess(1, 10)})
		c.Answered(s.GetCost() == leastMoney, "%v", s)
		return err
	}}
	over := make(chan struct{})
	go func() {
		defer close(over)
		put(t, p, book, mix, callers, times(calls))
	}()
	put(t, p, book, Mix{{Of: 1, Kind: small}}, 1, func() bool {
		select {
		case <-over:
			return false
		case <-time.After(time.Millisecond):
			return true
		}
	})
	<-over
	if !book.Write(t.Output()) {
		t.Error("wrong answers, or errors that were not to come")
	}
	peak := peakMemory(t, p.Process.Pid)
	took := book.Took(small.Name)
	p50, p99 := took[len(took)/2], took[len(took)*99/100]
	t.Logf("%d callers; %d small solves: p50 %v, p99 %v; peak %d MiB of %d", callers, len(took), p50, p99, peak>>20, memory>>20)
	if peak > uint64(memory)*6/5 {
		t.Errorf("the process had %d MiB at its peak; its calls may have %d", peak>>20, memory>>20)
	}
	if gametest.Long() && p99 > 50*time.Millisecond {
		t.Errorf("small solves took %v at the 99th percentile", p99)
	}
	return book
}

// put makes calls over a client of its own, so that one flood is not in the way of the other in the client.
func put(t *testing.T, p *process, book *Book, mix Mix, callers int, more func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 12*guard)
	defer cancel()
	c, err := client.New(p.address, client.WithoutBusyRetry())
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = c.Close() }()
	(&Load{Client: c, Book: book, Mix: mix, Callers: callers}).Run(ctx, more)
}

// times is true so many times.
func times(n int) func() bool {
	var made atomic.Int64
	return func() bool { return made.Add(1) <= int64(n) }
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
