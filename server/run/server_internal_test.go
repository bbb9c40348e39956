package run

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	reflectionv1alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/rpc"
)

func listenLocally(t *testing.T) net.Listener {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// TestOneLife runs a server over TCP with its admin port from beginning to end and looks for what it left behind.
func TestOneLife(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	cfg := settings()
	cfg.DrainDelay = 0
	log := &journal{}
	server, err := New(cfg, log.logger())
	if err != nil {
		t.Fatal(err)
	}
	listener, adminListener := listenLocally(t), listenLocally(t)
	until, stop := context.WithCancel(t.Context())
	defer stop()
	result := make(chan error, 1)
	go func() { result <- server.Serve(until, listener, adminListener) }()

	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for _, name := range []string{"", rpc.ServiceName} {
		got, err := healthgrpc.NewHealthClient(conn).Check(ctx, &healthgrpc.HealthCheckRequest{Service: name}, grpc.WaitForReady(true))
		if err != nil || got.GetStatus() != healthgrpc.HealthCheckResponse_SERVING {
			t.Errorf("the health of %q is %v, %v", name, got, err)
		}
	}
	if _, err := zermelov1.NewSolverServiceClient(conn).ListGames(ctx, &zermelov1.ListGamesRequest{}); err != nil {
		t.Error(err)
	}
	web := http.Client{Transport: &http.Transport{}}
	defer web.CloseIdleConnections()
	for path, want := range map[string]string{
		"/readyz":  "ready",
		"/metrics": `grpc_server_handled_total{grpc_code="OK",grpc_method="ListGames",grpc_service="zermelo.v1.SolverService",grpc_type="unary"} 1`,
	} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+adminListener.Addr().String()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := web.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("%s answers %s without %q", path, answer.Status, want)
		}
	}

	for _, want := range []string{listener.Addr().String(), adminListener.Addr().String(), "memo_budget=512MiB", "engine="} {
		if lines := log.lines("msg=listening"); len(lines) != 1 || !strings.Contains(lines[0], want) {
			t.Errorf("the start is logged as %q, without %s", lines, want)
		}
	}
	if lines := log.lines("grpcurl -plaintext " + listener.Addr().String()); len(lines) != 1 {
		t.Errorf("%d lines say how to reach the server", len(lines))
	}
	if lines := log.lines("level=WARN"); len(lines) != 0 {
		t.Errorf("warnings on loopback: %q", lines)
	}

	stop()
	select {
	case err := <-result:
		if err != nil {
			t.Error(err)
		}
	case <-ctx.Done():
		t.Fatal("the server does not stop")
	}
	for _, l := range []net.Listener{listener, adminListener} {
		if c, err := new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String()); err == nil {
			_ = c.Close()
			t.Errorf("%v is still open", l.Addr())
		}
	}
}

func TestReflectionInBothVersions(t *testing.T) {
	cfg := settings()
	cfg.DrainDelay = 0
	p, conn := inProcess(t, cfg, silent())
	defer func() { _ = p.Stop() }()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()

	v1, err := reflectionv1.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := v1.Send(&reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}}); err != nil {
		t.Fatal(err)
	}
	answer, err := v1.Recv()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, service := range answer.GetListServicesResponse().GetService() {
		names[service.GetName()] = true
	}
	if !names[rpc.ServiceName] || !names["grpc.health.v1.Health"] {
		t.Errorf("v1 lists %v", names)
	}

	alpha, err := reflectionv1alpha.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := alpha.Send(&reflectionv1alpha.ServerReflectionRequest{ //nolint:staticcheck // What is tested is that old tools are answered.
		MessageRequest: &reflectionv1alpha.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: rpc.ServiceName}, //nolint:staticcheck // As above.
	}); err != nil {
		t.Fatal(err)
	}
	described, err := alpha.Recv()
	if err != nil {
		t.Fatal(err)
	}
	if files := described.GetFileDescriptorResponse().GetFileDescriptorProto(); len(files) == 0 { //nolint:staticcheck // As above.
		t.Errorf("v1alpha does not describe the service: %v", described)
	}
}

func TestSettingsAreVerified(t *testing.T) {
	cfg := settings()
	cfg.DrainGrace = 0
	var bad *config.SettingError
	if _, err := New(cfg, silent()); !errors.As(err, &bad) {
		t.Errorf("New with bad settings: %v", err)
	}
	if _, err := StartInProcess(cfg, silent()); !errors.As(err, &bad) {
		t.Errorf("StartInProcess with bad settings: %v", err)
	}
	if err := ListenAndServe(t.Context(), cfg, silent()); !errors.As(err, &bad) {
		t.Errorf("ListenAndServe with bad settings: %v", err)
	}
}

func TestLimitsComeFromTheSettingsOrTheOption(t *testing.T) {
	cfg := settings()
	cfg.MemoBudget = 3 * config.MiB
	limits := catalog.DefaultLimits()
	limits.MemoBudget = 5
	for _, test := range []struct {
		opts []Option
		want int64
	}{{nil, 3 << 20}, {[]Option{WithLimits(limits)}, 5}} {
		s, err := New(cfg, silent(), test.opts...)
		if err != nil {
			t.Fatal(err)
		}
		if s.limits.MemoBudget != test.want {
			t.Errorf("the memo budget is %d, want %d", s.limits.MemoBudget, test.want)
		}
		s.grpc.Stop()
	}
}

func TestServesOnce(t *testing.T) {
	server, err := New(settings(), silent())
	if err != nil {
		t.Fatal(err)
	}
	server.cfg.DrainDelay = 0
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := server.Serve(over, listenLocally(t), nil); err != nil {
		t.Errorf("with a context that is over: %v", err)
	}
	second := listenLocally(t)
	if err := server.Serve(t.Context(), second, nil); err == nil {
		t.Error("a second time it serves")
	}
	if _, err := second.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the second listener is left open: %v", err)
	}
}

func TestAListenerThatFailsEndsTheServer(t *testing.T) {
	for name, broken := range map[string]func(listener, admin net.Listener) error{
		"the gRPC port":  func(listener, _ net.Listener) error { return listener.Close() },
		"the admin port": func(_, admin net.Listener) error { return admin.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := settings()
			cfg.DrainDelay = 0
			server, err := New(cfg, silent())
			if err != nil {
				t.Fatal(err)
			}
			listener, admin := listenLocally(t), listenLocally(t)
			if err := broken(listener, admin); err != nil {
				t.Fatal(err)
			}
			if err := server.Serve(t.Context(), listener, admin); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("the error is %v, want it to name %s", err, name)
			}
		})
	}
}

func TestAPortThatIsTaken(t *testing.T) {
	taken := listenLocally(t)
	defer func() { _ = taken.Close() }()
	for setting, cfg := range map[string]config.Config{
		"--listen":       {Listen: taken.Addr().String()},
		"--admin-listen": {Listen: "127.0.0.1:0", AdminListen: taken.Addr().String()},
	} {
		full := settings()
		full.Listen, full.AdminListen = cfg.Listen, cfg.AdminListen
		err := ListenAndServe(t.Context(), full, silent())
		if err == nil || !strings.Contains(err.Error(), setting) || !strings.Contains(err.Error(), taken.Addr().String()) {
			t.Errorf("the error is %v, want it to name %s and the address", err, setting)
		}
	}
}
