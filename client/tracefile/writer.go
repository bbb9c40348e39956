package tracefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/internal/order"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	// batchBytes is how large a batch of events is meant to be in the binary format.
	batchBytes = 64 << 10
	// entryBytes is what an event in a batch takes beside its own bytes: a tag and a length.
	entryBytes = 4
)

var errSecondRequest = errors.New("tracefile: a second request")

// Writer writes one trace: Request, Opening, Event for each event, Summary. After an error everything fails with the same
// one. It is for one goroutine.
//
// What a reader would refuse for its order, its numbers or its length is not written.
type Writer struct {
	out    *bufio.Writer
	format Format
	order  order.Order // zero before the request
	err    error

	batch      []*zermelov1.Event // not written yet
	batchBytes int
}

// NewWriter writes a trace to w. What was written is with w only after [Writer.Summary] or [Writer.Flush].
func NewWriter(w io.Writer, f Format) *Writer {
	return &Writer{out: bufio.NewWriterSize(w, bufferBytes), format: f}
}

// Request writes what was asked. Of a trace that the client library delivers, it is the request as the caller made it.
func (w *Writer) Request(request *zermelov1.ExplainRequest) error {
	if w.err == nil && w.order != (order.Order{}) {
		w.err = errSecondRequest
	}
	if w.err == nil {
		w.order = order.OfTrace(request)
		w.err = w.format.write(w.out, request)
	}
	return w.err
}

// Opening writes the opening.
func (w *Writer) Opening(opening *zermelov1.Opening) error {
	return w.write(&zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Opening{Opening: opening}})
}

// Event writes an event. It may be held back, to be written together with others, and must not be changed before
// Summary or Flush.
func (w *Writer) Event(event *zermelov1.Event) error {
	size := proto.Size(event) + entryBytes
	if w.batchBytes+size > batchBytes {
		w.writeBatch()
	}
	if w.err == nil {
		w.err = w.inOrder(w.order.Add(event.GetSequence()))
	}
	if w.err == nil {
		w.batch = append(w.batch, event)
		w.batchBytes += size
	}
	if w.format == JSONLines {
		w.writeBatch()
	}
	return w.err
}

// Summary writes the summary, with which the trace is whole, and all that was held back.
func (w *Writer) Summary(summary *zermelov1.Summary) error {
	w.writeBatch()
	_ = w.write(&zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{Summary: summary}})
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

// writeBatch writes the events that were held back.
func (w *Writer) writeBatch() {
	if len(w.batch) == 0 {
		return
	}
	_ = w.write(&zermelov1.ExplainResponse{
		Payload: &zermelov1.ExplainResponse_Events{Events: &zermelov1.Events{Events: w.batch}},
	})
	clear(w.batch) // or they would be kept alive
	w.batch, w.batchBytes = w.batch[:0], 0
}

// write writes a message that may come now.
func (w *Writer) write(message *zermelov1.ExplainResponse) error {
	if w.err == nil {
		w.err = w.inOrder(w.order.Take(message))
	}
	if w.err == nil {
		w.err = w.format.write(w.out, message)
	}
	return w.err
}

// inOrder is the error of a message that may not come now.
func (w *Writer) inOrder(err error) error {
	if err != nil {
		return fmt.Errorf("tracefile: %w", err)
	}
	return nil
}
