package admission_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zermelo-games/zermelo/server/admission"
)

const mib = 1 << 20

// unbounded is the work of a call of which nobody knows how long it takes.
const unbounded = math.MaxUint64

func newGate(t *testing.T, limits admission.Limits) *admission.Gate {
	t.Helper()
	gate, err := admission.New(limits)
	if err != nil {
		t.Fatal(err)
	}
	return gate
}

// hold admits a call that has to fit.
func hold(t *testing.T, gate *admission.Gate, kind admission.Kind, price admission.Price) *admission.Ticket {
	t.Helper()
	before := gate.Stats().Waited
	ticket, err := gate.Admit(t.Context(), kind, price)
	if err != nil {
		t.Fatalf("a %s of %+v: %v", kind, price, err)
	}
	if gate.Stats().Waited != before {
		t.Fatalf("a %s of %+v had to wait", kind, price)
	}
	return ticket
}

// busy asks for what cannot be had.
func busy(t *testing.T, gate *admission.Gate, kind admission.Kind, price admission.Price) *admission.BusyError {
	t.Helper()
	ticket, err := gate.Admit(t.Context(), kind, price)
	var refusal *admission.BusyError
	if ticket != nil || !errors.As(err, &refusal) {
		t.Fatalf("a %s of %+v got %v, want a BusyError", kind, price, err)
	}
	return refusal
}

// outcome is what became of a call that may wait.
type outcome struct {
	name   string
	ticket *admission.Ticket
	err    error
}

// ask lets a call wait in a goroutine of its own, and returns when it does, or is through.
func ask(ctx context.Context, gate *admission.Gate, name string, kind admission.Kind, price admission.Price, to chan<- outcome) {
	go func() {
		ticket, err := gate.Admit(ctx, kind, price)
		to <- outcome{name, ticket, err}
	}()
	synctest.Wait()
}

// none checks that nobody's turn came.
func none(t *testing.T, outcomes <-chan outcome, when string) {
	t.Helper()
	synctest.Wait()
	select {
	case o := <-outcomes:
		t.Fatalf("%s came through (%v) %s", o.name, o.err, when)
	default:
	}
}

// next checks whose turn it is.
func next(t *testing.T, outcomes <-chan outcome, name string) *admission.Ticket {
	t.Helper()
	synctest.Wait()
	select {
	case o := <-outcomes:
		if o.name != name || o.err != nil {
			t.Fatalf("it is the turn of %s (%v), want that of %s", o.name, o.err, name)
		}
		return o.ticket
	default:
		t.Fatalf("nobody's turn came, want that of %s", name)
		return nil
	}
}

func limits() admission.Limits {
	return admission.Limits{
		MemoryBytes: 64 * mib, StreamBytes: 32 * mib, Solves: 2, Streams: 2, Queue: 3, QueueWait: 50 * time.Millisecond,
	}
}

func TestACallIsRefusedByWhatIsFull(t *testing.T) {
	const solve, stream = admission.KindSolve, admission.KindStream
	for _, test := range []struct {
		name  string
		held  []admission.Kind
		bytes uint64 // of each
		kind  admission.Kind
		asked uint64
		full  admission.Cause
		says  string
	}{
		{"solves", []admission.Kind{solve, solve}, mib, solve, mib, admission.CauseSolves, "solves"},
		{"streams", []admission.Kind{stream, stream}, mib, stream, mib, admission.CauseStreams, "streams"},
		{"memory", []admission.Kind{solve}, 60 * mib, solve, 5 * mib, admission.CauseMemory, "memory"},
		{"memory for a stream", []admission.Kind{solve}, 60 * mib, stream, 5 * mib, admission.CauseMemory, "memory"},
		{"memory of the streams", []admission.Kind{stream}, 30 * mib, stream, 3 * mib, admission.CauseMemory, "memory"},
		{"memory by the streams", []admission.Kind{stream}, 30 * mib, solve, 35 * mib, admission.CauseMemory, "memory"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gate := newGate(t, limits())
				for _, kind := range test.held {
					hold(t, gate, kind, admission.Price{Bytes: test.bytes, Positions: unbounded})
				}
				began := time.Now()
				refusal := busy(t, gate, test.kind, admission.Price{Bytes: test.asked, Positions: unbounded})
				if refusal.Full != test.full || !strings.Contains(refusal.Error(), test.says) {
					t.Errorf("it is refused for want of %s: %v; want %s", refusal.Full, refusal, test.full)
				}
				if took := time.Since(began); took != limits().QueueWait {
					t.Errorf("it took %v, want the wait of the queue", took)
				}
				if n := gate.Stats().Refused[test.full]; n != 1 {
					t.Errorf("%d refusals are counted for want of %s", n, test.full)
				}
			})
		})
	}
}

func TestAFullQueueRefusesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, limits())
		price := admission.Price{Bytes: mib, Positions: unbounded}
		held := hold(t, gate, admission.KindSolve, price)
		hold(t, gate, admission.KindSolve, price)
		outcomes := make(chan outcome, 3)
		for _, name := range []string{"a", "b", "c"} {
			ask(t.Context(), gate, name, admission.KindSolve, price, outcomes)
		}
		began := time.Now()
		if refusal := busy(t, gate, admission.KindSolve, price); refusal.Full != admission.CauseQueue {
			t.Errorf("the fourth that waits is refused for want of %s", refusal.Full)
		}
		if !time.Now().Equal(began) {
			t.Errorf("and that took %v", time.Since(began))
		}
		hold(t, gate, admission.KindStream, price) // has a queue of its own
		held.Release()
		next(t, outcomes, "a")
		ask(t.Context(), gate, "d", admission.KindSolve, price, outcomes)
		none(t, outcomes, "into the place that a left")
		time.Sleep(limits().QueueWait) // b, c and d go away
	})
}

func TestWithoutAQueueNobodyWaits(t *testing.T) {
	for _, change := range []func(*admission.Limits){
		func(l *admission.Limits) { l.Queue = 0 },
		func(l *admission.Limits) { l.QueueWait = 0 },
	} {
		synctest.Test(t, func(t *testing.T) {
			l := limits()
			change(&l)
			gate := newGate(t, l)
			hold(t, gate, admission.KindSolve, admission.Price{Bytes: 64 * mib, Positions: unbounded})
			began := time.Now()
			refusal := busy(t, gate, admission.KindSolve, admission.Price{Bytes: mib, Positions: unbounded})
			if refusal.Full != admission.CauseMemory || !time.Now().Equal(began) {
				t.Errorf("refused for want of %s after %v", refusal.Full, time.Since(began))
			}
		})
	}
}

func TestWhatNeverFitsIsAnotherError(t *testing.T) {
	gate := newGate(t, limits())
	for _, test := range []struct {
		kind  admission.Kind
		limit uint64
	}{{admission.KindSolve, 64 * mib}, {admission.KindStream, 32 * mib}} {
		ticket, err := gate.Admit(t.Context(), test.kind, admission.Price{Bytes: test.limit + 1})
		var large *admission.TooLargeError
		if ticket != nil || !errors.As(err, &large) {
			t.Fatalf("a %s above the limit got %v, want a TooLargeError", test.kind, err)
		}
		if *large != (admission.TooLargeError{Kind: test.kind, Asked: test.limit + 1, Limit: test.limit}) {
			t.Errorf("it says %+v: %v", *large, large)
		}
		hold(t, gate, test.kind, admission.Price{Bytes: test.limit}).Release()
	}
	if n := gate.Stats().Refused[admission.CauseTooLarge]; n != 2 {
		t.Errorf("%d refusals are counted, want 2", n)
	}
}

func TestFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, limits())
		held := hold(t, gate, admission.KindSolve, admission.Price{Bytes: 40 * mib, Positions: unbounded})
		outcomes := make(chan outcome, 4)
		// One slot is free and 24 MiB are: the second and the third would fit, if they did not come after the first.
		for _, call := range []struct {
			name string
			kind admission.Kind
			size uint64
		}{
			{"a large solve", admission.KindSolve, 60},
			{"a stream", admission.KindStream, 20},
			{"a medium solve", admission.KindSolve, 50},
			{"another stream", admission.KindStream, 32},
		} {
			price := admission.Price{Bytes: call.size * mib, Positions: unbounded}
			ask(t.Context(), gate, call.name, call.kind, price, outcomes)
			none(t, outcomes, "before those that came first")
		}
		for _, name := range []string{"a large solve", "a stream", "a medium solve", "another stream"} {
			held.Release()
			held = next(t, outcomes, name)
			none(t, outcomes, "before those that came first")
		}
	})
}

func TestStreamsThatNobodyReadsLeaveSolvesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, limits())
		// The slow readers: all the slots, and all the memory that streams may have.
		for range 2 {
			hold(t, gate, admission.KindStream, admission.Price{Bytes: 16 * mib, Positions: unbounded})
		}
		outcomes := make(chan outcome, 10)
		for hour := time.Now().Add(time.Hour); time.Now().Before(hour); time.Sleep(time.Minute) {
			ask(t.Context(), gate, "stream", admission.KindStream, admission.Price{Bytes: mib, Positions: unbounded}, outcomes)
			a := hold(t, gate, admission.KindSolve, admission.Price{Bytes: 31 * mib, Positions: unbounded})
			b := hold(t, gate, admission.KindSolve, admission.Price{Bytes: mib, Positions: unbounded})
			a.Release()
			b.Release()
			if o := <-outcomes; o.err == nil {
				t.Fatal("a stream more than there may be came through")
			}
		}
	})
}

func TestAStreamThatMayNotHoldMoreDoesNotBlockSolves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, limits())
		held := hold(t, gate, admission.KindStream, admission.Price{Bytes: 30 * mib, Positions: unbounded})
		outcomes := make(chan outcome, 1)
		ask(t.Context(), gate, "stream", admission.KindStream, admission.Price{Bytes: 4 * mib, Positions: unbounded}, outcomes)
		hold(t, gate, admission.KindSolve, admission.Price{Bytes: 34 * mib, Positions: unbounded}).Release()
		none(t, outcomes, "although streams may not hold as much")
		held.Release()
		next(t, outcomes, "stream")
	})
}

func TestSmallCallsDoNotWaitBehindLargeOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, limits())
		hold(t, gate, admission.KindSolve, admission.Price{Bytes: 32 * mib, Positions: unbounded})
		hold(t, gate, admission.KindSolve, admission.Price{Bytes: 16 * mib, Positions: unbounded})
		hold(t, gate, admission.KindStream, admission.Price{Bytes: 8 * mib, Positions: unbounded})
		hold(t, gate, admission.KindStream, admission.Price{Bytes: 8 * mib, Positions: unbounded})
		outcomes := make(chan outcome, 2)
		ask(t.Context(), gate, "a large solve", admission.KindSolve, admission.Price{Bytes: 32 * mib, Positions: unbounded}, outcomes)
		ask(t.Context(), gate, "a large stream", admission.KindStream, admission.Price{Bytes: 32 * mib, Positions: unbounded}, outcomes)

		// The reserve of each kind is a 16th of 64 MiB, which is 16 of the largest small calls.
		price := admission.Price{Bytes: admission.SmallBytes, Positions: admission.SmallPositions}
		var tickets []*admission.Ticket
		for range 16 {
			for _, kind := range []admission.Kind{admission.KindSolve, admission.KindStream} {
				tickets = append(tickets, hold(t, gate, kind, price))
			}
		}
		if s := gate.Stats(); s.Small != 32 || s.SmallBytes != 8*mib || s.Bytes != 64*mib || s.AdmittedSmall != 32 {
			t.Errorf("with both reserves full the gate holds %+v", s)
		}
		// A flood of them ends at the reserve, and then they queue as the others do.
		_ = busy(t, gate, admission.KindSolve, price)
		for range 2 {
			tickets[0].Release()
		}
		hold(t, gate, admission.KindSolve, price)
		_ = busy(t, gate, admission.KindSolve, price)
	})
}

