package rpc

import "time"

// frame gathers messages until their encoding is about as large as a frame should be.
type frame[T any] struct {
	send  func([]*T) error
	items []*T
	bytes int
	// count is how many messages were added since the beginning.
	count    int64
	lastSent time.Time
}

func newFrame[T any](send func([]*T) error) *frame[T] {
	return &frame[T]{send: send, lastSent: time.Now()}
}

// entryBytes is what a repeated field adds to a message of this size: its tag and its length.
const entryBytes = 4

// add takes a message of size bytes. It sends the frame first when the message would overfill it.
func (f *frame[T]) add(item *T, size int) error {
	if f.bytes > 0 && f.bytes+size+entryBytes > frameBytes {
		if err := f.flush(); err != nil {
			return err
		}
	}
	f.items = append(f.items, item)
	f.bytes += size + entryBytes
	f.count++
	return nil
}

// flush sends what was gathered. The slice is not used again: something may still read a message after it was sent.
func (f *frame[T]) flush() error {
	if len(f.items) == 0 {
		return nil
	}
	items := f.items
	f.items, f.bytes = make([]*T, 0, len(items)), 0
	f.lastSent = time.Now()
	return f.send(items)
}

// tick sends what was gathered, or a sign of life, when nothing was sent for a while.
func (f *frame[T]) tick(sendProgress func() error) error {
	now := time.Now()
	if now.Sub(f.lastSent) < progressInterval {
		return nil
	}
	if len(f.items) > 0 {
		return f.flush()
	}
	f.lastSent = now
	return sendProgress()
}
