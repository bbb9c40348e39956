package run

import (
	"context"
	"encoding/hex"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/interceptor"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// spans is a collector.
type spans struct {
	collector.UnimplementedTraceServiceServer
	mu       sync.Mutex
	taken    []*tracepb.Span
	services []string
}

func (s *spans) Export(_ context.Context, r *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, resource := range r.GetResourceSpans() {
		for _, a := range resource.GetResource().GetAttributes() {
			if a.GetKey() == "service.name" {
				s.services = append(s.services, a.GetValue().GetStringValue())
			}
		}
		for _, scope := range resource.GetScopeSpans() {
			s.taken = append(s.taken, scope.GetSpans()...)
		}
	}
	return &collector.ExportTraceServiceResponse{}, nil
}

// all returns the spans that came so far.
func (s *spans) all() []*tracepb.Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*tracepb.Span(nil), s.taken...)
}

// collect runs a collector for the length of a test and points the environment to it.
func collect(t *testing.T) *spans {
	t.Helper()
	s := &spans{}
	listener := listenLocally(t)
	server := grpc.NewServer()
	collector.RegisterTraceServiceServer(server, s)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	t.Cleanup(func() {
		server.Stop()
		<-done
	})
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+listener.Addr().String())
	return s
}

// attributes are those of a span, as text or number.
func attributes(span *tracepb.Span) map[string]any {
	all := make(map[string]any)
	for _, a := range span.GetAttributes() {
		if text := a.GetValue().GetStringValue(); text != "" {
			all[a.GetKey()] = text
		} else {
			all[a.GetKey()] = a.GetValue().GetIntValue()
		}
	}
	return all
}

