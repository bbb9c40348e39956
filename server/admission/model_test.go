package admission_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/zermelo-games/zermelo/server/admission"
)

// errGone is the cause of the contexts that the tests cancel.
var errGone = errors.New("the caller has gone")

// state is where a call of the model stands.
type state int

const (
	waiting state = iota
	running
	small // running, on the reserve
	over
)

// modelCall is a call: what it asks, where the model says it stands, and what the gate did with it.
type modelCall struct {
	kind     admission.Kind
	bytes    uint64 // as charged
	state    state
	refusal  error // what the model says came of it, if it was refused
	arrived  time.Time
	cancel   context.CancelCauseFunc
	returned bool
	ticket   *admission.Ticket
	err      error
}

// model is the slow and obvious gate: every question is answered by looking at all calls.
type model struct {
	limits admission.Limits
	calls  []*modelCall
	stats  admission.Stats // the counters
}

func (m *model) sum(of func(*modelCall) uint64) (sum uint64) {
	for _, c := range m.calls {
		sum += of(c)
	}
	return sum
}

func (m *model) count(kind admission.Kind, s state) int {
	return int(m.sum(func(c *modelCall) uint64 {
		if c.kind == kind && c.state == s {
			return 1
		}
		return 0
	}))
}

func (m *model) bytes(kind admission.Kind, s state) uint64 {
	return m.sum(func(c *modelCall) uint64 {
		if c.kind == kind && c.state == s {
			return c.bytes
		}
		return 0
	})
}

func (m *model) slotFree(kind admission.Kind) bool {
	slots := m.limits.Solves
	if kind == admission.KindStream {
		slots = m.limits.Streams
	}
	return m.count(kind, running) < slots
}

// mayTry says that nothing of the call's own kind is in its way.
func (m *model) mayTry(c *modelCall) bool {
	if c.kind == admission.KindStream && m.bytes(c.kind, running)+c.bytes > m.limits.StreamBytes {
		return false
	}
	for _, other := range m.calls { // in the order of arrival
		if other == c {
			break
		}
		if other.kind == c.kind && other.state == waiting {
			return false
		}
	}
	return m.slotFree(c.kind)
}

// settle lets in whom it can: the oldest of those who may try, until that one does not fit the memory.
func (m *model) settle() {
	for _, c := range m.calls {
		if c.state != waiting || !m.mayTry(c) {
			continue
		}
		if m.bytes(admission.KindSolve, running)+m.bytes(admission.KindStream, running)+c.bytes > m.limits.MemoryBytes {
			return
		}
		c.state = running
		m.stats.Admitted++
		if now := time.Now(); now.After(c.arrived) {
			m.stats.Waited++
			m.stats.WaitTime += now.Sub(c.arrived)
		}
	}
}

func (m *model) full(kind admission.Kind) admission.Cause {
	switch {
	case m.slotFree(kind):
		return admission.CauseMemory
	case kind == admission.KindStream:
		return admission.CauseStreams
	default:
		return admission.CauseSolves
	}
}

// arrive adds a call.
func (m *model) arrive(c *modelCall, price admission.Price, gone bool) {
	limit := m.limits.MemoryBytes
	if c.kind == admission.KindStream {
		limit = m.limits.StreamBytes
	}
	c.bytes = max(price.Bytes, admission.LeastBytes)
	c.arrived = time.Now()
	reserve := min(m.limits.MemoryBytes/16, 32<<20)
	queued := m.count(c.kind, waiting)
	switch {
	case price.Bytes > limit:
		m.refuse(c, admission.CauseTooLarge, &admission.TooLargeError{Kind: c.kind, Asked: price.Bytes, Limit: limit})
	case gone:
		m.refuse(c, admission.CauseLeft, errGone)
	case price.Small() && m.bytes(c.kind, small)+c.bytes <= reserve:
		c.state = small
		m.stats.Admitted++
		m.stats.AdmittedSmall++
		m.calls = append(m.calls, c)
	default:
		full := m.full(c.kind)
		m.calls = append(m.calls, c)
		m.settle()
		if c.state == waiting && queued >= m.limits.Queue {
			if m.limits.Queue > 0 {
				full = admission.CauseQueue
			}
			m.refuse(c, full, &admission.BusyError{Full: full})
		}
	}
}

func (m *model) refuse(c *modelCall, cause admission.Cause, err error) {
	c.state, c.refusal = over, err
	m.stats.Refused[cause]++
}

// quit ends a wait without success.
func (m *model) quit(c *modelCall, cause admission.Cause, err error) {
	m.refuse(c, cause, err)
	m.stats.Waited++
	m.stats.WaitTime += time.Since(c.arrived)
	m.settle()
}

// expire ends the waits that have lasted long enough. Calls arrive at different times, so that one at most ends now.
func (m *model) expire() {
	for _, c := range m.calls {
		if c.state == waiting && time.Since(c.arrived) >= m.limits.QueueWait {
			full := m.full(c.kind)
			m.quit(c, full, &admission.BusyError{Full: full})
		}
	}
}

