package run

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"

	"google.golang.org/grpc/credentials"

	"github.com/zermelo-games/zermelo/client/reload"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/token"
)

// newCredentials are the transport credentials of the settings; nil for none. They are made of files that may be replaced
// while the server runs: new connections have what is in them then.
func newCredentials(cfg config.Config, logger *slog.Logger) (credentials.TransportCredentials, error) {
	if cfg.TLSCert == "" {
		return nil, nil
	}
	failed := func(err error) {
		logger.Error("the new certificates cannot be used; those before stay in force", "error", err)
	}
	certificate, err := reload.Certificate(cfg.TLSCert, cfg.TLSKey, failed)
	if err != nil {
		return nil, fmt.Errorf("cannot serve TLS: --tls-cert and --tls-key: %w", err)
	}
	var authorities *reload.Value[*x509.CertPool]
	if cfg.TLSClientCA != "" {
		if authorities, err = reload.Authorities(cfg.TLSClientCA, failed); err != nil {
			return nil, fmt.Errorf("cannot serve TLS: --tls-client-ca: %w", err)
		}
	}
	// gRPC adds ALPN to the configuration that it is given, not to those that come from here.
	return credentials.NewTLS(&tls.Config{
		MinVersion: tls.VersionTLS12,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			c := &tls.Config{
				MinVersion:   tls.VersionTLS12,
				Certificates: []tls.Certificate{*certificate.Get()},
				NextProtos:   []string{"h2"},
				// A session that is taken up again would be verified by what was in force when it began.
				SessionTicketsDisabled: true,
			}
			if authorities != nil {
				c.ClientCAs, c.ClientAuth = authorities.Get(), tls.RequireAndVerifyClientCert
			}
			return c, nil
		},
	}), nil
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
