package client_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	win         = zermelov1.Outcome_OUTCOME_WIN
	loss        = zermelov1.Outcome_OUTCOME_LOSS
	draw        = zermelov1.Outcome_OUTCOME_DRAW
	unspecified = zermelov1.Outcome_OUTCOME_UNSPECIFIED
)

// Messages of an enumeration.

type enumerated = zermelov1.EnumeratePositionsResponse

func positions(outcomes ...zermelov1.Outcome) *enumerated {
	batch := &zermelov1.EnumeratedPositions{}
	for _, outcome := range outcomes {
		batch.Positions = append(batch.Positions, &zermelov1.EnumeratedPosition{Notation: "1-0", Outcome: outcome})
	}
	return &enumerated{Payload: &zermelov1.EnumeratePositionsResponse_Positions{Positions: batch}}
}

func enumerationOpening() *enumerated {
	return &enumerated{Payload: &zermelov1.EnumeratePositionsResponse_Opening{Opening: &zermelov1.EnumerationOpening{
		Position: nim(1, 0), EngineVersion: "1", ResumeToken: "token",
	}}}
}

func enumerationProgress(expanded int64) *enumerated {
	return &enumerated{Payload: &zermelov1.EnumeratePositionsResponse_Progress{
		Progress: &zermelov1.Progress{Statistics: &zermelov1.Statistics{PositionsExpanded: expanded}},
	}}
}

func enumerationSummary(count, wins, losses, draws int64) *enumerated {
	return &enumerated{Payload: &zermelov1.EnumeratePositionsResponse_Summary{Summary: &zermelov1.EnumerationSummary{
		PositionCount: count,
		Wins:          wins,
		Losses:        losses,
		Draws:         draws,
		LastSequence:  count,
		Completion:    zermelov1.Completion_COMPLETION_COMPLETE,
	}}}
}

// Distances are asked for, limited and received as all else of a request is.
func TestEnumerationWithDistances(t *testing.T) {
	request := &zermelov1.EnumeratePositionsRequest{Position: nim(1, 0), Outcome: win, MaxPositions: 3}
	batch := positions(win, win)
	batch.GetPositions().GetPositions()[0].MovesToEnd = proto.Int64(0)
	batch.GetPositions().GetPositions()[1].MovesToEnd = proto.Int64(5)
	f := &fake{enumerate: func(req *zermelov1.EnumeratePositionsRequest, stream enumerateStream) error {
		if !proto.Equal(req, request) {
			return status.Errorf(codes.InvalidArgument, "request %v", req)
		}
		return errors.Join(stream.Send(enumerationOpening()), stream.Send(batch), stream.Send(enumerationSummary(2, 2, 0, 0)))
	}}
	var got []int64
	for position, err := range serve(t, f).EnumeratePositions(within(t), request).Positions() {
		if err != nil {
			t.Fatal(err)
		}
		if position.MovesToEnd == nil {
			t.Fatalf("%v has no distance", position)
		}
		got = append(got, position.GetMovesToEnd())
	}
	if want := []int64{0, 5}; !slices.Equal(got, want) {
		t.Errorf("distances %v, want %v", got, want)
	}
}

// enumerates is a server that answers EnumeratePositions with an opening, these messages and then this error.
func enumerates(end error, frames ...*enumerated) *fake {
	return &fake{enumerate: func(_ *zermelov1.EnumeratePositionsRequest, stream enumerateStream) error {
		for _, frame := range append([]*enumerated{enumerationOpening()}, frames...) {
			if err := stream.Send(frame); err != nil {
				return err
			}
		}
		return end
	}}
}

func TestEnumerationYieldsPositions(t *testing.T) {
	c := serve(t, enumerates(nil,
		enumerationProgress(5), positions(win, loss), positions(draw, unspecified, win), enumerationSummary(5, 2, 1, 1)))
	enumeration := c.EnumeratePositions(within(t), &zermelov1.EnumeratePositionsRequest{Position: nim(1, 0)})
	var told []int64
	enumeration.OnProgress(func(s *zermelov1.Statistics) { told = append(told, s.GetPositionsExpanded()) })
	var got []zermelov1.Outcome
	for position, err := range enumeration.Positions() {
		if err != nil {
			t.Fatal(err)
		}
		if enumeration.Summary() != nil {
			t.Error("a summary before the end")
		}
		got = append(got, position.GetOutcome())
	}
	if want := []zermelov1.Outcome{win, loss, draw, unspecified, win}; !slices.Equal(got, want) {
		t.Errorf("positions %v, want %v", got, want)
	}
	if got := enumeration.Summary().GetPositionCount(); got != 5 {
		t.Errorf("the summary counts %d, want 5", got)
	}
	if len(told) != 1 || told[0] != 5 {
		t.Errorf("progress %v, want 5", told)
	}
	if count, err := drain(t, enumeration.Positions()); count != 0 || !errors.Is(err, client.ErrRanged) {
		t.Errorf("ranging again gives %d positions and %v", count, err)
	}
}

