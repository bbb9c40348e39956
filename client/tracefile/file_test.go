package tracefile_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/zermelo-games/zermelo/client/tracefile"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func contents(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// A trace that breaks off leaves what was there under its name, and what there is of it beside that.
func TestSaveOfABrokenTrace(t *testing.T) {
	for _, extension := range []string{".pb", ".jsonl"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "trace"+extension)
		if err := tracefile.Save(path, invented(1).request, invented(1)); err != nil {
			t.Fatal(err)
		}
		before := contents(t, path)

		broken := invented(7)
		broken.failure = errors.New("the server is gone")
		err := tracefile.Save(path, broken.request, broken)
		partial := path + ".partial"
		if !errors.Is(err, broken.failure) || !strings.Contains(err.Error(), partial) {
			t.Fatalf("error %v; it should name %s", err, partial)
		}
		if !bytes.Equal(contents(t, path), before) {
			t.Error("what was there is another")
		}
		if names := list(t, dir); !slices.Equal(names, []string{"trace" + extension, "trace" + extension + ".partial"}) {
			t.Errorf("files %v", names)
		}
		reader, err := tracefile.Open(partial)
		if err != nil {
			t.Fatal(err)
		}
		got := record(t, reader.Request(), reader)
		if len(got.events) != 7 || !errors.Is(got.failure, tracefile.ErrTruncated) {
			t.Errorf("%d events, %v", len(got.events), got.failure)
		}
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A call that is refused leaves nothing.
func TestSaveOfNothing(t *testing.T) {
	dir := t.TempDir()
	refused := &recorded{request: invented(0).request, failure: errors.New("refused")}
	err := tracefile.Save(filepath.Join(dir, "trace.pb"), refused.request, refused)
	if !errors.Is(err, refused.failure) || strings.Contains(err.Error(), ".partial") {
		t.Errorf("error %v", err)
	}
	if names := list(t, dir); len(names) != 0 {
		t.Errorf("files %v", names)
	}
}

func TestFileTakesItsNameWhenWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trace.jsonl")
	file, err := tracefile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := invented(2)
	err = errors.Join(file.Request(whole.request), file.Opening(whole.opening), file.Event(whole.events[0]), file.Flush())
	if err != nil {
		t.Fatal(err)
	}
	if names := list(t, dir); len(names) != 1 || filepath.Join(dir, names[0]) != file.Name() || tracefile.FormatOf(names[0]) != tracefile.JSONLines {
		t.Errorf("files %v, the name is %s", names, file.Name())
	}
	if err := errors.Join(file.Event(whole.events[1]), file.Summary(whole.summary), file.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	if names := list(t, dir); !slices.Equal(names, []string{"trace.jsonl"}) || file.Name() != path {
		t.Errorf("files %v, the name is %s", names, file.Name())
	}
	if !bytes.Equal(contents(t, path), encode(t, whole, tracefile.JSONLines)) {
		t.Error("the file is not what a writer writes")
	}
}

func TestLinksAndDevices(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.pb"), filepath.Join(dir, "link.pb")
	if err := errors.Join(os.WriteFile(target, nil, 0o600), os.Symlink(target, link)); err != nil {
		t.Fatal(err)
	}
	if err := tracefile.Save(link, invented(1).request, invented(1)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if !bytes.Equal(contents(t, target), encode(t, invented(1), tracefile.Protobuf)) {
		t.Error("the target is not the trace")
	}
	if err := tracefile.Save(os.DevNull, invented(1).request, invented(1)); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is %v, %v", os.DevNull, info, err)
	}
}

func TestNoSuchFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "trace.pb")
	if err := tracefile.Save(missing, invented(0).request, invented(0)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Save: %v", err)
	}
	if _, err := tracefile.Open(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open: %v", err)
	}
}

// failing fails after some bytes.
type failing struct{ left int }

var errFull = errors.New("the disk is full")

func (f *failing) Write(p []byte) (int, error) {
	if len(p) > f.left {
		return 0, errFull
	}
	f.left -= len(p)
	return len(p), nil
}

