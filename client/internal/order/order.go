// Package order knows what the sequence numbers of a trace have to be, whether it comes from a server or from a file.
package order

import (
	"fmt"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Order follows the events of one answer to a request.
type Order struct {
	gaps  bool  // a filter leaves events out
	limit int64 // the most events; 0 for any number
	count int64
	last  int64
}

// Of is the order that a request asks for, before the first event.
func Of(request *zermelov1.ExplainRequest) Order {
	return Order{
		gaps:  request.MaxDepth != nil || len(request.GetKinds()) > 0 || request.GetSampleEvery() > 1,
		limit: request.GetMaxEvents(),
		last:  request.GetResumeAfterSequence(),
	}
}

// Add takes the next event. With an error it does not count.
func (o *Order) Add(event *zermelov1.Event) error {
	sequence := event.GetSequence()
	if sequence <= o.last || !o.gaps && sequence != o.last+1 {
		return Unexpected(event)
	}
	if o.limit > 0 && o.count == o.limit {
		return fmt.Errorf("event %d follows, and %d were asked for", sequence, o.limit)
	}
	o.count++
	o.last = sequence
	return nil
}

// Unexpected is the error of an event that should be another one.
func Unexpected(event *zermelov1.Event) error {
	return fmt.Errorf("event %d follows", event.GetSequence())
}

// End compares the summary with the events.
func (o *Order) End(summary *zermelov1.Summary) error {
	if said := summary.GetEventCount(); said != o.count {
		return fmt.Errorf("the summary says event_count %d where %d came", said, o.count)
	}
	if said := summary.GetLastSequence(); said != o.last {
		return fmt.Errorf("the summary says last_sequence %d where %d came last", said, o.last)
	}
	return nil
}

// Count is how many events there were.
func (o *Order) Count() int64 { return o.count }

// Last is the sequence number of the last event; before the first, that after which the request wants to go on.
func (o *Order) Last() int64 { return o.last }
