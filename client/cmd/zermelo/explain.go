package main

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/alecthomas/kong"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

type explainCommand struct {
	Games       kong.Plugins                  `embed:""`
	Detail      choice[zermelov1.Detail]      `name:"detail" default:"decisions" placeholder:"WHAT" help:"decisions: one event for each position decided; search: also every entry, memo hit, end and cutoff; proof: only what a checker needs. Default: decisions."`
	Memo        choice[zermelov1.MemoPolicy]  `name:"memo" default:"all" placeholder:"WHICH" help:"What the search remembers: all positions, losses only (where a move wins or loses, without margins and costs), or none. Default: all."`
	ProofForm   choice[zermelov1.ProofForm]   `name:"proof-form" default:"auto" placeholder:"FORM" help:"${proof_form_help}"`
	MaxEvents   limit                         `name:"max-events" placeholder:"N" help:"The most events to send. Default: all."`
	MaxDepth    limit                         `name:"max-depth" placeholder:"N" help:"Only events down to N moves below the position; 0: about itself. The search is the same. Default: all."`
	Kinds       []choice[zermelov1.EventKind] `name:"kinds" placeholder:"KIND" help:"Only events of these kinds: ${kinds}. Default: all."`
	SampleEvery limit                         `name:"sample-every" placeholder:"N" help:"Of the events that are left, only the first and then every N-th. Default: all."`
	List        bool                          `name:"list" help:"List the events as they come; otherwise up to ${tree_most} positions are drawn as a tree, where it fits the page."`
	Save        string                        `name:"save" placeholder:"FILE" help:"${save_help}"`
}

// Help texts of flags that more than one verb has.
const (
	proofFormHelp = "What a proof may rest on: certificate, decisions only; theorem, a single theorem; auto, a certificate " +
		"where it surely fits the memory, otherwise a theorem where there is one. Default: auto."
	saveHelp = "Write the trace to FILE instead of showing it: JSON lines where FILE ends in .jsonl, size-delimited " +
		"Protobuf otherwise."
)

// traceWriter does something with a trace, message by message.
type traceWriter interface {
	Opening(*zermelov1.Opening) error
	Event(*zermelov1.Event) error
	// Broken writes what is held back of a trace that ends without a summary.
	Broken()
	Summary(*zermelov1.Summary) error
}

func (c *explainCommand) run(ctx context.Context, s *session) error {
	position, err := s.arguments.Position(s.stdin)
	if err != nil {
		return err
	}
	request := c.request(s, position)
	if c.Save != "" {
		return c.save(ctx, s, request)
	}
	var to traceWriter = show.NewTrace(s.out, show.TraceOptions{
		// Where events are left out, branches may be missing anywhere, so that there is no tree.
		List:       c.List || len(c.Kinds) > 0 || c.SampleEvery > 1,
		MoreEvents: " (--max-events)",
	})
	if s.settings.json() {
		to = &traceJSON{out: s.out}
	}
	return follow(ctx, s, request, &progress{}, to)
}

// request is the call that the flags ask for.
func (c *explainCommand) request(s *session, position *zermelov1.Position) *zermelov1.ExplainRequest {
	request := &zermelov1.ExplainRequest{
		Position:    position,
		Detail:      zermelov1.Detail(c.Detail),
		MemoPolicy:  zermelov1.MemoPolicy(c.Memo),
		MaxEvents:   int64(c.MaxEvents),
		ProofForm:   zermelov1.ProofForm(c.ProofForm),
		SampleEvery: int64(c.SampleEvery),
	}
	if s.given["max-depth"] {
		request.MaxDepth = proto.Uint32(uint32(min(c.MaxDepth, math.MaxUint32))) // deeper than any game
	}
	for _, k := range c.Kinds {
		request.Kinds = append(request.Kinds, zermelov1.EventKind(k))
	}
	return request
}

