package interceptor_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"

	"github.com/zermelo-games/zermelo/server/interceptor"
)

// noTokens accepts none.
type noTokens struct{}

func (noTokens) Accepts(string) (string, bool) { return "", false }

func TestOrderOfTheChain(t *testing.T) {
	stages := interceptor.Chain(interceptor.Options{
		Logger: slog.New(slog.DiscardHandler), Metrics: interceptor.NewMetrics(prometheus.NewRegistry(), gameNames()), Draining: t.Context(),
		StallLimit: time.Minute, Certificates: true, Tokens: noTokens{}, Clients: interceptor.ClientLimits{Rate: 1},
	})
	names := make([]string, 0, len(stages))
	for _, stage := range stages {
		names = append(names, stage.Name)
		if stage.Unary == nil && stage.Name != interceptor.StageStall || stage.Stream == nil {
			t.Errorf("the stage %s lacks a half", stage.Name)
		}
	}
	want := []string{
		interceptor.StageRequestID,
		interceptor.StageLogging,
		interceptor.StageMetrics,
		interceptor.StageRecovery,
		interceptor.StageCertificate,
		interceptor.StageAuth,
		interceptor.StageClientLimit,
		interceptor.StageDrain,
		interceptor.StageStall,
	}
	if !slices.Equal(names, want) {
		t.Errorf("the stages are %v, want %v", names, want)
	}
}

func TestSeveralServersInOneProcess(t *testing.T) {
	fine := func(context.Context) error { return nil }
	one, two := start(t, &service{solve: fine}), start(t, &service{solve: fine})
	if _, err := one.Solve(one.ctx, nil); err != nil {
		t.Fatal(err)
	}
	solves := map[string]string{"grpc_method": "Solve"}
	if n := one.metric(t, "grpc_server_started_total", solves); n != 1 {
		t.Errorf("the server that was asked has counted %v calls", n)
	}
	if n := two.metric(t, "grpc_server_started_total", solves); n != 0 {
		t.Errorf("the other server has counted %v calls", n)
	}
}

// ExampleServerOptions puts the chain around a server of one's own.
func ExampleServerOptions() {
	registry := prometheus.NewRegistry()
	metrics := interceptor.NewMetrics(registry, gameNames())
	draining, endCalls := context.WithCancelCause(context.Background())
	defer endCalls(nil)

	server := grpc.NewServer(interceptor.ServerOptions(interceptor.Chain(interceptor.Options{
		Logger: slog.Default(), Metrics: metrics, Draining: draining, StallLimit: time.Minute,
	}))...)
	// Register services here.
	metrics.Initialize(server)
	server.Stop()
	// Output:
}
