package rpc

import (
	"errors"
	"fmt"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	protocodec "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// ServerOptions are what a server needs so that a Registrar can decode its requests, of at most so many bytes each.
//
// The transport stops reading at twice that. Up to there a request that is too large is read, so that the caller can be
// told what the limit is; the transport's own error has no reason and no details.
func ServerOptions(maxRequestBytes int) []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.ForceServerCodecV2(codec{encoding.GetCodecV2(protocodec.Name), maxRequestBytes}),
		grpc.MaxRecvMsgSize(2 * maxRequestBytes),
	}
}

// codec is the Protobuf codec, except for two types that are bytes: it fills received with the bytes of a request as they
// came, and sends the bytes of encoded as they are.
type codec struct {
	encoding.CodecV2
	maxRequestBytes int
}

// Marshal sends what is encoded already, and encodes everything else.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	if e, ok := v.(encoded); ok {
		return e.buffers(), nil
	}
	return c.CodecV2.Marshal(v)
}

// received is the encoding of a request, and how long it may be.
type received struct {
	bytes    mem.Buffer
	maxBytes int
}

// Unmarshal keeps the bytes of what is to be decoded later, and decodes everything else.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	if r, ok := v.(*received); ok {
		r.bytes, r.maxBytes = data.MaterializeToBuffer(mem.DefaultBufferPool()), c.maxRequestBytes
		return nil
	}
	return c.CodecV2.Unmarshal(data, v)
}

// decode receives a request and decodes it into m. Errors of the transport stay what they are: it has told the caller
// already.
func decode(receive func(any) error, m any) error {
	var r received
	if err := receive(&r); err != nil {
		return err
	}
	defer r.bytes.Free()
	if n := r.bytes.Len(); n > r.maxBytes {
		err := fmt.Errorf("the request has %d bytes; at most %d are accepted", n, r.maxBytes)
		return newStatus(codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE, err, err.Error(),
			map[string]string{"limit_bytes": strconv.Itoa(r.maxBytes)})
	}
	if err := proto.Unmarshal(r.bytes.ReadOnlyData(), m.(proto.Message)); err != nil {
		return newStatus(codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_MALFORMED_MESSAGE,
			errors.Join(errMalformed, err), errMalformed.Error(), nil)
	}
	return nil
}

var errMalformed = errors.New("the request is not an encoding of its message")
