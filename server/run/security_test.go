package run_test

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	reflectionv1alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/reload"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/run"
	"github.com/zermelo-games/zermelo/server/servertest"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// guard is how long a test waits for what must come before it calls it hung.
const guard = 10 * time.Second

// served is a server and how to reach it.
type served struct {
	target string
	dialer grpc.DialOption
	log    *log
}

// log collects what a server logs.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), text)
}

// serve starts a server in memory.
func serve(t *testing.T, change func(*config.Config)) *served {
	t.Helper()
	l := &log{}
	server := servertest.Start(t, servertest.WithConfig(change), servertest.WithLogger(slog.New(slog.NewTextHandler(l, nil))))
	return &served{target: "passthrough:///localhost", dialer: grpc.WithContextDialer(server.Dial), log: l}
}

// list calls ListGames over a connection of its own.
func (s *served) list(t *testing.T, creds credentials.TransportCredentials, token string) error {
	t.Helper()
	conn := s.dial(t, creds)
	defer func() { _ = conn.Close() }()
	_, err := zermelov1.NewSolverServiceClient(conn).ListGames(withToken(t, token), &zermelov1.ListGamesRequest{})
	return err
}

func (s *served) dial(t *testing.T, creds credentials.TransportCredentials) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(s.target, grpc.WithTransportCredentials(creds), s.dialer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func withToken(t *testing.T, token string) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	t.Cleanup(cancel)
	if token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	return ctx
}

func wantCode(t *testing.T, err error, code codes.Code) {
	t.Helper()
	if status.Code(err) != code {
		t.Errorf("got %v, want %v", err, code)
	}
}

// TestTLS is over a port of this machine.
func TestTLS(t *testing.T) {
	authority := servertest.NewAuthority(t)
	cert, key := authority.Issue("server")
	listening := servertest.Listen(t, servertest.WithConfig(func(c *config.Config) { c.TLSCert, c.TLSKey = cert, key }))
	s := &served{target: listening.Address, dialer: grpc.EmptyDialOption{}}
	wantCode(t, s.list(t, credentials.NewTLS(authority.Client("")), ""), codes.OK)
	wantCode(t, s.list(t, insecure.NewCredentials(), ""), codes.Unavailable)
	wantCode(t, s.list(t, credentials.NewTLS(servertest.NewAuthority(t).Client("")), ""), codes.Unavailable)
	old := authority.Client("")
	old.MinVersion, old.MaxVersion = tls.VersionTLS11, tls.VersionTLS11
	wantCode(t, s.list(t, credentials.NewTLS(old), ""), codes.Unavailable)
	// Probes stay plain, on the admin port.
	for _, path := range []string{"/healthz", "/readyz"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listening.Admin+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %v", path, answer.Status)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// TestClientCertificates: without one of the right authority there is no connection.
func TestClientCertificates(t *testing.T) {
	authority, others := servertest.NewAuthority(t), servertest.NewAuthority(t)
	cert, key := authority.Issue("server")
	s := serve(t, func(c *config.Config) { c.TLSCert, c.TLSKey, c.TLSClientCA = cert, key, authority.File })
	wantCode(t, s.list(t, credentials.NewTLS(authority.Client("alice")), ""), codes.OK)
	wantCode(t, s.list(t, credentials.NewTLS(authority.Client("")), ""), codes.Unavailable)
	foreign := others.Client("mallory")
	foreign.RootCAs = authority.Pool()
	wantCode(t, s.list(t, credentials.NewTLS(foreign), ""), codes.Unavailable)
	if !s.log.has("cert:CN=alice") {
		t.Error("the log does not name the client")
	}
}

// TestCertificatesAreReplaced while the server runs: new connections have the new one, and one that does not fit its key
// changes nothing but a line of the log.
func TestCertificatesAreReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		authority, next := servertest.NewAuthority(t), servertest.NewAuthority(t)
		cert, key := authority.Issue("server")
		s := serve(t, func(c *config.Config) { c.TLSCert, c.TLSKey = cert, key })
		before, after := credentials.NewTLS(authority.Client("")), credentials.NewTLS(next.Client(""))
		wantCode(t, s.list(t, before, ""), codes.OK)
		wantCode(t, s.list(t, after, ""), codes.Unavailable)

		nextCert, nextKey := next.Issue("server")
		copyFile(t, nextCert, cert)
		time.Sleep(reload.Interval)
		wantCode(t, s.list(t, before, ""), codes.OK)
		if !s.log.has("cannot be used") {
			t.Error("nothing is logged of a certificate that does not fit")
		}
		copyFile(t, nextKey, key)
		time.Sleep(reload.Interval)
		wantCode(t, s.list(t, after, ""), codes.OK)
		wantCode(t, s.list(t, before, ""), codes.Unavailable)
	})
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestSettingsThatCannotBeServed(t *testing.T) {
	authority := servertest.NewAuthority(t)
	cert, key := authority.Issue("server")
	_, otherKey := authority.Issue("other")
	short := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(short, []byte("# one\nshort\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change func(*config.Config)
		says   string
	}{
		"no such certificate": {func(c *config.Config) { c.TLSCert, c.TLSKey = "nowhere.pem", key }, "nowhere.pem"},
		"another's key":       {func(c *config.Config) { c.TLSCert, c.TLSKey = cert, otherKey }, "--tls-key"},
		"no authority":        {func(c *config.Config) { c.TLSCert, c.TLSKey, c.TLSClientCA = cert, key, key }, "--tls-client-ca"},
		"no such tokens":      {func(c *config.Config) { c.TokenFile = "nowhere.txt" }, "nowhere.txt"},
		"a short token":       {func(c *config.Config) { c.TokenFile = short }, "line 2"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := config.Default()
			test.change(&cfg)
			if _, err := run.New(cfg, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v does not say %q", err, test.says)
			}
		})
	}
}

