// Command soak runs a mix of calls, good and bad, against a server process of its own on loopback, checks every answer
// against an oracle or a second question, and reports what happened: calls, errors by reason, wrong answers, memory and
// goroutines of the server over time, and its goroutines at rest before and after. It exits with 1 when an answer was
// wrong, when an error came that was not provoked, when the server logged a fault, or when it did not come back to rest.
//
//	soak --zermelod bin/zermelod --for 10m
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/server/servertest/load"
)

// The settings.
type settings struct {
	Zermelod string        `required:"" placeholder:"FILE" help:"The server to run."`
	For      time.Duration `default:"10m" help:"How long to call it. Default: ${default}."`
	Callers  int           `default:"24" help:"How many callers there are at a time. Default: ${default}."`
	Every    time.Duration `default:"30s" help:"How often to report. Default: ${default}."`
	Seed     uint64        `default:"1913" help:"What the calls are drawn from. Default: ${default}."`
}

func main() {
	var s settings
	kong.Parse(&s, kong.Name("soak"), kong.Description("Runs a mix of calls against a server and checks every answer."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	good, err := soak(ctx, s, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

// memory is what the server lets calls have together, and cache what it keeps of answers. They are little, so that large
// calls meet the one limit, and the cache is full soon.
const (
	memory = "1GiB"
	cache  = "2MiB"
)

// mix has all kinds of calls.
func mix() load.Mix {
	return load.Mix{
		{Of: 44, Kind: load.SolveSmall}, {Of: 4, Kind: load.SolveLarge}, {Of: 12, Kind: load.AnalyzeSmall},
		{Of: 6, Kind: load.Batch}, {Of: 8, Kind: load.Prove}, {Of: 2, Kind: load.Trace}, {Of: 2, Kind: load.ReadSlowly},
		{Of: 6, Kind: load.LeaveTrace}, {Of: 1, Kind: load.Enumerate}, {Of: 5, Kind: load.CancelSolve},
		{Of: 10, Kind: load.AskBadly},
	}
}

// restTime is how long the server may take to come to rest when nobody calls it any more.
const restTime = 20 * time.Second

// soak reports whether all went well.
func soak(ctx context.Context, s settings, out io.Writer) (bool, error) {
	printf := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format, args...) }
	server, err := startServer(ctx, out, s.Zermelod, "--memory="+memory, "--cache="+cache)
	if err != nil {
		return false, err
	}
	defer server.kill()
	c, err := client.New(server.address)
	if err != nil {
		return false, err
	}
	defer func() { _ = c.Close() }()
	if _, err := c.ListGames(ctx); err != nil { // the connection, and all that it keeps, is part of being at rest
		return false, err
	}
	rest, err := server.settle(ctx, restTime, 0)
	if err != nil {
		return false, err
	}
	book := load.NewBook()
	began := time.Now()
	printf("%d callers for %v; at rest the server has %d goroutines and %s\n", s.Callers, s.For, rest.goroutines, mib(rest.resident))

	calling, end := context.WithTimeout(ctx, s.For)
	defer end()
	called := make(chan struct{})
	go func() {
		defer close(called)
		(&load.Load{Client: c, Book: book, Mix: mix(), Callers: s.Callers, Seed: s.Seed}).
			Run(ctx, func() bool { return calling.Err() == nil })
	}()
	var residents []uint64
	report := time.NewTicker(s.Every)
	defer report.Stop()
	for calling.Err() == nil {
		select {
		case <-calling.Done():
		case <-report.C:
			now, err := server.sample(ctx)
			if err != nil {
				return false, err
			}
			residents = append(residents, now.resident)
			calls, _, wrong := book.Counts()
			printf("%v: %d calls, %d wrong; %d goroutines, %s resident, %s heap\n",
				time.Since(began).Round(time.Second), calls, wrong, now.goroutines, mib(now.resident), mib(now.heap))
		}
	}
	<-called

	after, err := server.settle(ctx, restTime, rest.goroutines)
	if err != nil {
		return false, err
	}
	good := book.Write(out)
	printf("at rest again: %d goroutines (%d before), %s resident\n", after.goroutines, rest.goroutines, mib(after.resident))
	if after.goroutines > rest.goroutines {
		printf("FAIL: goroutines are left\n")
		good = false
	}
	if early, late, flat := trend(residents); !flat {
		printf("FAIL: memory grows: %s in the first half, %s in the second\n", mib(early), mib(late))
		good = false
	}
	if err := server.stop(); err != nil {
		printf("FAIL: the server did not end in order: %v\n", err)
		good = false
	}
	if n := server.faults.Load(); n > 0 {
		printf("FAIL: the server logged %d errors\n", n)
		good = false
	}
	return good, nil
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

func mib(bytes uint64) string { return fmt.Sprintf("%d MiB", bytes>>20) }
