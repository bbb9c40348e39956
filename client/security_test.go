package client_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/reload"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/servertest"
)

const (
	goodToken  = "good-0123456789abcdef"
	freshToken = "fresh-0123456789abcdef"
)

// secured runs a server with these settings in memory, and returns how to reach it. The tests that wait for a file to
// be looked at again, or for a server that is not trusted, run in a bubble with a clock of its own.
func secured(t *testing.T, change func(*config.Config)) client.Option {
	t.Helper()
	return client.WithDialOptions(grpc.WithContextDialer(servertest.Start(t, servertest.WithConfig(change)).Dial))
}

// localhost is who the servers in memory say they are.
const localhost = "passthrough:///localhost"

func tokenFile(t *testing.T, lines ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	writeFile(t, file, strings.Join(lines, "\n")+"\n")
	return file
}

func writeFile(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ask makes a client, one call, and an end of it.
func ask(t *testing.T, opts ...client.Option) error {
	t.Helper()
	c, err := client.New(localhost, opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_, err = c.ListGames(within(t))
	return err
}

func TestTLSWithCertificatesAndToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		authority := servertest.NewAuthority(t)
		cert, key := authority.Issue("server")
		tokens := tokenFile(t, goodToken)
		server := secured(t, func(c *config.Config) {
			c.TLSCert, c.TLSKey, c.TLSClientCA, c.TokenFile = cert, key, authority.File, tokens
		})
		alice, aliceKey := authority.Issue("alice")
		if err := ask(t, server, client.WithTLSCA(authority.File), client.WithClientCertificate(alice, aliceKey),
			client.WithTokenFile(tokenFile(t, "# mine", "", "  "+goodToken+" "))); err != nil {
			t.Errorf("with all that is asked for: %v", err)
		}
		for name, opts := range map[string][]client.Option{
			"without TLS":              nil,
			"with those of the system": {client.WithTLS(), client.WithClientCertificate(alice, aliceKey), client.WithToken(goodToken)},
			"without its certificate":  {client.WithTLSCA(authority.File), client.WithToken(goodToken)},
			"with another authority":   {client.WithTLSCA(servertest.NewAuthority(t).File), client.WithToken(goodToken)},
		} {
			if err := ask(t, append(opts, server)...); status.Code(err) != codes.DeadlineExceeded && status.Code(err) != codes.Unavailable {
				t.Errorf("%s: %v", name, err)
			}
		}
		certified := []client.Option{client.WithTLSCA(authority.File), client.WithClientCertificate(alice, aliceKey)}
		for name, opts := range map[string][]client.Option{
			"without a token": certified, "with a wrong token": append(slices.Clip(certified), client.WithToken("wrong-0123456789")),
		} {
			if err := ask(t, append(opts, server)...); client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_UNAUTHENTICATED {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestTokenRotates: one client goes on while the server takes in a new token, the file of the client gets it, and the old
// one goes.
func TestTokenRotates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		accepted, mine := tokenFile(t, goodToken), tokenFile(t, goodToken)
		server := secured(t, func(c *config.Config) { c.TokenFile = accepted })
		c, err := client.New(localhost, server, client.WithTokenFile(mine), client.WithInsecureToken())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		call := func(when string) {
			t.Helper()
			if _, err := c.ListGames(within(t)); err != nil {
				t.Errorf("%s: %v", when, err)
			}
		}
		call("before")
		writeFile(t, accepted, goodToken+"\n"+freshToken+"\n")
		time.Sleep(reload.Interval)
		call("with both accepted")
		writeFile(t, mine, freshToken+"\n")
		time.Sleep(reload.Interval)
		call("with the new one")
		writeFile(t, accepted, freshToken+"\n")
		time.Sleep(reload.Interval)
		call("with the old one gone")
		writeFile(t, mine, "\n")
		time.Sleep(reload.Interval)
		call("with a file that holds none, which leaves the last one")
	})
}

// TestAuthorityIsReplaced: new connections of a client trust what its file holds then.
func TestAuthorityIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old, next := servertest.NewAuthority(t), servertest.NewAuthority(t)
		cert, key := next.Issue("server")
		server := secured(t, func(c *config.Config) { c.TLSCert, c.TLSKey = cert, key })
		trusted := filepath.Join(t.TempDir(), "ca.pem")
		copyFile(t, old.File, trusted)
		c, err := client.New(localhost, server, client.WithTLSCA(trusted))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		if _, err := c.ListGames(within(t)); err == nil {
			t.Error("a server of an authority that is not trusted is called")
		}
		copyFile(t, next.File, trusted)
		if _, err := c.ListGames(within(t)); err != nil { // connects anew after its pause
			t.Error(err)
		}
	})
}

