package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"

	"github.com/zermelo-games/zermelo/server/config"
)

// ListenAndServe opens the ports that the settings name and runs a server on them until the context ends; see
// [Server.Serve]. A port that cannot be opened is an error that says which setting to change.
func ListenAndServe(ctx context.Context, cfg config.Config, logger *slog.Logger, opts ...Option) error {
	if err := cfg.Verify(); err != nil {
		return err
	}
	listener, err := listen(ctx, cfg.Listen, "--listen or ZERMELO_LISTEN")
	if err != nil {
		return err
	}
	var adminListener net.Listener
	if cfg.AdminListen != "" {
		adminListener, err = listen(ctx, cfg.AdminListen, "--admin-listen or ZERMELO_ADMIN_LISTEN")
		if err != nil {
			return errors.Join(err, closeListeners(listener, nil))
		}
	}
	server, err := New(cfg, logger, opts...)
	if err != nil {
		return errors.Join(err, closeListeners(listener, adminListener))
	}
	return server.Serve(ctx, listener, adminListener)
}

// listen opens a TCP port.
func listen(ctx context.Context, address, setting string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot open the port: %w; name another with %s", err, setting)
	}
	return listener, nil
}

// closeListeners closes what was opened and is not needed after all; the second may be nil.
func closeListeners(listener, adminListener net.Listener) error {
	err := listener.Close()
	if adminListener != nil {
		err = errors.Join(err, adminListener.Close())
	}
	return err
}
