package config_test

import (
	"bytes"
	"log/slog"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/server/config"
)

// parse parses with an environment that says nothing but what the test has set, and returns what was printed.
func parse(t *testing.T, args ...string) (config.Config, string, error) {
	t.Helper()
	var out bytes.Buffer
	program := config.Program{Name: "zermelod", Version: "zermelod 1.2.3", Stdout: &out, Exit: func(int) {}}
	cfg, err := config.Parse(program, args)
	return cfg, out.String(), err
}

// settings lists the flag and the environment variable of each field of Config.
func settings() map[string]string {
	twins := map[string]string{}
	for i := range reflect.TypeFor[config.Config]().NumField() {
		tag := reflect.TypeFor[config.Config]().Field(i).Tag
		twins[tag.Get("name")] = tag.Get("env")
	}
	return twins
}

func TestMain(m *testing.M) {
	for _, env := range settings() {
		if err := os.Unsetenv(env); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

func TestNothingSaidIsDefault(t *testing.T) {
	cfg, _, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	if want := config.Default(); cfg != want {
		t.Errorf("parsed %+v, want the defaults %+v", cfg, want)
	}
}

func TestEveryFlagHasItsTwin(t *testing.T) {
	for flag, env := range settings() {
		if want := "ZERMELO_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_")); env != want {
			t.Errorf("the twin of --%s is %q, want %q", flag, env, want)
		}
	}
}

// other holds, for each flag, a value that is not its default.
var other = map[string]string{
	"listen":       "localhost:1",
	"admin-listen": "localhost:2",
	"memo-budget":  "2GiB",
	"memory":       "3GiB",
	"cache":        "7MiB",
	"max-solves":   "5",
	"max-streams":  "6",
	"log-format":   "json",
	"log-level":    "debug",
	"drain-delay":  "7s",
	"drain-grace":  "1m",
	"stall-limit":  "9s",

	"tls-cert":                 "a.pem",
	"tls-key":                  "b.pem",
	"tls-client-ca":            "c.pem",
	"token-file":               "d.txt",
	"reflection":               "token",
	"allow-plaintext":          "true",
	"client-streams":           "3",
	"client-rate":              "4",
	"max-solve-time":           "5s",
	"max-stream-time":          "6s",
	"max-connection-age":       "8s",
	"max-connection-age-grace": "10s",
	"max-request-bytes":        "1MiB",
	"admin-pprof":              "true",
}

func TestFlagsAndEnvironment(t *testing.T) {
	want := config.Config{
		Listen: "localhost:1", AdminListen: "localhost:2", MemoBudget: 2 * config.GiB,
		Memory: 3 * config.GiB, Cache: 7 * config.MiB, MaxSolves: 5, MaxStreams: 6,
		LogFormat: config.LogFormatJSON, LogLevel: slog.LevelDebug, DrainDelay: 7 * time.Second, DrainGrace: time.Minute,
		StallLimit: 9 * time.Second,

		TLSCert: "a.pem", TLSKey: "b.pem", TLSClientCA: "c.pem", TokenFile: "d.txt", Reflection: config.ReflectionToken,
		AllowPlaintext: true, ClientStreams: 3, ClientRate: 4, MaxSolveTime: 5 * time.Second, MaxStreamTime: 6 * time.Second,
		MaxConnectionAge: 8 * time.Second, MaxConnectionAgeGrace: 10 * time.Second, MaxRequestBytes: config.MiB,
		AdminPprof: true,
	}
	args := make([]string, 0, len(other))
	for flag := range settings() {
		args = append(args, "--"+flag+"="+other[flag])
	}
	if cfg, _, err := parse(t, args...); err != nil || cfg != want {
		t.Errorf("by flags: %+v, %v; want %+v", cfg, err, want)
	}

	for flag, env := range settings() {
		t.Setenv(env, other[flag])
	}
	if cfg, _, err := parse(t); err != nil || cfg != want {
		t.Errorf("by environment: %+v, %v; want %+v", cfg, err, want)
	}

	want.Listen = "localhost:3"
	if cfg, _, err := parse(t, "--listen=localhost:3"); err != nil || cfg != want {
		t.Errorf("a flag against its twin: %+v, %v; want %+v", cfg, err, want)
	}
}

func TestWrongFlags(t *testing.T) {
	for arg, says := range map[string]string{
		"--listn=x":          "--listn",
		"--memo-budget=512M": "--memo-budget",
		"--log-format=xml":   "--log-format",
		"--log-level=loud":   "--log-level",
		"--drain-delay=5":    "--drain-delay",
		"--reflection=maybe": "--reflection",
		"--client-rate=fast": "--client-rate",
		"stray":              "stray",
	} {
		if _, _, err := parse(t, arg); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: the error is %v, want it to name %s", arg, err, says)
		}
	}
	t.Setenv("ZERMELO_DRAIN_GRACE", "soon")
	if _, _, err := parse(t); err == nil || !strings.Contains(err.Error(), "ZERMELO_DRAIN_GRACE") {
		t.Errorf("the error is %v, want it to name the variable", err)
	}
}

func TestVersionAndHelp(t *testing.T) {
	if _, out, _ := parse(t, "--version"); out != "zermelod 1.2.3\n" {
		t.Errorf("--version prints %q", out)
	}
	_, out, _ := parse(t, "--help")
	for flag, env := range settings() {
		if !strings.Contains(out, "--"+flag) || !strings.Contains(out, env) {
			t.Errorf("--help does not name --%s and %s", flag, env)
		}
	}
}
