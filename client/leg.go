package client

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/internal/order"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// leg is one of the calls that a trace takes: the first, or one that resumes it.
type leg struct {
	trace   *Trace
	request *zermelov1.ExplainRequest
	order   order.Order // of the events of this leg
	opened  bool
	// again is set when the only event of this leg is the last one of the trace so far, and not to be yielded.
	again bool
}

// newLeg asks for what is still missing of a trace.
func newLeg(t *Trace) *leg {
	l := &leg{trace: t, request: t.request}
	if t.opening != nil {
		l.request = proto.CloneOf(t.request)
		if token := t.opening.GetResumeToken(); token != "" {
			l.request.ResumeToken = token
		}
		l.request.ResumeAfterSequence = t.last
		if limit := t.request.GetMaxEvents(); limit > 0 && t.received > 0 {
			l.request.MaxEvents = limit - t.received
			if l.request.MaxEvents == 0 {
				// Only the summary is missing, but 0 events would be all events. To ask for the last one once more gives
				// the summary that the first call would have had: it tells whether others would follow.
				l.again = true
				l.request.MaxEvents = 1
				l.request.ResumeAfterSequence--
			}
		}
	}
	l.order = order.Of(l.request)
	return l
}

// run makes the call and yields its events. It returns the summary of the trace; neither that nor an error when the loop
// was left.
func (l *leg) run(yield func(*zermelov1.Event, error) bool) (*zermelov1.Summary, error) {
	open := func(ctx context.Context) (grpc.ServerStreamingClient[zermelov1.ExplainResponse], error) {
		return l.trace.open(ctx, l.request)
	}
	// The summary counts only once the status OK has followed it.
	var summary *zermelov1.Summary
	for frame, err := range frames(l.trace.ctx, l.trace.busyAttempts, open) {
		if err != nil {
			return nil, err
		}
		if summary != nil {
			return nil, l.trace.broken(errAfterSummary)
		}
		if summary, err = l.take(frame); err != nil {
			return nil, l.trace.broken(err)
		}
		for _, event := range frame.GetEvents().GetEvents() {
			known, err := l.add(event)
			if err != nil {
				return nil, l.trace.broken(err)
			}
			if !known && !yield(event, nil) {
				return nil, nil
			}
		}
	}
	if summary == nil {
		return nil, l.trace.broken(ErrTruncated)
	}
	// A caller sees one trace.
	summary.EventCount, summary.LastSequence = l.trace.received, l.trace.last
	return summary, nil
}

// take checks that a message may come now, and keeps the opening. It returns the summary when the message is that.
func (l *leg) take(frame *zermelov1.ExplainResponse) (*zermelov1.Summary, error) {
	if opening := frame.GetOpening(); opening != nil {
		return nil, l.open(opening)
	}
	if !l.opened {
		return nil, errors.New("the stream does not begin with an opening")
	}
	switch payload := frame.GetPayload().(type) {
	case *zermelov1.ExplainResponse_Events:
		if len(payload.Events.GetEvents()) == 0 {
			return nil, errEmptyBatch
		}
	case *zermelov1.ExplainResponse_Progress:
		l.trace.progress.report(payload.Progress)
	case *zermelov1.ExplainResponse_Summary:
		return payload.Summary, l.check(payload.Summary)
	default:
		// A kind of message that is newer than this client is left to newer clients: what this one promises, the
		// summary still proves.
		if len(frame.ProtoReflect().GetUnknown()) == 0 {
			return nil, errEmptyMessage
		}
	}
	return nil, nil
}

// open takes the opening: the first one of the trace, or one that agrees with it.
func (l *leg) open(opening *zermelov1.Opening) error {
	if l.opened {
		return errors.New("a second opening")
	}
	l.opened = true
	first := l.trace.opening
	if first == nil {
		l.trace.opening = opening
		return nil
	}
	for _, part := range []struct {
		what string
		same bool
	}{
		{"position", proto.Equal(opening.GetPosition(), first.GetPosition())},
		{"detail", opening.GetDetail() == first.GetDetail()},
		{"memo_policy", opening.GetMemoPolicy() == first.GetMemoPolicy()},
		{"engine_version", opening.GetEngineVersion() == first.GetEngineVersion()},
		{"resume_token", opening.GetResumeToken() == first.GetResumeToken()},
	} {
		if !part.same {
			return fmt.Errorf("the opening of the resumed trace has another %s than the first one", part.what)
		}
	}
	return nil
}

// add takes the next event, and tells whether it was yielded by an earlier leg.
func (l *leg) add(event *zermelov1.Event) (known bool, err error) {
	if err := l.order.Add(event); err != nil {
		return false, err
	}
	if l.again {
		// With a filter, a later one would be in order.
		if event.GetSequence() != l.trace.last {
			return false, order.Unexpected(event)
		}
		return true, nil
	}
	l.trace.received++
	l.trace.last = event.GetSequence()
	return false, nil
}

// check compares a summary with what was received in this leg.
func (l *leg) check(summary *zermelov1.Summary) error {
	if err := l.order.End(summary); err != nil {
		return err
	}
	if l.again && l.order.Count() == 0 {
		return fmt.Errorf("event %d does not come again", l.trace.last)
	}
	return nil
}
