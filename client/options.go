package client

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// DefaultUnaryTimeout is how long Solve and ListGames may take when neither their context nor [WithUnaryTimeout] says
// otherwise. It is not there to hurry the server, but because a call waits for a server that is not there: longer
// than a Solve should ever need, shorter than for ever.
const DefaultUnaryTimeout = 5 * time.Minute

// Option changes how [New] makes a client.
type Option func(*settings)

// settings is what options change.
type settings struct {
	credentials  credentials.TransportCredentials
	unaryTimeout time.Duration
	resumes      bool
	extra        []grpc.DialOption
}

// defaultSettings are those of a client without options.
func defaultSettings() settings {
	return settings{credentials: insecure.NewCredentials(), unaryTimeout: DefaultUnaryTimeout, resumes: true}
}

// dialOptions lists the defaults first, since of two options for the same thing gRPC takes the later one.
func (s *settings) dialOptions() []grpc.DialOption {
	options := append(defaultDialOptions(), grpc.WithTransportCredentials(s.credentials))
	return append(options, s.extra...)
}

// WithTransportCredentials sets how connections are secured, TLS for instance. Default: not at all.
func WithTransportCredentials(c credentials.TransportCredentials) Option {
	return func(s *settings) { s.credentials = c }
}

// WithDialOptions adds options of gRPC: interceptors, stats handlers, a dialer. They are applied after the defaults
// of this package, so that they win: grpc.WithDefaultServiceConfig replaces retrying, waiting, balancing and health
// checking as a whole. Given more than once, they add up.
//
// Do not add a retrying interceptor that also takes streams: it would replay an explanation from its first event,
// which ends the loop with a [ProtocolError].
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.extra = append(s.extra, options...) }
}

// WithUnaryTimeout sets how long Solve and ListGames may take, waiting and retries included, when their context has
// no deadline. A deadline of the context, shorter or longer, goes before. 0: no limit; negative is an error of [New].
// Default: [DefaultUnaryTimeout].
func WithUnaryTimeout(d time.Duration) Option {
	return func(s *settings) { s.unaryTimeout = d }
}

// WithoutResume has an explanation end with the error when a server becomes UNAVAILABLE, and leaves it to the caller to
// ask for the rest, with the token of the opening and the sequence number of the last event. Default: [Trace.Events]
// does so by itself.
func WithoutResume() Option {
	return func(s *settings) { s.resumes = false }
}
