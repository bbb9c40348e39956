package main_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Load is what is put on a server: callers make calls that are drawn from a mix of kinds, every answer is checked against
// an oracle, a proof or a second question, and a book is kept of what came of them. The soak test, the test of a million
// requests, and those that flood and kill servers differ in their mix and in what they do to the server.
type Load struct {
	Client *client.Client
	// Book is where calls, answers and errors are noted.
	Book *Book
	Mix  Mix
	// Callers is how many callers there are at a time, and Seed what their calls are drawn from.
	Callers int
	Seed    uint64
	// Changed is that of how many requests one has some bytes changed; 0: none. The client must have the options of
	// ChangeBytes.
	Changed int
}

// Mix has kinds of calls, and how often each is made in relation to the others.
type Mix []Share

// Share is a kind and how often it is made.
type Share struct {
	Of   int
	Kind Kind
}

// Kind is a kind of calls.
type Kind struct {
	Name string
	// Call makes a call and checks its answer, or returns its error.
	Call func(ctx context.Context, c *Caller) error
	// May are the errors that this kind provokes: reasons without their prefix, or the names of codes where there is none.
	May []string
}

// Run makes calls, as long as more says so before each and the context has not ended, and waits for the last of them.
// The calls end with the context.
func (l *Load) Run(ctx context.Context, more func() bool) {
	var callers sync.WaitGroup
	for n := range l.Callers {
		callers.Go(func() {
			c := &Caller{Load: l, Random: rand.New(rand.NewPCG(l.Seed, uint64(n))), Judge: newJudge()}
			for ctx.Err() == nil && more() {
				c.call(ctx, c.draw())
			}
		})
	}
	callers.Wait()
}

// Caller makes calls one after the other.
type Caller struct {
	*Load

	Random  *rand.Rand
	Judge   *Judge
	changed bool // the bytes of the current call are
}

// draw draws a kind.
func (c *Caller) draw() Kind {
	sum := 0
	for _, share := range c.Mix {
		sum += share.Of
	}
	draw := c.Random.IntN(sum)
	i := 0
	for draw -= c.Mix[0].Of; draw >= 0; draw -= c.Mix[i].Of {
		i++
	}
	return c.Mix[i].Kind
}

const (
	// callGuard is how long a call may take at most.
	callGuard = 2 * time.Minute
	// changedGuard is that of calls whose bytes are changed: they may ask for anything, a trace without end among it.
	changedGuard = 200 * time.Millisecond
)

// call makes one call.
func (c *Caller) call(ctx context.Context, kind Kind) {
	limit := callGuard
	if c.changed = c.Changed > 0 && c.Random.IntN(c.Changed) == 0; c.changed {
		ctx = withChanges(ctx, c.Random)
		kind.Name, limit = "changed bytes", changedGuard
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	err := kind.Call(ctx, c)
	c.Book.made(kind.Name, time.Since(began))
	if err == nil {
		return
	}
	reason, proper := inspect(err)
	c.Book.failed(kind.Name, reason, proper && (c.changed || slices.Contains(kind.May, reason)), err)
}

// Answered notes whether an answer is right. That to changed bytes answers another question.
func (c *Caller) Answered(right bool, format string, args ...any) {
	if !c.changed {
		c.Book.answered(right, format, args...)
	}
}

// inspect is the name of an error's reason, or of its code where it has none; and whether it is an error that a caller
// can do something with: one reason that the contract knows, a time to wait exactly when the server is busy, or what the
// caller's own deadline or a request that is not what it was meant to be leads to.
func inspect(err error) (reason string, proper bool) {
	if broken := (*client.ProtocolError)(nil); errors.As(err, &broken) {
		return "ProtocolError", true
	}
	st := status.Convert(err)
	reasons, waits := 0, false
	for _, d := range st.Details() {
		switch d := d.(type) {
		case *errdetails.ErrorInfo:
			reason = d.GetReason()
			reasons++
		case *errdetails.RetryInfo:
			waits = d.GetRetryDelay().AsDuration() > 0
		}
	}
	switch st.Code() {
	case codes.InvalidArgument, codes.ResourceExhausted, codes.FailedPrecondition:
		known := zermelov1.ErrorReason_value["ERROR_REASON_"+reason] > 0
		return reason, reasons == 1 && known && waits == (reason == "SERVER_BUSY")
	case codes.Canceled, codes.DeadlineExceeded: // the server's, or the caller's own, which has no reason
		return st.Code().String(), true
	default:
		return st.Code().String(), false
	}
}