func TestSmallCallsCountWhateverTheyAsk(t *testing.T) {
	gate := newGate(t, limits())
	hold(t, gate, admission.KindSolve, admission.Price{})
	if s := gate.Stats(); s.Small != 1 || s.SmallBytes != admission.LeastBytes {
		t.Errorf("a call that asks for nothing holds %+v", s)
	}
}

func TestWhatIsSmall(t *testing.T) {
	for _, test := range []struct {
		price admission.Price
		small bool
	}{
		{admission.Price{}, true},
		{admission.Price{Bytes: admission.SmallBytes, Positions: admission.SmallPositions}, true},
		{admission.Price{Bytes: admission.SmallBytes + 1}, false},
		{admission.Price{Positions: admission.SmallPositions + 1}, false},
	} {
		if test.price.Small() != test.small {
			t.Errorf("%+v is small: %t", test.price, !test.small)
		}
	}
	if d := admission.SmallPositions * (time.Second / admission.PositionsPerSecond); d != time.Millisecond {
		t.Errorf("the largest small call takes %v, want a millisecond", d)
	}
}

func TestOneWhoLeavesTheMiddleOfTheQueueBlocksNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, limits())
		held := hold(t, gate, admission.KindSolve, admission.Price{Bytes: 50 * mib, Positions: unbounded})
		outcomes := make(chan outcome, 3)
		ctx, cancel := context.WithCancelCause(t.Context())
		ask(t.Context(), gate, "a", admission.KindSolve, admission.Price{Bytes: 20 * mib, Positions: unbounded}, outcomes)
		ask(ctx, gate, "b", admission.KindSolve, admission.Price{Bytes: 64 * mib, Positions: unbounded}, outcomes)
		ask(t.Context(), gate, "c", admission.KindSolve, admission.Price{Bytes: 20 * mib, Positions: unbounded}, outcomes)
		cancel(errGone)
		if o := <-outcomes; o.name != "b" || !errors.Is(o.err, errGone) || o.ticket != nil {
			t.Fatalf("%s came through with %v, want b with the cause of its context", o.name, o.err)
		}
		none(t, outcomes, "without room")
		held.Release()
		synctest.Wait()
		if s := gate.Stats(); s.Solves != 2 || s.SolvesQueued != 0 || s.Refused[admission.CauseLeft] != 1 {
			t.Errorf("a and c should run: %+v", s)
		}
		for range 2 {
			(<-outcomes).ticket.Release()
		}
	})
}

func TestOneWhoLeavesTheHeadOfTheQueueMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, limits())
		hold(t, gate, admission.KindSolve, admission.Price{Bytes: 50 * mib, Positions: unbounded})
		outcomes := make(chan outcome, 3)
		ctx, cancel := context.WithCancelCause(t.Context())
		ask(ctx, gate, "a", admission.KindSolve, admission.Price{Bytes: 20 * mib, Positions: unbounded}, outcomes)
		ask(t.Context(), gate, "b", admission.KindSolve, admission.Price{Bytes: 2 * mib, Positions: unbounded}, outcomes)
		ask(t.Context(), gate, "c", admission.KindStream, admission.Price{Bytes: 2 * mib, Positions: unbounded}, outcomes)
		none(t, outcomes, "before the head")
		cancel(errGone)
		if o := <-outcomes; o.name != "a" || !errors.Is(o.err, errGone) {
			t.Fatalf("%s came through with %v, want a with the cause of its context", o.name, o.err)
		}
		synctest.Wait()
		if s := gate.Stats(); s.Solves != 2 || s.Streams != 1 || s.SolvesQueued+s.StreamsQueued != 0 {
			t.Errorf("b and c should run: %+v", s)
		}
		for range 2 {
			(<-outcomes).ticket.Release()
		}
	})
}

func TestTheDeadlineOfACallEndsItsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := newGate(t, limits())
		hold(t, gate, admission.KindSolve, admission.Price{Bytes: 64 * mib, Positions: unbounded})
		ctx, cancel := context.WithTimeout(t.Context(), limits().QueueWait/2)
		defer cancel()
		_, err := gate.Admit(ctx, admission.KindSolve, admission.Price{Bytes: mib, Positions: unbounded})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the wait ended with %v, want the deadline", err)
		}
		_, err = gate.Admit(ctx, admission.KindSolve, admission.Price{})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call that comes after its deadline got %v", err)
		}
		if s := gate.Stats(); s.Refused[admission.CauseLeft] != 2 || s.Waited != 1 || s.WaitTime != limits().QueueWait/2 {
			t.Errorf("counted is %+v", s)
		}
	})
}

func TestATicketIsReleasedOnce(t *testing.T) {
	gate := newGate(t, limits())
	for _, price := range []admission.Price{{Bytes: mib, Positions: unbounded}, {}} {
		first := hold(t, gate, admission.KindSolve, price)
		second := hold(t, gate, admission.KindSolve, price)
		held := gate.Stats()
		var all sync.WaitGroup
		for range 8 {
			all.Go(first.Release)
		}
		all.Wait()
		s := gate.Stats()
		if 2*(s.Bytes+s.SmallBytes) != held.Bytes+held.SmallBytes || s.Solves+s.Small != 1 {
			t.Errorf("with one of two released the gate holds %+v, before %+v", s, held)
		}
		second.Release()
	}
	(*admission.Ticket)(nil).Release()
	if s := gate.Stats(); s.Bytes != 0 || s.SmallBytes != 0 || s.Solves != 0 || s.Small != 0 {
		t.Errorf("with everything released the gate holds %+v", s)
	}
}

func TestTheAdviceGrowsWithTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limits()
		l.QueueWait = time.Second
		gate := newGate(t, l)
		price := admission.Price{Bytes: mib, Positions: admission.PositionsPerSecond / 2}
		hold(t, gate, admission.KindSolve, price)
		hold(t, gate, admission.KindSolve, price)
		// Two slots with half a second of work each, and three that wait: with a fourth, 3 seconds of work for two.
		outcomes := make(chan outcome, 3)
		for range 3 {
			ask(t.Context(), gate, "one more", admission.KindSolve, price, outcomes)
		}
		if refusal := busy(t, gate, admission.KindSolve, price); refusal.RetryAfter != 1250*time.Millisecond {
			t.Errorf("with 2.5 s of work for two slots the advice is %v, want 1.25s", refusal.RetryAfter)
		}
		for i, want := range []int64{1250, 1000, 750} {
			var refusal *admission.BusyError
			if o := <-outcomes; !errors.As(o.err, &refusal) || refusal.RetryAfter.Milliseconds() != want {
				t.Errorf("number %d is refused with %v, want the advice %dms", i, o.err, want)
			}
		}
	})
}

func TestTheAdviceHasBounds(t *testing.T) {
	for _, test := range []struct {
		positions uint64
		bytes     uint64
		want      time.Duration
	}{
		{1, mib, admission.MinRetryAfter},
		{unbounded, mib, admission.MaxRetryAfter},
		{unbounded, 32 * mib, admission.MaxRetryAfter / 2}, // for want of memory; the slots of the streams are free
	} {
		l := limits()
		l.Queue = 0
		gate := newGate(t, l)
		hold(t, gate, admission.KindSolve, admission.Price{Bytes: test.bytes, Positions: test.positions})
		hold(t, gate, admission.KindSolve, admission.Price{Bytes: test.bytes, Positions: test.positions})
		kind := admission.KindSolve
		if test.bytes > mib {
			kind = admission.KindStream
		}
		if refusal := busy(t, gate, kind, admission.Price{Bytes: mib, Positions: unbounded}); refusal.RetryAfter != test.want {
			t.Errorf("with %d positions at work the advice is %v, want %v", test.positions, refusal.RetryAfter, test.want)
		}
	}
}

