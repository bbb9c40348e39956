package proof_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The checker shares no code with what it checks, nor with the client that brings it the events: of this module, it has
// the generated messages only. (Tests may use the server; go list -deps does not count them.)
func TestImports(t *testing.T) {
	const (
		module   = "github.com/zermelo-games/zermelo/"
		self     = module + "client/proof"
		messages = module + "gen/zermelo/v1"
	)
	output, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := make(map[string]bool)
	for path := range strings.Lines(string(output)) {
		path = strings.TrimSpace(path)
		seen[path] = true
		if strings.HasPrefix(path, module) && path != self && path != messages {
			t.Errorf("the checker depends on %s", path)
		}
	}
	if !seen[self] || !seen[messages] {
		t.Errorf("go list does not name the checker itself and the messages:\n%s", output)
	}
}
