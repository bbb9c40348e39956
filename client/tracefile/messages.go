package tracefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// messages reads the messages of a file one after the other.
type messages interface {
	// next reads one message into an empty one. The error is io.EOF when the file ends before it, and wraps
	// io.ErrUnexpectedEOF when it ends within it.
	next(into proto.Message) error
}

// malformed is the error of bytes that are all there and not a message. It does not wrap that of the decoder, which may be
// io.ErrUnexpectedEOF when a length within the message is wrong.
func malformed(err error) error {
	return errors.New("it cannot be decoded: " + err.Error())
}

// newMessages reads messages in a format.
func newMessages(r io.Reader, f Format) (messages, error) {
	in := bufio.NewReaderSize(r, bufferBytes)
	switch f {
	case Protobuf:
		return &delimited{in: in}, nil
	case JSONLines:
		return &lines{in: in}, nil
	default:
		return nil, fmt.Errorf("%v is not known", f)
	}
}

// delimited reads binary messages, each after its length.
type delimited struct {
	in      *bufio.Reader
	message bytes.Buffer
}

func (d *delimited) next(into proto.Message) error {
	size, err := binary.ReadUvarint(d.in)
	if err != nil {
		return err
	}
	if size > MaxMessageBytes {
		return fmt.Errorf("a message of %d bytes; the most is %d", size, MaxMessageBytes)
	}
	// The buffer grows with the bytes that come, not with what the length says.
	d.message.Reset()
	if _, err := io.CopyN(&d.message, d.in, int64(size)); err != nil {
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	if err := proto.Unmarshal(d.message.Bytes(), into); err != nil {
		return malformed(err)
	}
	return nil
}

// lines reads JSON objects, one a line. Empty lines are skipped.
type lines struct {
	in   *bufio.Reader
	line []byte
}

func (l *lines) next(into proto.Message) error {
	for {
		terminated, err := l.read()
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(l.line)) == 0 {
			if terminated {
				continue
			}
			return io.EOF
		}
		switch err := protojson.Unmarshal(l.line, into); {
		case err == nil:
			return nil
		case !terminated:
			// An object ends with its last brace: a part of it is not JSON.
			return io.ErrUnexpectedEOF
		default:
			return malformed(err)
		}
	}
}

// read reads one line, without its line feed; the last one may have none.
func (l *lines) read() (terminated bool, err error) {
	l.line = l.line[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		l.line = append(l.line, part...)
		terminated = err == nil
		if terminated {
			l.line = l.line[:len(l.line)-1]
		}
		if len(l.line) > MaxLineBytes {
			return false, fmt.Errorf("a line of more than %d bytes", MaxLineBytes)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return terminated, err
		}
	}
}