// save writes the trace to a file.
func (c *explainCommand) save(ctx context.Context, s *session, request *zermelov1.ExplainRequest) error {
	if c.List {
		return usagef(s.typed, "--list is for the page; with --save, the trace goes to %s", c.Save)
	}
	file, err := newSaver(s, c.Save, request)
	if err != nil {
		return err
	}
	defer file.Broken()
	if err := follow(ctx, s, request, &progress{done: " saved", file: file}, file); err != nil {
		return err
	}
	return file.report(s)
}

// follow makes the call, and has the trace written as it comes.
func follow(
	ctx context.Context, s *session, request *zermelov1.ExplainRequest, known *progress, to traceWriter,
) error {
	trace := s.client.Explain(ctx, request)
	trace.OnProgress(func(w *zermelov1.Statistics) { known.working(s, w) })
	trace.OnResume(func(error) {
		s.out.Flush()
		s.counter.paint(known.String() + ": the server went away; waiting for one")
	})

	opened := false
	for event, err := range trace.Events() {
		// The opening is there before the first event, and in a trace without events before the summary.
		if opening := trace.Opening(); opening != nil && !opened {
			opened = true
			if err := to.Opening(opening); err != nil {
				return err
			}
		}
		if err != nil {
			to.Broken()
			return &streamError{err: err, after: known.after(), begun: opened}
		}
		if err := to.Event(event); err != nil {
			return err
		}
		known.come++
		known.tell(s.counter)
		if err := s.out.Err(); err != nil {
			return err
		}
	}
	if !opened {
		if err := to.Opening(trace.Opening()); err != nil {
			return err
		}
	}
	return to.Summary(trace.Summary())
}

// progress is how far a stream is.
type progress struct {
	thing   string // what comes: "event" where it is empty
	done    string // what is done with these, after their number: " saved"
	come    int64
	entered int64  // positions, by the search, as the last sign of life had it
	file    *saver // where it goes; nil when it is not saved
}

// String says how far it is: "12 events, 30 positions entered".
func (p *progress) String() string {
	text := show.Counted(p.come, cmp.Or(p.thing, "event")) + p.done
	if p.entered > p.come {
		text += ", " + show.Counted(p.entered, "position") + " entered"
	}
	return text
}

// after is what there is when a stream has ended too early.
func (p *progress) after() string {
	if partial := p.file.partial(); partial != "" {
		return p.String() + "; " + partial + " has them"
	}
	return p.String()
}

// tell shows it on the counter.
func (p *progress) tell(c *counter) {
	c.show(func() string { return fmt.Sprintf("%v, %.0f s", p, c.elapsed().Seconds()) })
}

// working notes a sign of life, which is when what has come is shown.
func (p *progress) working(s *session, w *zermelov1.Statistics) {
	p.entered = w.GetPositionsExpanded()
	s.out.Flush()
	p.tell(s.counter)
}

// streamError is the error of a stream that ended without a summary, and what came before.
type streamError struct {
	err   error
	after string // "12 decisions"
	begun bool   // something came
}

func (e *streamError) Error() string { return e.err.Error() }
func (e *streamError) Unwrap() error { return e.err }

// traceJSON writes for programs: messages of the contract, one a line, with one event each.
type traceJSON struct{ out *show.Output }

// Opening writes the first message.
func (t *traceJSON) Opening(o *zermelov1.Opening) error {
	return show.JSONLine(t.out, &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Opening{Opening: o}})
}

// Event writes an event.
func (t *traceJSON) Event(e *zermelov1.Event) error {
	return show.JSONLine(t.out, &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Events{
		Events: &zermelov1.Events{Events: []*zermelov1.Event{e}},
	}})
}

// Broken writes nothing: nothing is held back.
func (t *traceJSON) Broken() {}

// Summary writes the last message.
func (t *traceJSON) Summary(s *zermelov1.Summary) error {
	return show.JSONLine(t.out, &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{Summary: s}})
}
