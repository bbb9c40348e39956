package servertest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryFaultHasItsTest: the tests that the table of faults names are there.
func TestEveryFaultHasItsTest(t *testing.T) {
	const root = "../.."
	table, err := os.ReadFile(filepath.Join(root, "server", "FAULTS.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := regexp.MustCompile("`([a-z/]+)`|(Test[A-Za-z0-9]+)")
	rows := 0
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !regexp.MustCompile(`^ \d+ $`).MatchString(cells[1]) {
			continue
		}
		rows++
		folder, named := "", 0
		for _, found := range tests.FindAllStringSubmatch(cells[4], -1) {
			if found[1] != "" {
				folder = found[1]
				continue
			}
			named++
			if !declares(t, filepath.Join(root, folder), found[2]) {
				t.Errorf("fault %s: %s has no %s", strings.TrimSpace(cells[1]), folder, found[2])
			}
		}
		if named == 0 {
			t.Errorf("fault %s has no test", strings.TrimSpace(cells[1]))
		}
	}
	if rows != 32 {
		t.Errorf("the table has %d faults", rows)
	}
}

// declares reports whether a folder has a test of that name.
func declares(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
