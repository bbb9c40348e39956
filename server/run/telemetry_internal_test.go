package run

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/interceptor"
	"github.com/zermelo-games/zermelo/server/rpc"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// observed is a server over TCP whose log and metrics are at hand, and a client of it.
type observed struct {
	zermelov1.SolverServiceClient
	conn   *grpc.ClientConn
	server *Server
	log    *journal
	ctx    context.Context
	stop   func(t *testing.T)
}

// observe starts the server, which logs from a level on: LevelInfo, unless another is given.
func observe(t *testing.T, level ...slog.Level) *observed {
	t.Helper()
	cfg := settings()
	cfg.DrainDelay = 0
	o := &observed{log: &journal{}}
	var err error
	if o.server, err = New(cfg, slog.New(slog.NewJSONHandler(o.log, &slog.HandlerOptions{Level: append(level, slog.LevelInfo)[0]}))); err != nil {
		t.Fatal(err)
	}
	listener := listenLocally(t)
	until, stop := context.WithCancel(context.Background())
	result := make(chan error, 1)
	go func() { result <- o.server.Serve(until, listener, nil) }()
	stopped := false
	o.stop = func(t *testing.T) {
		t.Helper()
		if stopped {
			return
		}
		stopped = true
		stop()
		if err := <-result; err != nil {
			t.Error(err)
		}
	}
	if o.conn, err = grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials())); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 12*guard)
	o.SolverServiceClient, o.ctx = zermelov1.NewSolverServiceClient(o.conn), ctx
	t.Cleanup(func() {
		cancel()
		_ = o.conn.Close()
		o.stop(t)
	})
	return o
}

// finished returns the log lines of finished calls, parsed.
func (o *observed) finished(t *testing.T) (lines []map[string]any) {
	t.Helper()
	for _, text := range o.log.lines("finished call") {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("the log line %q: %v", text, err)
		}
		lines = append(lines, line)
	}
	return lines
}

// metric gives the value of a counter or a gauge; -1 when there is none with these labels.
func (o *observed) metric(t *testing.T, name string, labels map[string]string) float64 {
	t.Helper()
	families, err := o.server.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, series := range family.GetMetric() {
			found := 0
			for _, pair := range series.GetLabel() {
				if want, ok := labels[pair.GetName()]; ok && want == pair.GetValue() {
					found++
				}
			}
			if family.GetName() == name && found == len(labels) {
				return series.GetCounter().GetValue() + series.GetGauge().GetValue()
			}
		}
	}
	return -1
}

// read reads a trace to its end and returns its summary and how many frames and events it had.
func (o *observed) read(t *testing.T, r *zermelov1.ExplainRequest) (summary *zermelov1.Summary, frames, events int) {
	t.Helper()
	stream, err := o.Explain(o.ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return summary, frames, events
		}
		if err != nil {
			t.Fatal(err)
		}
		frames++
		events += len(m.GetEvents().GetEvents())
		if m.GetSummary() != nil {
			summary = m.GetSummary()
		}
	}
}

