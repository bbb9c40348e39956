package client_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The library is for other services to import: nothing of the server may come with it. (Tests may use
// server/servertest; go list -deps does not count them.) What has to come with it is gRPC's health package, which no
// test of behaviour would miss, since the tests import it themselves.
func TestImportsOfTheLibrary(t *testing.T) {
	const module = "github.com/zermelo-games/zermelo/"
	output, err := exec.CommandContext(within(t), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	self, health := false, false
	for path := range strings.Lines(string(output)) {
		path = strings.TrimSpace(path)
		if strings.HasPrefix(path, module+"server/") {
			t.Errorf("the library depends on %s", path)
		}
		self = self || path == module+"client"
		health = health || path == "google.golang.org/grpc/health"
	}
	if !self {
		t.Errorf("go list does not name the library itself:\n%s", output)
	}
	if !health {
		t.Error("without google.golang.org/grpc/health, the client does not look at the health of servers")
	}
}
