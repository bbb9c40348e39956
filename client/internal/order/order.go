// Package order knows what a stream of the service has to be, whether it comes from a server or from a file: which
// message may follow which, and what the sequence numbers of its items are. The items are the events of a trace or the
// positions of an enumeration.
package order

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// ErrRanged is the error of a stream that is ranged over a second time.
var ErrRanged = errors.New("a stream can be ranged over once only")

// What can be wrong with a message.
var (
	errNoRequest     = errors.New("the stream does not begin with a request")
	errNoOpening     = errors.New("the stream does not begin with an opening")
	errSecondOpening = errors.New("a second opening")
	errEmptyMessage  = errors.New("a message carries nothing")
	errEmptyBatch    = errors.New("a batch is empty")
	errAfterSummary  = errors.New("a message follows the summary")
)

// Order follows one answer to a request. The zero one takes nothing: there is no request.
type Order struct {
	// Count is how many items there were.
	Count int64
	// Last is the sequence number of the last of them; before the first, that after which the request wants to go on.
	Last int64
	// Opened and Ended say whether the opening and the summary have come.
	Opened, Ended bool

	item  string // what an item is: "event"
	gaps  bool   // a filter leaves items out, and their numbers with them
	limit int64  // the most items; 0 for any number
}

// OfTrace is the order that a request for a trace asks for, before the first message.
func OfTrace(request *zermelov1.ExplainRequest) Order {
	return Order{
		Last:  request.GetResumeAfterSequence(),
		item:  "event",
		gaps:  request.MaxDepth != nil || len(request.GetKinds()) > 0 || request.GetSampleEvery() > 1,
		limit: request.GetMaxEvents(),
	}
}

// OfEnumeration is the order that a request for an enumeration asks for. The numbers of its positions are their places
// in it, from 1.
func OfEnumeration(request *zermelov1.EnumeratePositionsRequest) Order {
	return Order{Last: request.GetResumeAfterSequence(), item: "position", limit: request.GetMaxPositions()}
}

// Take takes the next message, an ExplainResponse or EnumeratePositionsResponse: one opening first, one summary last,
// between them batches that are not empty, and progress. What the summary counts has to be what came. [Order.Add] takes
// the items of a batch.
func (o *Order) Take(message proto.Message) error {
	m := message.ProtoReflect()
	field := m.WhichOneof(m.Descriptor().Oneofs().ByName("payload"))
	switch {
	case o.item == "":
		return errNoRequest
	case o.Ended:
		return errAfterSummary
	case field == nil && len(m.GetUnknown()) == 0:
		return errEmptyMessage
	case field != nil && field.Name() == "opening":
		if o.Opened {
			return errSecondOpening
		}
		o.Opened = true
		return nil
	case !o.Opened:
		return errNoOpening
	case field == nil:
		// A kind of message that is newer than this client is left to newer clients: what this one promises, the summary
		// still proves.
		return nil
	}
	payload := m.Get(field).Message()
	number := func(name string) int64 {
		return payload.Get(payload.Descriptor().Fields().ByName(protoreflect.Name(name))).Int()
	}
	switch field.Name() {
	case "events", "positions":
		if payload.Get(payload.Descriptor().Fields().ByName(field.Name())).List().Len() == 0 {
			return errEmptyBatch
		}
	case "summary":
		o.Ended = true
		if count := number(o.item + "_count"); count != o.Count {
			return fmt.Errorf("the summary says %s_count %d where %d came", o.item, count, o.Count)
		}
		if last := number("last_sequence"); last != o.Last {
			return fmt.Errorf("the summary says last_sequence %d where %d came last", last, o.Last)
		}
	}
	return nil
}

// Add takes the next item. With an error it does not count.
func (o *Order) Add(sequence int64) error {
	if !o.Opened {
		return errNoOpening
	}
	if o.Ended {
		return errAfterSummary
	}
	if sequence <= o.Last || !o.gaps && sequence != o.Last+1 {
		return o.Unexpected(sequence)
	}
	if o.limit > 0 && o.Count == o.limit {
		return fmt.Errorf("%s %d follows, and %d were asked for", o.item, sequence, o.limit)
	}
	o.Count++
	o.Last = sequence
	return nil
}

// Unexpected is the error of an item that should be another one.
func (o *Order) Unexpected(sequence int64) error {
	return fmt.Errorf("%s %d follows", o.item, sequence)
}
