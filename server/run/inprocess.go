package run

import (
	"context"
	"log/slog"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/zermelo-games/zermelo/server/config"
)

// pipeBytes is the buffer of a connection in memory, each way.
const pipeBytes = 256 << 10

// InProcess is a server that runs in this process and is reached through memory. Calls go the whole way, through the
// transport and the chain, as those of other processes do.
type InProcess struct {
	listener *bufconn.Listener
	stop     context.CancelFunc
	done     chan struct{}
	err      error // Of Serve; to be read when done is closed.
}

// StartInProcess starts a server in this process. It must be stopped. The addresses in the settings are not used, and
// there is no admin port; the drain delay counts, and whoever has no load balancer to wait for sets it to zero.
func StartInProcess(cfg config.Config, logger *slog.Logger, opts ...Option) (*InProcess, error) {
	server, err := New(cfg, logger, opts...)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &InProcess{listener: bufconn.Listen(pipeBytes), stop: stop, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.err = server.Serve(ctx, p.listener, nil)
	}()
	return p, nil
}

// Target is what to dial, with [InProcess.DialOptions].
func (p *InProcess) Target() string { return "passthrough:///zermelo" }

// DialOptions are what a client needs, beside its own options, to reach the server.
func (p *InProcess) DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithContextDialer(p.Dial),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
	}
}

// Dial connects to the server, whatever the address.
func (p *InProcess) Dial(ctx context.Context, _ string) (net.Conn, error) {
	return p.listener.DialContext(ctx)
}

// Stop shuts the server down in order, waits until it has ended and returns what [Server.Serve] returned. Further calls
// return the same.
func (p *InProcess) Stop() error {
	p.stop()
	<-p.done
	return p.err
}

// Done is closed when the server has ended.
func (p *InProcess) Done() <-chan struct{} { return p.done }
