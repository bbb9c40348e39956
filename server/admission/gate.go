package admission

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// Gate admits calls while they fit its limits. It is safe for concurrent use.
type Gate struct {
	limits  Limits
	reserve uint64

	// mu is held for a few steps at a time, never while a call waits.
	mu       sync.Mutex
	rooms    [kinds]room
	arrivals uint64
	counts   Stats // those that only grow
}

// room is what the calls of one kind hold.
type room struct {
	running    int
	bytes      uint64
	small      int
	smallBytes uint64
	// work is that of the calls that run in a slot or wait, in positions.
	work uint64
	// queue holds the tickets that wait, in the order of their arrival.
	queue list.List
}

// Ticket is the right of a call to run, and what it holds meanwhile. It must be released when the call is over.
type Ticket struct {
	gate  *Gate
	bytes uint64
	work  uint64
	kind  Kind
	small bool
	// held says that the ticket is admitted and not yet released. It and what follows are the gate's.
	held bool

	arrival uint64
	place   *list.Element
	ready   chan struct{} // closed when a ticket that waits is admitted
}

// New makes a gate. The error is that of [Limits.Verify].
func New(limits Limits) (*Gate, error) {
	if err := limits.Verify(); err != nil {
		return nil, err
	}
	if limits.QueueWait == 0 {
		limits.Queue = 0
	}
	return &Gate{limits: limits, reserve: limits.reserve()}, nil
}

// Limits gives the limits in force.
func (g *Gate) Limits() Limits { return g.limits }

// Admit asks for a call to run. It returns at once when the call fits and nobody waits before it, or when the queue is
// full; else within Limits.QueueWait. The errors are:
//   - [*BusyError]: the call does not fit now.
//   - [*TooLargeError]: it never will.
//   - the cause of the context, when that ended first. Whoever has left is not admitted.
func (g *Gate) Admit(ctx context.Context, kind Kind, price Price) (*Ticket, error) {
	if limit := g.limits.bytes(kind); price.Bytes > limit {
		g.refuse(CauseTooLarge)
		return nil, &TooLargeError{Kind: kind, Asked: price.Bytes, Limit: limit}
	}
	if ctx.Err() != nil { // cheaper than to wait for its end: most calls need not wait
		g.refuse(CauseLeft)
		return nil, context.Cause(ctx)
	}

	t := &Ticket{gate: g, kind: kind, bytes: max(price.Bytes, LeastBytes), work: min(price.Positions, maxWork)}
	g.mu.Lock()
	if g.enter(t, price.Small()) {
		g.counts.Admitted++
		g.mu.Unlock()
		return t, nil
	}
	if g.rooms[kind].queue.Len() >= g.limits.Queue {
		cause := CauseQueue
		if g.limits.Queue == 0 {
			cause = g.lacking(t)
		}
		err := g.busy(t, cause)
		g.mu.Unlock()
		return nil, err
	}
	g.enqueue(t)
	g.mu.Unlock()
	return g.wait(ctx, t)
}

// Release gives back what the call holds. Only the first time does anything, and on nil, for a call that needed no
// ticket, not even that.
func (t *Ticket) Release() {
	if t == nil {
		return
	}
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if !t.held {
		return
	}
	t.held = false
	if t.small {
		r := &g.rooms[t.kind]
		r.small--
		r.smallBytes -= t.bytes
		return // nobody waits for the reserve
	}
	g.vacate(t)
}

// wait waits for the turn of a ticket in the queue.
func (g *Gate) wait(ctx context.Context, t *Ticket) (*Ticket, error) {
	began := time.Now()
	timer := time.NewTimer(g.limits.QueueWait)
	defer timer.Stop()
	select {
	case <-t.ready:
	case <-timer.C:
	case <-ctx.Done():
	}

	g.mu.Lock()
	defer g.mu.Unlock()
	g.counts.Waited++
	g.counts.WaitTime += time.Since(began)
	switch left := ctx.Err() != nil; {
	case left && t.held: // its turn came as its caller left
		t.held = false
		g.vacate(t)
	case left:
		g.leave(t)
	case t.held:
		g.counts.Admitted++
		return t, nil
	default:
		// What it lacks is asked before it leaves: the next may get what it did not.
		err := g.busy(t, g.lacking(t))
		g.leave(t)
		return nil, err
	}
	g.counts.Refused[CauseLeft]++
	return nil, context.Cause(ctx)
}

