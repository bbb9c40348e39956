// Package reload keeps what is made of files up to date while they change: certificates that are renewed, tokens that
// rotate.
package reload

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"time"
)

// Interval is how often the files are looked at, at most: when they are used. What they hold counts once two looks have
// seen the same.
const Interval = time.Second

// MaxBytes is how large a file may be.
const MaxBytes = 1 << 20

// Value is what is made of some files. Where they are replaced one after the other, or by a link that points elsewhere,
// what was made last stays in force until all of them fit together again. It is safe for concurrent use.
type Value[T any] struct {
	files  []string
	load   func(contents [][]byte) (T, error)
	failed func(error)

	mu       sync.Mutex
	looked   time.Time
	contents [][]byte // Those of which current was made, or which were found to be bad.
	pending  [][]byte // What was seen instead of these at the last look.
	current  T
}

// New reads the files and makes a value of their contents. failed is told, once for each change, why a later one could
// not be made; it must not call the value. The error is that of the first time: it names the file, or is load's.
func New[T any](load func(contents [][]byte) (T, error), failed func(error), files ...string) (*Value[T], error) {
	v := &Value[T]{files: files, load: load, failed: failed, looked: time.Now()}
	contents, err := v.read()
	if err != nil {
		return nil, err
	}
	if v.current, err = load(contents); err != nil {
		return nil, err
	}
	v.contents = contents
	return v, nil
}

// Get is the value. It looks at the files when the last look was a while ago.
func (v *Value[T]) Get() T {
	v.mu.Lock()
	defer v.mu.Unlock()
	if now := time.Now(); now.Sub(v.looked) >= Interval {
		v.looked = now
		v.refresh()
	}
	return v.current
}

// refresh makes the value anew if the files have changed, and not since the last look: they may be half written.
func (v *Value[T]) refresh() {
	contents, err := v.read()
	if err == nil && same(contents, v.contents) || err != nil && v.contents == nil {
		v.pending = nil
		return // as before, or still unreadable
	}
	if err == nil && !same(contents, v.pending) {
		v.pending = contents
		return
	}
	v.contents, v.pending = contents, nil
	if err == nil {
		var fresh T
		if fresh, err = v.load(contents); err == nil {
			v.current = fresh
			return
		}
	}
	v.failed(err)
}

func same(a, b [][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// read reads the files; nil with an error.
func (v *Value[T]) read() ([][]byte, error) {
	contents := make([][]byte, len(v.files))
	for i, name := range v.files {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if info.Size() > MaxBytes {
			return nil, fmt.Errorf("%s has %d bytes; at most %d are read", name, info.Size(), MaxBytes)
		}
		if contents[i], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return contents, nil
}