// TestClientCertificateIsReplaced: new connections of a client show the certificate that its files hold then; while only
// one of the two has been replaced, the one before.
func TestClientCertificateIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		authority := servertest.NewAuthority(t)
		config := authority.Client("server") // its certificate is good for servers, too
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, authority.Pool()
		var caller atomic.Pointer[string]
		f := &fake{solve: func(ctx context.Context, _ int64) (*zermelov1.SolveResponse, error) {
			from, _ := peer.FromContext(ctx)
			name := from.AuthInfo.(credentials.TLSInfo).State.PeerCertificates[0].Subject.CommonName
			caller.Store(&name)
			return solved(), nil
		}}
		listener, _ := listen(t, f, grpc.Creds(credentials.NewTLS(config)))

		cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
		alice, aliceKey := authority.Issue("alice")
		copyFile(t, alice, cert)
		copyFile(t, aliceKey, key)
		var mu sync.Mutex
		var open net.Conn
		dial := grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			conn, err := listener.DialContext(ctx)
			mu.Lock()
			defer mu.Unlock()
			open = conn
			return conn, err
		})
		c := newClient(t, "passthrough:///localhost", client.WithTLSCA(authority.File), client.WithClientCertificate(cert, key),
			client.WithDialOptions(dial))
		// anew has the next call made over a new connection, when the files have settled.
		anew := func() {
			time.Sleep(reload.Interval)
			mu.Lock()
			defer mu.Unlock()
			_ = open.Close()
		}
		calls := func(when, as string) {
			t.Helper()
			if _, err := c.Solve(within(t), &zermelov1.SolveRequest{}); err != nil {
				t.Fatalf("%s: %v", when, err)
			}
			if got := *caller.Load(); got != as {
				t.Errorf("%s: called as %s, want %s", when, got, as)
			}
		}
		calls("at first", "alice")
		bob, bobKey := authority.Issue("bob")
		copyFile(t, bob, cert)
		anew()
		calls("with the key of another certificate", "alice")
		copyFile(t, bobKey, key)
		anew()
		calls("with both replaced", "bob")
		writeFile(t, key, "")
		anew()
		calls("without a key", "bob")
	})
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, to, string(content))
}

func TestSecurityThatCannotBe(t *testing.T) {
	authority := servertest.NewAuthority(t)
	cert, key := authority.Issue("alice")
	_, otherKey := authority.Issue("bob")
	for name, test := range map[string]struct {
		opts   []client.Option
		option string
	}{
		"a token without TLS":     {[]client.Option{client.WithToken(goodToken)}, "WithToken"},
		"a file without TLS":      {[]client.Option{client.WithTokenFile(tokenFile(t, goodToken))}, "WithTokenFile"},
		"two tokens":              {[]client.Option{client.WithTLS(), client.WithToken(goodToken), client.WithTokenFile("x")}, "WithTokenFile"},
		"an empty token":          {[]client.Option{client.WithTLS(), client.WithToken("")}, "WithToken"},
		"a token of two words":    {[]client.Option{client.WithTLS(), client.WithToken("two words")}, "WithToken"},
		"no token in the file":    {[]client.Option{client.WithTLS(), client.WithTokenFile(tokenFile(t, "# none"))}, "WithTokenFile"},
		"no such file":            {[]client.Option{client.WithTLSCA("nowhere.pem")}, "WithTLSCA"},
		"no certificate in it":    {[]client.Option{client.WithTLSCA(key)}, "WithTLSCA"},
		"a certificate alone":     {[]client.Option{client.WithClientCertificate(cert, "")}, "WithClientCertificate"},
		"another's key":           {[]client.Option{client.WithClientCertificate(cert, otherKey)}, "WithClientCertificate"},
		"credentials beside them": {[]client.Option{client.WithTLS(), client.WithTransportCredentials(insecure.NewCredentials())}, "WithTransportCredentials"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := client.New("localhost:1", test.opts...)
			var option *client.OptionError
			if !errors.As(err, &option) || option.Option != test.option {
				t.Fatalf("%v, want one about %s", err, test.option)
			}
			if strings.Contains(err.Error(), goodToken) {
				t.Errorf("the error shows the token: %v", err)
			}
		})
	}
}
