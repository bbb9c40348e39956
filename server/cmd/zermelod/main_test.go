package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
)

// guard is how long a process may take for what it should do at once.
const guard = 10 * time.Second

// binary is the program under test.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

// buildAndRun builds the program as users do, with the go command that runs the tests, and runs the tests.
func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "zermelod")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "zermelod")
	if out, err := exec.CommandContext(context.Background(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("go build: %v\n%s", err, out))
	}
	return m.Run()
}

// process is a running zermelod.
type process struct {
	*exec.Cmd
	address string        // Of its gRPC port.
	admin   string        // Of its admin port.
	log     chan logLine  // What it logs after that; closed at its end.
	ended   chan struct{} // Closed when it has been waited for.
	faults  atomic.Int64  // Errors that it logged.
}

// logLine is what the tests read in a line of the log.
type logLine struct{ Msg, Address, Admin, Level string }

// start runs zermelod on a free port and waits until it listens.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{
		Cmd:   command(t.Context(), append([]string{"--listen=127.0.0.1:0", "--log-format=json", "--drain-delay=0s"}, args...)...),
		log:   make(chan logLine, 1000),
		ended: make(chan struct{}),
	}
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		defer close(p.log)
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			var line logLine
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				line.Msg = lines.Text()
			}
			if line.Level == "ERROR" {
				p.faults.Add(1)
				_, _ = fmt.Fprintln(t.Output(), "the server logs", lines.Text())
			}
			select {
			case p.log <- line:
			default: // Nobody reads that much.
			}
		}
		_ = p.Wait() // The tests look at the state.
	}()
	t.Cleanup(func() {
		_ = p.Process.Kill() // Fails when it has ended, as it should have.
		<-p.ended
	})
	listening := p.waitFor(t, "listening")
	p.address, p.admin = listening.Address, listening.Admin
	return p
}

// command makes a call of the program that has nothing of the caller's settings.
func command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ZERMELO_") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	return cmd
}

// waitFor reads the log up to a line with a message.
func (p *process) waitFor(t *testing.T, message string) logLine {
	t.Helper()
	timeout := time.After(guard)
	for {
		select {
		case line, ok := <-p.log:
			if !ok {
				t.Fatalf("the process ended without logging %q", message)
			}
			if strings.HasPrefix(line.Msg, message) {
				return line
			}
		case <-timeout:
			t.Fatalf("the process does not log %q", message)
		}
	}
}

// kill ends the process as nothing can be prepared for.
func (p *process) kill(t *testing.T) {
	t.Helper()
	p.signal(t, os.Kill)
	<-p.ended
}

// signal sends a signal to the process.
func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// wait waits for the end of the process.
func (p *process) wait(t *testing.T) *os.ProcessState {
	t.Helper()
	select {
	case <-p.ended:
		return p.ProcessState
	case <-time.After(guard):
		t.Fatal("the process does not end")
		return nil
	}
}

// dial makes a client of the process.
func (p *process) dial(t *testing.T) zermelov1.SolverServiceClient {
	t.Helper()
	conn, err := grpc.NewClient(p.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return zermelov1.NewSolverServiceClient(conn)
}

// endless is a request whose trace nobody will see the end of.
var endless = &zermelov1.ExplainRequest{
	Position: &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: 30, DesiredTotal: 400,
	}}},
	MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_NONE,
}

// explainEndlessly begins the endless trace and reads its first events.
func explainEndlessly(t *testing.T, p *process) grpc.ServerStreamingClient[zermelov1.ExplainResponse] {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	t.Cleanup(cancel)
	stream, err := p.dial(t).Explain(ctx, endless)
	if err != nil {
		t.Fatal(err)
	}
	for {
		message, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if len(message.GetEvents().GetEvents()) > 0 {
			return stream
		}
	}
}