// What follows needs mu to be held, but for refuse.

// enter admits a ticket that has just arrived, if it fits and does not overtake anybody.
func (g *Gate) enter(t *Ticket, small bool) bool {
	r := &g.rooms[t.kind]
	if small && t.bytes <= g.reserve-r.smallBytes {
		t.small, t.held = true, true
		r.small++
		r.smallBytes += t.bytes
		g.counts.AdmittedSmall++
		return true
	}
	if r.queue.Len() > 0 || !g.open(t) || !g.memory(t) {
		return false
	}
	// A head of the other kind that has a slot waits for memory, and has the older claim to it.
	for kind := range g.rooms {
		if head := g.head(Kind(kind)); head != nil && g.open(head) {
			return false
		}
	}
	r.work += t.work
	g.admit(t)
	return true
}

// open says whether nothing but the memory that both kinds share is in the way of a ticket: its kind has a slot free,
// and may hold as much memory.
func (g *Gate) open(t *Ticket) bool {
	r := &g.rooms[t.kind]
	if t.kind == KindStream && t.bytes > g.limits.StreamBytes-r.bytes {
		return false
	}
	return r.running < g.limits.slots(t.kind)
}

// memory says whether the memory that both kinds share has room for the ticket.
func (g *Gate) memory(t *Ticket) bool {
	return t.bytes <= g.limits.MemoryBytes-g.rooms[KindSolve].bytes-g.rooms[KindStream].bytes
}

// lacking says what a ticket that cannot enter has to wait for.
func (g *Gate) lacking(t *Ticket) Cause {
	switch {
	case g.rooms[t.kind].running < g.limits.slots(t.kind):
		return CauseMemory // for itself, or for those before it
	case t.kind == KindStream:
		return CauseStreams
	default:
		return CauseSolves
	}
}

// admit gives a ticket its slot and its memory.
func (g *Gate) admit(t *Ticket) {
	r := &g.rooms[t.kind]
	t.held = true
	r.running++
	r.bytes += t.bytes
}

// vacate takes back what admit gave.
func (g *Gate) vacate(t *Ticket) {
	r := &g.rooms[t.kind]
	r.running--
	r.bytes -= t.bytes
	r.work -= t.work
	g.advance()
}

// head is the ticket that waits longest among those of a kind, or nil.
func (g *Gate) head(kind Kind) *Ticket {
	front := g.rooms[kind].queue.Front()
	if front == nil {
		return nil
	}
	return front.Value.(*Ticket)
}

// enqueue puts a ticket at the end of its queue.
func (g *Gate) enqueue(t *Ticket) {
	r := &g.rooms[t.kind]
	g.arrivals++
	t.arrival = g.arrivals
	t.ready = make(chan struct{})
	t.place = r.queue.PushBack(t)
	r.work += t.work
}

// leave takes a ticket that will not be admitted out of its queue. Those behind it may have waited for it alone.
func (g *Gate) leave(t *Ticket) {
	r := &g.rooms[t.kind]
	r.queue.Remove(t.place)
	r.work -= t.work
	g.advance()
}

// advance admits those that wait, for as long as the oldest head whose kind is open fits the memory. When it returns,
// no head that is open fits.
func (g *Gate) advance() {
	for {
		var next *Ticket
		for kind := range g.rooms {
			head := g.head(Kind(kind))
			if head != nil && g.open(head) && (next == nil || head.arrival < next.arrival) {
				next = head
			}
		}
		if next == nil || !g.memory(next) {
			return
		}
		g.rooms[next.kind].queue.Remove(next.place)
		g.admit(next)
		close(next.ready)
	}
}

// busy refuses a ticket.
func (g *Gate) busy(t *Ticket, full Cause) *BusyError {
	g.counts.Refused[full]++
	// What is in the way: the work of its own kind, or of all that hold memory.
	work, slots := g.rooms[t.kind].work, g.limits.slots(t.kind)
	if full == CauseMemory {
		work = g.rooms[KindSolve].work + g.rooms[KindStream].work
		slots = g.limits.Solves + g.limits.Streams
	}
	positions := min(work/uint64(slots), maxWork)
	return &BusyError{
		Full:       full,
		RetryAfter: max(time.Duration(positions)*(time.Second/PositionsPerSecond), MinRetryAfter),
	}
}

// refuse counts a call that did not come as far as the queue.
func (g *Gate) refuse(cause Cause) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.counts.Refused[cause]++
}
