package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// TestSecuredServer: a server that asks for a certificate and a token is called with both, by flags or by the environment,
// and what is missing or wrong is said.
func TestSecuredServer(t *testing.T) {
	authority := servertest.NewAuthority(t)
	cert, key := authority.Issue("server")
	mine, myKey := authority.Issue("me")
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("good-0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := servertest.Listen(t, servertest.WithConfig(func(c *config.Config) {
		c.TLSCert, c.TLSKey, c.TLSClientCA, c.TokenFile = cert, key, authority.File, token
	}))
	solve := []string{"solve", "guess-number", "--high", "10", "--addr", server.Address, "--connect-timeout", "2s"}
	for name, test := range map[string]struct {
		flags []string
		env   map[string]string
		code  int
		says  string // on standard error, or in the answer
	}{
		"by flags": {
			[]string{"--tls-ca", authority.File, "--tls-cert", mine, "--tls-key", myKey, "--token-file", token}, nil, exitOK, "COST 16",
		},
		"by the environment": {nil, map[string]string{
			"ZERMELO_TLS_CA": authority.File, "ZERMELO_CLIENT_CERT": mine, "ZERMELO_CLIENT_KEY": myKey,
			"ZERMELO_CLIENT_TOKEN_FILE": token,
		}, exitOK, "COST 16"},
		"without a token": {
			[]string{"--tls-ca", authority.File, "--tls-cert", mine, "--tls-key", myKey}, nil, exitFault, "carries no token",
		},
		"of an unknown authority": {[]string{"--tls", "--tls-cert", mine, "--tls-key", myKey}, nil, exitUnavailable, "certificate"},
		"a certificate alone":     {[]string{"--tls-ca", authority.File, "--tls-cert", mine}, nil, exitUsage, "go together"},
		"a token in the clear":    {[]string{"--token-file", token}, nil, exitUsage, "--insecure-token"},
		"no such file":            {[]string{"--tls-ca", "nowhere.pem"}, nil, exitUsage, "--tls-ca: open nowhere.pem"},
	} {
		t.Run(name, func(t *testing.T) {
			got := invokeWith(t, test.env, "", append(append([]string{}, solve...), test.flags...)...)
			if got.code != test.code || !strings.Contains(got.stdout+got.stderr, test.says) {
				t.Errorf("exit code %d, standard output:\n%s\nstandard error:\n%s", got.code, got.stdout, got.stderr)
			}
		})
	}
	if got := invoke(t, "solve", "guess-number", "--high", "10", "--tls"); got.code != exitUsage || !strings.Contains(got.stderr, "--addr") {
		t.Errorf("TLS to nowhere: %+v", got)
	}
}
