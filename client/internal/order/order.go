// Package order knows what a stream of the service has to be, whether it comes from a server or from a file: which
// message may follow which, and what the sequence numbers of its items are. The items are the events of a trace or the
// positions of an enumeration.
package order

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// ErrRanged is the error of a stream that is ranged over a second time.
var ErrRanged = errors.New("a stream can be ranged over once only")

// What can be wrong with a message.
var (
	errNoOpening     = errors.New("the stream does not begin with an opening")
	errSecondOpening = errors.New("a second opening")
	errEmptyMessage  = errors.New("a message carries nothing")
	errEmptyBatch    = errors.New("a batch is empty")
	errAfterSummary  = errors.New("a message follows the summary")
)

// Order follows one answer to a request.
type Order struct {
	item   string // what an item is: "event"
	gaps   bool   // a filter leaves items out, and their numbers with them
	limit  int64  // the most items; 0 for any number
	count  int64
	last   int64
	opened bool
	ended  bool
}

// OfTrace is the order that a request for a trace asks for, before the first message.
func OfTrace(request *zermelov1.ExplainRequest) Order {
	return Order{
		item:  "event",
		gaps:  request.MaxDepth != nil || len(request.GetKinds()) > 0 || request.GetSampleEvery() > 1,
		limit: request.GetMaxEvents(),
		last:  request.GetResumeAfterSequence(),
	}
}

// OfEnumeration is the order that a request for an enumeration asks for. The numbers of its positions are their places
// in it, from 1.
func OfEnumeration(request *zermelov1.EnumeratePositionsRequest) Order {
	return Order{item: "position", limit: request.GetMaxPositions(), last: request.GetResumeAfterSequence()}
}

// Take takes the next message, an ExplainResponse or EnumeratePositionsResponse: one opening first, one summary last,
// between them batches that are not empty, and progress. [Order.Add] takes the items of a batch, [Order.End] what the
// summary counts.
func (o *Order) Take(message proto.Message) error {
	m := message.ProtoReflect()
	payload := m.WhichOneof(m.Descriptor().Oneofs().ByName("payload"))
	if o.ended {
		return errAfterSummary
	}
	if payload == nil && len(m.GetUnknown()) == 0 {
		return errEmptyMessage
	}
	if payload != nil && payload.Name() == "opening" {
		if o.opened {
			return errSecondOpening
		}
		o.opened = true
		return nil
	}
	if !o.opened {
		return errNoOpening
	}
	if payload == nil {
		// A kind of message that is newer than this client is left to newer clients: what this one promises, the summary
		// still proves.
		return nil
	}
	switch payload.Name() {
	case "events", "positions":
		batch := m.Get(payload).Message()
		if batch.Get(batch.Descriptor().Fields().ByName(payload.Name())).List().Len() == 0 {
			return errEmptyBatch
		}
	case "summary":
		o.ended = true
	}
	return nil
}

// Add takes the next item. With an error it does not count.
func (o *Order) Add(sequence int64) error {
	if sequence <= o.last || !o.gaps && sequence != o.last+1 {
		return o.Unexpected(sequence)
	}
	if o.limit > 0 && o.count == o.limit {
		return fmt.Errorf("%s %d follows, and %d were asked for", o.item, sequence, o.limit)
	}
	o.count++
	o.last = sequence
	return nil
}

// Unexpected is the error of an item that should be another one.
func (o *Order) Unexpected(sequence int64) error {
	return fmt.Errorf("%s %d follows", o.item, sequence)
}

// End compares what the summary counts with the items: how many it says there were, and the number of the last one.
func (o *Order) End(count, last int64) error {
	if count != o.count {
		return fmt.Errorf("the summary says %s_count %d where %d came", o.item, count, o.count)
	}
	if last != o.last {
		return fmt.Errorf("the summary says last_sequence %d where %d came last", last, o.last)
	}
	return nil
}

// Ended says whether the summary has come.
func (o *Order) Ended() bool { return o.ended }

// Count is how many items there were.
func (o *Order) Count() int64 { return o.count }

// Last is the sequence number of the last item; before the first, that after which the request wants to go on.
func (o *Order) Last() int64 { return o.last }
