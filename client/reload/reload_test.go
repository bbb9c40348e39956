package reload_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zermelo-games/zermelo/client/reload"
)

var errBad = errors.New("bad")

// pair makes one text of two files that have to fit together.
func pair(contents [][]byte) (string, error) {
	a, b := string(contents[0]), string(contents[1])
	if a != b {
		return "", errBad
	}
	return a, nil
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestValueFollowsItsFiles(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, a, "1")
	write(t, b, "1")
	synctest.Test(t, func(t *testing.T) {
		var failures []error
		v, err := reload.New(pair, func(err error) { failures = append(failures, err) }, a, b)
		if err != nil {
			t.Fatal(err)
		}
		want := func(text string, failed int) {
			t.Helper()
			time.Sleep(reload.Interval)
			for range 3 {
				if got := v.Get(); got != text || len(failures) != failed {
					t.Fatalf("%q with %d failures (%v), want %q with %d", got, len(failures), failures, text, failed)
				}
			}
		}
		want("1", 0)
		write(t, a, "2")
		want("1", 1) // they do not fit together
		want("1", 1) // and that is said once
		write(t, b, "2")
		want("2", 1)
		if err := os.Remove(a); err != nil {
			t.Fatal(err)
		}
		want("2", 2)
		want("2", 2)
		write(t, a, strings.Repeat("x", reload.MaxBytes+1))
		want("2", 2) // still unreadable
		write(t, a, "3")
		write(t, b, "3")
		want("3", 2)
	})
}

// TestFileThatIsBeingWritten is left alone until it has not changed for a while, since half of it may be missing.
func TestFileThatIsBeingWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	write(t, file, "whole")
	synctest.Test(t, func(t *testing.T) {
		v, err := reload.New(func(contents [][]byte) (string, error) { return string(contents[0]), nil }, nil, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"ha", "half", "half and half"} {
			time.Sleep(reload.Interval)
			write(t, file, text)
			now := time.Now() // of the clock of this test
			if err := os.Chtimes(file, now, now); err != nil {
				t.Fatal(err)
			}
			if got := v.Get(); got != "whole" {
				t.Fatalf("%q while the file is being written", got)
			}
		}
		time.Sleep(reload.Interval)
		if got := v.Get(); got != "half and half" {
			t.Errorf("%q when the file is written", got)
		}
	})
}

// TestLinksThatPointElsewhere: as when a mounted secret is replaced as a whole.
func TestLinksThatPointElsewhere(t *testing.T) {
	dir := t.TempDir()
	for _, version := range []string{"1", "2"} {
		if err := os.Mkdir(filepath.Join(dir, version), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, version, "a"), version)
		write(t, filepath.Join(dir, version, "b"), version)
	}
	link := func(version string) {
		t.Helper()
		if err := os.Symlink(version, filepath.Join(dir, "next")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "next"), filepath.Join(dir, "data")); err != nil {
			t.Fatal(err)
		}
	}
	link("1")
	synctest.Test(t, func(t *testing.T) {
		v, err := reload.New(pair, func(err error) { t.Error(err) }, filepath.Join(dir, "data", "a"), filepath.Join(dir, "data", "b"))
		if err != nil {
			t.Fatal(err)
		}
		link("2")
		time.Sleep(reload.Interval)
		if got := v.Get(); got != "2" {
			t.Errorf("%q", got)
		}
	})
}

func TestFirstTimeFails(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, a, "1")
	if _, err := reload.New(pair, nil, a, b); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), b) {
		t.Errorf("%v", err)
	}
	write(t, b, "2")
	if _, err := reload.New(pair, nil, a, b); !errors.Is(err, errBad) || !strings.Contains(err.Error(), b) {
		t.Errorf("%v", err)
	}
	if _, err := reload.New(pair, nil, a, ""); err == nil || !strings.Contains(err.Error(), "no file is named") {
		t.Errorf("%v", err)
	}
}
