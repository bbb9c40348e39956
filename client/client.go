package client

import (
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
}

// New makes a client of the servers at target, a gRPC name such as "localhost:50051" or
// "dns:///zermelo.internal:50051". It does not connect: the first call does. An error means that the target or the
// options cannot be right; a server that cannot be reached is not an error here.
//
// The connection is not encrypted unless [WithTransportCredentials] says so.
func New(target string, opts ...Option) (*Client, error) {
	if target == "" {
		// gRPC would take it for a name that does not resolve yet, and have every call wait for it.
		return nil, errors.New("client: the target is empty; give one such as localhost:50051")
	}
	settings := defaultSettings()
	for _, opt := range opts {
		opt(&settings)
	}
	if settings.unaryTimeout < 0 {
		return nil, fmt.Errorf("client: the timeout of unary calls is %v; it cannot be negative", settings.unaryTimeout)
	}
	connection, err := grpc.NewClient(target, settings.dialOptions()...)
	if err != nil {
		return nil, fmt.Errorf("client: target %q: %w", target, err)
	}
	return &Client{
		connection:   connection,
		service:      zermelov1.NewSolverServiceClient(connection),
		unaryTimeout: settings.unaryTimeout,
		resumes:      settings.resumes,
	}, nil
}

// Close ends the connections. Calls still running end with the code CANCELLED, as do later ones. Closing a second
// time is an error.
func (c *Client) Close() error {
	return c.connection.Close()
}

// Service is the generated client over the same connections and with the same waiting, retrying and balancing: for
// call options, and for what this package does not wrap. It sets no default deadline and neither checks its streams nor resumes them.
func (c *Client) Service() zermelov1.SolverServiceClient {
	return c.service
}
