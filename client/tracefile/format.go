package tracefile

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Format is how the messages of a trace are written. The package comment describes both.
type Format int

// The formats.
const (
	// Protobuf is binary: each message after its length.
	Protobuf Format = iota
	// JSONLines is text: one JSON object a line.
	JSONLines
)

// The longest messages that are written and read. The service keeps its messages below 1 MiB.
const (
	// MaxMessageBytes is the most bytes of a message in its binary encoding.
	MaxMessageBytes = 1<<20 + 1<<16
	// MaxLineBytes is the most bytes of a line, its end not counted. Numbers are what grows most in JSON: a byte may
	// become six, `"127",`.
	MaxLineBytes = 8 * MaxMessageBytes
)

const (
	// linesExtension is how the names of files with JSON lines end.
	linesExtension = ".jsonl"
	// partialExtension is added to the name of a file that is not whole.
	partialExtension = ".partial"
)

// FormatOf is the format that the name of a file stands for: JSONLines when it ends with .jsonl, in whatever case, or
// with .jsonl.partial; otherwise Protobuf.
func FormatOf(path string) Format {
	if strings.EqualFold(filepath.Ext(strings.TrimSuffix(path, partialExtension)), linesExtension) {
		return JSONLines
	}
	return Protobuf
}

// String names the format for people.
func (f Format) String() string {
	switch f {
	case Protobuf:
		return "Protobuf"
	case JSONLines:
		return "JSON lines"
	default:
		return fmt.Sprintf("format %d", int(f))
	}
}
