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
		{"any address", func(c *config.Config) { c.Listen = ":0" }, "", ""},
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
