package games_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestRulesAreApart: but for its entry, a game depends on the standard library and on what a game is.
func TestRulesAreApart(t *testing.T) {
	const engine = "github.com/zermelo-games/zermelo/server/engine"
	files, err := filepath.Glob("*/*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || filepath.Base(file) == "entry.go" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if path != engine && strings.Contains(path, ".") {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
}
