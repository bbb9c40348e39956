package rpc

import (
	"bytes"
	"math"
	"testing"

	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// message is the generated message of an event.
func message(e *catalog.Event) *zermelov1.Event {
	m := &zermelov1.Event{
		Sequence: e.Sequence, Kind: e.Kind, Depth: e.Depth, Position: string(e.Position), Move: string(e.Move),
		Outcome: e.Outcome, Because: e.Because, Theorem: e.Theorem,
	}
	if e.HasValue {
		m.Value = &e.Value
	}
	return m
}

// checkEncoding compares the bytes of a frame with those of its generated message.
func checkEncoding(t *testing.T, events ...*catalog.Event) {
	t.Helper()
	var f eventsFrame
	batch := &zermelov1.Events{}
	for _, e := range events {
		m := message(e)
		before := len(f.buffer)
		if before == 0 {
			before = headerRoom
		}
		grown := f.add(e)
		if want := len(f.buffer) - before; grown != want || grown > mostEventBytes(e) {
			t.Errorf("%+v is counted as %d bytes, of at most %d; want %d", e, grown, mostEventBytes(e), want)
		}
		batch.Events = append(batch.Events, m)
	}
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(
		&zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Events{Events: batch}})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.take(); !bytes.Equal(got, want) {
		t.Errorf("%d events are encoded as\n%x, want\n%x", len(events), []byte(got), want)
	}
}

func TestEventsAreEncodedLikeTheirMessages(t *testing.T) {
	full := catalog.Event{
		Sequence: 1, Kind: zermelov1.EventKind_EVENT_KIND_DECIDED, Depth: 3, Position: []byte("6-5-3"), Move: []byte("7>6"),
		Outcome: zermelov1.Outcome_OUTCOME_LOSS, Value: -7, HasValue: true, Because: 300,
		Theorem: zermelov1.Theorem_THEOREM_BOUTON,
	}
	zero := catalog.Event{HasValue: true}
	large := catalog.Event{
		Sequence: math.MaxInt64, Depth: math.MaxUint32, Position: bytes.Repeat([]byte("7-"), 100_000), Value: math.MinInt64,
		HasValue: true, Because: math.MaxInt64,
	}
	checkEncoding(t, &full)
	checkEncoding(t, &zero)
	checkEncoding(t, &large)
	checkEncoding(t, &catalog.Event{})
	checkEncoding(t, &full, &zero, &large, &full)
}

func FuzzEncoding(f *testing.F) {
	f.Add(int64(1), int32(2), uint32(3), []byte("1,4"), []byte("7"), int32(1), int64(-5), true, int64(9), int32(0))
	f.Fuzz(func(t *testing.T, sequence int64, kind int32, depth uint32, position, move []byte, outcome int32, value int64,
		hasValue bool, because int64, theorem int32,
	) {
		if sequence < 0 || kind < 0 || outcome < 0 || because < 0 || theorem < 0 {
			return // never sent
		}
		e := &catalog.Event{
			Sequence: sequence, Kind: zermelov1.EventKind(kind), Depth: depth,
			Position: bytes.ToValidUTF8(position, nil), Move: bytes.ToValidUTF8(move, nil),
			Outcome: zermelov1.Outcome(outcome), Value: value, HasValue: hasValue, Because: because,
			Theorem: zermelov1.Theorem(theorem),
		}
		checkEncoding(t, e, e)
	})
}
