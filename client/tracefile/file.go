package tracefile

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// File is a [Writer] into a file that takes its name when the trace in it is whole: under that name there is never half
// a trace, and what was there before stays until then.
type File struct {
	*Writer
	file   *os.File
	path   string // the name that it will have
	whole  bool   // it has that name from the beginning
	name   string // the name that it has
	closed bool
}

// Create begins a file for the path, in the format of its name; see [FormatOf]. It must be closed. Until then it has
// another name, in the same directory, which ends with .partial. What is not an ordinary file, such as a pipe, is
// written to directly. The errors are those of the operating system.
func Create(path string) (*File, error) {
	f := &File{path: path}
	switch target, err := filepath.EvalSymlinks(path); {
	case err == nil:
		// Where a link leads to, there the file goes, or the link would be lost.
		f.path = target
		info, err := os.Stat(target)
		if err != nil {
			return nil, err
		}
		f.whole = !info.Mode().IsRegular()
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	}
	flags := os.O_WRONLY
	f.name = f.path
	if !f.whole {
		extension := filepath.Ext(f.path)
		f.name = fmt.Sprintf("%s.%08x%s%s", strings.TrimSuffix(f.path, extension), rand.Uint32(), extension, partialExtension)
		flags |= os.O_CREATE | os.O_EXCL
	}
	file, err := os.OpenFile(f.name, flags, 0o666)
	if err != nil {
		return nil, err
	}
	f.file = file
	f.Writer = NewWriter(file, FormatOf(path))
	return f, nil
}

// Close writes what was held back and closes the file. When the trace is whole, that is, when Summary and everything
// else has succeeded, the file takes its name. Otherwise it takes that name with .partial added, to be read up to where
// it ends; without an opening it is of no use to anybody, and is removed. Closing again does nothing.
func (f *File) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	err := f.Flush()
	if err == nil && !f.whole {
		err = f.file.Sync() // before the name promises that it is there
	}
	err = errors.Join(err, f.file.Close())
	name := f.path
	switch {
	case f.whole:
		return err
	case !f.order.Opened:
		name, f.name = f.name, ""
		return errors.Join(err, os.Remove(name))
	case !f.order.Ended || err != nil:
		name += partialExtension
	}
	if renaming := os.Rename(f.name, name); renaming != nil {
		return errors.Join(err, renaming)
	}
	f.name = name
	return err
}

// Name is the name that the file has at the moment; after Close, the one that it keeps, empty when it was removed.
func (f *File) Name() string { return f.name }

// Trace is what can be saved: an explanation of package client, or a [Reader].
type Trace interface {
	// Opening is there from the first event on, and after the last one.
	Opening() *zermelov1.Opening
	// Events is ranged over once.
	Events() iter.Seq2[*zermelov1.Event, error]
	// Summary is there when the loop over the events ended without an error.
	Summary() *zermelov1.Summary
}

// Save ranges over a trace, which was asked for with request, and writes it to the file at path, as [Create] and
// [File.Close] do. The error is that of the trace or of the operating system, and names the file where a part was saved.
func Save(path string, request *zermelov1.ExplainRequest, trace Trace) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	// Whatever the loop does, a panic included, the file is closed.
	defer func() { _ = file.Close() }()
	err = file.all(request, trace)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil && file.Name() != "" {
		return fmt.Errorf("tracefile: the trace is not whole; a part of it is in %s: %w", file.Name(), err)
	}
	return err
}

// all writes a trace as far as it goes. What fails in the writer fails again with the next event, or with the summary.
func (f *File) all(request *zermelov1.ExplainRequest, trace Trace) error {
	_ = f.Request(request)
	for event, err := range trace.Events() {
		if opening := trace.Opening(); opening != nil && !f.order.Opened {
			_ = f.Opening(opening)
		}
		if err != nil {
			return err
		}
		if err := f.Event(event); err != nil {
			return err
		}
	}
	if !f.order.Opened { // there are no events
		_ = f.Opening(trace.Opening())
	}
	return f.Summary(trace.Summary())
}
