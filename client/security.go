package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/zermelo-games/zermelo/client/reload"
)

// maxTokenBytes is the longest token. The server reads 64 KiB of metadata; proxies before it are content with far less.
const maxTokenBytes = 8 << 10

// WithTLS encrypts connections and has the server prove with a certificate that it is the one of the target. Who may
// sign it are the authorities of the system, unless [WithTLSCA] says otherwise. The name that the certificate has to be
// for is that in the target; [grpc.WithAuthority], by [WithDialOptions], sets another one.
//
// A server whose certificate is not accepted counts as one that is not there: calls wait for it, and tell what was
// wrong when their time is over.
//
// For all else that TLS can do there is [WithTransportCredentials].
func WithTLS() Option {
	return func(s *settings) { s.security.tls = true }
}

// WithTLSCA is [WithTLS] with the authorities, one or more, whose certificates are in a file, in PEM, in place of those
// of the system. New connections heed a file that changed more than a second ago; while it cannot be used, what it had
// last still counts.
func WithTLSCA(file string) Option {
	return func(s *settings) { s.security.tls, s.security.caFile = true, &file }
}

// WithClientCertificate is [WithTLS] with a certificate by which the server knows who calls, and its key, both in PEM;
// the certificate is followed by those that lead to an authority of the server, if there are any. New connections heed
// files that changed more than a second ago; while they cannot be used, or the key is not that of the certificate,
// because only one of them has been replaced, the last pair still counts.
func WithClientCertificate(certFile, keyFile string) Option {
	return func(s *settings) { s.security.tls, s.security.pair = true, &[2]string{certFile, keyFile} }
}

// WithToken sends a token with each call, the metadata `authorization: Bearer …`. It is sent over TLS only; see
// [WithInsecureToken].
func WithToken(token string) Option {
	return func(s *settings) { s.security.token = &token }
}

// WithTokenFile is [WithToken] with the token that a file holds: its first line that is neither empty nor a comment,
// which begins with `#`, without the white space around it. Each call heeds a file that changed more than a second ago;
// while it cannot be used, the last token is still sent.
func WithTokenFile(file string) Option {
	return func(s *settings) { s.security.tokenFile = &file }
}

// WithInsecureToken allows a token to be sent without TLS, where everyone on the way can read and use it: to a server on
// this machine, or through a proxy that encrypts. Default: a token without TLS is an error of [New].
func WithInsecureToken() Option {
	return func(s *settings) { s.security.insecureToken = true }
}

// security is how connections are secured and who calls. What is nil was not asked for.
type security struct {
	given         *credentials.TransportCredentials // by WithTransportCredentials
	tls           bool
	caFile        *string
	pair          *[2]string // certificate and key
	token         *string
	tokenFile     *string
	insecureToken bool
}

// dialOptions reads the files. The error is an [*OptionError].
func (s *security) dialOptions() ([]grpc.DialOption, error) {
	transport, err := s.transport()
	if err != nil {
		return nil, err
	}
	options := append(make([]grpc.DialOption, 0, 2), grpc.WithTransportCredentials(transport))
	bearer, err := s.bearer()
	if err != nil || bearer == nil {
		return options, err
	}
	bearer.open = transport.Info().SecurityProtocol == insecure.NewCredentials().Info().SecurityProtocol
	if bearer.open && !s.insecureToken {
		option := "WithToken"
		if s.tokenFile != nil {
			option = "WithTokenFile"
		}
		return nil, optionErrorf(option, "without TLS everyone on the way could read the token; add WithTLS, or "+
			"WithInsecureToken where that is all right")
	}
	return append(options, grpc.WithPerRPCCredentials(bearer)), nil
}

