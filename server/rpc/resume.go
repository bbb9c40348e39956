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

// resumeToken stands for what decides which events a trace has, and how they are numbered: the request, with every
// default filled in, and the version of the engine. How many of them one stream sends is not part of it.
func resumeToken(r *zermelov1.ExplainRequest) (string, error) {
	r = proto.CloneOf(r)
	r.MaxEvents, r.ResumeToken, r.ResumeAfterSequence = 0, "", 0
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("encoding the request for its token: %w", err)
	}
	hash := sha256.New()
	_, _ = fmt.Fprintf(hash, "zermelo engine %s\n", engine.Version)
	_, _ = hash.Write(data)
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:tokenBytes]), nil
}

// checkResume compares what a request wants to resume with its token.
func checkResume(r *zermelov1.ExplainRequest, token string) error {
	switch after := r.GetResumeAfterSequence(); {
	case after < 0:
		return catalog.InvalidField("resume_after_sequence", "is %d; it must be 0, for the beginning, or more", after)
	case r.GetResumeToken() == "" && after > 0:
		return catalog.InvalidField("resume_token", "is not set; to go on after event %d, send the token of the opening", after)
	case r.GetResumeToken() != "" && r.GetResumeToken() != token:
		return errTokenMismatch
	}
	return nil
}
