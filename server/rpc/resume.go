package rpc

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
)

// errTokenMismatch says that a resume token is not that of the request.
var errTokenMismatch = errors.New("the resume token is not that of this request and engine version")

// tokenBytes is how much of the hash is a token: far too much for two requests to share one by chance.
const tokenBytes = 18

// enumerationToken stands for what decides which positions an enumeration has, and in which order. How many of them one
// stream sends is not part of it.
func enumerationToken(r *zermelov1.EnumeratePositionsRequest) (string, error) {
	r = proto.CloneOf(r)
	r.MaxPositions, r.ResumeToken, r.ResumeAfterSequence = 0, "", 0
	return resumeToken("enumeration\n", r)
}

// resumeToken is a hash of what decides what a stream has, and of the version of the engine; kind tells those of different
// kinds apart.
func resumeToken(kind string, r proto.Message) (string, error) {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("encoding the request for its token: %w", err)
	}
	hash := sha256.New()
	_, _ = fmt.Fprintf(hash, "zermelo engine %s\n%s", engine.Version, kind)
	_, _ = hash.Write(data)
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:tokenBytes]), nil
}

// resumable is a request for a stream, which may go on with an earlier one.
type resumable interface {
	GetResumeToken() string
	GetResumeAfterSequence() int64
}

// checkResume checks what a request says of an earlier stream; token is the right one.
func checkResume(r resumable, token string) error {
	switch after := r.GetResumeAfterSequence(); {
	case after < 0:
		return catalog.InvalidField("resume_after_sequence", "is %d; it must be 0, for the beginning, or more", after)
	case r.GetResumeToken() == "" && after > 0:
		return catalog.InvalidField("resume_token", "is not set; to go on after %d, send the token of the opening", after)
	case r.GetResumeToken() != "" && r.GetResumeToken() != token:
		return errTokenMismatch
	}
	return nil
}
