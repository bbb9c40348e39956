package engine

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Workers are goroutines at work on one task. A panic in one of them would end the process, since nobody above it could
// recover; they hand it on to whoever waits for them. The zero value is ready.
type Workers struct {
	running sync.WaitGroup
	first   atomic.Pointer[Panic]
}

// Go calls f in a goroutine of its own.
func (w *Workers) Go(f func()) { w.running.Go(func() { w.Do(f) }) }

// Do calls f here. It returns also when f panics: the others must be waited for first.
func (w *Workers) Do(f func()) {
	defer func() {
		if value := recover(); value != nil {
			p, handedOn := value.(*Panic)
			if !handedOn {
				p = &Panic{Value: value, stack: debug.Stack()}
			}
			w.first.CompareAndSwap(nil, p)
		}
	}()
	f()
}

// Wait waits for all and panics with a *Panic if one of them panicked.
func (w *Workers) Wait() {
	w.running.Wait()
	if p := w.first.Load(); p != nil {
		panic(p)
	}
}

// Panic is a panic that was handed on from where it happened.
type Panic struct {
	// Value is what was panicked with.
	Value any
	stack []byte
}

// String is the text of the value.
func (p *Panic) String() string { return fmt.Sprint(p.Value) }

// Stack is the stack of the goroutine that panicked, as it was then.
func (p *Panic) Stack() []byte { return p.stack }
