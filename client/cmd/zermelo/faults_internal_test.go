package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/games"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// endless is a search that takes hours.
const endless = "nim --misere 9 8 7 6 --memo none"

var elapsedJSON = regexp.MustCompile(`"elapsed":\s*"[^"]*"`)

// The server in the process and one at an address give the same answers.
func TestServedElsewhere(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, nil)
	for _, line := range []string{
		"solve nim --misere 7 5 3", "solve guess-number --high 10 -o json", "explain can-i-win --max 10 --total 11",
		"explain nim --misere 3 2 1 -o json", "positions nim --misere --outcome loss 7 5 3", "games", "solve nim --normal 4",
	} {
		here := invoke(t, fields(line)...)
		there := invoke(t, append(fields(line), "--addr", address)...)
		env := invokeWith(t, map[string]string{"ZERMELO_ADDR": address}, "", fields(line)...)
		for _, got := range []result{here, there, env} {
			// The only thing in JSON that differs is how long the search took.
			if cut := elapsedJSON.ReplaceAllString(withoutTimes(got.stdout), ""); got.code != exitOK || got.stderr != "" ||
				cut != elapsedJSON.ReplaceAllString(withoutTimes(here.stdout), "") {
				t.Errorf("zermelo %s: exit code %d, %s\n%s", line, got.code, got.stderr, got.stdout)
			}
		}
	}
	got := invoke(t, fields("solve nim 3 --misere --moves 70000 --addr "+address)...)
	if got.code != exitUsage || !strings.Contains(got.stderr, "--moves is 70000") {
		t.Errorf("%+v", got)
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"solve nim --misere 3 --connect-timeout 200ms", "explain nim --misere 3 --connect-timeout 200ms",
		"positions nim --misere 3 --connect-timeout 200ms", "games --connect-timeout 200ms", "demo --connect-timeout 200ms",
		"solve nim --misere 3 --connect-timeout 0s --timeout 200ms", "explain nim --misere 3 --timeout 200ms",
	} {
		began := time.Now()
		got := invoke(t, append(fields(line), "--addr", free)...)
		first, hint, _ := strings.Cut(got.stderr, "\n")
		if got.code != exitUnavailable || !strings.HasPrefix(first, "zermelo: no server answers at "+free+" (") ||
			!strings.HasSuffix(first, `connection refused")`) ||
			hint != "Start one with zermelod --listen "+free+", or leave out --addr.\n" {
			t.Errorf("zermelo %s: exit code %d:\n%s", line, got.code, got.stderr)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("zermelo %s took %v", line, took)
		}
	}
}

// A port at which something else listens, which says nothing.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var accepting sync.WaitGroup
	accepting.Go(func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			defer connection.Close() //nolint:errcheck // nothing was written
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		accepting.Wait()
	})
	got := invoke(t, fields("solve nim --misere 3 --connect-timeout 300ms --addr "+listener.Addr().String())...)
	if got.code != exitUnavailable || !strings.Contains(got.stderr, "no server answers at") {
		t.Errorf("%+v", got)
	}
}

// A gRPC server that is of something else.
func TestForeignServer(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		server.Stop()
		serving.Wait()
	})
	got := invoke(t, fields("solve nim --misere 3 --addr "+listener.Addr().String())...)
	if got.code != exitFault || !strings.Contains(got.stderr, "Is that a Zermelo server") {
		t.Errorf("%+v", got)
	}
}

// slow is a service that does not answer.
type slow struct {
	zermelov1.UnimplementedSolverServiceServer
}

func (slow) Solve(ctx context.Context, _ *zermelov1.SolveRequest) (*zermelov1.SolveResponse, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx) // the server ends it shortly before the deadline
}