// transport makes what secures connections.
func (s *security) transport() (credentials.TransportCredentials, error) {
	switch {
	case s.given != nil && *s.given == nil:
		return nil, optionErrorf("WithTransportCredentials", "nil; leave the option out for no security")
	case s.given != nil && s.tls:
		return nil, optionErrorf("WithTransportCredentials", "WithTLS, WithTLSCA and WithClientCertificate make credentials "+
			"of their own; use either these or that")
	case s.given != nil:
		return *s.given, nil
	case !s.tls:
		return insecure.NewCredentials(), nil
	}
	t := &fileTLS{config: &tls.Config{MinVersion: tls.VersionTLS12}}
	if s.caFile != nil {
		roots, err := reload.Authorities(*s.caFile, nil)
		if err != nil {
			return nil, optionError("WithTLSCA", err)
		}
		t.roots = roots
	}
	if s.pair != nil {
		certFile, keyFile := s.pair[0], s.pair[1]
		if (certFile == "") != (keyFile == "") {
			return nil, optionErrorf("WithClientCertificate", "one file is named, where certificate and key are both needed")
		}
		pair, err := reload.Certificate(certFile, keyFile, nil)
		if err != nil {
			return nil, optionError("WithClientCertificate", err)
		}
		t.config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return pair.Get(), nil
		}
	}
	t.TransportCredentials = credentials.NewTLS(t.config)
	return t, nil
}

// bearer makes what sends a token; nil when there is none.
func (s *security) bearer() (*bearer, error) {
	switch {
	case s.token != nil && s.tokenFile != nil:
		return nil, optionErrorf("WithTokenFile", "WithToken gives a token, too; use either")
	case s.token != nil:
		if err := checkToken(*s.token); err != nil {
			return nil, optionError("WithToken", err)
		}
		return &bearer{token: func() string { return *s.token }}, nil
	case s.tokenFile != nil:
		token, err := reload.New(parseToken, nil, *s.tokenFile)
		if err != nil {
			return nil, optionError("WithTokenFile", err)
		}
		return &bearer{token: token.Get}, nil
	}
	return nil, nil
}

// fileTLS is TLS whose authorities are those that a file has at the time of each handshake.
type fileTLS struct {
	credentials.TransportCredentials // of config
	config                           *tls.Config
	roots                            *reload.Value[*x509.CertPool] // nil: those of the system
}

// ClientHandshake is called for each new connection.
func (t *fileTLS) ClientHandshake(
	ctx context.Context, authority string, conn net.Conn,
) (net.Conn, credentials.AuthInfo, error) {
	if t.roots == nil {
		return t.TransportCredentials.ClientHandshake(ctx, authority, conn)
	}
	config := t.config.Clone()
	config.RootCAs = t.roots.Get()
	return credentials.NewTLS(config).ClientHandshake(ctx, authority, conn)
}

// Clone is asked for by balancers that make connections of their own.
func (t *fileTLS) Clone() credentials.TransportCredentials {
	return &fileTLS{TransportCredentials: t.TransportCredentials.Clone(), config: t.config, roots: t.roots}
}

// bearer sends a token with each call, the watch on a server's health included.
type bearer struct {
	token func() string
	open  bool // without TLS, which was allowed
}

// GetRequestMetadata is called for each call.
func (b *bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + b.token()}, nil
}

// RequireTransportSecurity has gRPC refuse to send the token over a connection that is not encrypted, whatever made it.
func (b *bearer) RequireTransportSecurity() bool { return !b.open }

// parseToken finds the token in a file.
func parseToken(contents [][]byte) (string, error) {
	lines := reload.Lines(contents[0])
	if len(lines) == 0 {
		return "", errors.New("there is no token: each line is empty or a comment")
	}
	return lines[0].Text, checkToken(lines[0].Text)
}

// checkToken finds what cannot be sent. It never shows the token.
func checkToken(token string) error {
	if token == "" {
		return errors.New("the token is empty")
	}
	if len(token) > maxTokenBytes {
		return fmt.Errorf("the token has %d bytes; the most is %d", len(token), maxTokenBytes)
	}
	for i := range len(token) {
		if c := token[i]; c <= ' ' || c > '~' {
			return fmt.Errorf("byte %d of the token is a space, a control character or not ASCII", i+1)
		}
	}
	return nil
}
