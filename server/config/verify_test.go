package config_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/server/config"
)

func TestDefaultsAreGood(t *testing.T) {
	if err := config.Default().Verify(); err != nil {
		t.Fatal(err)
	}
}

func TestVerify(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*config.Config)
		flag   string // "": the settings are good
		says   string
	}{
		{"any loopback address", func(c *config.Config) { c.Listen = "127.9.9.9:0" }, "", ""},
		{"an address of version 6", func(c *config.Config) { c.Listen = "[::1]:50051" }, "", ""},
		{"a free port for both", func(c *config.Config) { c.Listen, c.AdminListen = "localhost:0", "localhost:0" }, "", ""},
		{"no address", func(c *config.Config) { c.Listen = "" }, "--listen", "127.0.0.1:50051"},
		{"no port", func(c *config.Config) { c.Listen = "localhost" }, "--listen", "host:port"},
		{"a named port", func(c *config.Config) { c.Listen = "localhost:http" }, "--listen", "0 to 65535"},
		{"a port too large", func(c *config.Config) { c.Listen = "localhost:65536" }, "--listen", "0 to 65535"},
		{"a port below zero", func(c *config.Config) { c.Listen = "localhost:-1" }, "--listen", "0 to 65535"},
		{"a bad admin address", func(c *config.Config) { c.AdminListen = "9090" }, "--admin-listen", "host:port"},
		{"one port for two", func(c *config.Config) { c.AdminListen = c.Listen }, "--admin-listen", "another port"},
		{"the least memo", func(c *config.Config) { c.MemoBudget = config.MinMemoBudget }, "", ""},
		{"too little memo", func(c *config.Config) { c.MemoBudget = config.MinMemoBudget - 1 }, "--memo-budget", "64KiB"},
		{"the most memo", func(c *config.Config) { c.MemoBudget = config.MaxMemoBudget }, "", ""},
		{"too much memo", func(c *config.Config) { c.MemoBudget = config.MaxMemoBudget + 1 }, "--memo-budget", "64TiB"},
		{"the memory of the machine", func(c *config.Config) { c.Memory = 0 }, "", ""},
		{"the least memory", func(c *config.Config) { c.Memory = config.MinMemory }, "", ""},
		{"too little memory", func(c *config.Config) { c.Memory = config.MinMemory - 1 }, "--memory", "half of what there is"},
		{"too much memory", func(c *config.Config) { c.Memory = config.MaxMemory + 1 }, "--memory", "1024TiB"},
		{"no cache", func(c *config.Config) { c.Cache = 0 }, "", ""},
		{"too much cache", func(c *config.Config) { c.Cache = config.MaxCache + 1 }, "--cache", "32MiB"},
		{"a cache below zero", func(c *config.Config) { c.Cache = -1 }, "--cache", "from 0B"},
		{"too many solves", func(c *config.Config) { c.MaxSolves = config.MaxSlots + 1 }, "--max-solves", "65536"},
		{"solves below zero", func(c *config.Config) { c.MaxSolves = -1 }, "--max-solves", "number of cores"},
		{"too many streams", func(c *config.Config) { c.MaxStreams = config.MaxSlots + 1 }, "--max-streams", "65536"},
		{"JSON", func(c *config.Config) { c.LogFormat = config.LogFormatJSON }, "", ""},
		{"another format", func(c *config.Config) { c.LogFormat = "xml" }, "--log-format", "text or json"},
		{"debugging", func(c *config.Config) { c.LogLevel = slog.LevelDebug }, "", ""},
		{"a level too high", func(c *config.Config) { c.LogLevel = slog.LevelError + 1 }, "--log-level", "debug to error"},
		{"no delay", func(c *config.Config) { c.DrainDelay = 0 }, "", ""},
		{"a delay below zero", func(c *config.Config) { c.DrainDelay = -1 }, "--drain-delay", "from 0s"},
		{"a delay too long", func(c *config.Config) { c.DrainDelay = time.Hour }, "--drain-delay", "10m0s"},
		{"no grace", func(c *config.Config) { c.DrainGrace = 0 }, "--drain-grace", "from 1s"},
		{"the least grace", func(c *config.Config) { c.DrainGrace = config.MinDrainGrace }, "", ""},
		{"no stall limit", func(c *config.Config) { c.StallLimit = 0 }, "--stall-limit", "from 100ms"},
		{"the least stall limit", func(c *config.Config) { c.StallLimit = config.MinStallLimit }, "", ""},
		{"a stall limit too long", func(c *config.Config) { c.StallLimit = 2 * time.Hour }, "--stall-limit", "1h0m0s"},
		{"a grace too long", func(c *config.Config) { c.DrainGrace = time.Hour }, "--drain-grace", "10m0s"},
		{"all addresses, in the clear", func(c *config.Config) { c.Listen = ":0" }, "--listen", "--allow-plaintext"},
		{"all of version 4", func(c *config.Config) { c.Listen = "0.0.0.0:0" }, "--listen", "--tls-cert"},
		{"all of version 6", func(c *config.Config) { c.Listen = "[::]:0" }, "--listen", "127.0.0.1:50051"},
		{"a name", func(c *config.Config) { c.Listen = "zermelo.internal:0" }, "--listen", "--allow-plaintext"},
		{"what looks like loopback", func(c *config.Config) { c.Listen = "127.0.0.1.example:0" }, "--listen", "--allow-plaintext"},
		{"all addresses, as said", func(c *config.Config) { c.Listen, c.AllowPlaintext = ":0", true }, "", ""},
		{"all addresses, with TLS", func(c *config.Config) { c.Listen, c.TLSCert, c.TLSKey = ":0", "a", "b" }, "", ""},
		{"tokens in the clear", func(c *config.Config) { c.Listen, c.TokenFile = ":0", "a" }, "--listen", "tokens too"},
		{"tokens on this machine", func(c *config.Config) { c.TokenFile = "a" }, "", ""},
		{"a certificate without key", func(c *config.Config) { c.TLSCert = "a" }, "--tls-key", "--tls-cert"},
		{"a key without certificate", func(c *config.Config) { c.TLSKey = "a" }, "--tls-cert", "--tls-key"},
		{"clients' certificates without TLS", func(c *config.Config) { c.TLSClientCA = "a" }, "--tls-client-ca", "--tls-cert"},
		{"no reflection", func(c *config.Config) { c.Reflection = config.ReflectionOff }, "", ""},
		{"reflection with a token", func(c *config.Config) { c.Reflection, c.TokenFile = config.ReflectionToken, "a" }, "", ""},
		{"reflection with no token", func(c *config.Config) { c.Reflection = config.ReflectionToken }, "--reflection", "--token-file"},
		{"another reflection", func(c *config.Config) { c.Reflection = "yes" }, "--reflection", "open, token or off"},
		{"limits of clients", func(c *config.Config) { c.ClientStreams, c.ClientRate = 1, config.MaxClientRate }, "", ""},
		{"streams below zero", func(c *config.Config) { c.ClientStreams = -1 }, "--client-streams", "any number"},
		{"too many streams", func(c *config.Config) { c.ClientStreams = config.MaxClientStreams + 1 }, "--client-streams", "1000000"},
		{"a rate below zero", func(c *config.Config) { c.ClientRate = -1 }, "--client-rate", "any number"},
		{"too high a rate", func(c *config.Config) { c.ClientRate = config.MaxClientRate + 1 }, "--client-rate", "1000000"},
		{"no time to solve", func(c *config.Config) { c.MaxSolveTime = 0 }, "--max-solve-time", "from 100ms"},
		{"too much time to solve", func(c *config.Config) { c.MaxSolveTime = config.MaxCallTime + 1 }, "--max-solve-time", "720h"},
		{"no time to stream", func(c *config.Config) { c.MaxStreamTime = 0 }, "--max-stream-time", "from 100ms"},
		{"too much time to stream", func(c *config.Config) { c.MaxStreamTime = config.MaxCallTime + 1 }, "--max-stream-time", "720h"},
		{"an age", func(c *config.Config) { c.MaxConnectionAge = config.MinMaxConnectionAge }, "", ""},
		{"too low an age", func(c *config.Config) { c.MaxConnectionAge = 1 }, "--max-connection-age", "from 1s"},
		{"too high an age", func(c *config.Config) { c.MaxConnectionAge = config.MaxMaxConnectionAge + 1 }, "--max-connection-age", "8760h"},
		{"a grace below zero", func(c *config.Config) { c.MaxConnectionAgeGrace = -1 }, "--max-connection-age-grace", "from 0s"},
		{"no age, any grace", func(c *config.Config) { c.MaxConnectionAgeGrace = 0 }, "", ""},
		{"a grace that no stream outlives", func(c *config.Config) {
			c.MaxConnectionAge, c.MaxConnectionAgeGrace, c.MaxStreamTime = time.Hour, 2*time.Hour, 2*time.Hour
		}, "", ""},
		{"a grace that a stream outlives", func(c *config.Config) {
			c.MaxConnectionAge, c.MaxConnectionAgeGrace, c.MaxStreamTime = time.Hour, 2*time.Hour-1, 2*time.Hour
		}, "--max-connection-age-grace", "at least 2h0m0s"},
		{"a grace that a solve outlives", func(c *config.Config) {
			c.MaxConnectionAge, c.MaxConnectionAgeGrace = time.Hour, time.Minute
			c.MaxStreamTime, c.MaxSolveTime = time.Second, time.Hour
		}, "--max-connection-age-grace", "at least 1h0m0s"},
		{"the default grace, a longer stream", func(c *config.Config) {
			c.MaxConnectionAge, c.MaxStreamTime = time.Hour, 2*time.Hour
		}, "--max-connection-age-grace", "--max-stream-time"},
		{"the least request", func(c *config.Config) { c.MaxRequestBytes = config.MinMaxRequestBytes }, "", ""},
		{"too small a request", func(c *config.Config) { c.MaxRequestBytes = 1 }, "--max-request-bytes", "1KiB"},
		{"too large a request", func(c *config.Config) { c.MaxRequestBytes = config.GiB }, "--max-request-bytes", "512MiB"},
		{"profiles without a port", func(c *config.Config) { c.AdminPprof = true }, "--admin-pprof", "--admin-listen"},
		{"profiles", func(c *config.Config) { c.AdminPprof, c.AdminListen = true, "localhost:0" }, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			cfg := config.Default()
			test.change(&cfg)
			err := cfg.Verify()
			if test.flag == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var bad *config.SettingError
			if !errors.As(err, &bad) {
				t.Fatalf("the error is %v, want a SettingError", err)
			}
			env := "ZERMELO_" + strings.ToUpper(strings.ReplaceAll(strings.TrimPrefix(test.flag, "--"), "-", "_"))
			for _, want := range []string{test.flag, env, test.says} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %q, want it to name %q", err, want)
				}
			}
		})
	}
}

func TestVerifyNamesAllThatIsBad(t *testing.T) {
	cfg := config.Default()
	cfg.Listen, cfg.MemoBudget, cfg.DrainGrace = "nowhere", 0, 0
	err := cfg.Verify()
	for _, flag := range []string{"--listen", "--memo-budget", "--drain-grace"} {
		if err == nil || !strings.Contains(err.Error(), flag) {
			t.Errorf("the error is %v, want it to name %s", err, flag)
		}
	}
}