func (slow) Analyze(ctx context.Context, _ *zermelov1.AnalyzeRequest) (*zermelov1.AnalyzeResponse, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, slow{})
	for _, line := range []string{
		"explain " + endless + " --timeout 200ms", "solve nim --misere 3 --timeout 200ms --addr " + address,
	} {
		got := invoke(t, fields(line)...)
		if got.code != exitUnavailable || !strings.Contains(got.stderr, "no answer within ") {
			t.Errorf("zermelo %s: exit code %d: %s", line, got.code, got.stderr)
		}
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	got := invoke(t, fields("explain hundred-game --max 2 --total 5000000 --memo-budget 1MiB")...)
	if got.code != exitBudget ||
		!strings.HasPrefix(got.stderr, "zermelo: ended after 0 events: the memo budget of 1048576 bytes was spent after ") ||
		!strings.Contains(got.stderr, "a larger --memo-budget") {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
}

// tripwire calls trip once a number of bytes was written, and goes on writing.
type tripwire struct {
	bytes.Buffer
	after int
	trip  func()
	once  sync.Once
}

func (w *tripwire) Write(p []byte) (int, error) {
	if w.Len()+len(p) >= w.after {
		w.once.Do(w.trip)
	}
	return w.Buffer.Write(p)
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		cause error
		code  int
	}{
		{"Ctrl-C", interruption{os.Interrupt}, 130},
		{"SIGTERM", interruption{syscall.SIGTERM}, 143},
		{"cancelled", nil, 130},
	} {
		for _, command := range []string{"explain " + endless, "explain " + endless + " -o json", "positions can-i-win --max 18 --total 200"} {
			t.Run(test.name+"/"+command, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				stdout := &tripwire{after: 40_000, trip: func() { cancel(test.cause) }}
				var stderr bytes.Buffer
				code := run(ctx, games.All(), fields(command), strings.NewReader(""), stdout, &stderr, func(string) string { return "" })
				if code != test.code || !strings.HasPrefix(stderr.String(), "zermelo: interrupted after ") {
					t.Errorf("exit code %d, %s", code, stderr.String())
				}
				// What is known was written, in whole lines.
				if !strings.HasSuffix(stdout.String(), "\n") || stdout.Len() < 40_000 {
					t.Errorf("%d bytes, the last %q", stdout.Len(), stdout.String()[stdout.Len()-20:])
				}
			})
		}
	}
}

// Interrupted while it waits for a server, the command does not claim that there is none.
func TestInterruptedWhileWaiting(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(interruption{os.Interrupt}) })
	var stdout, stderr bytes.Buffer
	code := run(ctx, games.All(), fields("solve nim --misere 3 --addr 127.0.0.1:1"), nil, &stdout, &stderr, func(string) string { return "" })
	if code != 130 || stderr.String() != "zermelo: interrupted\n" {
		t.Errorf("exit code %d, %s", code, stderr.String())
	}
}

// Output comes while the search goes on, and ends without a word when nobody reads on.
func TestBrokenPipe(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"explain " + endless, "explain " + endless + " -o json", "positions can-i-win --max 18 --total 200"} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		head := make(chan error, 1)
		go func() {
			_, err := io.ReadFull(reader, make([]byte, 50_000))
			head <- errors.Join(err, reader.Close())
		}()
		var stderr bytes.Buffer
		code := run(t.Context(), games.All(), fields(command), strings.NewReader(""), writer, &stderr, func(string) string { return "" })
		if err := <-head; err != nil {
			t.Errorf("reading: %v", err)
		}
		if code != 141 || stderr.Len() > 0 {
			t.Errorf("zermelo %s | head: exit code %d, %s", command, code, stderr.String())
		}
		if err := writer.Close(); err != nil {
			t.Error(err)
		}
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestDiskFull(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	code := run(t.Context(), games.All(), fields("solve nim --misere 3"), nil, full{}, &stderr, func(string) string { return "" })
	if code != exitFault || !strings.Contains(stderr.String(), "no space left on device") {
		t.Errorf("exit code %d, %s", code, stderr.String())
	}
}

// A server that is stopped in the middle of a stream.
func TestServerGoesAway(t *testing.T) {
	t.Parallel()
	address, stop := serve(t, nil)
	stopped := make(chan struct{})
	stdout := &tripwire{after: 40_000, trip: func() {
		go func() {
			defer close(stopped)
			stop()
		}()
	}}
	var stderr bytes.Buffer
	code := run(t.Context(), games.All(), fields("explain "+endless+" --connect-timeout 300ms --addr "+address), nil, stdout, &stderr, func(string) string { return "" })
	<-stopped
	if code != exitUnavailable || !strings.HasPrefix(stderr.String(), "zermelo: the server at "+address+
		" went away and did not come back within 300ms after ") {
		t.Errorf("exit code %d, %s", code, stderr.String())
	}
}

// faulty is a service that breaks the contract, or breaks.
type faulty struct {
	zermelov1.UnimplementedSolverServiceServer
}

func (faulty) Solve(context.Context, *zermelov1.SolveRequest) (*zermelov1.SolveResponse, error) {
	panic("a fault")
}

