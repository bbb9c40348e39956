package call

import (
	"context"
	"sync"
	"time"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
)

// Call is the context of one call. Its methods may be called from several goroutines, and on nil, which keeps no record.
type Call struct {
	context.Context
	// Method is the full name of the RPC: /zermelo.v1.SolverService/Solve.
	Method string
	// ID is the request id.
	ID string
	// Began is when the call came in.
	Began    time.Time
	ended    time.Time
	observer Observer

	mu     sync.Mutex // A handler may still be at work when its call is over: see the stage that ends stalled streams.
	record Record
}

// New begins a call. observer may be nil.
func New(ctx context.Context, method, id string, observer Observer) *Call {
	return &Call{Context: ctx, Method: method, ID: id, Began: time.Now(), observer: observer}
}

// End notes that the call has ended, if that was not noted before, and returns when. It is for the stages around the
// handler, which run one after the other.
func (c *Call) End() time.Time {
	if c.ended.IsZero() {
		c.ended = time.Now()
	}
	return c.ended
}

type key struct{}

// Value gives the call itself under the key of [Of], and otherwise what the context below has.
func (c *Call) Value(k any) any {
	if _, ok := k.(key); ok {
		return c
	}
	return c.Context.Value(k)
}

// Of is the call that a context belongs to, or nil.
func Of(ctx context.Context) *Call {
	c, _ := ctx.Value(key{}).(*Call)
	return c
}

// RequestID is the id of the call, or empty.
func RequestID(ctx context.Context) string {
	if c := Of(ctx); c != nil {
		return c.ID
	}
	return ""
}

// Record is a copy of what is known by now.
func (c *Call) Record() Record {
	if c == nil {
		return Record{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.record
}

// SetClient notes who calls.
func (c *Call) SetClient(name string) { c.set(func(r *Record) { r.Client = name }) }

// SetGame notes which game the call is about: catalog.GameOf of its position, or GameBatch.
func (c *Call) SetGame(name string) { c.set(func(r *Record) { r.Game = name }) }

// SetPrice notes what the call is estimated to take.
func (c *Call) SetPrice(p admission.Price) { c.set(func(r *Record) { r.Price = p }) }

// set changes the record.
func (c *Call) set(change func(*Record)) {
	if c == nil {
		return
	}
	c.mu.Lock()
	change(&c.record)
	c.mu.Unlock()
}

// Solved notes the solution of the call's position.
func (c *Call) Solved(s *zermelov1.Solution) {
	if c == nil {
		return
	}
	result := resultOf(s)
	c.mu.Lock()
	r := &c.record
	r.Method, r.Result = s.GetMethod(), result
	switch {
	case s.Margin != nil:
		r.Value, r.HasValue = s.GetMargin(), true
	case s.Cost != nil:
		r.Value, r.HasValue = s.GetCost(), true
	}
	game := r.Game
	c.mu.Unlock()
	if c.observer != nil {
		c.observer.Solved(game, s.GetMethod(), result)
	}
}

// SolvedOne notes the solution of one of the call's many positions, which is of this game.
func (c *Call) SolvedOne(game string, s *zermelov1.Solution) {
	if c != nil && c.observer != nil {
		c.observer.Solved(game, s.GetMethod(), resultOf(s))
	}
}

// FailedOne notes the error of one of the call's many positions.
func (c *Call) FailedOne(reason zermelov1.ErrorReason) {
	if c != nil && c.observer != nil {
		c.observer.Failed(reason)
	}
}

// Looked notes whether the answer was known from before.
func (c *Call) Looked(known bool) {
	c.set(func(r *Record) { r.Cached = known && r.Game != GameBatch })
	if c != nil && c.observer != nil {
		c.observer.Looked(known)
	}
}

// Worked adds to the work for a position of this game: positions expanded, and memo entries made or, below 0, given up.
func (c *Call) Worked(game string, positions, entries int64) {
	if c == nil || positions == 0 && entries == 0 {
		return
	}
	c.set(func(r *Record) { r.Positions += positions })
	if c.observer != nil {
		c.observer.Worked(game, positions, entries)
	}
}

// SentEvents adds events or positions that were sent.
func (c *Call) SentEvents(n int64) {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.record.Events += n
	game := c.record.Game
	c.mu.Unlock()
	if c.observer != nil {
		c.observer.Sent(game, n)
	}
}

// SentFrame adds a message of a stream.
func (c *Call) SentFrame() { c.set(func(r *Record) { r.Frames++ }) }