func TestEnumerationRefusesBrokenStreams(t *testing.T) {
	nothing := enumerationSummary(0, 0, 0, 0)
	newer := &enumerated{}
	newer.ProtoReflect().SetUnknown([]byte{15<<3 | 2, 0})
	for _, test := range []struct {
		name   string
		frames []*enumerated
		last   int64
		text   string // in the error; empty when the stream is right
	}{
		{"nothing at all", nil, 0, "without a summary"},
		{"no summary", []*enumerated{positions(win, loss), positions(win)}, 3, "without a summary"},
		{"an empty batch", []*enumerated{positions(), nothing}, 0, "batch is empty"},
		{"an empty message", []*enumerated{{}, nothing}, 0, "carries nothing"},
		{"a newer message", []*enumerated{newer, positions(win), enumerationSummary(1, 1, 0, 0)}, 1, ""},
		{"counts too many", []*enumerated{positions(win), enumerationSummary(2, 1, 0, 0)}, 1, "position_count 2 where 1"},
		{"counts too few", []*enumerated{positions(win, win), enumerationSummary(1, 2, 0, 0)}, 2, "position_count 1 where 2"},
		{"other wins", []*enumerated{positions(win), enumerationSummary(1, 0, 0, 0)}, 1, "wins 0 where 1"},
		{"other losses", []*enumerated{positions(win), enumerationSummary(1, 1, 1, 0)}, 1, "losses 1 where 0"},
		{"other draws", []*enumerated{positions(draw), enumerationSummary(1, 0, 0, 2)}, 1, "draws 2 where 1"},
		{"two summaries", []*enumerated{nothing, nothing}, 0, "follows the summary"},
		{"two openings", []*enumerated{enumerationOpening(), nothing}, 0, "second opening"},
		{"positions after it", []*enumerated{nothing, positions(win)}, 0, "follows the summary"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := serve(t, enumerates(nil, test.frames...))
			enumeration := c.EnumeratePositions(within(t), &zermelov1.EnumeratePositionsRequest{Position: nim(1)})
			count, err := drain(t, enumeration.Positions())
			if count != test.last {
				t.Errorf("%d positions before the error, want %d", count, test.last)
			}
			if test.text == "" {
				if err != nil || enumeration.Summary() == nil {
					t.Errorf("error %v, summary %v", err, enumeration.Summary())
				}
				return
			}
			var broken *client.ProtocolError
			if !errors.As(err, &broken) {
				t.Fatalf("error %v, want a ProtocolError", err)
			}
			if broken.LastSequence != test.last || broken.Method != "EnumeratePositions" {
				t.Errorf("%s after %d, want EnumeratePositions after %d", broken.Method, broken.LastSequence, test.last)
			}
			if !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %q does not say %q", err, test.text)
			}
			if got, want := errors.Is(err, client.ErrTruncated), strings.Contains(test.text, "without a summary"); got != want {
				t.Errorf("truncated: %v, want %v", got, want)
			}
			if enumeration.Summary() != nil {
				t.Error("a broken enumeration has a summary")
			}
		})
	}
}

func TestEnumerationEndsWithTheStatus(t *testing.T) {
	c := serve(t, enumerates(status.Error(codes.Unavailable, "draining"), positions(win, win)), client.WithoutResume())
	enumeration := c.EnumeratePositions(within(t), &zermelov1.EnumeratePositionsRequest{Position: nim(1)})
	count, err := drain(t, enumeration.Positions())
	if count != 2 || status.Code(err) != codes.Unavailable {
		t.Errorf("%d positions and %v, want 2 and Unavailable", count, err)
	}
	if enumeration.Summary() != nil {
		t.Error("a failed enumeration has a summary")
	}
}