func TestOneSpanForACall(t *testing.T) {
	collected := collect(t)
	o := observe(t)
	const traceID, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	ctx := metadata.AppendToOutgoingContext(o.ctx, "traceparent", "00-"+traceID+"-"+parent+"-01", interceptor.RequestIDHeader, "mine")
	if _, err := o.Solve(ctx, &zermelov1.SolveRequest{Position: positions.Guess(1, 10)}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Solve(o.ctx, &zermelov1.SolveRequest{}); err == nil {
		t.Fatal("no position is solved")
	}
	// What probes ask, and what nobody offers, is not traced.
	if _, err := healthgrpc.NewHealthClient(o.conn).Check(o.ctx, &healthgrpc.HealthCheckRequest{}); err != nil {
		t.Fatal(err)
	}
	if err := o.conn.Invoke(o.ctx, "/zermelo.v1.SolverService/Nothing", &zermelov1.SolveRequest{}, &zermelov1.SolveResponse{}); err == nil {
		t.Fatal("an unknown method is answered")
	}
	o.stop(t) // sends what is left

	got := collected.all()
	if len(got) != 2 || len(collected.services) == 0 || collected.services[0] != "zermelod" {
		t.Fatalf("%d spans for two calls, of %q", len(got), collected.services)
	}
	if id, above := hex.EncodeToString(got[0].GetTraceId()), hex.EncodeToString(got[0].GetParentSpanId()); id != traceID || above != parent {
		t.Errorf("the span is of the trace %s below %s", id, above)
	}
	if got[0].GetName() != "zermelo.v1.SolverService/Solve" {
		t.Errorf("the span is named %q", got[0].GetName())
	}
	for i, want := range []map[string]any{
		{
			"zermelo.game": "guess_number", "zermelo.method": "game_algorithm", "zermelo.result": "cost", "zermelo.request_id": "mine",
			"zermelo.reason": nil,
		},
		{"zermelo.game": nil, "zermelo.reason": "INVALID_FIELD", "zermelo.result": nil},
	} {
		for key, value := range want {
			if have := attributes(got[i])[key]; have != value {
				t.Errorf("%s of span %d is %v, want %v", key, i, have, value)
			}
		}
	}
	if lines := o.finished(t); lines[0]["trace_id"] != traceID {
		t.Errorf("the log line has the trace %v", lines[0]["trace_id"])
	}
}

// TestTracingOfALongStream is about lesson 19: a stream of many frames is one span without events, and one line of the
// log, in flat memory.
func TestTracingOfALongStream(t *testing.T) {
	limit := int64(100_000)
	if gametest.Long() {
		limit = 2_000_000
	}
	collected := collect(t)
	o := observe(t)
	stream, err := o.Explain(o.ctx, &zermelov1.ExplainRequest{
		Position: positions.CanIWin(30, 400), MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_NONE, MaxEvents: limit,
	})
	if err != nil {
		t.Fatal(err)
	}
	frames, events := int64(0), int64(0)
	var before, after runtime.MemStats
	for {
		m, err := stream.Recv()
		if err != nil {
			break
		}
		frames++
		first := events < limit/10
		events += int64(len(m.GetEvents().GetEvents()))
		if first && events >= limit/10 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	o.stop(t)
	const flat = 8 << 20
	if after.HeapAlloc > before.HeapAlloc+flat {
		t.Errorf("the heap grew from %d to %d bytes", before.HeapAlloc, after.HeapAlloc)
	}

	got := collected.all()
	if len(got) != 1 || len(got[0].GetEvents()) != 0 {
		t.Fatalf("%d spans for a stream", len(got))
	}
	if a := attributes(got[0]); events != limit || a["zermelo.events"] != events || a["zermelo.frames"] != frames || frames < 50 {
		t.Errorf("%d events in %d frames; the span says %v", events, frames, a)
	}
	lines := o.finished(t)
	if len(lines) != 1 || lines[0]["events"] != float64(events) || lines[0]["frames"] != float64(frames) {
		t.Errorf("logged %v", lines)
	}
	if n := o.metric(t, "zermelo_events_sent_total", map[string]string{"game": "can_i_win"}); n != float64(events) {
		t.Errorf("%v events are counted", n)
	}
	if n := o.metric(t, "grpc_server_msg_sent_total", map[string]string{"grpc_method": "Explain"}); n != float64(frames) {
		t.Errorf("%v frames are counted", n)
	}
}

// TestACollectorThatIsAway costs its spans, and says so; it holds up neither calls nor, beyond the limit, the shutdown.
func TestACollectorThatIsAway(t *testing.T) {
	mute, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0") // takes connections and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = mute.Close() }()
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://"+mute.Addr().String())
	o := observe(t)
	o.server.tracing.limit = 100 * time.Millisecond
	if _, err := o.Solve(o.ctx, &zermelov1.SolveRequest{Position: positions.Nim(positions.Misere, 1)}); err != nil {
		t.Fatal(err)
	}
	o.stop(t)
	if lines := o.log.lines("the last traces are lost"); len(lines) != 1 {
		t.Errorf("the log has %d lines about it", len(lines))
	}
	if lines := o.log.lines("shutdown 7/7"); len(lines) != 1 {
		t.Error("the shutdown did not go on")
	}
}

func TestWhetherCallsAreTraced(t *testing.T) {
	const url = "http://localhost:4317"
	for name, test := range map[string]struct {
		env  map[string]string
		on   bool
		says string // the error
	}{
		"nothing said":         {},
		"an endpoint":          {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": url}, on: true},
		"one for traces":       {env: map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://collector:4317"}, on: true},
		"the default endpoint": {env: map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, on: true},
		"none":                 {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_TRACES_EXPORTER": "none"}},
		"disabled":             {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_SDK_DISABLED": "true"}},
		"its protocol":         {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, on: true},
		"another protocol": {
			env:  map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"},
			says: "OTEL_EXPORTER_OTLP_PROTOCOL",
		},
		"a protocol for traces": {
			env: map[string]string{
				"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
				"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "grpc",
			},
			on: true,
		},
		"another exporter":  {env: map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, says: "OTEL_TRACES_EXPORTER"},
		"no URL":            {env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4317"}, says: "OTEL_EXPORTER_OTLP_ENDPOINT"},
		"broken attributes": {env: map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_RESOURCE_ATTRIBUTES": "x"}, says: "OTEL_RESOURCE_ATTRIBUTES"},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range test.env {
				t.Setenv(key, value)
			}
			tracing, err := newTracing(silent())
			switch {
			case test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)):
				t.Errorf("the error is %v, want it to name %s", err, test.says)
			case test.says == "" && err != nil:
				t.Error(err)
			case (tracing != nil) != test.on || (len(tracing.options()) > 0) != test.on:
				t.Errorf("traced: %v, want %v", tracing != nil, test.on)
			}
			tracing.flush()
			if test.says != "" {
				if _, err := New(settings(), silent()); err == nil {
					t.Error("a server is made all the same")
				}
			}
		})
	}
}
