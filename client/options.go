package client

import (
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// DefaultUnaryTimeout is how long unary calls, such as Solve, may take when neither their context nor [WithUnaryTimeout]
// says otherwise. It is not there to hurry the server, but because a call waits for a server that is not there: longer
// than a Solve should ever need, shorter than for ever.
const DefaultUnaryTimeout = 5 * time.Minute

// Option changes how [New] makes a client.
type Option func(*settings)

// OptionError is the error of [New] about an option.
type OptionError struct {
	// Option is its name: "WithTLSCA".
	Option string
	// Err is what is wrong with it; a file that cannot be read is an error of package os.
	Err error
}

// Error names the option and says what is wrong.
func (e *OptionError) Error() string { return "client: " + e.Option + ": " + e.Err.Error() }

// Unwrap is what is wrong.
func (e *OptionError) Unwrap() error { return e.Err }

func optionError(option string, err error) error { return &OptionError{Option: option, Err: err} }

func optionErrorf(option, format string, args ...any) error {
	return optionError(option, fmt.Errorf(format, args...))
}

// settings is what options change.
type settings struct {
	security     security
	unaryTimeout time.Duration
	resumes      bool
	retriesBusy  bool
	extra        []grpc.DialOption
}

// defaultSettings are those of a client without options.
func defaultSettings() settings {
	return settings{unaryTimeout: DefaultUnaryTimeout, resumes: true, retriesBusy: true}
}

// check finds settings that cannot be right.
func (s *settings) check() error {
	if s.unaryTimeout < 0 {
		return optionErrorf("WithUnaryTimeout", "%v; the timeout of unary calls cannot be negative", s.unaryTimeout)
	}
	return nil
}

// dialOptions lists the defaults first, since of two options for the same thing gRPC takes the later one.
func (s *settings) dialOptions() ([]grpc.DialOption, error) {
	options := append(defaultDialOptions(), grpc.WithChainUnaryInterceptor(retry(s.retriesBusy)))
	secured, err := s.security.dialOptions()
	if err != nil {
		return nil, err
	}
	options = append(options, secured...)
	return append(options, s.extra...), nil
}

// WithTransportCredentials sets how connections are secured in a way that [WithTLS] and its like do not offer. Default:
// not at all.
func WithTransportCredentials(c credentials.TransportCredentials) Option {
	return func(s *settings) { s.security.given = &c }
}

// WithDialOptions adds options of gRPC: interceptors, stats handlers, a dialer. They are applied after the defaults
// of this package, so that they win: grpc.WithDefaultServiceConfig replaces retrying, waiting, balancing and health
// checking as a whole. Given more than once, they add up. Chained interceptors of unary calls see each attempt at a busy
// server.
//
// Do not add a retrying interceptor that also takes streams: it would replay an explanation from its first event,
// which ends the loop with a [ProtocolError].
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.extra = append(s.extra, options...) }
}

// WithUnaryTimeout sets how long unary calls may take, waiting and retries included, when their context has no deadline.
// A deadline of the context, shorter or longer, goes before. 0: no limit; negative is an error of [New]. Default:
// [DefaultUnaryTimeout].
func WithUnaryTimeout(d time.Duration) Option {
	return func(s *settings) { s.unaryTimeout = d }
}

// WithoutResume has a stream end with the error when a server becomes UNAVAILABLE or the time that it gives a call is over,
// and leaves it to the caller to ask for the rest, with the token of the opening and the sequence number of the last event or position. Default:
// [Trace.Events] and [Enumeration.Positions] do so by themselves.
func WithoutResume() Option {
	return func(s *settings) { s.resumes = false }
}

// WithoutBusyRetry has a call that a busy server refuses end with the error, and leaves it to the caller to wait for as
// long as its google.rpc.RetryInfo says. Default: the call is made again after that time; see the package comment.
func WithoutBusyRetry() Option {
	return func(s *settings) { s.retriesBusy = false }
}
