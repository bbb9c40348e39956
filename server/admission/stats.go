package admission

import "time"

// Stats is what a gate has let through, and what it holds, at one moment.
type Stats struct {
	// Bytes is the memory held, of Limits.MemoryBytes, and StreamBytes the part of it that streams hold.
	Bytes, StreamBytes uint64
	// SmallBytes is the memory held by small calls of either kind beside that.
	SmallBytes uint64
	// Solves and Streams are the slots taken.
	Solves, Streams int
	// Small is how many small calls run without a slot.
	Small int
	// SolvesQueued and StreamsQueued are the calls that wait.
	SolvesQueued, StreamsQueued int

	// Admitted counts the calls admitted so far, and AdmittedSmall those of them that needed no slot.
	Admitted, AdmittedSmall uint64
	// Waited counts the calls whose wait in a queue is over, whatever came of it, and WaitTime is how long they waited
	// together.
	Waited   uint64
	WaitTime time.Duration
	// Refused counts, by [Cause], the calls that were not admitted.
	Refused [causes]uint64
}

// Stats takes a snapshot.
func (g *Gate) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	solves, streams := &g.rooms[KindSolve], &g.rooms[KindStream]
	s := g.counts
	s.Bytes, s.StreamBytes = solves.bytes+streams.bytes, streams.bytes
	s.SmallBytes = solves.smallBytes + streams.smallBytes
	s.Solves, s.Streams = solves.running, streams.running
	s.Small = solves.small + streams.small
	s.SolvesQueued, s.StreamsQueued = solves.queue.Len(), streams.queue.Len()
	return s
}