const (
	tokenOne = "one-0123456789abcdef"
	tokenTwo = "two-0123456789abcdef"
)

func writeTokens(t *testing.T, file string, tokens ...string) {
	t.Helper()
	if err := os.WriteFile(file, []byte("# tokens\n\n"+strings.Join(tokens, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestTokens: several at once, in rotation. Health is open to everybody, reflection as it is set.
func TestTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "tokens")
		writeTokens(t, file, tokenOne)
		s := serve(t, func(c *config.Config) { c.TokenFile, c.Reflection = file, config.ReflectionToken })
		plain := insecure.NewCredentials()
		wantCode(t, s.list(t, plain, tokenOne), codes.OK)
		wantCode(t, s.list(t, plain, ""), codes.Unauthenticated)
		err := s.list(t, plain, "wrong-0123456789abcdef")
		wantCode(t, err, codes.Unauthenticated)
		if client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_UNAUTHENTICATED || strings.Contains(err.Error(), "0123456789") {
			t.Errorf("%v", err)
		}
		conn := s.dial(t, plain)
		if _, err := healthgrpc.NewHealthClient(conn).Check(withToken(t, ""), &healthgrpc.HealthCheckRequest{}); err != nil {
			t.Errorf("health asks for a token: %v", err)
		}
		wantCode(t, reflect(withToken(t, ""), conn), codes.Unauthenticated)
		wantCode(t, reflect(withToken(t, tokenOne), conn), codes.OK)
		stream, err := zermelov1.NewSolverServiceClient(conn).Explain(withToken(t, ""), &zermelov1.ExplainRequest{})
		if err == nil {
			_, err = stream.Recv()
		}
		wantCode(t, err, codes.Unauthenticated)

		for _, step := range []struct {
			tokens   []string
			one, two codes.Code
		}{
			{[]string{tokenOne, tokenTwo}, codes.OK, codes.OK},
			{[]string{tokenTwo}, codes.Unauthenticated, codes.OK},
			{nil, codes.Unauthenticated, codes.OK}, // a file without tokens leaves those before in force
		} {
			writeTokens(t, file, step.tokens...)
			time.Sleep(reload.Interval)
			wantCode(t, s.list(t, plain, tokenOne), step.one)
			wantCode(t, s.list(t, plain, tokenTwo), step.two)
		}
		if s.log.has(tokenOne) || s.log.has(tokenTwo) || !s.log.has("client=token:") {
			t.Error("the log has a token, or does not name the client")
		}
	})
}

