package tracefile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	// batchBytes is how large a batch of events is meant to be in the binary format.
	batchBytes = 64 << 10
	// entryBytes is what an event in a batch takes beside its own bytes: a tag and a length.
	entryBytes = 4
	// bufferBytes is how much is written and read at once.
	bufferBytes = 64 << 10
)

// stage is how far a trace has come.
type stage int

const (
	nothing stage = iota
	requested
	opened
	ended
)

// errOrder is the error of a message that comes too early or too late.
var errOrder = errors.New("a trace is a request, an opening, events and a summary, in this order")

// Writer writes one trace: Request, Opening, Event for each event, Summary. After an error everything fails with the same
// one. It is for one goroutine.
//
// The writer sees to the order of the messages and to their lengths, not to what they say.
type Writer struct {
	out    *bufio.Writer
	format Format
	stage  stage
	err    error

	batch      []*zermelov1.Event // Protobuf only: not written yet
	batchBytes int
	line       bytes.Buffer // JSONLines only
}

// NewWriter writes a trace to w. What was written is with w only after [Writer.Summary] or [Writer.Flush].
func NewWriter(w io.Writer, f Format) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, bufferBytes), format: f}
}

// Request writes what was asked. Of a trace that the client library delivers, it is the request as the caller made it.
func (w *Writer) Request(request *zermelov1.ExplainRequest) error {
	if w.goOn(nothing, requested) {
		w.write(request)
	}
	return w.err
}

// Opening writes the opening.
func (w *Writer) Opening(opening *zermelov1.Opening) error {
	if w.goOn(requested, opened) {
		w.write(&zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Opening{Opening: opening}})
	}
	return w.err
}

// Event writes an event. It may be held back, to be written together with others, and must not be changed before
// Summary or Flush.
func (w *Writer) Event(event *zermelov1.Event) error {
	if !w.goOn(opened, opened) {
		return w.err
	}
	size := 0
	if w.format == Protobuf {
		size = proto.Size(event) + entryBytes
		if w.batchBytes+size > batchBytes {
			w.writeBatch()
		}
	}
	w.batch = append(w.batch, event)
	w.batchBytes += size
	if w.format == JSONLines {
		w.writeBatch()
	}
	return w.err
}

// Summary writes the summary, with which the trace is whole, and all that was held back.
func (w *Writer) Summary(summary *zermelov1.Summary) error {
	if w.goOn(opened, ended) {
		w.writeBatch()
		w.write(&zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{Summary: summary}})
	}
	return w.Flush()
}

// Flush writes all that was held back.
func (w *Writer) Flush() error {
	w.writeBatch()
	// After an error, too: what was right before it is worth having.
	if err := w.out.Flush(); w.err == nil {
		w.err = err
	}
	return w.err
}

// goOn sees to it that a message comes when it may.
func (w *Writer) goOn(from, to stage) bool {
	switch {
	case w.err != nil:
		return false
	case w.stage != from:
		w.err = fmt.Errorf("tracefile: %w", errOrder)
		return false
	default:
		w.stage = to
		return true
	}
}

// writeBatch writes the events that were held back.
func (w *Writer) writeBatch() {
	if len(w.batch) == 0 || w.err != nil {
		return
	}
	w.write(&zermelov1.ExplainResponse{
		Payload: &zermelov1.ExplainResponse_Events{Events: &zermelov1.Events{Events: w.batch}},
	})
	clear(w.batch) // or they would be kept alive
	w.batch, w.batchBytes = w.batch[:0], 0
}

// write writes one message.
func (w *Writer) write(message proto.Message) {
	if w.err != nil {
		return
	}
	switch w.format {
	case Protobuf:
		w.err = w.writeDelimited(message)
	case JSONLines:
		w.err = w.writeLine(message)
	default:
		w.err = fmt.Errorf("tracefile: %v is not known", w.format)
	}
}

func (w *Writer) writeDelimited(message proto.Message) error {
	if size := proto.Size(message); size > MaxMessageBytes {
		return fmt.Errorf("tracefile: a message of %d bytes; the most is %d", size, MaxMessageBytes)
	}
	_, err := protodelim.MarshalTo(w.out, message)
	return err
}

func (w *Writer) writeLine(message proto.Message) error {
	text, err := protojson.Marshal(message)
	if err != nil {
		return err
	}
	// The white space of protojson differs from build to build.
	w.line.Reset()
	if err := json.Compact(&w.line, text); err != nil {
		return err
	}
	if size := w.line.Len(); size > MaxLineBytes {
		return fmt.Errorf("tracefile: a line of %d bytes; the most is %d", size, MaxLineBytes)
	}
	w.line.WriteByte('\n')
	_, err = w.out.Write(w.line.Bytes())
	return err
}
