package admission

import (
	"errors"
	"fmt"
	"time"
)

// The limits within which [Limits] make sense.
const (
	// MinMemory is the least memory that solves, or streams, may hold: with less, not even a small call would fit its
	// reserve.
	MinMemory = reserveShare * SmallBytes
	// MaxSlots is the largest number of solves, of streams, and of calls in a queue.
	MaxSlots = 1 << 16
	// MaxQueueWait is the longest wait in a queue: a caller that would wait longer is better served by another server.
	MaxQueueWait = time.Second
)

// The defaults of [DefaultLimits].
const (
	// DefaultQueue is how many calls of each kind may wait.
	DefaultQueue = 32
	// DefaultQueueWait is how long a call may wait. A refusal then takes well below 100 ms.
	DefaultQueueWait = 50 * time.Millisecond
	// MinDefaultStreams is the least default of Streams, on a machine with few cores.
	MinDefaultStreams = 16

	streamsPerCore = 8
)

const (
	// reserveShare is the part of the memory that small calls of each kind have beside it: a 16th, up to maxReserve.
	reserveShare = 16
	maxReserve   = 32 << 20
)

// Limits are what the calls that run may take together.
type Limits struct {
	// MemoryBytes is the memory of all calls but the small ones, at least [MinMemory]. Small calls of each kind have a
	// 16th of it, at most 32 MiB, beside it.
	MemoryBytes uint64
	// StreamBytes is how much of MemoryBytes streams may hold, from [MinMemory] to MemoryBytes. What is left is always
	// there for solves: a stream holds its memory until its caller has read it to the end.
	StreamBytes uint64
	// Solves is how many solves may run at a time, from 1 to [MaxSlots].
	Solves int
	// Streams is how many streams may run at a time, from 1 to [MaxSlots].
	Streams int
	// Queue is how many calls of each kind may wait, to [MaxSlots]. 0: none, a call that does not fit is refused at once.
	Queue int
	// QueueWait is how long a call may wait, to [MaxQueueWait]. 0: not at all.
	QueueWait time.Duration
}

// DefaultLimits are the limits of a server with this memory to give and this many cores: a solve for each core, and
// streams that may hold half of the memory.
func DefaultLimits(memoryBytes uint64, cores int) Limits {
	return Limits{
		MemoryBytes: memoryBytes,
		StreamBytes: max(memoryBytes/2, MinMemory),
		Solves:      cores,
		Streams:     max(streamsPerCore*cores, MinDefaultStreams),
		Queue:       DefaultQueue,
		QueueWait:   DefaultQueueWait,
	}
}

// LimitError says that a limit cannot be used.
type LimitError struct {
	// Field is the name of the field of Limits.
	Field string
	// Value is what it was.
	Value string
	// Need says what is accepted.
	Need string
}

// Error names the field, its value, and what is accepted.
func (e *LimitError) Error() string { return fmt.Sprintf("%s is %s: %s", e.Field, e.Value, e.Need) }

// Verify checks that the limits make sense by themselves and together. The error joins one [LimitError] for each that
// does not.
func (l Limits) Verify() error {
	var errs []error
	check := func(good bool, field string, value any, need string, args ...any) {
		if !good {
			errs = append(errs, &LimitError{Field: field, Value: fmt.Sprint(value), Need: fmt.Sprintf(need, args...)})
		}
	}
	check(l.MemoryBytes >= MinMemory, "MemoryBytes", l.MemoryBytes, "it must be at least %d bytes", MinMemory)
	check(l.StreamBytes >= MinMemory && (l.StreamBytes <= l.MemoryBytes || l.MemoryBytes < MinMemory),
		"StreamBytes", l.StreamBytes, "it must be from %d bytes to MemoryBytes, %d", MinMemory, l.MemoryBytes)
	check(l.Solves >= 1 && l.Solves <= MaxSlots, "Solves", l.Solves, "it must be from 1 to %d", MaxSlots)
	check(l.Streams >= 1 && l.Streams <= MaxSlots, "Streams", l.Streams, "it must be from 1 to %d", MaxSlots)
	check(l.Queue >= 0 && l.Queue <= MaxSlots, "Queue", l.Queue, "it must be from 0 to %d", MaxSlots)
	check(l.QueueWait >= 0 && l.QueueWait <= MaxQueueWait,
		"QueueWait", l.QueueWait, "it must be from 0s to %s; the default is %s", MaxQueueWait, DefaultQueueWait)
	return errors.Join(errs...)
}

// bytes is what calls of a kind may hold together.
func (l Limits) bytes(kind Kind) uint64 {
	if kind == KindStream {
		return l.StreamBytes
	}
	return l.MemoryBytes
}

// slots is how many calls of a kind may run at a time.
func (l Limits) slots(kind Kind) int {
	if kind == KindStream {
		return l.Streams
	}
	return l.Solves
}

// reserve is what small calls of each kind may hold together, beside the memory of the others.
func (l Limits) reserve() uint64 { return min(l.MemoryBytes/reserveShare, maxReserve) }
