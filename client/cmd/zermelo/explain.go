package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

type explainCommand struct {
	Games       kong.Plugins `embed:""`
	Detail      string       `name:"detail" enum:"decisions,search,proof" default:"decisions" placeholder:"WHAT" help:"decisions: one event for each position decided; search: also every entry, memo hit, end and cutoff; proof: only what a checker needs. Default: decisions."`
	Memo        string       `name:"memo" enum:"all,losses,none" default:"all" placeholder:"WHICH" help:"What the search remembers: all positions, losses only (nim, can-i-win, hundred-game), or none. Default: all."`
	ProofForm   string       `name:"proof-form" enum:"auto,certificate,theorem" default:"auto" placeholder:"FORM" help:"${proof_form_help}"`
	MaxEvents   limit        `name:"max-events" placeholder:"N" help:"The most events to send. Default: all."`
	MaxDepth    limit        `name:"max-depth" placeholder:"N" help:"Only events down to N moves below the position; 0: about itself. The search is the same. Default: all."`
	Kinds       []kind       `name:"kinds" placeholder:"KIND" help:"Only events of these kinds: ${kinds}. Default: all."`
	SampleEvery limit        `name:"sample-every" placeholder:"N" help:"Of the events that are left, only the first and then every N-th. Default: all."`
	List        bool         `name:"list" help:"List the events as they come; otherwise up to ${tree_most} positions are drawn as a tree, where it fits the page."`
	Save        string       `name:"save" placeholder:"FILE" help:"${save_help}"`
}

// Help texts of flags that more than one verb has.
const (
	proofFormHelp = "What a proof may rest on: certificate, decisions only; theorem, a single theorem; auto, a certificate " +
		"where it surely fits the memory, otherwise a theorem where there is one. Default: auto."
	saveHelp = "Write the trace to FILE instead of showing it: JSON lines where FILE ends in .jsonl, size-delimited " +
		"Protobuf otherwise."
)

// The values of the flags.
var (
	details = map[string]zermelov1.Detail{
		"decisions": zermelov1.Detail_DETAIL_DECISIONS,
		"search":    zermelov1.Detail_DETAIL_SEARCH,
		"proof":     zermelov1.Detail_DETAIL_PROOF,
	}
	memos = map[string]zermelov1.MemoPolicy{
		"all":    zermelov1.MemoPolicy_MEMO_POLICY_ALL,
		"losses": zermelov1.MemoPolicy_MEMO_POLICY_LOSSES,
		"none":   zermelov1.MemoPolicy_MEMO_POLICY_NONE,
	}
	proofForms = map[string]zermelov1.ProofForm{
		"auto":        zermelov1.ProofForm_PROOF_FORM_UNSPECIFIED,
		"certificate": zermelov1.ProofForm_PROOF_FORM_CERTIFICATE,
		"theorem":     zermelov1.ProofForm_PROOF_FORM_THEOREM,
	}
	kinds = map[string]zermelov1.EventKind{
		"decided":  zermelov1.EventKind_EVENT_KIND_DECIDED,
		"enter":    zermelov1.EventKind_EVENT_KIND_ENTER,
		"memo-hit": zermelov1.EventKind_EVENT_KIND_MEMO_HIT,
		"terminal": zermelov1.EventKind_EVENT_KIND_TERMINAL,
		"cutoff":   zermelov1.EventKind_EVENT_KIND_CUTOFF,
	}
)

// kindNames lists the kinds of events as they are typed.
func kindNames() string { return strings.Join(slices.Sorted(maps.Keys(kinds)), ", ") }

// kind is an element of --kinds.
type kind zermelov1.EventKind

// UnmarshalText reads a kind of event; memo_hit does for memo-hit.
func (k *kind) UnmarshalText(text []byte) error {
	found, known := kinds[strings.ReplaceAll(string(text), "_", "-")]
	if !known {
		return fmt.Errorf("%q is not a kind of event; the kinds are %s", text, kindNames())
	}
	*k = kind(found)
	return nil
}

// traceWriter does something with a trace, message by message.
type traceWriter interface {
	opening(*zermelov1.Opening) error
	event(*zermelov1.Event) error
	// broken writes what is held back of a trace that ends without a summary.
	broken()
	summary(*zermelov1.Summary) error
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
	var to traceWriter = &traceText{out: s.out, options: show.TraceOptions{
		// What is left of a tree when branches are missing anywhere is none.
		List:       c.List || len(c.Kinds) > 0 || c.SampleEvery > 1,
		Filtered:   request.MaxDepth != nil || len(c.Kinds) > 0 || c.SampleEvery > 1,
		MoreEvents: " (--max-events)",
	}}
	if s.settings.json() {
		to = &traceJSON{out: s.out}
	}
	return follow(ctx, s, request, &traceCounts{}, to)
}

