package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// flushLimit is how long the shutdown waits for the last spans to be taken by the collector.
const flushLimit = 3 * time.Second

// tracing sends one span for each call of the service to a collector. A nil one traces nothing, and costs nothing: the
// transport has no stats handler then.
//
// It is set up by the environment variables that OpenTelemetry defines for all programs, not by flags: OTEL_… for the
// collector and how to reach it, the sampler, the batches and what the spans say of this process.
type tracing struct {
	provider *trace.TracerProvider
	exporter trace.SpanExporter
	logger   *slog.Logger
	// limit is how long flush waits.
	limit time.Duration
}

// newTracing sets tracing up as the environment says: nil when it names no collector. Errors name the variable.
func newTracing(logger *slog.Logger) (*tracing, error) {
	if on, err := tracingAsked(); !on || err != nil {
		return nil, err
	}
	ctx := context.Background() // Nothing here waits for anything.
	about, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "zermelod"), attribute.String("zermelo.engine", engine.Version)),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	exporter, err := otlptracegrpc.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("the exporter of traces, which the variables OTEL_EXPORTER_OTLP_… set up: %w", err)
	}
	return &tracing{
		provider: trace.NewTracerProvider(
			trace.WithResource(about),
			trace.WithBatcher(loggedExporter{exporter, logger}),
		),
		exporter: exporter,
		logger:   logger,
		limit:    flushLimit,
	}, nil
}

// tracingAsked tells whether the environment asks for traces, in a way that can be had.
func tracingAsked() (bool, error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	const endpoint, tracesEndpoint = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	switch exporter := os.Getenv("OTEL_TRACES_EXPORTER"); exporter {
	case "none":
		return false, nil
	case "otlp":
	case "":
		if os.Getenv(endpoint) == "" && os.Getenv(tracesEndpoint) == "" {
			return false, nil
		}
	default:
		return false, fmt.Errorf("OTEL_TRACES_EXPORTER is %q; it may be otlp, or none for no traces", exporter)
	}
	for _, name := range []string{tracesEndpoint, endpoint} {
		value := os.Getenv(name)
		if value == "" {
			continue
		}
		if u, err := url.Parse(value); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return false, fmt.Errorf("%s is %q; it must be a URL such as http://localhost:4317, or https://… for TLS", name, value)
		}
	}
	const protocol, tracesProtocol = "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
	if p := cmp.Or(os.Getenv(tracesProtocol), os.Getenv(protocol), "grpc"); p != "grpc" {
		return false, fmt.Errorf("%s or %s is %q; traces are sent by grpc, or not at all with OTEL_TRACES_EXPORTER=none",
			tracesProtocol, protocol, p)
	}
	return true, nil
}

// options are those of the gRPC server.
func (t *tracing) options() []grpc.ServerOption {
	if t == nil {
		return nil
	}
	// Only calls that the service has: not probes, and not names that a caller makes up. Events for messages are off
	// unless asked for, and must be: a trace of a million frames is one span.
	traced := make(map[string]bool)
	for _, method := range zermelov1.SolverService_ServiceDesc.Methods {
		traced["/"+rpc.ServiceName+"/"+method.MethodName] = true
	}
	for _, stream := range zermelov1.SolverService_ServiceDesc.Streams {
		traced["/"+rpc.ServiceName+"/"+stream.StreamName] = true
	}
	return []grpc.ServerOption{grpc.StatsHandler(otelgrpc.NewServerHandler(
		otelgrpc.WithTracerProvider(t.provider),
		otelgrpc.WithMeterProvider(noop.NewMeterProvider()),
		otelgrpc.WithPropagators(propagation.TraceContext{}),
		otelgrpc.WithFilter(func(call *stats.RPCTagInfo) bool { return traced[call.FullMethodName] }),
	))}
}

// flush sends what is left and ends tracing, within its limit.
func (t *tracing) flush() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.limit)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		_ = t.exporter.Shutdown(ctx) // ends what is still being sent
		t.logger.Warn("the last traces are lost", "waited", t.limit, "error", err)
	}
}

// loggedExporter says in the server's own log what fails.
type loggedExporter struct {
	trace.SpanExporter
	logger *slog.Logger
}

// ExportSpans sends spans. It never fails: there is nothing else to be done than to say so.
func (e loggedExporter) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	if err := e.SpanExporter.ExportSpans(ctx, spans); err != nil && !errors.Is(err, context.Canceled) {
		e.logger.Warn("traces are lost", "spans", len(spans), "error", err)
	}
	return nil
}