func TestWritingFails(t *testing.T) {
	for _, f := range formats {
		whole := invented(10000)
		w := tracefile.NewWriter(&failing{left: 100 << 10}, f)
		err := errors.Join(w.Request(whole.request), w.Opening(whole.opening))
		for _, event := range whole.events {
			err = w.Event(event)
		}
		if !errors.Is(err, errFull) || !errors.Is(w.Summary(whole.summary), errFull) || !errors.Is(w.Flush(), errFull) {
			t.Errorf("%v: %v", f, err)
		}
	}
}

func TestWriterKeepsTheOrder(t *testing.T) {
	whole := invented(1)
	request := func(w *tracefile.Writer) error { return w.Request(whole.request) }
	opening := func(w *tracefile.Writer) error { return w.Opening(whole.opening) }
	event := func(w *tracefile.Writer) error { return w.Event(whole.events[0]) }
	summary := func(w *tracefile.Writer) error { return w.Summary(whole.summary) }
	type step = func(*tracefile.Writer) error
	for name, steps := range map[string][]step{
		"no request":          {opening},
		"no opening":          {request, event},
		"two requests":        {request, request},
		"two openings":        {request, opening, opening},
		"summary at once":     {summary},
		"event after the end": {request, opening, event, summary, event},
		"two summaries":       {request, opening, event, summary, summary},
		"another number":      {request, opening, event, event},
	} {
		w := tracefile.NewWriter(io.Discard, tracefile.Protobuf)
		for i, step := range steps {
			if err := step(w); (err != nil) != (i == len(steps)-1) {
				t.Errorf("%s: step %d: %v", name, i, err)
			}
		}
	}
}

// What a reader would refuse for its length is not written.
func TestMessagesTooLong(t *testing.T) {
	whole := invented(2)
	for _, f := range formats {
		fits, exceeds := tracefile.MaxMessageBytes-100, tracefile.MaxMessageBytes
		if f == tracefile.JSONLines {
			fits, exceeds = tracefile.MaxLineBytes-200, tracefile.MaxLineBytes
		}
		w := tracefile.NewWriter(io.Discard, f)
		err := errors.Join(w.Request(whole.request), w.Opening(whole.opening),
			w.Event(&zermelov1.Event{Sequence: 1, Position: strings.Repeat("1", fits)}), w.Flush())
		if err != nil {
			t.Errorf("%v: %v", f, err)
		}
		err = errors.Join(w.Event(&zermelov1.Event{Sequence: 2, Position: strings.Repeat("1", exceeds)}), w.Flush())
		if err == nil || !strings.Contains(err.Error(), "the most is") {
			t.Errorf("%v: error %v", f, err)
		}
	}
}

// Fifty thousand events take no more memory than a few.
func TestMemoryIsBounded(t *testing.T) {
	const most = 4 << 20
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for _, f := range formats {
		// Held, the events would be 10 MB and more.
		const count = 50_000
		head := invented(0)
		before, highest := live(), uint64(0)
		in, out := io.Pipe()
		go func() {
			w := tracefile.NewWriter(out, f)
			err := errors.Join(w.Request(head.request), w.Opening(head.opening))
			for i := int64(1); i <= count && err == nil; i++ {
				err = w.Event(&zermelov1.Event{Sequence: i, Position: "6-5-3", Move: "7>6"})
			}
			_ = out.CloseWithError(errors.Join(err, w.Summary(&zermelov1.Summary{EventCount: count, LastSequence: count})))
		}()
		reader, err := tracefile.NewReader(in, f)
		if err != nil {
			t.Fatal(err)
		}
		for event, err := range reader.Events() {
			if err != nil {
				t.Fatal(err)
			}
			if event.GetSequence()%(count/5) == 0 {
				highest = max(highest, live())
			}
		}
		if highest > before+most {
			t.Errorf("%v: the heap grows by %d bytes, want %d at most", f, highest-before, most)
		}
	}
}
