package tracefile_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/tracefile"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// guard is how long a test may wait for something that has to happen.
const guard = 20 * time.Second

var formats = []tracefile.Format{tracefile.Protobuf, tracefile.JSONLines}

// positions has small ones of every game.
var positions = map[string]*zermelov1.Position{
	"nim": {Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{
		Piles: []uint64{5, 0, 4, 3}, Convention: zermelov1.PlayConvention_PLAY_CONVENTION_MISERE,
	}}},
	"nim over": {Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{
		Convention: zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL,
	}}},
	"can_i_win": {Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
		MaxChoosableInteger: 8, DesiredTotal: 25, Chosen: []uint32{4},
	}}},
	"hundred_game": {Game: &zermelov1.Position_HundredGame{HundredGame: &zermelov1.HundredGame{
		MaxChoosableInteger: 10, DesiredTotal: 100,
	}}},
	"predict_the_winner": {Game: &zermelov1.Position_PredictTheWinner{PredictTheWinner: &zermelov1.PredictTheWinner{
		Scores: []int64{1, 5, -2, 233, 7}, Lead: -3,
	}}},
	"stone_game":   {Game: &zermelov1.Position_StoneGame{StoneGame: &zermelov1.StoneGame{Piles: []uint64{2, 5, 3, 4, 5}}}},
	"guess_number": {Game: &zermelov1.Position_GuessNumber{GuessNumber: &zermelov1.GuessNumber{Low: 3, High: 12}}},
}

// requests asks about every position in every detail, and with filters and limits.
func requests() map[string]*zermelov1.ExplainRequest {
	all := make(map[string]*zermelov1.ExplainRequest)
	for name, position := range positions {
		for _, detail := range []zermelov1.Detail{
			zermelov1.Detail_DETAIL_DECISIONS, zermelov1.Detail_DETAIL_SEARCH, zermelov1.Detail_DETAIL_PROOF,
		} {
			all[name+" "+detail.String()] = &zermelov1.ExplainRequest{Position: position, Detail: detail}
		}
		all[name+" sampled"] = &zermelov1.ExplainRequest{Position: position, SampleEvery: 3}
		all[name+" shallow"] = &zermelov1.ExplainRequest{Position: position, MaxDepth: proto.Uint32(1)}
		all[name+" kinds"] = &zermelov1.ExplainRequest{
			Position: position, Detail: zermelov1.Detail_DETAIL_SEARCH,
			Kinds: []zermelov1.EventKind{zermelov1.EventKind_EVENT_KIND_TERMINAL},
		}
		all[name+" cut"] = &zermelov1.ExplainRequest{Position: position, MaxEvents: 5}
	}
	return all
}

// realServer is a client of the real server, run in memory until the test ends.
func realServer(t testing.TB) *client.Client {
	t.Helper()
	server := servertest.Start(t)
	c, err := client.New(server.Target(), client.WithDialOptions(server.DialOptions()...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// within is a context that ends with the test, or with the guard.
func within(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	t.Cleanup(cancel)
	return ctx
}

// recorded is a trace in memory. It ends with failure when that is not nil.
type recorded struct {
	request *zermelov1.ExplainRequest
	opening *zermelov1.Opening
	events  []*zermelov1.Event
	summary *zermelov1.Summary
	failure error
}

func (r *recorded) Opening() *zermelov1.Opening { return r.opening }
func (r *recorded) Summary() *zermelov1.Summary { return r.summary }
func (r *recorded) Events() iter.Seq2[*zermelov1.Event, error] {
	return func(yield func(*zermelov1.Event, error) bool) {
		for _, event := range r.events {
			if !yield(event, nil) {
				return
			}
		}
		if r.failure != nil {
			yield(nil, r.failure)
		}
	}
}

// record takes a trace down to its end or its error.
func record(t testing.TB, request *zermelov1.ExplainRequest, trace tracefile.Trace) *recorded {
	t.Helper()
	r := &recorded{request: request}
	for event, err := range trace.Events() {
		switch {
		case r.failure != nil:
			t.Fatalf("something follows the error %v", r.failure)
		case err != nil:
			r.failure = err
		default:
			r.events = append(r.events, event)
		}
	}
	r.opening, r.summary = trace.Opening(), trace.Summary()
	return r
}

// same compares all but how a trace failed.
func same(t testing.TB, got, want *recorded) {
	t.Helper()
	if !proto.Equal(got.request, want.request) {
		t.Errorf("request %v, want %v", got.request, want.request)
	}
	if !proto.Equal(got.opening, want.opening) {
		t.Errorf("opening %v, want %v", got.opening, want.opening)
	}
	if !proto.Equal(got.summary, want.summary) {
		t.Errorf("summary %v, want %v", got.summary, want.summary)
	}
	if len(got.events) != len(want.events) {
		t.Fatalf("%d events, want %d", len(got.events), len(want.events))
	}
	for i, event := range got.events {
		if !proto.Equal(event, want.events[i]) {
			t.Fatalf("event %v, want %v", event, want.events[i])
		}
	}
}

// encode is a trace as bytes. Without a summary it is written up to its last event.
func encode(t testing.TB, r *recorded, f tracefile.Format) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tracefile.NewWriter(&out, f)
	err := errors.Join(w.Request(r.request), w.Opening(r.opening))
	for _, event := range r.events {
		err = errors.Join(err, w.Event(event))
	}
	if r.summary != nil {
		err = errors.Join(err, w.Summary(r.summary))
	}
	if err := errors.Join(err, w.Flush()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// decode reads a trace from bytes. The reader is nil when it could not begin.
func decode(t testing.TB, data []byte, f tracefile.Format) (*recorded, error) {
	t.Helper()
	reader, err := tracefile.NewReader(bytes.NewReader(data), f)
	if err != nil {
		return nil, err
	}
	r := record(t, reader.Request(), reader)
	return r, r.failure
}

// invented is a trace of n events that no server has sent.
func invented(n int) *recorded {
	position := positions["nim"]
	r := &recorded{
		request: &zermelov1.ExplainRequest{Position: position},
		opening: &zermelov1.Opening{Position: position, Detail: zermelov1.Detail_DETAIL_DECISIONS, ResumeToken: "token"},
		summary: &zermelov1.Summary{EventCount: int64(n), LastSequence: int64(n)},
	}
	for i := range n {
		r.events = append(r.events, &zermelov1.Event{
			Sequence: int64(i + 1), Kind: zermelov1.EventKind_EVENT_KIND_DECIDED, Depth: 1, Position: "4-3-0-0", Value: proto.Int64(0),
		})
	}
	return r
}
