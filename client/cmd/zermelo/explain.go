package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

type explainCommand struct {
	Games     kong.Plugins `embed:""`
	Detail    string       `name:"detail" enum:"decisions,search" default:"decisions" placeholder:"WHAT" help:"decisions: one event for each position decided; search: also every entry, memo hit, end and cutoff. Default: decisions."`
	Memo      string       `name:"memo" enum:"all,losses,none" default:"all" placeholder:"WHICH" help:"What the search remembers: all positions, losses only (nim, can-i-win, hundred-game), or none. Default: all."`
	MaxEvents limit        `name:"max-events" placeholder:"N" help:"The most events to show. Default: all."`
	List      bool         `name:"list" help:"List the events as they come; otherwise up to ${tree_most} positions are drawn as a tree, where it fits the page."`
	Depth     limit        `name:"depth" placeholder:"N" help:"Draw the tree only N moves deep. Default: all of it."`
}

// details and memos are the values of the flags.
var (
	details = map[string]zermelov1.Detail{
		"decisions": zermelov1.Detail_DETAIL_DECISIONS,
		"search":    zermelov1.Detail_DETAIL_SEARCH,
	}
	memos = map[string]zermelov1.MemoPolicy{
		"all":    zermelov1.MemoPolicy_MEMO_POLICY_ALL,
		"losses": zermelov1.MemoPolicy_MEMO_POLICY_LOSSES,
		"none":   zermelov1.MemoPolicy_MEMO_POLICY_NONE,
	}
)

// traceWriter writes a trace in one form.
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
	trace := s.client.Explain(ctx, &zermelov1.ExplainRequest{
		Position: position, Detail: details[c.Detail], MemoPolicy: memos[c.Memo], MaxEvents: int64(c.MaxEvents),
	})
	var to traceWriter = &traceText{out: s.out, options: show.TraceOptions{
		List: c.List, Depth: int64(c.Depth), MoreEvents: " (--max-events)",
	}}
	if s.settings.json() {
		to = &traceJSON{out: s.out}
	}
	known := &traceCounts{}
	trace.OnProgress(func(w *zermelov1.Statistics) {
		known.work = w
		s.out.Flush()
		s.counter.show(func() string { return known.line(s.counter) })
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
			return &streamError{err: err, after: known.after()}
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
	return text
}

func (k *traceCounts) line(c *counter) string {
	text := show.Counted(k.events, "event")
	if k.work != nil && k.work.GetPositionsExpanded() > k.decisions {
		text += ", " + show.Counted(k.work.GetPositionsExpanded(), "position") + " entered"
	}
	return fmt.Sprintf("%s, %.0f s", text, c.elapsed().Seconds())
}

// streamError is the error of a stream that ended without a summary, and what came before.
type streamError struct {
	err   error
	after string // "12 decisions"
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
