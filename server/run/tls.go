package run

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"

	"google.golang.org/grpc/credentials"

	"github.com/zermelo-games/zermelo/internal/reload"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/token"
)

// newCredentials are the transport credentials of the settings; nil for none. They are made of files that may be replaced
// while the server runs: new connections have what is in them then.
func newCredentials(cfg config.Config, logger *slog.Logger) (credentials.TransportCredentials, error) {
	if cfg.TLSCert == "" {
		return nil, nil
	}
	files := []string{cfg.TLSCert, cfg.TLSKey}
	if cfg.TLSClientCA != "" {
		files = append(files, cfg.TLSClientCA)
	}
	load := func(contents [][]byte) (*tls.Config, error) { return tlsConfig(cfg, contents) }
	current, err := reload.New(load, func(err error) {
		logger.Error("the new certificates cannot be used; those before stay in force", "error", err)
	}, files...)
	if err != nil {
		return nil, fmt.Errorf("cannot serve TLS: %w", err)
	}
	// gRPC adds ALPN to the configuration that it is given, not to those that come from here.
	return credentials.NewTLS(&tls.Config{
		MinVersion:         tls.VersionTLS12,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return current.Get(), nil },
	}), nil
}

// tlsConfig makes the configuration of connections from the contents of the files.
func tlsConfig(cfg config.Config, contents [][]byte) (*tls.Config, error) {
	certificate, err := tls.X509KeyPair(contents[0], contents[1])
	if err != nil {
		return nil, fmt.Errorf("--tls-cert %s and --tls-key %s: %w", cfg.TLSCert, cfg.TLSKey, err)
	}
	c := &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{certificate},
		NextProtos:   []string{"h2"},
		// A session that is taken up again would be verified by what was in force when it began.
		SessionTicketsDisabled: true,
	}
	if cfg.TLSClientCA != "" {
		c.ClientCAs, c.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !c.ClientCAs.AppendCertsFromPEM(contents[2]) {
			return nil, fmt.Errorf("--tls-client-ca %s: %w", cfg.TLSClientCA, errors.New("it holds no certificate in PEM"))
		}
	}
	return c, nil
}

// newTokens are the tokens of the settings; nil for none.
func newTokens(cfg config.Config, logger *slog.Logger) (*token.Set, error) {
	if cfg.TokenFile == "" {
		return nil, nil
	}
	tokens, err := token.Open(cfg.TokenFile, func(err error) {
		logger.Error("the new tokens cannot be used; those before stay in force", "error", err)
	})
	if err != nil {
		return nil, fmt.Errorf("--token-file: %w", err)
	}
	return tokens, nil
}