// request is the call that the flags ask for.
func (c *explainCommand) request(s *session, position *zermelov1.Position) *zermelov1.ExplainRequest {
	request := &zermelov1.ExplainRequest{
		Position:    position,
		Detail:      details[c.Detail],
		MemoPolicy:  memos[c.Memo],
		MaxEvents:   int64(c.MaxEvents),
		ProofForm:   proofForms[c.ProofForm],
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
	defer file.broken()
	if err := follow(ctx, s, request, &traceCounts{done: " saved", file: file}, file); err != nil {
		return err
	}
	return file.report(s)
}

// follow makes the call, and has the trace written as it comes.
func follow(
	ctx context.Context, s *session, request *zermelov1.ExplainRequest, known *traceCounts, to traceWriter,
) error {
	trace := s.client.Explain(ctx, request)
	trace.OnProgress(func(w *zermelov1.Statistics) {
		known.work = w
		s.out.Flush()
		s.counter.show(func() string { return known.line(s.counter) })
	})
	trace.OnResume(func(error) {
		s.out.Flush()
		s.counter.paint(known.line(s.counter) + ": the server went away; waiting for one")
	})

	opened := false
	for event, err := range trace.Events() {
		// The opening is there before the first event, and in a trace without events before the summary.
		if opening := trace.Opening(); opening != nil && !opened {
			opened = true
			if err := to.opening(opening); err != nil {
				return err
			}
		}
		if err != nil {
			to.broken()
			return &streamError{err: err, after: known.after(), begun: opened}
		}
		if err := to.event(event); err != nil {
			return err
		}
		known.count(event)
		s.counter.show(func() string { return known.line(s.counter) })
		if err := s.out.Err(); err != nil {
			return err
		}
	}
	if !opened {
		if err := to.opening(trace.Opening()); err != nil {
			return err
		}
	}
	return to.summary(trace.Summary())
}

// traceCounts is what is known of a trace while it runs.
type traceCounts struct {
	done              string // what is done with events, after their number: " saved"
	file              *saver // where they go; nil when they are not saved
	events, decisions int64
	work              *zermelov1.Statistics // as the last sign of life had it; nil before the first
}

func (k *traceCounts) count(e *zermelov1.Event) {
	k.events++
	if e.GetKind() == zermelov1.EventKind_EVENT_KIND_DECIDED {
		k.decisions++
	}
}

func (k *traceCounts) after() string {
	text := show.Counted(k.decisions, "decision")
	if k.events != k.decisions {
		text = show.Counted(k.events, "event") + ", " + text + " among them"
	}
	if k.work != nil && k.work.GetPositionsExpanded() > k.decisions {
		text += "; the search had entered " + show.Counted(k.work.GetPositionsExpanded(), "position")
	}
	if partial := k.file.partial(); partial != "" {
		text += "; " + partial + " has them"
	}
	return text
}

func (k *traceCounts) line(c *counter) string {
	text := show.Counted(k.events, "event") + k.done
	if k.work != nil && k.work.GetPositionsExpanded() > k.decisions {
		text += ", " + show.Counted(k.work.GetPositionsExpanded(), "position") + " entered"
	}
	return fmt.Sprintf("%s, %.0f s", text, c.elapsed().Seconds())
}

// streamError is the error of a stream that ended without a summary, and what came before.
type streamError struct {
	err   error
	after string // "12 decisions"
	begun bool   // something came
}

func (e *streamError) Error() string { return e.err.Error() }
func (e *streamError) Unwrap() error { return e.err }

// traceText writes for people.
type traceText struct {
	out     *show.Output
	options show.TraceOptions
	text    *show.Trace
}

func (t *traceText) opening(o *zermelov1.Opening) (err error) {
	t.text, err = show.NewTrace(t.out, o, t.options)
	return err
}

func (t *traceText) event(e *zermelov1.Event) error {
	t.text.Event(e)
	return nil
}

func (t *traceText) broken() {
	if t.text != nil {
		t.text.Broken()
	}
}

func (t *traceText) summary(s *zermelov1.Summary) error {
	t.text.End(s)
	return nil
}

// traceJSON writes for programs: messages of the contract, one a line, with one event each.
type traceJSON struct{ out *show.Output }

func (t *traceJSON) opening(o *zermelov1.Opening) error {
	return show.JSONLine(t.out, &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Opening{Opening: o}})
}

func (t *traceJSON) event(e *zermelov1.Event) error {
	return show.JSONLine(t.out, &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Events{
		Events: &zermelov1.Events{Events: []*zermelov1.Event{e}},
	}})
}

func (t *traceJSON) broken() {}

func (t *traceJSON) summary(s *zermelov1.Summary) error {
	return show.JSONLine(t.out, &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{Summary: s}})
}
