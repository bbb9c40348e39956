package tracefile

import (
	"fmt"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// order is what the numbers of a trace have to be, as its request has it.
type order struct {
	gaps  bool  // a filter leaves events out
	limit int64 // the most events; 0 for any number
	count int64 // events so far
	last  int64 // sequence number of the last one
}

func newOrder(request *zermelov1.ExplainRequest) order {
	return order{
		gaps:  request.MaxDepth != nil || len(request.GetKinds()) > 0 || request.GetSampleEvery() > 1,
		limit: request.GetMaxEvents(),
		last:  request.GetResumeAfterSequence(),
	}
}

// add takes the next event.
func (o *order) add(event *zermelov1.Event) error {
	sequence := event.GetSequence()
	if sequence <= o.last || !o.gaps && sequence != o.last+1 {
		return fmt.Errorf("event %d follows", sequence)
	}
	if o.limit > 0 && o.count == o.limit {
		return fmt.Errorf("event %d follows, and the request wants %d events", sequence, o.limit)
	}
	o.count++
	o.last = sequence
	return nil
}

// end compares the summary with the events.
func (o *order) end(summary *zermelov1.Summary) error {
	if said := summary.GetEventCount(); said != o.count {
		return fmt.Errorf("the summary says event_count %d where there are %d", said, o.count)
	}
	if said := summary.GetLastSequence(); said != o.last {
		return fmt.Errorf("the summary says last_sequence %d where it is %d", said, o.last)
	}
	return nil
}
