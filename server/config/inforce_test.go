package config_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/server/config"
)

func TestInForce(t *testing.T) {
	cfg := config.Default()
	cfg.DrainGrace, cfg.ClientRate, cfg.TokenFile, cfg.AllowPlaintext = 90*time.Second, 7, "tokens.txt", true
	written, err := json.Marshal(cfg.InForce())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"drain-grace":"1m30s"`, `"client-rate":7`, `"token-file":"tokens.txt"`, `"allow-plaintext":true`,
		`"memo-budget":"512MiB"`, `"log-level":"INFO"`, `"listen":"127.0.0.1:50051"`,
	} {
		if !strings.Contains(string(written), want) {
			t.Errorf("%s is not in %s", want, written)
		}
	}
	if len(cfg.InForce()) != reflect.TypeFor[config.Config]().NumField() {
		t.Errorf("%d settings are in force", len(cfg.InForce()))
	}
}
