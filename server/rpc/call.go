package rpc

import (
	"context"
	"sync"
	"time"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// GameBatch stands in a record for the game of a call about many positions.
const GameBatch = "batch"

// Result is what a solved position came to.
type Result uint8

// The results of a solved position.
const (
	// ResultNone stands for no answer about one position.
	ResultNone Result = iota
	// ResultWin, ResultLoss and ResultDraw are outcomes for the player to move.
	ResultWin
	ResultLoss
	ResultDraw
	// ResultCost is that of a game with one player, whose solution is a cost and has no outcome.
	ResultCost
	// ResultCount is how many there are.
	ResultCount
)

// String is how a result is written in logs, labels and spans; empty for none.
func (r Result) String() string {
	return [ResultCount]string{ResultWin: "win", ResultLoss: "loss", ResultDraw: "draw", ResultCost: "cost"}[r]
}

// Record is what is known about a call for its log line, its metrics and its span. Its texts that become labels are from
// closed sets; what a caller can choose freely, such as the client's name, is for the log alone.
type Record struct {
	// Client is who calls, as authentication knows it; empty where nobody asked.
	Client string
	// Game is the name of the game's field in Position, GameBatch for many, and empty where there is none.
	Game string
	// Price is what the call was estimated to take before it was admitted; zero where that was not asked.
	Price catalog.Price
	// Method is how the answer was found; unspecified without one.
	Method zermelov1.Method
	// Result is what the position came to.
	Result Result
	// Value is the margin or the cost that goes with it, if HasValue.
	Value    int64
	HasValue bool
	// Positions is how many were expanded for the call so far.
	Positions int64
	// Events is how many events or positions were sent so far, Frames how many messages of a stream.
	Events, Frames int64
	// Cached says that the answer was known from before.
	Cached bool
}

// Observer is told what happens in calls while it happens. Its methods are called from several goroutines.
type Observer interface {
	// Solved is told of each solution that was given.
	Solved(game string, method zermelov1.Method, result Result)
	// Worked is told of positions expanded, and by how many memo entries a search has grown or, when it is over, shrunk.
	Worked(game string, positions, entries int64)
	// Sent is told of events or positions that were sent in one message.
	Sent(game string, events int64)
	// Looked is told whether an answer that might have been known was.
	Looked(known bool)
	// Failed is told of an error inside of an answer, as one position of a batch has it. That of the whole call is not
	// told here: it is the call's status.
	Failed(reason zermelov1.ErrorReason)
}

// Call is a call with its record. It is the context of everything that is done for it, so that it costs one allocation.
// Its methods may be called from several goroutines, and on nil, which keeps no record.
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

// NewCall begins a record. observer may be nil.
func NewCall(ctx context.Context, method, id string, observer Observer) *Call {
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

type callKey struct{}

// Value gives the call itself under the key of CallOf, and otherwise what the context below has.
func (c *Call) Value(key any) any {
	if _, ok := key.(callKey); ok {
		return c
	}
	return c.Context.Value(key)
}

// CallOf is the call that a context belongs to, or nil.
func CallOf(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// RequestID is the id of the call, or empty.
func RequestID(ctx context.Context) string {
	if c := CallOf(ctx); c != nil {
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
func (c *Call) SetPrice(p catalog.Price) { c.set(func(r *Record) { r.Price = p }) }

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

// WorkedOne adds positions expanded for one of the call's positions, which is of this game.
func (c *Call) WorkedOne(game string, positions int64) {
	if c == nil || positions == 0 {
		return
	}
	c.set(func(r *Record) { r.Positions += positions })
	if c.observer != nil {
		c.observer.Worked(game, positions, 0)
	}
}

// Worked adds to the work: positions expanded, and memo entries made or, below 0, let go.
func (c *Call) Worked(positions, entries int64) {
	if c == nil || positions == 0 && entries == 0 {
		return
	}
	c.mu.Lock()
	c.record.Positions += positions
	game := c.record.Game
	c.mu.Unlock()
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

// resultOf names what a solution says.
func resultOf(s *zermelov1.Solution) Result {
	switch s.GetOutcome() {
	case zermelov1.Outcome_OUTCOME_WIN:
		return ResultWin
	case zermelov1.Outcome_OUTCOME_LOSS:
		return ResultLoss
	case zermelov1.Outcome_OUTCOME_DRAW:
		return ResultDraw
	default:
		return ResultCost
	}
}

// searchWork passes the growing statistics of a search on to the record of its call.
type searchWork struct {
	call               *Call
	positions, entries int64
}

// soFar notes the work of the search so far.
func (w *searchWork) soFar(s *zermelov1.Statistics) {
	w.call.Worked(s.GetPositionsExpanded()-w.positions, s.GetMemoEntries()-w.entries)
	w.positions, w.entries = s.GetPositionsExpanded(), s.GetMemoEntries()
}

// over notes that the search has come to its end with this work and let its memo go.
func (w *searchWork) over(s *zermelov1.Statistics) {
	w.soFar(s)
	w.call.Worked(0, -w.entries)
	w.entries = 0
}
