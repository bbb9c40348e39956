package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// mostWrong is how many wrong answers, and unexpected errors, are written out.
const mostWrong = 10

// book keeps account of all calls.
type book struct {
	began time.Time

	mu     sync.Mutex
	counts map[string]int // by kind of call
	slow   map[string]time.Duration
	// provoked are errors that were to come, unexpected those that were not, by kind and reason.
	provoked, unexpected map[string]int
	wrong                []string
	wrongCount           int
	checked              int
}

func newBook() *book {
	return &book{
		began: time.Now(), counts: make(map[string]int), slow: make(map[string]time.Duration),
		provoked: make(map[string]int), unexpected: make(map[string]int),
	}
}

// made notes a call and how long it took.
func (b *book) made(kind string, took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[kind]++
	b.slow[kind] = max(b.slow[kind], took)
}

// failed notes an error.
func (b *book) failed(kind, reason string, wanted bool, detail error) {
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
func (b *book) answered(right bool, format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.checked++
	if !right {
		b.wrongCount++
		b.note("wrong: " + fmt.Sprintf(format, args...))
	}
}

func (b *book) note(text string) {
	if len(b.wrong) < mostWrong {
		b.wrong = append(b.wrong, text)
	}
}

func (b *book) calls() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := 0
	for _, n := range b.counts {
		all += n
	}
	return all
}

func (b *book) wrongs() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.wrongCount
}

// write writes the account, and reports whether it is a good one.
func (b *book) write(w io.Writer) bool {
	all, took := b.calls(), time.Since(b.began)
	b.mu.Lock()
	defer b.mu.Unlock()
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) }
	p("%d calls in %v, %.0f a second; %d answers checked, %d wrong", all, took.Round(time.Second),
		float64(all)/took.Seconds(), b.checked, b.wrongCount)
	for _, kind := range slices.Sorted(maps.Keys(b.counts)) {
		p("  %-16s %8d, the slowest %v", kind, b.counts[kind], b.slow[kind].Round(time.Millisecond))
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
	for _, text := range b.wrong {
		p("FAIL: %s", text)
	}
	return b.wrongCount == 0 && len(b.unexpected) == 0
}
