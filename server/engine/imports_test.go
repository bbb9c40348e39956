package engine_test

import (
	"os/exec"
	"strings"
	"testing"
)

const here = "github.com/zermelo-games/zermelo/server/engine"

// list runs go list in this directory.
func list(t *testing.T, args ...string) []string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...)
	var problems strings.Builder
	command.Stderr = &problems
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, &problems)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestTheEngineDependsOnTheStandardLibraryAlone(t *testing.T) {
	own := 0
	for _, path := range list(t, "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./...") {
		if path != here && !strings.HasPrefix(path, here+"/") {
			t.Errorf("the engine depends on %s", path)
		}
		own++
	}
	if own < 3 {
		t.Errorf("go list names %d packages", own)
	}
}

func TestRulesSearchAndTestKitAreApart(t *testing.T) {
	for _, line := range list(t, "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...") {
		imports := strings.Fields(line)
		importer := strings.TrimPrefix(imports[0], here)
		for _, path := range imports[1:] {
			path, ours := strings.CutPrefix(path, here)
			switch {
			case !ours || path == "" && importer != "":
			case strings.HasPrefix(importer, "/gametest"):
			default:
				t.Errorf("server/engine%s imports server/engine%s", importer, path)
			}
		}
	}
}
