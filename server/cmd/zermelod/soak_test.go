package main_test

import (
	"bufio"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/client"
)

// TestSoak runs a mix of all kinds of calls, good and bad, against a process, and checks every answer against an oracle or
// a second question. It fails when an answer was wrong, when an error came that was not provoked, when the server logged a
// fault, when its memory grew, or when it did not come back to rest. It makes some hundred calls; with ZERMELO_SOAK it
// calls for so long, and reports what the server holds.
func TestSoak(t *testing.T) {
	const (
		callers = 24
		every   = 30 * time.Second // it reports
		short   = 600              // calls
	)
	// What calls may use together, and what is kept of answers, is little, so that large calls meet the one limit, and the
	// cache is full soon.
	p := start(t, "--memory=1GiB", "--cache=2MiB", "--admin-listen=127.0.0.1:0", "--log-level=info")
	c, err := client.New(p.address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := c.ListGames(t.Context()); err != nil { // the connection, and all that it keeps, is part of being at rest
		t.Fatal(err)
	}
	rest := p.settle(t, 0)
	t.Logf("at rest the server has %d goroutines and %d MiB", rest.goroutines, rest.resident>>20)

	more := times(short)
	if text := os.Getenv("ZERMELO_SOAK"); text != "" {
		long, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		end := time.Now().Add(long)
		more = func() bool { return time.Now().Before(end) }
	}
	book, called := NewBook(), make(chan struct{})
	go func() {
		defer close(called)
		(&Load{Client: c, Book: book, Callers: callers, Seed: 1913, Mix: Mix{
			{Of: 44, Kind: SolveSmall}, {Of: 4, Kind: SolveLarge}, {Of: 12, Kind: AnalyzeSmall}, {Of: 6, Kind: Batch},
			{Of: 8, Kind: Prove}, {Of: 2, Kind: Trace}, {Of: 2, Kind: ReadSlowly}, {Of: 6, Kind: LeaveTrace},
			{Of: 1, Kind: Enumerate}, {Of: 5, Kind: CancelSolve}, {Of: 10, Kind: AskBadly},
		}}).Run(t.Context(), more)
	}()
	var residents []uint64
	for report, calling := time.NewTicker(every), true; calling; {
		select {
		case <-called:
			calling = false
			report.Stop()
		case <-report.C:
			now := p.sample(t)
			residents = append(residents, now.resident)
			calls, _, wrong := book.Counts()
			t.Logf("%d calls, %d wrong; %d goroutines, %d MiB resident", calls, wrong, now.goroutines, now.resident>>20)
		}
	}

	if !book.Write(t.Output()) {
		t.Error("wrong answers, or errors that were not to come")
	}
	after := p.settle(t, rest.goroutines)
	t.Logf("at rest again: %d goroutines (%d before), %d MiB", after.goroutines, rest.goroutines, after.resident>>20)
	if after.goroutines > rest.goroutines {
		t.Error("goroutines are left")
	}
	if early, late, flat := trend(residents); !flat {
		t.Errorf("memory grows: %d MiB in the first half, %d MiB in the second", early>>20, late>>20)
	}
	p.signal(t, syscall.SIGTERM)
	if state := p.wait(t); state.ExitCode() != 0 {
		t.Errorf("the process ended with %v", state)
	}
	if n := p.faults.Load(); n > 0 {
		t.Errorf("the server logged %d errors", n)
	}
}

// trend compares the first half of the samples, the very first left out, with the second, by their medians, since a large
// memo that is there for a moment is as it should be: flat is a fifth more at most. It needs six samples to say anything.
func trend(samples []uint64) (early, late uint64, flat bool) {
	if len(samples) < 6 {
		return 0, 0, true
	}
	half := len(samples) / 2
	early, late = median(samples[1:half]), median(samples[half:])
	return early, late, late <= early+early/5
}

func median(samples []uint64) uint64 {
	sorted := slices.Sorted(slices.Values(samples))
	return sorted[len(sorted)/2]
}

// sample is what the server holds at one moment.
type sample struct{ goroutines, resident uint64 }

// sample reads the metrics of the server.
func (p *process) sample(t *testing.T) sample {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.admin+"/metrics", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	gauges := make(map[string]uint64)
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		name, text, _ := strings.Cut(lines.Text(), " ")
		if value, err := strconv.ParseFloat(text, 64); err == nil {
			gauges[name] = uint64(value)
		}
	}
	return sample{goroutines: gauges["go_goroutines"], resident: gauges["process_resident_memory_bytes"]}
}

// settle samples the server until it has no more goroutines than wanted, for some time at most; with 0, until it has not
// changed for a second.
func (p *process) settle(t *testing.T, wanted uint64) sample {
	t.Helper()
	var last sample
	for deadline := time.Now().Add(2 * guard); ; {
		now := p.sample(t)
		if time.Now().After(deadline) ||
			wanted > 0 && now.goroutines <= wanted || wanted == 0 && now.goroutines == last.goroutines {
			return now
		}
		last = now
		time.Sleep(time.Second)
	}
}
