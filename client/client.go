package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Client calls the Zermelo servers behind one target. It is safe for use by many goroutines at once, and meant to be
// shared: all of its calls go over the same few connections.
type Client struct {
	connection   *grpc.ClientConn
	service      zermelov1.SolverServiceClient
	unaryTimeout time.Duration
	resumes      bool
	busyAttempts int // of a stream, while there is no message
}

// New makes a client of the servers at target, a gRPC name such as "localhost:50051" or
// "dns:///zermelo.internal:50051". It does not connect: the first call does. An error means that the target or the
// options cannot be right; a server that cannot be reached is not an error here.
//
// Files that options name are read here for the first time. What is wrong with an option is an [*OptionError].
//
// The connection is not encrypted unless [WithTLS], one of those that stand for it too, or [WithTransportCredentials]
// says so.
func New(target string, opts ...Option) (*Client, error) {
	if target == "" {
		// gRPC would take it for a name that does not resolve yet, and have every call wait for it.
		return nil, errors.New("client: the target is empty; give one such as localhost:50051")
	}
	settings := defaultSettings()
	for _, opt := range opts {
		opt(&settings)
	}
	if err := settings.check(); err != nil {
		return nil, err
	}
	options, err := settings.dialOptions()
	if err != nil {
		return nil, err
	}
	connection, err := grpc.NewClient(target, options...)
	if err != nil {
		return nil, fmt.Errorf("client: target %q: %w", target, err)
	}
	c := &Client{
		connection:   connection,
		service:      zermelov1.NewSolverServiceClient(connection),
		unaryTimeout: settings.unaryTimeout,
		resumes:      settings.resumes,
		busyAttempts: 1,
	}
	if settings.retriesBusy {
		c.busyAttempts = busyAttempts
	}
	return c, nil
}

// Close ends the connections. Calls still running end with the code CANCELLED, as do later ones. Closing a second
// time is an error.
func (c *Client) Close() error {
	return c.connection.Close()
}

// Service is the generated client over the same connections and with the same waiting, retrying and balancing: for
// call options, and for what this package does not wrap. It sets no default deadline, and leaves streams alone: it
// neither checks nor resumes them, nor opens those again that a busy server refuses.
func (c *Client) Service() zermelov1.SolverServiceClient {
	return c.service
}

// stream is a stream before it is ranged over.
func (c *Client) stream(ctx context.Context, method, item string) stream {
	return stream{ctx: ctx, method: method, item: item, resumes: c.resumes, busyAttempts: c.busyAttempts}
}
