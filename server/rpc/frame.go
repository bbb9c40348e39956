package rpc

import (
	"time"

	"github.com/zermelo-games/zermelo/server/call"
)

// frame says when what is gathered for a stream is to be sent: when it is about as large as a frame should be, or when
// nothing was sent for a while.
type frame struct {
	// send sends what was gathered, and starts anew.
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

// entryBytes is what a repeated field adds to a message of this size: its tag and its length.
const entryBytes = 4

// add makes room for a message of size bytes, which the caller gathers next: it sends the frame first when the message
// would overfill it.
func (f *frame) add(size int) error {
	if f.gathered > 0 && f.bytes+size+entryBytes > frameBytes {
		if err := f.flush(); err != nil {
			return err
		}
	}
	f.gathered++
	f.bytes += size + entryBytes
	f.count++
	return nil
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
