// Command zermelod serves zermelo.v1: it parses and verifies its settings, runs the server until it is told to stop, and
// ends with an exit code. Everything else is in the packages that it calls.
//
// SIGTERM or SIGINT ends it in order: callers are told, calls in flight end with UNAVAILABLE, and the process is gone
// within its drain delay and drain grace. A second signal ends it at once.
//
// Exit codes:
//
//	0   it was told to stop and did so in order; or --help, --version
//	1   it could not serve (a port is taken, say), calls did not end within the drain grace, or a second signal came
//	80  a flag or an environment variable is wrong, or names a file that cannot be used
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/run"
	"github.com/zermelo-games/zermelo/server/version"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 80
)

func main() {
	os.Exit(serve(untilSignalled(), os.Args[1:], os.Stdout, os.Stderr))
}

// untilSignalled returns a context that ends with the first signal. The second signal ends the process: one reader takes
// both from a channel with room for both, so that none falls between two ways of handling them.
func untilSignalled() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	go func() {
		cancel(fmt.Errorf("signal: %v", <-signals))
		<-signals
		os.Exit(exitFailed)
	}()
	return ctx
}

// serve runs the server until the context ends and returns the exit code.
func serve(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cfg, err := config.Parse(config.Program{
		Name:        "zermelod",
		Description: "Solves small finite games exactly, over gRPC, and streams how it decided.",
		Version:     version.Of("zermelod", engine.Version),
		Stdout:      stdout,
		Exit:        os.Exit,
	}, args)
	if err == nil {
		err = cfg.Verify()
	}
	if err != nil {
		return wrongSettings(stderr, err)
	}

	logger := cfg.Logger(stderr)
	logger.Info(version.Of("zermelod", engine.Version))
	run.LimitGoMemory(logger)
	err = run.ListenAndServe(ctx, cfg, logger)
	if settings := (*run.SettingsError)(nil); errors.As(err, &settings) {
		return wrongSettings(stderr, err)
	}
	if err != nil {
		logger.Error("ended with an error", "error", err)
		return exitFailed
	}
	logger.Info("ended in order")
	return exitOK
}

// wrongSettings says what is wrong with the settings and returns the exit code for that.
func wrongSettings(stderr io.Writer, err error) int {
	_, _ = fmt.Fprintf(stderr, "zermelod: %v\nzermelod --help lists the settings.\n", err)
	return exitUsage
}