// reflect asks for the services in both versions of reflection.
func reflect(ctx context.Context, conn *grpc.ClientConn) error {
	stream, err := reflectionv1.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
	if err == nil {
		err = stream.Send(&reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}})
	}
	if err == nil || err == io.EOF { //nolint:errorlint // it is never wrapped
		_, err = stream.Recv()
	}
	if err != nil {
		return err
	}
	alpha, err := reflectionv1alpha.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
	if err == nil {
		//nolint:staticcheck // many tools know only the deprecated version
		err = alpha.Send(&reflectionv1alpha.ServerReflectionRequest{MessageRequest: &reflectionv1alpha.ServerReflectionRequest_ListServices{}})
	}
	if err == nil {
		_, err = alpha.Recv()
	}
	return err
}

func TestReflection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	writeTokens(t, file, tokenOne)
	open := serve(t, func(c *config.Config) { c.TokenFile = file })
	wantCode(t, reflect(withToken(t, ""), open.dial(t, insecure.NewCredentials())), codes.OK)
	off := serve(t, func(c *config.Config) { c.Reflection = config.ReflectionOff })
	wantCode(t, reflect(withToken(t, ""), off.dial(t, insecure.NewCredentials())), codes.Unimplemented)
}

// TestOneClientsLimits: one token has as many calls and streams as are allowed, another its own, and health none.
func TestOneClientsLimits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	writeTokens(t, file, tokenOne, tokenTwo)
	const streams = 2
	s := serve(t, func(c *config.Config) { c.TokenFile, c.ClientStreams = file, streams })
	c := zermelov1.NewSolverServiceClient(s.dial(t, insecure.NewCredentials()))
	open := func(token string) error {
		stream, err := c.Explain(withToken(t, token), &zermelov1.ExplainRequest{
			Position: positions.CanIWin(30, 400), MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_NONE,
		})
		if err == nil {
			_, err = stream.Recv()
		}
		return err
	}
	for _, token := range []string{tokenOne, tokenTwo} {
		for range streams {
			wantCode(t, open(token), codes.OK)
		}
		err := open(token)
		wantCode(t, err, codes.ResourceExhausted)
		if md := client.Metadata(err); client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_CLIENT_LIMIT || md["limit"] != "client-streams" || md["value"] != "2" {
			t.Errorf("%v with %v", err, md)
		}
		if _, err := c.ListGames(withToken(t, token), &zermelov1.ListGamesRequest{}); err != nil {
			t.Error(err)
		}
	}

	s = serve(t, func(c *config.Config) { c.ClientRate = 1 })
	conn := s.dial(t, insecure.NewCredentials())
	refused := 0
	for range 20 {
		_, err := zermelov1.NewSolverServiceClient(conn).ListGames(withToken(t, ""), &zermelov1.ListGamesRequest{})
		if client.Reason(err) == zermelov1.ErrorReason_ERROR_REASON_CLIENT_LIMIT {
			refused++
		}
		if _, err := healthgrpc.NewHealthClient(conn).Check(withToken(t, ""), &healthgrpc.HealthCheckRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if refused == 0 {
		t.Error("no call was one too many")
	}
}

// TestCallsMayTakeSoLong: a stream, and a solve, that takes longer than any may is told so; a caller's own deadline
// before that stays a deadline.
func TestCallsMayTakeSoLong(t *testing.T) {
	const limit = 200 * time.Millisecond
	s := serve(t, func(c *config.Config) { c.MaxSolveTime, c.MaxStreamTime = limit, limit })
	c := zermelov1.NewSolverServiceClient(s.dial(t, insecure.NewCredentials()))
	endless := &zermelov1.ExplainRequest{Position: positions.CanIWin(30, 400), MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_NONE}
	stream, err := c.Explain(withToken(t, ""), endless)
	for err == nil {
		_, err = stream.Recv()
	}
	last := client.Metadata(err)["last_sequence"]
	if client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_TIME_LIMIT || last == "" || client.Metadata(err)["time_limit"] != limit.String() {
		t.Errorf("%v with %v", err, client.Metadata(err))
	}
	_, err = c.Solve(withToken(t, ""), &zermelov1.SolveRequest{Position: positions.CanIWin(33, 500)})
	if client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_TIME_LIMIT {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit/4)
	defer cancel()
	_, err = c.Solve(ctx, &zermelov1.SolveRequest{Position: positions.CanIWin(33, 501)})
	wantCode(t, err, codes.DeadlineExceeded)
	if err := s.list(t, insecure.NewCredentials(), ""); err != nil {
		t.Error(err)
	}
}
