package main_test

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// mostFaults is how many faults are written out.
const mostFaults = 10

// Book keeps account of calls. It is safe for concurrent use.
type Book struct {
	began time.Time

	mu sync.Mutex
	// took is how long calls took, by kind; provoked are errors that were to come, unexpected those that were not, by kind
	// and reason.
	took                 map[string][]time.Duration
	calls                int
	provoked, unexpected map[string]int
	faults               []string
	checked, wrong       int
}

// NewBook is an empty book.
func NewBook() *Book {
	return &Book{
		began: time.Now(), took: make(map[string][]time.Duration),
		provoked: make(map[string]int), unexpected: make(map[string]int),
	}
}

// made notes a call and how long it took.
func (b *Book) made(kind string, took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	b.took[kind] = append(b.took[kind], took)
}

// failed notes an error.
func (b *Book) failed(kind, reason string, wanted bool, detail error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if wanted {
		b.provoked[kind+" "+reason]++
		return
	}
	b.unexpected[kind+" "+reason]++
	b.note(fmt.Sprintf("%s: %v", kind, detail))
}

// answered notes an answer that was checked.
func (b *Book) answered(right bool, format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.checked++
	if !right {
		b.wrong++
		b.note("wrong: " + fmt.Sprintf(format, args...))
	}
}

func (b *Book) note(text string) {
	if len(b.faults) < mostFaults {
		b.faults = append(b.faults, text)
	}
}

// Counts is how many calls there were, how many answers were checked, and how many of these were wrong.
func (b *Book) Counts() (calls, checked, wrong int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls, b.checked, b.wrong
}

// Faults are the first wrong answers and errors that were not to come.
func (b *Book) Faults() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.faults)
}

// Provoked is how many errors there were that were to come, of a kind with a reason.
func (b *Book) Provoked(kind, reason string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.provoked[kind+" "+reason]
}

// Took is how long calls of a kind took, the quickest first.
func (b *Book) Took(kind string) []time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(slices.Values(b.took[kind]))
}

// Write writes the account, and reports whether it is a good one.
func (b *Book) Write(w io.Writer) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	lasted := time.Since(b.began)
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }
	p("%d calls in %v, %.0f a second; %d answers checked, %d wrong", b.calls, lasted.Round(time.Second),
		float64(b.calls)/lasted.Seconds(), b.checked, b.wrong)
	for _, kind := range slices.Sorted(maps.Keys(b.took)) {
		p("  %-16s %8d, the slowest %v", kind, len(b.took[kind]), slices.Max(b.took[kind]).Round(time.Millisecond))
	}
	for _, errs := range []struct {
		title string
		by    map[string]int
	}{{"errors that were provoked:", b.provoked}, {"errors that were not:", b.unexpected}} {
		p("%s", errs.title)
		if len(errs.by) == 0 {
			p("  none")
		}
		for _, reason := range slices.Sorted(maps.Keys(errs.by)) {
			p("  %-40s %8d", reason, errs.by[reason])
		}
	}
	for _, text := range b.faults {
		p("FAIL: %s", text)
	}
	return len(b.faults) == 0
}
