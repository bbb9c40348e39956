package rpc

import (
	"time"

	"github.com/zermelo-games/zermelo/server/call"
)

// frame decides when the messages that are gathered for a stream are sent: when they fill a frame, or when nothing was sent
// for a while.
type frame struct {
	// send sends what was gathered, and begins the next frame.
	send func() error
	// gathered is how many messages that is, and bytes the size of their encoding.
	gathered, bytes int
	// count is how many messages were gathered since the beginning.
	count    int64
	lastSent time.Time
	// call is told what was sent; it may be nil.
	call *call.Call
}

func newFrame(c *call.Call, send func() error) *frame {
	return &frame{send: send, lastSent: time.Now(), call: c}
}

// makeRoom sends what was gathered when a message of so many bytes more would overfill the frame.
func (f *frame) makeRoom(most int) error {
	if f.gathered > 0 && f.bytes+most > frameBytes {
		return f.flush()
	}
	return nil
}

// add notes that the caller has gathered a message of so many bytes.
func (f *frame) add(size int) {
	f.gathered++
	f.bytes += size
	f.count++
}

// flush sends what was gathered, if anything was.
func (f *frame) flush() error {
	if f.gathered == 0 {
		return nil
	}
	sent := f.gathered
	f.gathered, f.bytes = 0, 0
	f.lastSent = time.Now()
	if err := f.send(); err != nil {
		return err
	}
	f.call.SentEvents(int64(sent))
	return nil
}

// tick sends what was gathered, or a sign of life, when nothing was sent for a while.
func (f *frame) tick(sendProgress func() error) error {
	now := time.Now()
	if now.Sub(f.lastSent) < progressInterval {
		return nil
	}
	if f.gathered > 0 {
		return f.flush()
	}
	f.lastSent = now
	return sendProgress()
}
