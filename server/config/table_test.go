package config_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/server/config"
)

// TestTableHasEveryField, in order, and with the default that is in force.
func TestTableHasEveryField(t *testing.T) {
	table, err := config.Table()
	if err != nil {
		t.Fatal(err)
	}
	fields := reflect.VisibleFields(reflect.TypeFor[config.Config]())
	if len(table) != len(fields) {
		t.Fatalf("the table has %d settings, Config %d fields", len(table), len(fields))
	}
	inForce := config.Default().InForce()
	for i, field := range fields {
		got := table[i]
		name := field.Tag.Get("name")
		if got.Flag != "--"+name || got.Env != field.Tag.Get("env") {
			t.Errorf("setting %d is %s, %s; the field %s is --%s", i, got.Flag, got.Env, field.Name, name)
		}
		if want := fmt.Sprint(inForce[name]); !strings.EqualFold(got.Default, want) {
			t.Errorf("%s: the default is %q in the table, %q in force", got.Flag, got.Default, want)
		}
		if !strings.Contains(got.Help, " Default: ") || strings.Contains(got.Help, "${") {
			t.Errorf("%s: the help is %q", got.Flag, got.Help)
		}
		if isBool := field.Type.Kind() == reflect.Bool; isBool != (got.Placeholder == "") {
			t.Errorf("%s: the placeholder is %q", got.Flag, got.Placeholder)
		}
	}
}

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
