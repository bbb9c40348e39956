// Command zermelo solves small finite games exactly, from a terminal: it asks a Zermelo server, which runs in the same
// process unless --addr names another, and shows answers as text for people or as JSON for programs.
//
// The package parses what was typed, makes the calls, and turns errors into something to type instead and an exit code.
// What is known about each game is in client/games, how answers look in internal/show. `zermelo --help` has the exit
// codes.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"google.golang.org/grpc/grpclog"

	"github.com/zermelo-games/zermelo/client/games"
)

func main() {
	// Without this a reader that goes away (`| head`) would end the process within a write to standard output, and leave
	// the counter on the terminal. The write fails instead.
	signal.Ignore(syscall.SIGPIPE)

	// gRPC writes its own complaints to standard error; what matters of them comes back as errors.
	if os.Getenv("GRPC_GO_LOG_SEVERITY_LEVEL") == "" {
		grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
	}

	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		got := <-signals
		// The default takes over again, so that a second one ends the process at once.
		signal.Reset(os.Interrupt, syscall.SIGTERM)
		cancel(interruption{got})
	}()
	os.Exit(run(ctx, games.All(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
