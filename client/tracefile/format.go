package tracefile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
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
	// shownBytes is the most that is shown of what is wrong with a line.
	shownBytes = 500
	// bufferBytes is how much is written and read at once. A whole batch fits in.
	bufferBytes = 2 * batchBytes
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
	if f == JSONLines {
		return "JSON lines"
	}
	return "Protobuf"
}

// write writes one message.
func (f Format) write(out io.Writer, message proto.Message) error {
	if f == JSONLines {
		text, err := protojson.Marshal(message)
		if err != nil {
			return err
		}
		// The white space of protojson differs from build to build.
		var line bytes.Buffer
		if err := json.Compact(&line, text); err != nil {
			return err
		}
		if line.Len() > MaxLineBytes {
			return fmt.Errorf("tracefile: a line of %d bytes; the most is %d", line.Len(), MaxLineBytes)
		}
		line.WriteByte('\n')
		_, err = line.WriteTo(out)
		return err
	}
	if size := proto.Size(message); size > MaxMessageBytes {
		return fmt.Errorf("tracefile: a message of %d bytes; the most is %d", size, MaxMessageBytes)
	}
	_, err := protodelim.MarshalTo(out, message)
	return err
}

// messages makes what reads one message after the other into an empty one. Its error is io.EOF when the bytes end before
// the message, and wraps io.ErrUnexpectedEOF when they end within it.
func (f Format) messages(in io.Reader) func(into proto.Message) error {
	if f == JSONLines {
		limited := &io.LimitedReader{R: in}
		decoder := json.NewDecoder(limited)
		var line json.RawMessage
		return func(into proto.Message) error {
			limited.N = MaxLineBytes
			err := decoder.Decode(&line)
			if limited.N == 0 && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) {
				return fmt.Errorf("a line of more than %d bytes", MaxLineBytes)
			}
			if syntax := new(json.SyntaxError); err != nil && !errors.As(err, &syntax) {
				return err
			}
			if err == nil {
				err = protojson.Unmarshal(line, into)
			}
			if err != nil {
				return fmt.Errorf("it cannot be decoded: %.*s", shownBytes, err) // it quotes what may be long
			}
			return nil
		}
	}
	buffered := bufio.NewReaderSize(in, bufferBytes)
	return func(into proto.Message) error {
		err := protodelim.UnmarshalOptions{MaxSize: MaxMessageBytes}.UnmarshalFrom(buffered, into)
		if tooLarge := new(protodelim.SizeTooLargeError); errors.As(err, &tooLarge) {
			return fmt.Errorf("a message of %d bytes; the most is %d", tooLarge.Size, MaxMessageBytes)
		}
		return err
	}
}
