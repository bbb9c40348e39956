package rpc

import (
	"encoding/binary"
	"slices"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/zermelo-games/zermelo/server/catalog"
)

// Nearly all that this service sends are the events of traces. They are written as bytes straight from the search, in the
// encoding of their generated message: to build, size and marshal messages would take as long as the search itself. Tests
// compare the two encodings.

// eventsFrame is an ExplainResponse with a batch of events, being encoded.
type eventsFrame struct {
	// buffer begins with headerRoom bytes, into the end of which the beginning of the message is written last, when its
	// length is known.
	buffer []byte
}

// encoded is a message that is encoded already. The codec sends it as it is.
type encoded []byte

// headerRoom has place for a tag and a length.
const headerRoom = 1 + 10

// Tags of the fields: the number and the wire type. All are below 16, so that a tag is one byte.
const (
	tagResponseEvents = 2<<3 | byte(protowire.BytesType)
	tagEventsEvent    = 1<<3 | byte(protowire.BytesType)

	tagSequence = 1<<3 | byte(protowire.VarintType)
	tagKind     = 2<<3 | byte(protowire.VarintType)
	tagDepth    = 3<<3 | byte(protowire.VarintType)
	tagPosition = 4<<3 | byte(protowire.BytesType)
	tagMove     = 5<<3 | byte(protowire.BytesType)
	tagOutcome  = 6<<3 | byte(protowire.VarintType)
	tagValue    = 7<<3 | byte(protowire.VarintType)
	tagBecause  = 8<<3 | byte(protowire.VarintType)
	tagTheorem  = 9<<3 | byte(protowire.VarintType)
)

// mostEventBytes bounds what add appends for an event.
func mostEventBytes(e *catalog.Event) int {
	const fields, varint = 10, 1 + 10 // its own tag and length, and nine fields
	return fields*varint + len(e.Position) + len(e.Move)
}

// add appends an event, and returns by how many bytes the message grew.
func (f *eventsFrame) add(e *catalog.Event) int {
	if f.buffer == nil {
		f.buffer = make([]byte, headerRoom, headerRoom+frameBytes+frameBytes/8)
	}
	before := len(f.buffer)
	b := f.buffer
	b = append(b, tagEventsEvent, 0) // a length of one byte, as that of nearly all events
	start := len(b)
	b = appendVarintField(b, tagSequence, uint64(e.Sequence))
	b = appendVarintField(b, tagKind, uint64(e.Kind))
	b = appendVarintField(b, tagDepth, uint64(e.Depth))
	b = appendBytesField(b, tagPosition, e.Position)
	b = appendBytesField(b, tagMove, e.Move)
	b = appendVarintField(b, tagOutcome, uint64(e.Outcome))
	if e.HasValue {
		b = protowire.AppendVarint(append(b, tagValue), protowire.EncodeZigZag(e.Value))
	}
	b = appendVarintField(b, tagBecause, uint64(e.Because))
	b = appendVarintField(b, tagTheorem, uint64(e.Theorem))
	if size := len(b) - start; size < 1<<7 {
		b[start-1] = byte(size)
	} else {
		var length [binary.MaxVarintLen64]byte
		b = slices.Replace(b, start-1, start, protowire.AppendVarint(length[:0], uint64(size))...)
	}
	f.buffer = b
	return len(b) - before
}

func appendVarintField(b []byte, tag byte, v uint64) []byte {
	if v == 0 {
		return b
	}
	return protowire.AppendVarint(append(b, tag), v)
}

func appendBytesField(b []byte, tag byte, v []byte) []byte {
	if len(v) == 0 {
		return b
	}
	return protowire.AppendBytes(append(b, tag), v)
}

// take returns the message with the events that were added, and begins another: the transport may still read a message
// after it was sent.
func (f *eventsFrame) take() encoded {
	size := len(f.buffer) - headerRoom
	start := headerRoom - 1 - protowire.SizeVarint(uint64(size))
	protowire.AppendVarint(append(f.buffer[:start], tagResponseEvents), uint64(size))
	message := f.buffer[start:]
	f.buffer = nil
	return message
}

// buffers is the message for the transport.
func (e encoded) buffers() mem.BufferSlice { return mem.BufferSlice{mem.SliceBuffer(e)} }
