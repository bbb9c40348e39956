package servertest

import (
	"context"
	"log/slog"
	"net"
	"testing"

	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/run"
)

// Listening is a server on ports of this machine, for tests of what goes over the network: TLS, addresses, the admin port.
type Listening struct {
	// Address is that of the gRPC port, Admin that of the admin port.
	Address, Admin string
}

// Listen starts a server on two free ports for the length of a test. The test fails when the server does not start, or
// does not stop in order at its end.
func Listen(tb testing.TB, opts ...Option) *Listening {
	tb.Helper()
	s := settings{cfg: config.Default(), logger: slog.New(slog.DiscardHandler)}
	s.cfg.DrainDelay = 0
	for _, opt := range opts {
		opt(&s)
	}
	server, err := run.New(s.cfg, s.logger, s.run...)
	if err != nil {
		tb.Fatalf("the server does not start: %v", err)
	}
	listen := func() net.Listener {
		listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		return listener
	}
	port, admin := listen(), listen()
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, port, admin) }()
	tb.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			tb.Errorf("the server did not stop in order: %v", err)
		}
	})
	return &Listening{Address: port.Addr().String(), Admin: admin.Addr().String()}
}
