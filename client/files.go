package client

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	// maxFileBytes is the most that is read of a file. The certificates of all authorities of a system are a quarter.
	maxFileBytes = 1 << 20
	// fileSettles is how long after its last change a file may change once more without its times showing it: file
	// systems stamp with the ticks of a clock, which on some of them are seconds.
	fileSettles = 2 * time.Second
)

// fromFiles is something that is read from files, and read again once one of them has changed.
type fromFiles[T any] struct {
	paths []string
	parse func(contents [][]byte) (T, error)

	mu      sync.Mutex
	value   T
	seen    []os.FileInfo // of the files as value was read from them
	settled bool          // a later change will show
}

// readFiles reads for the first time, when what is wrong with the files is an error.
func readFiles[T any](parse func(contents [][]byte) (T, error), paths ...string) (*fromFiles[T], error) {
	f := &fromFiles[T]{paths: paths, parse: parse}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

// current is what the files hold. Files that cannot be used, as while they are being replaced one after the other, leave
// it as it was.
func (f *fromFiles[T]) current() T {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed() {
		_ = f.read() // the next call tries again
	}
	return f.value
}

func (f *fromFiles[T]) changed() bool {
	if !f.settled {
		return true
	}
	for i, path := range f.paths {
		now, err := os.Stat(path)
		if err != nil || !os.SameFile(now, f.seen[i]) ||
			now.Size() != f.seen[i].Size() || !now.ModTime().Equal(f.seen[i].ModTime()) {
			return true
		}
	}
	return false
}

func (f *fromFiles[T]) read() error {
	contents := make([][]byte, len(f.paths))
	seen := make([]os.FileInfo, len(f.paths))
	settled := true
	for i, path := range f.paths {
		begun := time.Now()
		var err error
		if seen[i], contents[i], err = readFile(path); err != nil {
			return err
		}
		settled = settled && begun.Sub(seen[i].ModTime()) > fileSettles
	}
	value, err := f.parse(contents)
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(f.paths, ", "), err)
	}
	f.value, f.seen, f.settled = value, seen, settled
	return nil
}

// readFile reads a file, with its state before.
func readFile(path string) (os.FileInfo, []byte, error) {
	if path == "" {
		return nil, nil, errors.New("no file is named")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err != nil {
		return nil, nil, err
	}
	if len(content) > maxFileBytes {
		return nil, nil, fmt.Errorf("%s: more than %d bytes, the most that is read", path, maxFileBytes)
	}
	return info, content, nil
}
