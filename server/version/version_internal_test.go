package version

import (
	"strings"
	"testing"
)

// What a release sets goes before what the Go tool has built in.
func TestOf(t *testing.T) {
	if got := Of("zermelo", "7"); !strings.HasPrefix(got, "zermelo ") || !strings.HasSuffix(got, " engine 7") {
		t.Errorf("without a release: %q", got)
	}
	number, commit = "v1.2.3", "1a2b3c4d5e6f7a8b9c0d"
	defer func() { number, commit = "", "" }()
	if got := Of("zermelo", "7"); !strings.HasPrefix(got, "zermelo v1.2.3 commit 1a2b3c4d5e6f") || !strings.HasSuffix(got, " engine 7") {
		t.Errorf("of a release: %q", got)
	}
}
