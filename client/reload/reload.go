// Package reload keeps what is made of files up to date while they change: certificates that are renewed, tokens that
// rotate. The server and the client both use it: it is all that the server has of the client, and knows nothing of either.
//
// gRPC's certprovider/pemfile does a part of this. It is not used because it tells nobody but gRPC's own log that files
// cannot be used, writes the private key into that line, wants certificate and key in one directory, and knows no tokens.
package reload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Interval is how often the files are looked at, at most: when they are used. A file that changed less than an interval
// ago may be half written, and is left for a later look.
const Interval = time.Second

// MaxBytes is how large a file may be. The certificates of all authorities of a system are a quarter of it.
const MaxBytes = 1 << 20

// Value is what is made of some files. Where they are replaced one after the other, or by a link that points elsewhere,
// what was made last stays in force until all of them fit together again. It is safe for concurrent use.
type Value[T any] struct {
	files  []string
	parse  func(contents [][]byte) (T, error)
	failed func(error)

	mu       sync.Mutex
	looked   time.Time
	contents [][]byte // of which current was made, or which were found to be bad; nil when they could not be read
	current  T
}

// New reads the files and makes a value of their contents; the error names the files. failed, if it is not nil, is told
// once for each later change why no value could be made of it; it must not call the value.
func New[T any](parse func(contents [][]byte) (T, error), failed func(error), files ...string) (*Value[T], error) {
	v := &Value[T]{files: files, parse: parse, failed: failed, looked: time.Now()}
	contents, _, err := v.read()
	if err == nil {
		err = v.use(contents)
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Get is the value. It looks at the files when the last look was a while ago.
func (v *Value[T]) Get() T {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := time.Now()
	if now.Sub(v.looked) < Interval {
		return v.current
	}
	v.looked = now
	contents, changed, err := v.read()
	switch age := now.Sub(changed); {
	case err != nil && v.contents == nil: // still unreadable
		return v.current
	case err != nil:
		v.contents = nil
	case slices.EqualFunc(contents, v.contents, bytes.Equal):
		return v.current
	case age >= 0 && age < Interval: // a time in the future says nothing
		return v.current
	default:
		err = v.use(contents)
	}
	if err != nil && v.failed != nil {
		v.failed(err)
	}
	return v.current
}

// use makes the value of these contents, or leaves it as it was.
func (v *Value[T]) use(contents [][]byte) error {
	v.contents = contents
	fresh, err := v.parse(contents)
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(v.files, ", "), err)
	}
	v.current = fresh
	return nil
}

// read reads the files, and when the last of them was changed.
func (v *Value[T]) read() (contents [][]byte, changed time.Time, err error) {
	contents = make([][]byte, len(v.files))
	for i, name := range v.files {
		var at time.Time
		if contents[i], at, err = read(name); err != nil {
			return nil, time.Time{}, err
		}
		if at.After(changed) {
			changed = at
		}
	}
	return contents, changed, nil
}

func read(name string) (content []byte, changed time.Time, err error) {
	if name == "" {
		return nil, time.Time{}, errors.New("no file is named")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	info, err := file.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	content, err = io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err == nil && len(content) > MaxBytes {
		err = fmt.Errorf("%s has more than %d bytes, the most that is read", name, MaxBytes)
	}
	return content, info.ModTime(), err
}
