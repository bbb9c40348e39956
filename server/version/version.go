// Package version says what a program was built from.
package version

import (
	"runtime/debug"
	"strings"
)

// Set by a release with -ldflags "-X github.com/zermelo-games/zermelo/server/version.number=v1.2.3 -X ...commit=...".
// What is empty comes from the information that the Go tool builds in.
var number, commit string

// Of names a program, its version and commit, and the version of the engine: "zermelo v1.2.3 commit 1a2b3c4d5e6f engine 7".
// A commit that is followed by "+changes" was built with changes that are not in it.
func Of(program, engine string) string {
	version, commit, changed := number, commit, false
	if info, ok := debug.ReadBuildInfo(); ok {
		if version == "" {
			version = info.Main.Version
		}
		for _, setting := range info.Settings {
			switch {
			case setting.Key == "vcs.revision" && commit == "":
				commit = setting.Value
			case setting.Key == "vcs.modified":
				changed = setting.Value == "true"
			}
		}
	}
	parts := []string{program, "(devel)"}
	if version != "" {
		parts[1] = version
	}
	if commit != "" {
		const short = 12
		commit = commit[:min(len(commit), short)]
		if changed {
			commit += "+changes"
		}
		parts = append(parts, "commit", commit)
	}
	return strings.Join(append(parts, "engine", engine), " ")
}
