package main_test

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

const gib = 1 << 30

// canIWin asks for a position of Can I Win; each total makes another request, which no other can be answered with.
func canIWin(n, total uint32) *zermelov1.SolveRequest {
	return &zermelov1.SolveRequest{Position: positions.CanIWin(n, total)}
}

// small is a request that takes microseconds, and its answer.
var small = &zermelov1.SolveRequest{Position: positions.Guess(1, 10)}

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
	close(flood)
	ended := make(chan error)
	go func() {
		all.Wait()
		ended <- nil
	}()
	took := ping(ctx, t, p, ended)

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
	slices.Sort(refused)
	t.Logf("%d callers: %d answered, %d refused, the slowest of these in %v; %d small solves, p50 %v, p99 %v; peak %d MiB of %d",
		callers, answered, len(refused), refused[len(refused)-1], len(took), took[len(took)/2], took[len(took)*99/100], peak>>20, memory>>20)
	if p99 := took[len(took)*99/100]; gametest.Long() && p99 > 50*time.Millisecond {
		t.Errorf("small solves took %v at the 99th percentile", p99)
	}
}

// TestFloodOfTinyRequests: many callers at once send requests of a few bytes whose numbers are large, to calls that answer
// without a search or refuse it. Nothing that such a call does before it is admitted grows with these numbers: the memory
// of the process stays within its budget and a fifth, and small solves are answered all the time; with ZERMELO_LONG=1
// within 50 ms at the 99th percentile.
func TestFloodOfTinyRequests(t *testing.T) {
	callers, each, memory := 100, 20, 192<<20
	if gametest.Long() {
		callers, each = 500, 200
	}
	p := start(t, fmt.Sprintf("--memory=%dB", memory))
	c := p.dial(t)
	ctx, cancel := context.WithTimeout(t.Context(), 12*guard)
	defer cancel()
	piles := positions.Nim(positions.Normal, 1<<20, 1<<20, 1<<21, 1<<21)
	explain := &zermelov1.ExplainRequest{Position: piles, Detail: zermelov1.Detail_DETAIL_PROOF}

	// Each of them says what is wrong with its answer.
	tiny := []func() error{
		func() error { // decided by the theorem
			stream, err := c.Explain(ctx, explain)
			if err != nil {
				return err
			}
			for {
				r, err := stream.Recv()
				if err != nil {
					return err
				}
				if summary := r.GetSummary(); summary != nil {
					if outcome := summary.GetSolution().GetOutcome(); outcome != zermelov1.Outcome_OUTCOME_LOSS {
						return fmt.Errorf("the proof says %v", outcome)
					}
					_, err = stream.Recv() // the end
					if !errors.Is(err, io.EOF) {
						return err
					}
					return nil
				}
			}
		},
		func() error { // refused: so many positions do not fit
			stream, err := c.EnumeratePositions(ctx, &zermelov1.EnumeratePositionsRequest{Position: piles})
			if err != nil {
				return err
			}
			if _, err = stream.Recv(); status.Code(err) != codes.InvalidArgument {
				return fmt.Errorf("enumerating ends with %w", err)
			}
			return nil
		},
		func() error {
			_, err := c.EstimateCost(ctx, &zermelov1.EstimateCostRequest{
				Call: &zermelov1.EstimateCostRequest_Explain{Explain: explain},
			})
			return err
		},
	}
	var flood sync.WaitGroup
	failed := make(chan error, callers)
	for range callers {
		flood.Go(func() {
			for n := range each {
				if err := tiny[n%len(tiny)](); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	ended := make(chan error)
	go func() {
		flood.Wait()
		close(failed)
		ended <- <-failed
	}()
	took := ping(ctx, t, p, ended)
	peak := peakMemory(t, p.Process.Pid)
	t.Logf("%d callers: %d small solves, p50 %v, p99 %v; peak %d MiB of %d", callers, len(took), took[len(took)/2],
		took[len(took)*99/100], peak>>20, memory>>20)
	if peak > uint64(memory)*6/5 {
		t.Errorf("the process had %d MiB at its peak; its calls may have %d", peak>>20, memory>>20)
	}
	if p99 := took[len(took)*99/100]; gametest.Long() && p99 > 50*time.Millisecond {
		t.Errorf("small solves took %v at the 99th percentile", p99)
	}
}

// ping makes small solves until a flood has ended, and returns how long they took, the shortest first. It has a
// connection of its own: what is measured is the server, not the flood in the client.
func ping(ctx context.Context, t *testing.T, p *process, ended <-chan error) []time.Duration {
	t.Helper()
	c := p.dial(t)
	var took []time.Duration
	for {
		began := time.Now()
		r, err := c.Solve(ctx, small)
		took = append(took, time.Since(began))
		if err != nil || r.GetSolution().GetCost() != smallCost {
			t.Fatalf("a small solve in the flood: %v, %v", r, err)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(took)
			return took
		case <-time.After(time.Millisecond):
		}
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
