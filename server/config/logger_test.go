package config_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/zermelo-games/zermelo/server/config"
)

func TestLogger(t *testing.T) {
	cfg := config.Default()
	cfg.LogLevel = slog.LevelWarn
	var out bytes.Buffer

	logger := cfg.Logger(&out)
	logger.Info("unheard")
	logger.Warn("heard", "budget", 512*config.MiB)
	if got := out.String(); strings.Contains(got, "unheard") || !strings.Contains(got, "msg=heard budget=512MiB") {
		t.Errorf("as text: %q", got)
	}

	out.Reset()
	cfg.LogFormat = config.LogFormatJSON
	cfg.Logger(&out).Warn("heard", "budget", 512*config.MiB)
	var line struct{ Msg, Budget string }
	if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.Msg != "heard" || line.Budget != "512MiB" {
		t.Errorf("as JSON: %q, %v", out.String(), err)
	}
}