// TestSignalDuringAnEndlessExplain is about lesson 2: the process ends in order, and the caller is told why and up to
// where it got.
func TestSignalDuringAnEndlessExplain(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(s.String(), func(t *testing.T) {
			p := start(t)
			stream := explainEndlessly(t, p)
			p.signal(t, s)

			var last int64 // The last sequence number seen.
			var err error
			for err == nil {
				var message *zermelov1.ExplainResponse
				message, err = stream.Recv()
				if events := message.GetEvents().GetEvents(); len(events) > 0 {
					last = events[len(events)-1].GetSequence()
				}
			}
			got := status.Convert(err)
			if got.Code() != codes.Unavailable || len(got.Details()) != 1 {
				t.Fatalf("the trace ended %v with the details %v, want UNAVAILABLE with one", got, got.Details())
			}
			info, ok := got.Details()[0].(*errdetails.ErrorInfo)
			if !ok || info.GetReason() != "SERVER_DRAINING" {
				t.Errorf("the detail is %v, want the reason SERVER_DRAINING", got.Details()[0])
			}
			if said := info.GetMetadata()["last_sequence"]; last != 0 && said != strconv.FormatInt(last, 10) {
				t.Errorf("the server says that the last event is %s; the caller has seen %d", said, last)
			}
			if state := p.wait(t); state.ExitCode() != 0 {
				t.Errorf("the process ended with %v", state)
			}
		})
	}
}

func TestASecondSignalEndsItAtOnce(t *testing.T) {
	p := start(t, "--drain-delay=5m")
	p.signal(t, syscall.SIGTERM)
	p.waitFor(t, "shutdown 2/7")
	p.signal(t, syscall.SIGTERM)
	if state := p.wait(t); state.ExitCode() != 1 {
		t.Errorf("the process ended with %v, want the exit code 1", state)
	}
}

func TestAPortThatIsTaken(t *testing.T) {
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	code, _, stderr := run(t, "--listen="+taken.Addr().String())
	if code != 1 || !strings.Contains(stderr, "address already in use") || !strings.Contains(stderr, "--listen") {
		t.Errorf("exit code %d, saying %q", code, stderr)
	}
}

func TestWrongSettings(t *testing.T) {
	for _, test := range []struct{ arg, says string }{
		{"--no-such-flag", "--no-such-flag"},
		{"--drain-grace=0s", "ZERMELO_DRAIN_GRACE"},
		{"--memo-budget=1KiB", "ZERMELO_MEMO_BUDGET"},
		{"--memo-budget=much", "--memo-budget"},
		{"stray", "stray"},
	} {
		if code, _, stderr := run(t, test.arg); code != 80 || !strings.Contains(stderr, test.says) {
			t.Errorf("%s: exit code %d, saying %q", test.arg, code, stderr)
		}
	}
}

// TestSettingsThatTurnOutWrong when the server is put together are wrong settings too.
func TestSettingsThatTurnOutWrong(t *testing.T) {
	for setting, says := range map[string]string{
		"OTEL_TRACES_EXPORTER=zipkin":                "OTEL_TRACES_EXPORTER",
		"OTEL_EXPORTER_OTLP_ENDPOINT=localhost:4317": "OTEL_EXPORTER_OTLP_ENDPOINT",
		"ZERMELO_TOKEN_FILE=/nowhere":                "--token-file",
	} {
		cmd := command(t.Context(), "--listen=127.0.0.1:0", "--admin-listen=")
		cmd.Env = append(cmd.Env, setting)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 80 || !strings.Contains(string(out), "zermelod: "+says) {
			t.Errorf("%s: %v, saying %q", setting, err, out)
		}
	}
}

func TestVersionAndHelp(t *testing.T) {
	code, stdout, _ := run(t, "--version")
	words := strings.Fields(stdout)
	if code != 0 || len(words) != 4 || words[0] != "zermelod" || words[2] != "engine" || words[3] != engine.Version {
		t.Errorf("--version: exit code %d, printing %q", code, stdout)
	}
	if code, stdout, _ := run(t, "--help"); code != 0 || !strings.Contains(stdout, "ZERMELO_LISTEN") {
		t.Errorf("--help: exit code %d, printing %q", code, stdout)
	}
}

// run runs the program to its end.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := command(t.Context(), args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}