// TestOpenAndCancel opens calls by the thousand and cancels them at any moment.
func TestOpenAndCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limits()
		l.Queue = 16
		gate := newGate(t, l)
		var live, most, admitted, left, refused atomic.Int64
		var workers sync.WaitGroup
		for worker := range 50 {
			workers.Go(func() {
				for n := range 200 {
					ctx, cancel := context.WithCancelCause(context.Background())
					stop := time.AfterFunc(time.Duration((worker*31+n*17)%60)*time.Millisecond, func() { cancel(errGone) })
					ticket, err := gate.Admit(ctx, admission.KindSolve, admission.Price{Bytes: mib, Positions: unbounded})
					var busy *admission.BusyError
					switch {
					case err == nil:
						now := live.Add(1)
						for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
						}
						admitted.Add(1)
						<-ctx.Done()
						live.Add(-1)
						ticket.Release()
					case errors.Is(err, errGone):
						left.Add(1)
					case errors.As(err, &busy):
						refused.Add(1)
						time.Sleep(time.Duration(n%3) * time.Millisecond)
					default:
						t.Errorf("a call ended with %v", err)
					}
					stop.Stop()
					cancel(nil)
				}
			})
		}
		workers.Wait()
		s := gate.Stats()
		if most.Load() > int64(l.Solves) || live.Load() != 0 {
			t.Errorf("%d ran at a time, %d still do; the limit is %d", most.Load(), live.Load(), l.Solves)
		}
		if s.Solves != 0 || s.Bytes != 0 || s.SolvesQueued != 0 {
			t.Errorf("after all have gone the gate holds %+v", s)
		}
		if admitted.Load() == 0 || left.Load() == 0 || refused.Load() == 0 {
			t.Errorf("%d admitted, %d left, %d refused: each should have happened", admitted.Load(), left.Load(), refused.Load())
		}
		if uint64(admitted.Load()) != s.Admitted || uint64(left.Load()) != s.Refused[admission.CauseLeft] ||
			admitted.Load()+left.Load()+refused.Load() != 10_000 {
			t.Errorf("%d admitted, %d left, %d refused of 10,000, and counted is %+v",
				admitted.Load(), left.Load(), refused.Load(), s)
		}
	})
}

// TestManyAtOnce has calls of every price come and go at once, and adds up what they hold.
func TestManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limits()
		l.Queue, l.Solves, l.Streams = 64, 8, 8
		gate := newGate(t, l)
		var bytes, streamBytes atomic.Int64
		var workers sync.WaitGroup
		for worker := range 64 {
			workers.Go(func() {
				for n := range 100 {
					kind := admission.Kind((worker + n) % 2)
					price := admission.Price{Bytes: uint64(1+(worker*7+n*13)%32) * mib, Positions: unbounded}
					ticket, err := gate.Admit(context.Background(), kind, price)
					if err != nil {
						continue
					}
					held := bytes.Add(int64(price.Bytes))
					ofStreams := int64(0)
					if kind == admission.KindStream {
						ofStreams = streamBytes.Add(int64(price.Bytes))
					}
					if held > int64(l.MemoryBytes) || ofStreams > int64(l.StreamBytes) {
						t.Errorf("%d bytes are held, %d by streams", held, ofStreams)
					}
					time.Sleep(time.Duration(n%5) * time.Millisecond)
					if kind == admission.KindStream {
						streamBytes.Add(-int64(price.Bytes))
					}
					bytes.Add(-int64(price.Bytes))
					ticket.Release()
				}
			})
		}
		workers.Wait()
		s := gate.Stats()
		if s.Bytes != 0 || s.Solves+s.Streams+s.SolvesQueued+s.StreamsQueued != 0 || s.Admitted < 64 || s.Waited == 0 {
			t.Errorf("after all have gone: %+v", s)
		}
	})
}

func TestNames(t *testing.T) {
	seen := map[string]bool{"unknown": true}
	for _, cause := range admission.Causes() {
		if seen[cause.String()] {
			t.Errorf("the cause %d has no name of its own: %s", cause, cause)
		}
		seen[cause.String()] = true
	}
	if n := len(admission.Stats{}.Refused); n != len(admission.Causes()) {
		t.Errorf("%d causes are counted, and %d listed", n, len(admission.Causes()))
	}
}
