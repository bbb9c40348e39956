package main_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
)

const gib = 1 << 30

// canIWin asks for a position of Can I Win; each total makes another request, which no other can be answered with.
func canIWin(n, total uint32) *zermelov1.SolveRequest {
	return &zermelov1.SolveRequest{Position: &zermelov1.Position{Game: &zermelov1.Position_CanIWin{
		CanIWin: &zermelov1.CanIWin{MaxChoosableInteger: n, DesiredTotal: total},
	}}}
}

// small is a request that takes microseconds, and its answer.
var small = &zermelov1.SolveRequest{Position: &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
	GuessNumber: &zermelov1.GuessNumber{Low: 1, High: 10},
}}}

const smallCost = 16

// TestFlood: many callers at once ask for the largest solve that is allowed. Those for whom there is no room are told to
// come back, with a RetryInfo and soon; small solves are answered all the time; the memory of the process stays within
// the budget and a fifth; and after it everything works. It counts calls; with ZERMELO_LONG=1 there are 2,000 callers,
// as many bytes as by default, and small solves have to be answered within 50 ms at the 99th percentile.
func TestFlood(t *testing.T) {
	callers, integers, memory := 300, uint32(29), 192<<20
	if gametest.Long() {
		callers, integers, memory = 2000, 33, 2*gib
	}
	p := start(t, fmt.Sprintf("--memory=%dB", memory), "--memo-budget=512MiB")
	c := p.dial(t)
	ctx, cancel := context.WithTimeout(t.Context(), 12*guard)
	defer cancel()

	type outcome struct {
		err  error
		took time.Duration
	}
	outcomes := make(chan outcome, callers)
	flood := make(chan struct{})
	var all sync.WaitGroup
	for n := range callers {
		all.Go(func() {
			<-flood
			began := time.Now()
			_, err := c.Solve(ctx, canIWin(integers, 200+uint32(n%300)))
			outcomes <- outcome{err, time.Since(began)}
		})
	}
	over := make(chan struct{})
	pinger := p.dial(t) // a connection of its own: what is measured is the server, not the flood in the client
	if _, err := pinger.Solve(ctx, small); err != nil {
		t.Fatal(err)
	}
	close(flood)
	go func() {
		all.Wait()
		close(over)
	}()
	var took []time.Duration
	for running := true; running; {
		select {
		case <-over:
			running = false
		case <-time.After(time.Millisecond):
		}
		began := time.Now()
		r, err := pinger.Solve(ctx, small)
		took = append(took, time.Since(began))
		if err != nil || r.GetSolution().GetCost() != smallCost {
			t.Fatalf("a small solve in the flood: %v, %v", r, err)
		}
	}

	answered, refused := 0, []time.Duration{}
	for range callers {
		o := <-outcomes
		if o.err == nil {
			answered++
			continue
		}
		refused = append(refused, o.took)
		if code, reason, retry := busyDetails(o.err); code != codes.ResourceExhausted || reason != "SERVER_BUSY" || retry <= 0 {
			t.Fatalf("refused with %v, retry in %v", o.err, retry)
		}
	}
	if answered == 0 || len(refused) == 0 {
		t.Errorf("%d answered, %d refused", answered, len(refused))
	}
	if r, err := c.Solve(ctx, canIWin(integers, 301)); err != nil || r.GetSolution().GetOutcome() == zermelov1.Outcome_OUTCOME_UNSPECIFIED {
		t.Errorf("after the flood: %v, %v", r, err)
	}
	peak := peakMemory(t, p.Process.Pid)
	if peak > uint64(memory)*6/5 {
		t.Errorf("the process had %d MiB at its peak; its calls may have %d", peak>>20, memory>>20)
	}
	slices.Sort(took)
	slices.Sort(refused)
	t.Logf("%d callers: %d answered, %d refused, the slowest of these in %v; %d small solves, p50 %v, p99 %v; peak %d MiB of %d",
		callers, answered, len(refused), refused[len(refused)-1], len(took), took[len(took)/2], took[len(took)*99/100], peak>>20, memory>>20)
	if p99 := took[len(took)*99/100]; gametest.Long() && p99 > 50*time.Millisecond {
		t.Errorf("small solves took %v at the 99th percentile", p99)
	}
}

func busyDetails(err error) (code codes.Code, reason string, retry time.Duration) {
	for _, d := range status.Convert(err).Details() {
		switch d := d.(type) {
		case *errdetails.ErrorInfo:
			reason = d.GetReason()
		case *errdetails.RetryInfo:
			retry = d.GetRetryDelay().AsDuration()
		}
	}
	return status.Code(err), reason, retry
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
