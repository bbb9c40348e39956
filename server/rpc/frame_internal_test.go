package rpc

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestFrameIsCutByBytes: what would overfill a frame goes into the next one; a message larger than a frame has one of
// its own.
func TestFrameIsCutByBytes(t *testing.T) {
	var sent []int
	gathered := 0
	f := newFrame(nil, func() error {
		sent = append(sent, gathered)
		gathered = 0
		return nil
	})
	add := func(size int) {
		t.Helper()
		if err := f.makeRoom(size); err != nil {
			t.Fatal(err)
		}
		f.add(size)
		gathered++
	}
	for range 3 {
		add(frameBytes / 2)
	}
	add(10 * frameBytes)
	add(1)
	if err := f.flush(); err != nil {
		t.Fatal(err)
	}
	if want := []int{2, 1, 1, 1}; !slices.Equal(sent, want) {
		t.Errorf("frames of %v messages, want %v", sent, want)
	}
	if f.count != 5 {
		t.Errorf("counted %d", f.count)
	}
}

// TestFrameBreaksTheSilence: what waits is sent after half a second, and when nothing waits a sign of life is.
func TestFrameBreaksTheSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		events, signs := 0, 0
		f := newFrame(nil, func() error { events++; return nil })
		tick := func(wantEvents, wantSigns int) {
			t.Helper()
			if err := f.tick(func() error { signs++; return nil }); err != nil {
				t.Fatal(err)
			}
			if events != wantEvents || signs != wantSigns {
				t.Errorf("%d events and %d signs of life, want %d and %d", events, signs, wantEvents, wantSigns)
			}
		}
		tick(0, 0)
		time.Sleep(progressInterval)
		tick(0, 1)
		tick(0, 1)
		f.add(1)
		tick(0, 1)
		time.Sleep(progressInterval)
		tick(1, 1)
		time.Sleep(progressInterval)
		tick(1, 2)
	})
}

// TestFrameHandsOnSendErrors at each place where it sends.
func TestFrameHandsOnSendErrors(t *testing.T) {
	broken := errors.New("broken")
	f := newFrame(nil, func() error { return broken })
	if err := f.makeRoom(frameBytes); err != nil {
		t.Fatal(err)
	}
	f.add(frameBytes)
	if err := f.makeRoom(1); !errors.Is(err, broken) {
		t.Errorf("making room: %v", err)
	}
	f.add(1)
	if err := f.flush(); !errors.Is(err, broken) {
		t.Errorf("flush: %v", err)
	}
}
