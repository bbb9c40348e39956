package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	"github.com/zermelo-games/zermelo/client/tracefile"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// saver writes a trace to a file. A nil one is no file at all.
type saver struct {
	path    string // as it was typed
	request *zermelov1.ExplainRequest
	file    *tracefile.File
	end     *zermelov1.Summary // once the file is whole
}

// newSaver begins a file for the answer to a request.
func newSaver(s *session, path string, request *zermelov1.ExplainRequest) (*saver, error) {
	file, err := tracefile.Create(path)
	if err != nil {
		return nil, usagef(s.typed, "--save is %q: %s", path, reasonOf(err))
	}
	if err := file.Request(request); err != nil {
		_ = file.Close() // the first error says why
		return nil, err
	}
	return &saver{path: path, request: request, file: file}, nil
}

// reasonOf is why the operating system refuses a file, without its name.
func reasonOf(err error) string {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err.Error()
	}
	return err.Error()
}

// Opening writes the opening.
func (w *saver) Opening(o *zermelov1.Opening) error {
	if w == nil {
		return nil
	}
	return w.failed(w.file.Opening(o))
}

// Event writes an event.
func (w *saver) Event(e *zermelov1.Event) error {
	if w == nil {
		return nil
	}
	return w.failed(w.file.Event(e))
}

// Summary writes the summary; the file is whole then.
func (w *saver) Summary(s *zermelov1.Summary) error {
	if w == nil {
		return nil
	}
	err := w.file.Summary(s)
	if err == nil {
		w.end, err = s, w.file.Close()
	}
	return w.failed(err)
}

func (w *saver) failed(err error) error {
	if err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	return nil
}

// Broken has the file keep what there is of the trace.
func (w *saver) Broken() {
	if w != nil {
		_ = w.file.Close() // that the trace broke is the error
	}
}

// partial is the name of the file that has a part of the trace; "" when there is none, or when it has all.
func (w *saver) partial() string {
	if w == nil || w.end != nil {
		return ""
	}
	return w.file.Name()
}

// saved is a file with a whole trace, for programs.
type saved struct {
	File    string          `json:"file"`
	Format  string          `json:"format"`
	Bytes   int64           `json:"bytes"`
	Summary json.RawMessage `json:"summary"`
}

// bytes is how large the file is; 0 where that cannot be said, as of a pipe.
func (w *saver) bytes() int64 {
	info, err := os.Stat(w.path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// report says what the file has, which is whole.
func (w *saver) report(s *session) error {
	if s.settings.json() {
		summary, err := show.RawJSON(w.end)
		if err != nil {
			return err
		}
		return show.Object(s.out, saved{
			File: w.path, Format: tracefile.FormatOf(w.path).String(), Bytes: w.bytes(), Summary: summary,
		})
	}
	if err := show.Ended(s.out, w.request.GetPosition(), w.end, " (--max-events)"); err != nil {
		return err
	}
	w.closing(s)
	if w.request.GetDetail() == zermelov1.Detail_DETAIL_PROOF &&
		w.end.GetCompletion() == zermelov1.Completion_COMPLETION_COMPLETE {
		s.out.Line(s.out.Style.Faint(fmt.Sprintf("%s verify --file %s checks it.", program, w.path)))
	}
	return nil
}

// closing is the line about the file.
func (w *saver) closing(s *session) {
	size := ""
	if n := w.bytes(); n > 0 {
		size = show.Counted(n, "byte") + " of "
	}
	s.out.Paragraph(fmt.Sprintf("Saved: %s in %s, %s%v.",
		show.Counted(w.end.GetEventCount(), "event"), w.path, size, tracefile.FormatOf(w.path)))
}
