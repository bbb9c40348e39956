package token_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zermelo-games/zermelo/server/token"
)

func open(t *testing.T, content string) (*token.Set, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return token.Open(file, nil)
}

func TestTokens(t *testing.T) {
	const one, two = "one-0123456789abcdef", "two-0123456789abcdef"
	s, err := open(t, "# rotation of May\n\n  "+one+"\r\n"+two)
	if err != nil {
		t.Fatal(err)
	}
	first, ok := s.Accepts(one)
	second, also := s.Accepts(two)
	if !ok || !also || first == second || len(first) != 8 || strings.Contains(one, first) {
		t.Errorf("%q, %t; %q, %t", first, ok, second, also)
	}
	for _, wrong := range []string{"", "one", one + "0", "# rotation of May", one[:len(one)-1]} {
		if name, ok := s.Accepts(wrong); ok || name != "" {
			t.Errorf("%q is accepted as %q", wrong, name)
		}
	}
}

func TestBadFiles(t *testing.T) {
	for content, says := range map[string]string{
		"":                              "no token",
		"# nothing\n":                   "no token",
		"short\n":                       "at least 16",
		"one-0123456789abcdef\nshort\n": "line 2",
		"two tokens-0123456789 in one":  "no spaces",
	} {
		if _, err := open(t, content); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", content, err)
		}
	}
	if _, err := token.Open("nowhere", nil); err == nil {
		t.Error("no file")
	}
}