func (faulty) Explain(_ *zermelov1.ExplainRequest, stream grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error {
	return stream.Send(&zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Opening{Opening: &zermelov1.Opening{
		Position: &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{
			Piles: []uint64{3}, Convention: zermelov1.PlayConvention_PLAY_CONVENTION_MISERE,
		}}},
	}}})
}

func (faulty) EnumeratePositions(*zermelov1.EnumeratePositionsRequest, grpc.ServerStreamingServer[zermelov1.EnumeratePositionsResponse]) error {
	return status.Error(codes.DataLoss, "lost")
}

func TestFaultyServer(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, faulty{})
	for line, says := range map[string]string{
		"solve nim --misere 3":     "internal: ",
		"explain nim --misere 3":   "the stream ended without a summary",
		"positions nim --misere 3": "dataloss: ended after 0 positions: lost",
	} {
		got := invoke(t, append(fields(line), "--addr", address)...)
		if got.code != exitFault || !strings.Contains(got.stderr, says) {
			t.Errorf("zermelo %s: exit code %d, %s", line, got.code, got.stderr)
		}
	}
	if got := invoke(t, append(fields("solve nim --misere 3"), "--addr", address)...); !strings.Contains(got.stderr, "(request ") {
		t.Errorf("the request is not named: %s", got.stderr)
	}
}

// wrong is a server that answers with figures that are slightly off.
type wrong struct {
	zermelov1.UnimplementedSolverServiceServer
	right zermelov1.SolverServiceClient
}

func (w wrong) Solve(ctx context.Context, request *zermelov1.SolveRequest) (*zermelov1.SolveResponse, error) {
	answer, err := w.right.Solve(ctx, request)
	if answer.GetSolution().GetMargin() == 222 {
		answer.Solution.Margin = proto.Int64(221)
	}
	return answer, err
}

func (w wrong) Analyze(ctx context.Context, request *zermelov1.AnalyzeRequest) (*zermelov1.AnalyzeResponse, error) {
	return w.right.Analyze(ctx, request)
}

func (w wrong) Explain(request *zermelov1.ExplainRequest, stream grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error {
	right, err := w.right.Explain(stream.Context(), request)
	if err != nil {
		return err
	}
	for {
		frame, err := right.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case frame.GetSummary().GetStatistics().GetPositionsExpanded() == 5592:
			frame.GetSummary().Statistics.PositionsExpanded = 5593
		}
		for _, event := range frame.GetEvents().GetEvents() {
			if request.GetDetail() == zermelov1.Detail_DETAIL_PROOF && event.GetSequence() == 3 {
				event.Value = proto.Int64(event.GetValue() + 1)
			}
		}
		if err := stream.Send(frame); err != nil {
			return err
		}
	}
}

func (w wrong) EnumeratePositions(request *zermelov1.EnumeratePositionsRequest, stream grpc.ServerStreamingServer[zermelov1.EnumeratePositionsResponse]) error {
	right, err := w.right.EnumeratePositions(stream.Context(), request)
	if err != nil {
		return err
	}
	for {
		frame, err := right.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if found := frame.GetPositions().GetPositions(); len(found) > 0 {
			found[0].Notation = "9-9-9"
		}
		if err := stream.Send(frame); err != nil {
			return err
		}
	}
}

// serveWrong runs a server of wrong answers until the test ends.
func serveWrong(t *testing.T) (address string) {
	t.Helper()
	right, _ := serve(t, nil)
	connection, err := grpc.NewClient(right, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	address, _ = serve(t, wrong{right: zermelov1.NewSolverServiceClient(connection)})
	return address
}

// The demo is a check: it fails and says why when a figure differs.
func TestDemoDiffers(t *testing.T) {
	t.Parallel()
	address := serveWrong(t)
	got := invoke(t, "demo", "--addr", address)
	if got.code != exitFault {
		t.Errorf("exit code %d", got.code)
	}
	for _, says := range []string{
		"Predict the Winner 1 5 233 7: got WIN +221, want WIN +222",
		`explain nim --misere 7 5 3 --memo losses --max-depth 0: "5,592 positions entered" is not shown`,
		`positions nim --misere 7 5 3 --outcome loss: "1-0-0 2-2-0`,
		"verify predict-the-winner 0 0 7 6 5 6 1: the proof is wrong: event 3, about ",
	} {
		if !strings.Contains(got.stderr, says) {
			t.Errorf("standard error does not say %q:\n%s", says, got.stderr)
		}
	}
	if strings.Contains(got.stdout, "as it should be") {
		t.Errorf("standard output says that all is well:\n%s", got.stdout)
	}
}