func (m *model) snapshot() admission.Stats {
	s := m.stats
	s.StreamBytes = m.bytes(admission.KindStream, running)
	s.Bytes = s.StreamBytes + m.bytes(admission.KindSolve, running)
	s.SmallBytes = m.bytes(admission.KindSolve, small) + m.bytes(admission.KindStream, small)
	s.Solves, s.Streams = m.count(admission.KindSolve, running), m.count(admission.KindStream, running)
	s.Small = m.count(admission.KindSolve, small) + m.count(admission.KindStream, small)
	s.SolvesQueued, s.StreamsQueued = m.count(admission.KindSolve, waiting), m.count(admission.KindStream, waiting)
	return s
}

// pick gives one of the calls in a state, or nil.
func (m *model) pick(n byte, in func(*modelCall) bool) *modelCall {
	var some []*modelCall
	for _, c := range m.calls {
		if in(c) {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return some[int(n)%len(some)]
}

// drive puts a gate and its model through the operations that the bytes spell, and compares them after each.
func drive(t *testing.T, limits admission.Limits, operations []byte) {
	t.Helper()
	gate, err := admission.New(limits)
	if err != nil {
		t.Fatal(err)
	}
	m := &model{limits: limits}
	if limits.QueueWait == 0 {
		m.limits.Queue = 0
	}
	var all []*modelCall
	for ; len(operations) >= 2; operations = operations[2:] {
		step(m, time.Microsecond) // no two calls arrive at the same time
		what, n := operations[0], operations[1]
		switch what % 10 {
		case 0, 1, 2, 3, 4:
			all = append(all, admit(t, gate, m, what, n))
		case 5, 6, 7:
			if c := m.pick(n, func(c *modelCall) bool { return c.state == running || c.state == small }); c != nil {
				c.state = over
				c.ticket.Release()
				if n%3 == 0 {
					c.ticket.Release()
				}
				m.settle()
			}
		case 8:
			if c := m.pick(n, func(c *modelCall) bool { return c.state == waiting }); c != nil {
				c.cancel(errGone)
				m.quit(c, admission.CauseLeft, errGone)
			}
		case 9:
			step(m, time.Duration(n)*limits.QueueWait/100)
		}
		compare(t, gate, m, all)
	}
	step(m, limits.QueueWait)
	for _, c := range all {
		if c.state == running || c.state == small {
			c.state = over
			c.ticket.Release()
			c.ticket.Release()
		}
	}
	compare(t, gate, m, all)
	s := gate.Stats()
	if s.Bytes+s.StreamBytes+s.SmallBytes != 0 || s.Solves+s.Streams+s.Small+s.SolvesQueued+s.StreamsQueued != 0 {
		t.Errorf("after everything the gate still holds %+v", s)
	}
}

// step lets time pass.
func step(m *model, d time.Duration) {
	for until := time.Now().Add(d); ; {
		next := until
		for _, c := range m.calls {
			if end := c.arrived.Add(m.limits.QueueWait); c.state == waiting && end.Before(next) {
				next = end
			}
		}
		time.Sleep(time.Until(next))
		synctest.Wait()
		m.expire()
		if !next.Before(until) {
			return
		}
	}
}

// admit lets a call arrive at both.
func admit(t *testing.T, gate *admission.Gate, m *model, what, n byte) *modelCall {
	t.Helper()
	c := &modelCall{kind: admission.Kind(what / 10 % 2)}
	price := admission.Price{Positions: uint64(n) * 16} // about half of them are small
	switch n % 8 {
	case 0: // nothing
	case 1, 2:
		price.Bytes = uint64(n) << 10
	case 3, 4:
		price.Bytes = m.limits.MemoryBytes / 16 * (1 + uint64(n)%5)
	case 5:
		price.Bytes = m.limits.StreamBytes
		price.Positions = math.MaxUint64
	case 6:
		price.Bytes = m.limits.MemoryBytes - uint64(n)
	case 7:
		price.Bytes = m.limits.MemoryBytes/2 + uint64(n)<<10
	}
	if n == 255 {
		price.Bytes = math.MaxUint64
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	c.cancel = cancel
	t.Cleanup(func() { cancel(nil) })
	gone := what%10 == 4 && n%4 == 0
	if gone {
		cancel(errGone)
	}
	m.arrive(c, price, gone)
	go func() {
		c.ticket, c.err = gate.Admit(ctx, c.kind, price)
		c.returned = true
	}()
	return c
}

func compare(t *testing.T, gate *admission.Gate, m *model, all []*modelCall) {
	t.Helper()
	synctest.Wait()
	for i, c := range all {
		switch {
		case c.state == waiting:
			if c.returned {
				t.Fatalf("call %d of %d should wait, and has %v, %v", i, len(all), c.ticket, c.err)
			}
		case !c.returned:
			t.Fatalf("call %d of %d still waits; the model has it in state %d, %v", i, len(all), c.state, c.refusal)
		case c.refusal == nil:
			if c.err != nil || c.ticket == nil {
				t.Fatalf("call %d of %d got %v, want a ticket", i, len(all), c.err)
			}
		default:
			got := c.err
			var busy *admission.BusyError
			if errors.As(got, &busy) {
				if busy.RetryAfter < admission.MinRetryAfter || busy.RetryAfter > admission.MaxRetryAfter {
					t.Fatalf("call %d of %d is to come back after %v", i, len(all), busy.RetryAfter)
				}
				got = &admission.BusyError{Full: busy.Full}
			}
			if c.ticket != nil || got == nil || got.Error() != c.refusal.Error() {
				t.Fatalf("call %d of %d got %v, want %v", i, len(all), c.err, c.refusal)
			}
		}
	}
	s := gate.Stats()
	if diff := cmp.Diff(m.snapshot(), s); diff != "" {
		t.Fatalf("after %d calls the model (-) and the gate (+) differ:\n%s", len(all), diff)
	}
	if s.Bytes > m.limits.MemoryBytes || s.StreamBytes > m.limits.StreamBytes || s.Solves > m.limits.Solves ||
		s.Streams > m.limits.Streams || s.SolvesQueued > m.limits.Queue || s.StreamsQueued > m.limits.Queue ||
		s.SmallBytes > m.limits.MemoryBytes/8 {
		t.Fatalf("the gate is above its limits: %+v", s)
	}
	// What has ended is of no more interest to the model.
	kept := m.calls[:0]
	for _, c := range m.calls {
		if c.state != over {
			kept = append(kept, c)
		}
	}
	m.calls = kept
}

// modelLimits are those that the operations are tried with.
func modelLimits() []admission.Limits {
	const wait = 50 * time.Millisecond
	return []admission.Limits{
		{MemoryBytes: 16 << 20, StreamBytes: 8 << 20, Solves: 2, Streams: 3, Queue: 4, QueueWait: wait},
		{MemoryBytes: 16 << 20, StreamBytes: 16 << 20, Solves: 8, Streams: 8, Queue: 8, QueueWait: wait},
		{MemoryBytes: 4 << 20, StreamBytes: 4 << 20, Solves: 1, Streams: 1, Queue: 1, QueueWait: time.Microsecond},
		{MemoryBytes: 1 << 30, StreamBytes: 1 << 29, Solves: 3, Streams: 2, Queue: 16, QueueWait: time.Second},
		{MemoryBytes: 16 << 20, StreamBytes: 8 << 20, Solves: 2, Streams: 2, Queue: 0, QueueWait: wait},
		{MemoryBytes: 16 << 20, StreamBytes: 8 << 20, Solves: 2, Streams: 2, Queue: 4},
	}
}

func TestTheGateDoesWhatTheModelDoes(t *testing.T) {
	for seed := range uint64(120) {
		random := rand.New(rand.NewPCG(seed, 7))
		operations := make([]byte, 600)
		for i := range operations {
			operations[i] = byte(random.Uint32())
		}
		limits := modelLimits()[seed%6]
		synctest.Test(t, func(t *testing.T) { drive(t, limits, operations) })
		if t.Failed() {
			t.Fatalf("with the seed %d", seed)
		}
	}
}

// TestAllShortStories tries every sequence of a few operations on a gate that one call fills.
func TestAllShortStories(t *testing.T) {
	letters := [][2]byte{
		{0, 5}, {10, 5}, // a solve and a stream of half the memory
		{0, 230}, {10, 248}, // a solve of nearly all of it, and a stream of almost none
		{5, 0}, {5, 1}, {8, 0}, {8, 1}, // release, cancel: the oldest, the second
		{9, 60}, // more than half of the wait
	}
	limits := admission.Limits{
		MemoryBytes: 16 << 20, StreamBytes: 8 << 20, Solves: 1, Streams: 1, Queue: 2, QueueWait: 50 * time.Millisecond,
	}
	const length = 5
	stories := 1
	for range length {
		stories *= len(letters)
	}
	for n := range stories {
		operations := make([]byte, 0, 2*length)
		for rest := n; len(operations) < 2*length; rest /= len(letters) {
			letter := letters[rest%len(letters)]
			operations = append(operations, letter[0], letter[1])
		}
		if operations[0] != 0 && operations[0] != 10 {
			continue // there is nothing yet to be released
		}
		synctest.Test(t, func(t *testing.T) { drive(t, limits, operations) })
		if t.Failed() {
			t.Fatalf("in the story %v", operations)
		}
	}
}

func FuzzGate(f *testing.F) {
	f.Add(byte(0), []byte{0, 5, 0, 6, 10, 5, 0, 3, 8, 0, 5, 0, 9, 99})
	f.Add(byte(1), []byte{0, 255, 4, 0, 10, 3, 10, 4, 10, 6, 9, 200, 6, 1})
	f.Add(byte(2), []byte{0, 6, 0, 6, 0, 6, 9, 1, 5, 0})
	f.Fuzz(func(t *testing.T, which byte, operations []byte) {
		if len(operations) > 400 {
			t.Skip("a shorter one shows it")
		}
		limits := modelLimits()
		synctest.Test(t, func(t *testing.T) { drive(t, limits[int(which)%len(limits)], operations) })
	})
}
