package rpc_test

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// enumerationToken is the token of an enumeration's opening.
func enumerationToken(t *testing.T, c zermelov1.SolverServiceClient, r *zermelov1.EnumeratePositionsRequest) string {
	t.Helper()
	stream, err := c.EnumeratePositions(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	m, err := stream.Recv()
	if err != nil || !proto.Equal(m.GetOpening().GetPosition(), r.GetPosition()) || m.GetOpening().GetEngineVersion() == "" {
		t.Fatalf("the opening is %v %v", m, err)
	}
	return m.GetOpening().GetResumeToken()
}

// TestEnumerationsGoOn: cut after any number of positions, the rest is what an uncut enumeration has there.
func TestEnumerationsGoOn(t *testing.T) {
	c := start(t)
	for _, r := range []*zermelov1.EnumeratePositionsRequest{
		{Position: nim(misere, 4, 3, 2)},
		{Position: nim(misere, 4, 3, 2), Outcome: loss, SkipDistance: true},
		{Position: guess(3, 9)},
	} {
		whole, summary := enumerate(t, c, r)
		token := enumerationToken(t, c, r)
		for after := range int64(len(whole)) + 2 {
			for _, limit := range []int64{0, 1, 3} {
				again := proto.CloneOf(r)
				again.ResumeToken, again.ResumeAfterSequence, again.MaxPositions = token, after, limit
				rest, end := enumerate(t, c, again)
				want := whole[min(after, int64(len(whole))):]
				completion := zermelov1.Completion_COMPLETION_COMPLETE
				if limit > 0 && int64(len(want)) > limit {
					want, completion = want[:limit], zermelov1.Completion_COMPLETION_LIMIT_REACHED
				}
				if len(rest) != len(want) || end.GetCompletion() != completion || end.GetLastSequence() != after+int64(len(want)) {
					t.Fatalf("%v: %d positions and %v, want %d", again, len(rest), end, len(want))
				}
				for i, p := range rest {
					if !proto.Equal(p, want[i]) {
						t.Errorf("%v: %v, want %v", again, p, want[i])
					}
				}
			}
		}
		if summary.GetLastSequence() != int64(len(whole)) {
			t.Errorf("%v: %v", r, summary)
		}
	}
}

func TestEnumerationResumeIsChecked(t *testing.T) {
	c := start(t)
	r := &zermelov1.EnumeratePositionsRequest{Position: nim(misere, 2, 1)}
	token := enumerationToken(t, c, r)
	for _, test := range []struct {
		change func(*zermelov1.EnumeratePositionsRequest)
		code   codes.Code
		reason zermelov1.ErrorReason
	}{
		{func(r *zermelov1.EnumeratePositionsRequest) { r.ResumeAfterSequence = -1 },
			codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD},
		{func(r *zermelov1.EnumeratePositionsRequest) { r.ResumeToken = "" },
			codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD},
		{func(r *zermelov1.EnumeratePositionsRequest) { r.Outcome = win },
			codes.FailedPrecondition, zermelov1.ErrorReason_ERROR_REASON_RESUME_TOKEN_MISMATCH},
		{func(r *zermelov1.EnumeratePositionsRequest) { r.SkipDistance = true },
			codes.FailedPrecondition, zermelov1.ErrorReason_ERROR_REASON_RESUME_TOKEN_MISMATCH},
		{func(r *zermelov1.EnumeratePositionsRequest) { r.Position = nim(misere, 3, 1) },
			codes.FailedPrecondition, zermelov1.ErrorReason_ERROR_REASON_RESUME_TOKEN_MISMATCH},
	} {
		changed := proto.CloneOf(r)
		changed.ResumeToken, changed.ResumeAfterSequence = token, 1
		test.change(changed)
		stream, err := c.EnumeratePositions(t.Context(), changed)
		if err != nil {
			t.Fatal(err)
		}
		_, err = stream.Recv()
		wantError(t, err, test.code, test.reason)
	}
}
