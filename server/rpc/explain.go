package rpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
)

// Explain streams the trace of a search.
func (s *Service) Explain(r *zermelov1.ExplainRequest, stream grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error {
	ctx := stream.Context()
	x := explanation{stream: stream}
	if err := s.explain(ctx, r, &x); err != nil {
		return toStatus(ctx, &streamError{err: err, lastSequence: x.lastSequence})
	}
	return nil
}

func (s *Service) explain(ctx context.Context, r *zermelov1.ExplainRequest, x *explanation) error {
	c, game := call.Of(ctx), catalog.GameOf(r.GetPosition())
	c.SetGame(game)
	concluding := c.Work(game)
	opened, err := s.openTrace(r, concluding)
	if err != nil {
		return err
	}
	x.trace, x.opening = opened.trace, opened.opening
	x.lastSequence = r.GetResumeAfterSequence()
	c.SetPrice(x.trace.Price())
	ticket, err := s.admit(ctx, admission.KindStream, x.trace.Price())
	if err != nil {
		return err
	}
	defer ticket.Release()
	x.call, x.work = c, c.Work(game)
	defer func() {
		x.work.SoFar(x.trace.Statistics())
		x.work.Over()
		concluding.Over()
	}()
	if s.streamEnded != nil {
		defer func() { s.streamEnded(x.trace.Statistics()) }()
	}
	return x.run(ctx, r.GetMaxEvents())
}

// openedTrace is a trace that has not begun yet.
type openedTrace struct {
	trace   catalog.Trace
	opening *zermelov1.Opening
}

// openTrace checks a request and prepares its trace; see TraceOptions for concluding.
func (s *Service) openTrace(r *zermelov1.ExplainRequest, concluding catalog.Progress) (*openedTrace, error) {
	if n := r.GetMaxEvents(); n < 0 {
		return nil, catalog.InvalidField("max_events", "is %d; it must be 0, for no limit, or more", n)
	}
	traced := withDefaults(r)
	if traced.GetProofForm() != zermelov1.ProofForm_PROOF_FORM_UNSPECIFIED && traced.GetDetail() != zermelov1.Detail_DETAIL_PROOF {
		return nil, catalog.InvalidField("proof_form", "is %v, but `detail` is %v; it is for DETAIL_PROOF", traced.GetProofForm(),
			traced.GetDetail())
	}
	filter, err := newFilter(traced, r.GetResumeAfterSequence())
	if err != nil {
		return nil, err
	}
	instance, err := s.catalog.Open(traced.GetPosition(), "position")
	if err != nil {
		return nil, err
	}
	trace, err := instance.Explain(catalog.TraceOptions{
		Detail: traced.GetDetail(), Policy: traced.GetMemoPolicy(), Form: traced.GetProofForm(), Wanted: filter.wanted(), Concluding: concluding,
	})
	if err != nil {
		return nil, err
	}
	token, err := resumeToken("", traced)
	if err != nil {
		return nil, err
	}
	if err := checkResume(r, token); err != nil {
		return nil, err
	}
	return &openedTrace{trace: trace, opening: &zermelov1.Opening{
		Position:      traced.GetPosition(),
		Detail:        traced.GetDetail(),
		MemoPolicy:    traced.GetMemoPolicy(),
		EngineVersion: engine.Version,
		ResumeToken:   token,
	}}, nil
}

// withDefaults is what decides which events a trace has: a copy of the request with every default filled in, and without
// what decides how many of them one stream sends.
func withDefaults(r *zermelov1.ExplainRequest) *zermelov1.ExplainRequest {
	r = proto.CloneOf(r)
	r.MaxEvents, r.ResumeToken, r.ResumeAfterSequence = 0, "", 0
	if r.GetDetail() == zermelov1.Detail_DETAIL_UNSPECIFIED {
		r.Detail = zermelov1.Detail_DETAIL_DECISIONS
	}
	if r.GetMemoPolicy() == zermelov1.MemoPolicy_MEMO_POLICY_UNSPECIFIED {
		r.MemoPolicy = zermelov1.MemoPolicy_MEMO_POLICY_ALL
	}
	if r.GetSampleEvery() == 1 {
		r.SampleEvery = 0
	}
	return r
}

// explanation is one stream of Explain.
type explanation struct {
	stream  grpc.ServerStreamingServer[zermelov1.ExplainResponse]
	opening *zermelov1.Opening
	trace   catalog.Trace
	// gathered are the events of the next frame, the last of them lastGathered; lastSequence is the last one sent.
	gathered     eventsFrame
	lastGathered int64
	lastSequence int64
	call         *call.Call
	work         *call.Work
}

// run is the send loop: it ranges over the search's events, so that the search runs only as fast as they are sent and
// ends when sending fails. One goroutine; nothing is held back beyond one frame.
func (x *explanation) run(ctx context.Context, maxEvents int64) error {
	if err := x.stream.Send(&zermelov1.ExplainResponse{
		Payload: &zermelov1.ExplainResponse_Opening{Opening: x.opening},
	}); err != nil {
		return err
	}
	completion := zermelov1.Completion_COMPLETION_COMPLETE
	frame := newFrame(x.call, x.sendEvents)
	for event, err := range x.trace.Events(ctx) {
		if err != nil {
			// What was decided before is true all the same.
			if flushErr := frame.flush(); flushErr != nil {
				return flushErr
			}
			return err
		}
		if event == nil {
			if err := frame.tick(x.sendProgress); err != nil {
				return err
			}
			continue
		}
		if maxEvents > 0 && frame.count == maxEvents {
			completion = zermelov1.Completion_COMPLETION_LIMIT_REACHED
			break
		}
		if err := frame.makeRoom(mostEventBytes(event)); err != nil {
			return err
		}
		frame.add(x.gathered.add(event))
		x.lastGathered = event.Sequence
	}
	if err := frame.flush(); err != nil {
		return err
	}
	summary := &zermelov1.Summary{
		Statistics:   x.trace.Statistics(),
		Completion:   completion,
		EventCount:   frame.count,
		LastSequence: x.lastSequence,
	}
	if completion == zermelov1.Completion_COMPLETION_COMPLETE {
		summary.Solution = x.trace.Solution()
		x.call.Solved(summary.GetSolution())
	}
	return x.stream.Send(&zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{Summary: summary}})
}

func (x *explanation) sendEvents() error {
	x.work.SoFar(x.trace.Statistics())
	if err := x.stream.SendMsg(x.gathered.take()); err != nil {
		return err
	}
	x.lastSequence = x.lastGathered
	return nil
}

func (x *explanation) sendProgress() error {
	statistics := x.trace.Statistics()
	x.work.SoFar(statistics)
	return x.stream.Send(&zermelov1.ExplainResponse{
		Payload: &zermelov1.ExplainResponse_Progress{Progress: &zermelov1.Progress{Statistics: statistics}},
	})
}
