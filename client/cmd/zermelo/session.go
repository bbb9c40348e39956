package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"time"

	"google.golang.org/grpc"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	"github.com/zermelo-games/zermelo/server/config"
	serverrun "github.com/zermelo-games/zermelo/server/run"
)

// session is one run of a command: a client of a server, and where to write.
type session struct {
	*parsed
	client *client.Client
	stdin  io.Reader
	out    *show.Output
	// counter shows how far a stream is, on standard error.
	counter *counter
}

// connection is the way to a server.
type connection struct {
	client *client.Client
	// ctx ends, with errNoServer, when no server is there in time.
	ctx context.Context
	// waiting reports whether the last call found no server.
	waiting func() bool
	// close gives everything back.
	close func()
}

// connect makes the client of the server at --addr, or of one that it starts in this process.
func (p *parsed) connect(ctx context.Context) (*connection, error) {
	if p.settings.Addr == "" {
		return embed(ctx, p.settings.MemoBudget)
	}
	if err := checkAddress(p.settings.Addr); err != nil {
		return nil, usagef(p.typed, "--addr is %q: %v", p.settings.Addr, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	patience := &patience{limit: p.settings.ConnectTimeout, spent: func() { cancel(errNoServer) }}
	c, err := client.New(p.settings.Addr, append(p.settings.security(), client.WithDialOptions(grpc.WithStatsHandler(patience)))...)
	var option *client.OptionError
	switch {
	case errors.As(err, &option):
		cancel(nil)
		return nil, usagef(p.typed, "%s: %v", flagsOfOptions[option.Option], option.Err)
	case err != nil:
		cancel(nil)
		return nil, usagef(p.typed, "--addr is %q: %v", p.settings.Addr, err)
	}
	return &connection{client: c, ctx: ctx, waiting: patience.stillWaiting, close: func() {
		_ = c.Close() // only a second one could fail
		cancel(nil)
	}}, nil
}

// flagsOfOptions are the flags from which options of the client come.
var flagsOfOptions = map[string]string{
	"WithTLSCA": "--tls-ca", "WithClientCertificate": "--tls-cert, --tls-key", "WithTokenFile": "--token-file",
}

// security is how connections to the server at --addr are secured.
func (s *settings) security() []client.Option {
	var options []client.Option
	if s.TLS {
		options = append(options, client.WithTLS())
	}
	if s.TLSCA != "" {
		options = append(options, client.WithTLSCA(s.TLSCA))
	}
	if s.TLSCert != "" {
		options = append(options, client.WithClientCertificate(s.TLSCert, s.TLSKey))
	}
	if s.TokenFile != "" {
		options = append(options, client.WithTokenFile(s.TokenFile))
	}
	if s.InsecureToken {
		options = append(options, client.WithInsecureToken())
	}
	return options
}

// embed starts a server in this process.
func embed(ctx context.Context, budget config.Bytes) (*connection, error) {
	cfg := config.Default()
	cfg.MemoBudget = budget
	cfg.DrainDelay = 0 // there is no load balancer that would have to take note
	server, err := serverrun.StartInProcess(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		var setting *config.SettingError
		if errors.As(err, &setting) {
			return nil, usagef("", "%v", setting)
		}
		return nil, err
	}
	c, err := client.New(server.Target(), client.WithDialOptions(server.DialOptions()...))
	if err != nil {
		_ = server.Stop()
		return nil, err
	}
	return &connection{client: c, ctx: ctx, waiting: func() bool { return false }, close: func() {
		_ = c.Close()
		_ = server.Stop() // its calls have ended with the client's
	}}, nil
}

// checkAddress finds addresses that gRPC would take for names, and wait for.
func checkAddress(address string) error {
	if scheme, _, found := strings.Cut(address, "://"); found && (scheme == "http" || scheme == "https") {
		return errors.New("write host:port, without " + scheme + "://")
	}
	if strings.Contains(address, ":/") { // dns:///, unix:///
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return errors.New("write host:port, such as localhost:50051")
	}
	return nil
}

// deadline limits the whole command when --timeout says so.
func (p *parsed) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.settings.Timeout == 0 {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, time.Now().Add(p.settings.Timeout))
}
