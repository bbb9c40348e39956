package proof_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The checker shares no code with what it checks, nor with the client that brings it the events: it, the games and the
// kits of their rooms import each other, the generated messages, Protobuf and the standard library, and nothing else.
func TestImports(t *testing.T) {
	const client = "github.com/zermelo-games/zermelo/client/"
	own := []string{client + "games", client + "games/...", client + "proof", client + "rules", client + "words"}
	others := []string{"github.com/zermelo-games/zermelo/gen/zermelo/v1", "google.golang.org/protobuf/"}
	arguments := append([]string{"list", "-f", `{{.ImportPath}} {{join .Imports " "}}`}, own...)
	output, err := exec.CommandContext(t.Context(), "go", arguments...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := 0
	for line := range strings.Lines(string(output)) {
		packages++
		words := strings.Fields(line)
		for _, imported := range words[1:] {
			standard := !strings.Contains(strings.SplitN(imported, "/", 2)[0], ".")
			belongs := func(prefix string) bool {
				return strings.HasPrefix(imported, strings.TrimSuffix(prefix, "..."))
			}
			if !standard && !slices.ContainsFunc(own, belongs) && !slices.ContainsFunc(others, belongs) {
				t.Errorf("%s imports %s", words[0], imported)
			}
		}
	}
	if packages < 9 {
		t.Errorf("go list names %d packages:\n%s", packages, output)
	}
}