// TestWhatTheLogSaysOfACall, through the real service.
func TestWhatTheLogSaysOfACall(t *testing.T) {
	o := observe(t)
	solve := func(p *zermelov1.Position) error {
		_, err := o.Solve(o.ctx, &zermelov1.SolveRequest{Position: p})
		return err
	}
	long := positions.CanIWin(40, 44) // takes long enough to be kept
	for _, p := range []*zermelov1.Position{positions.Nim(positions.Misere, 7, 5, 3), positions.Guess(1, 10), long, long} {
		if err := solve(p); err != nil {
			t.Fatal(err)
		}
	}
	if solve(nil) == nil || solve(positions.Guess(5, 4)) == nil {
		t.Error("positions that are not legal are solved")
	}
	if _, err := o.Analyze(o.ctx, &zermelov1.AnalyzeRequest{Position: positions.Nim(positions.Misere, 2, 1)}); err != nil {
		t.Fatal(err)
	}
	batch := &zermelov1.BatchSolveRequest{Positions: []*zermelov1.Position{positions.Nim(positions.Misere, 1), positions.Guess(5, 4), positions.Guess(1, 2)}}
	if _, err := o.BatchSolve(o.ctx, batch); err != nil {
		t.Fatal(err)
	}
	summary, frames, events := o.read(t, &zermelov1.ExplainRequest{Position: positions.CanIWin(12, 60)})
	walk, err := o.EnumeratePositions(o.ctx, &zermelov1.EnumeratePositionsRequest{Position: positions.Nim(positions.Misere, 3, 2)})
	for err == nil {
		_, err = walk.Recv()
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}

	lines := o.finished(t)
	want := []map[string]any{
		{"rpc": "Solve", "game": "nim", "method": "closed_form", "result": "win", "value": nil, "code": "OK"},
		{"rpc": "Solve", "game": "guess_number", "method": "game_algorithm", "result": "cost", "value": 16.0, "cached": nil},
		{"rpc": "Solve", "game": "can_i_win", "method": "search", "cached": nil},
		{"rpc": "Solve", "game": "can_i_win", "method": "search", "cached": true, "positions": nil},
		{"rpc": "Solve", "game": nil, "level": "WARN", "code": "InvalidArgument", "reason": "INVALID_FIELD", "method": nil, "result": nil},
		{"rpc": "Solve", "game": "guess_number", "reason": "INVALID_FIELD"},
		{"rpc": "Analyze", "game": "nim", "result": "win", "code": "OK"},
		{"rpc": "BatchSolve", "game": "batch", "method": nil, "result": nil, "cached": nil, "code": "OK"},
		{
			"rpc": "Explain", "game": "can_i_win", "positions": float64(summary.GetStatistics().GetPositionsExpanded()),
			"events": float64(events), "frames": float64(frames), "code": "OK",
		},
		{"rpc": "EnumeratePositions", "game": "nim", "events": 9.0, "frames": 3.0, "code": "OK", "result": nil},
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d", len(lines), len(want))
	}
	for i, fields := range want {
		for field, value := range fields {
			if lines[i][field] != value {
				t.Errorf("line %d: %s is %v, want %v", i, field, lines[i][field], value)
			}
		}
	}
	if lines[2]["positions"] == nil || events == 0 {
		t.Errorf("searches without positions or events: %v, %d", lines[2]["positions"], events)
	}

	for game, want := range map[string]float64{"nim": 3, "guess_number": 2, "can_i_win": 3} {
		sum := 0.0
		for _, method := range []string{"search", "closed_form", "game_algorithm"} {
			for _, result := range []string{"win", "loss", "draw", "cost"} {
				sum += o.metric(t, "zermelo_solves_total", map[string]string{"game": game, "method": method, "result": result})
			}
		}
		if sum != want {
			t.Errorf("%v solutions of %s are counted, want %v", sum, game, want)
		}
	}
	for name, want := range map[string]float64{
		"zermelo_cache_hits_total": 1, "zermelo_cache_misses_total": 1, "zermelo_memo_entries": 0,
	} {
		if got := o.metric(t, name, nil); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if got := o.metric(t, "zermelo_positions_expanded_total", map[string]string{"game": "can_i_win"}); got !=
		lines[2]["positions"].(float64)+lines[8]["positions"].(float64) {
		t.Errorf("%v positions are counted", got)
	}
	if got := o.metric(t, "zermelo_errors_total", map[string]string{"reason": "INVALID_FIELD"}); got != 3 {
		t.Errorf("%v invalid fields are counted", got)
	}
}

// garbage sends bytes as they are, under the name of the codec that the server expects.
type garbage struct{}

func (garbage) Marshal(any) ([]byte, error) { return []byte{0xff}, nil }
func (garbage) Unmarshal([]byte, any) error { return nil }
func (garbage) Name() string                { return "proto" }

// TestRequestsThatCannotBeDecoded go through the chain like all others.
func TestRequestsThatCannotBeDecoded(t *testing.T) {
	o := observe(t, slog.LevelDebug)
	methods := []struct {
		service, name string
		logged        string // as the log names it
		level         string
	}{
		{rpc.ServiceName, "Solve", "Solve", "WARN"},
		{rpc.ServiceName, "Explain", "Explain", "WARN"},
		{healthgrpc.Health_ServiceDesc.ServiceName, "Check", "grpc.health.v1.Health/Check", "DEBUG"},
		{healthgrpc.Health_ServiceDesc.ServiceName, "Watch", "grpc.health.v1.Health/Watch", "DEBUG"},
		{"grpc.reflection.v1.ServerReflection", "ServerReflectionInfo",
			"grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "DEBUG"},
	}
	for _, m := range methods {
		ctx := metadata.AppendToOutgoingContext(o.ctx, interceptor.RequestIDHeader, "mine-"+m.name)
		stream, err := o.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, "/"+m.service+"/"+m.name,
			grpc.ForceCodec(garbage{}))
		if err == nil {
			err = errors.Join(stream.SendMsg(0), stream.CloseSend())
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := stream.RecvMsg(0); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s ended %v", m.name, err)
		}
		if header, _ := stream.Header(); len(header.Get(interceptor.RequestIDHeader)) != 1 {
			t.Errorf("%s has the header %v", m.name, header)
		}
		lines := o.finished(t)
		line := lines[len(lines)-1]
		if line["request_id"] != "mine-"+m.name || line["rpc"] != m.logged || line["reason"] != "MALFORMED_MESSAGE" ||
			line["level"] != m.level {
			t.Errorf("logged %v", line)
		}
		labels := map[string]string{"grpc_service": m.service, "grpc_method": m.name, "grpc_code": "InvalidArgument"}
		if n := o.metric(t, "grpc_server_handled_total", labels); n != 1 {
			t.Errorf("%s is counted %v times", m.name, n)
		}
	}
	if lines := o.finished(t); len(lines) != len(methods) {
		t.Errorf("%d lines for %d calls", len(lines), len(methods))
	}
	if n := o.metric(t, "zermelo_errors_total", map[string]string{"reason": "MALFORMED_MESSAGE"}); n != 2 {
		t.Errorf("%v malformed messages of this service are counted", n)
	}
}

// TestLogLinesStayShort: a caller cannot fill the log with what it sends.
func TestLogLinesStayShort(t *testing.T) {
	o := observe(t)
	huge := make([]uint64, 200_000)
	for i := range huge {
		huge[i] = 1 << 63
	}
	ctx := metadata.AppendToOutgoingContext(o.ctx, interceptor.RequestIDHeader, strings.Repeat("x", 1000))
	_, err := o.Solve(ctx, &zermelov1.SolveRequest{Position: positions.Nim(positions.Misere, huge...)})
	if status.Code(err) != codes.InvalidArgument {
		t.Fatal(err)
	}
	lines := o.log.lines("finished call")
	if len(lines) != 1 || len(lines[0]) > 2048 {
		t.Errorf("logged %q", lines)
	}
}
