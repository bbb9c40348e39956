package main

import (
	"bytes"
	"context"
	"flag"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/zermelo-games/zermelo/client/games"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
	serverrun "github.com/zermelo-games/zermelo/server/run"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Every test gives back what it takes: no goroutine of a client or a server outlives a run of the program.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// guard is how long a run may take before a test fails instead of hanging.
const guard = time.Minute

// result is what a run of the program left.
type result struct {
	stdout, stderr string
	code           int
}

// invoke runs the program as a shell would, with a terminal nowhere and an empty environment.
func invoke(t *testing.T, args ...string) result {
	t.Helper()
	return invokeWith(t, nil, "", args...)
}

func invokeWith(t *testing.T, environment map[string]string, stdin string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, games.All(), args, strings.NewReader(stdin), &stdout, &stderr, func(name string) string { return environment[name] })
	if ctx.Err() != nil {
		t.Fatalf("zermelo %s: not done within %v", strings.Join(args, " "), guard)
	}
	return result{stdout.String(), stderr.String(), code}
}

// command splits a command line at its spaces.
func fields(line string) []string { return strings.Fields(strings.TrimPrefix(line, "zermelo ")) }

// The times that a search took are the only thing that differs from run to run.
var times = regexp.MustCompile(` *\b[0-9.]+ (µs|us|ms|s)\b`)

func withoutTimes(text string) string { return times.ReplaceAllString(text, " TIME") }

// golden compares text with a file in testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s differs (-want +got); go test -update writes what is right:\n%s", path, diff)
	}
}

// serve runs a server on a port of this machine until the test ends, or until stop is called.
func serve(
	t *testing.T, service zermelov1.SolverServiceServer, options ...serverrun.Option,
) (address string, stop func()) {
	t.Helper()
	cfg := config.Default()
	cfg.DrainDelay = 0
	if service != nil {
		options = append(options, serverrun.WithService(service))
	}
	server, err := serverrun.New(cfg, slog.New(slog.DiscardHandler), options...)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, listener, nil) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the server did not end in order: %v", err)
		}
	}
	t.Cleanup(stop)
	return listener.Addr().String(), stop
}
