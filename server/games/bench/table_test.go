package bench_test

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	// sampleTime is how long a sample takes at least: what is faster is repeated.
	sampleTime = 2 * time.Millisecond
	// Both ways are sampled in turn leastRounds times at least, then until roundsTime is over or mostRounds are done.
	leastRounds = 7
	mostRounds  = 51
	roundsTime  = 4 * time.Second
)

// TestTable measures, with ZERMELO_BENCH=1, and prints: kernels and textbooks in turn, in this process and on one
// thread; how the kernels' times grow; and what the largest tasks take, each in a process of its own. What it finds is
// no reason to fail.
func TestTable(t *testing.T) {
	if os.Getenv("ZERMELO_BENCH") != "1" {
		t.Skip("with ZERMELO_BENCH=1 only")
	}
	threads := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(threads)
	p := printer{os.Stdout}
	p.printf("%s, %s %s/%s, GOMAXPROCS=1\n%s. Medians; of the ratios also (least–most).\n\n",
		processor(), runtime.Version(), runtime.GOOS, runtime.GOARCH, time.Now().Format("2 January 2006"))
	compare(t, p)
	p.printf("\n")
	grow(t, p)
	p.printf("\n")
	runtime.GOMAXPROCS(threads)
	peaks(t, p, threads)
	p.printf("\n")
}

type printer struct{ io.Writer }

func (p printer) printf(format string, args ...any) { _, _ = fmt.Fprintf(p, format, args...) }

// line prints a line of a table.
func (p printer) line(format string, cells ...any) {
	p.printf("%s\n", strings.TrimRight(fmt.Sprintf(format, cells...), " "))
}

// clocked is a way with how often it is repeated for a sample.
type clocked struct {
	way
	repeats int
}

// clock finds the repeats.
func clock(tb testing.TB, w way) clocked {
	tb.Helper()
	c := clocked{w, 1}
	for {
		took := c.sample(tb) * float64(c.repeats)
		if took >= float64(sampleTime) {
			return c
		}
		c.repeats = max(2*c.repeats, int(float64(c.repeats)*float64(sampleTime)/max(took, 1)))
	}
}

// sample is how many nanoseconds one time takes.
func (c clocked) sample(tb testing.TB) float64 {
	tb.Helper()
	runtime.GC() // what others left is not to be paid for here
	start := time.Now()
	for range c.repeats {
		c.answer(tb)
	}
	return float64(time.Since(start)) / float64(c.repeats)
}

// inTurn samples all ways in turn, round by round.
func inTurn(tb testing.TB, ways []way) (rounds [][]float64) {
	tb.Helper()
	all := make([]clocked, 0, len(ways))
	for _, w := range ways {
		all = append(all, clock(tb, w))
	}
	for start := time.Now(); len(rounds) < leastRounds || len(rounds) < mostRounds && time.Since(start) < roundsTime; {
		var round []float64
		for _, c := range all {
			round = append(round, c.sample(tb))
		}
		rounds = append(rounds, round)
	}
	return rounds
}

// spread is a median and both ends.
type spread struct{ least, median, most float64 }

// spreadOf is the spread of what there is in each round.
func spreadOf(rounds [][]float64, of func(round []float64) float64) spread {
	var values []float64
	for _, round := range rounds {
		values = append(values, of(round))
	}
	slices.Sort(values)
	n := len(values)
	return spread{values[0], (values[(n-1)/2] + values[n/2]) / 2, values[n-1]}
}

// compare prints the table of kernels and textbooks.
func compare(t *testing.T, p printer) {
	t.Helper()
	const line = "%-12s %-13s  %-14s %7s %8s  %s"
	var goals []string
	p.line(line, "game", "size", "textbook way", "ours", "textbook", "ratio")
	for _, c := range contests() {
		agree(t, c)
		for i, other := range c.textbook {
			rounds := inTurn(t, []way{c.kernel, other})
			ours := spreadOf(rounds, func(round []float64) float64 { return round[0] })
			theirs := spreadOf(rounds, func(round []float64) float64 { return round[1] })
			ratio := spreadOf(rounds, func(round []float64) float64 { return round[1] / round[0] })
			p.line(line, c.game, c.size, other.name, duration(ours.median), duration(theirs.median),
				ratio.text(short))
			if i == 0 && c.goal > 0 {
				met := "met"
				if ratio.median < c.goal {
					met = "missed"
				}
				goals = append(goals, fmt.Sprintf("%s %s ≥ %.0f %s", c.game, c.size, c.goal, met))
			}
		}
	}
	p.printf("%s", "can_i_win is at the total at which the memo comes to hold the most sets; nim\n"+
		"with 100,000 piles of up to 1,000 stones counts the winning moves.\n")
	p.printf("Goals: %s.\n", strings.Join(goals, ";\n       "))
}

// growth is a law that a kernel's time follows from size to size.
type growth struct {
	sizes []int
	at    func(n int) contest
	work  func(n int) float64
}

// grow prints the table of growth.
func grow(t *testing.T, p printer) {
	t.Helper()
	const line = "%-12s  %-16s  %7s  %5s  %5s  %s"
	p.line(line, "kernel", "size", "time", "grown", "law", "grown / law")
	for _, g := range growths() {
		var ways []way
		for _, n := range g.sizes {
			ways = append(ways, g.at(n).kernel)
		}
		rounds := inTurn(t, ways)
		for i, n := range g.sizes {
			c := g.at(n)
			took := duration(spreadOf(rounds, func(round []float64) float64 { return round[i] }).median)
			if i == 0 {
				p.line(line, c.game, c.size, took, "", "", "")
				continue
			}
			law := g.work(n) / g.work(g.sizes[i-1])
			grown := spreadOf(rounds, func(round []float64) float64 { return round[i] / round[i-1] })
			over := ""
			if grown.median > 1.3*law {
				over = "  > 1.3"
			}
			p.line(line, c.game, c.size, took,
				fmt.Sprintf("%.2f", grown.median), fmt.Sprintf("%.2f", law),
				spread{grown.least / law, grown.median / law, grown.most / law}.text(hundredths)+over)
		}
	}
	p.printf("Law: f·2^f/64 for can_i_win with the integers 1..f; linear for the others.\n")
}

// task is what TestPeak runs in a process of its own.
type task struct {
	contest

	bytes uint64 // at most, of resident memory
	time  time.Duration
}

func tasks() []task {
	return []task{
		{contest: canIWin(32, hardTotal(32)), bytes: (512 + 64) << 20},
		{contest: guessNumber(200_000), bytes: 64 << 20, time: 2 * time.Second},
		{contest: guessRanking(32_768), bytes: 64 << 20, time: 5 * time.Second},
	}
}

// peaks prints the table of memory.
func peaks(t *testing.T, p printer, threads int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const line = "%-12s  %-14s  %7s  %-8s  %9s  %9s  %s"
	p.printf("Resident memory of a process that does nothing else, GOMAXPROCS=%d:\n", threads)
	p.line(line, "kernel", "size", "time", "at most", "before", "peak", "at most")
	for i, task := range tasks() {
		child := exec.CommandContext(t.Context(), self, "-test.run=^TestPeak$", "-test.v")
		child.Env = append(os.Environ(), "ZERMELO_BENCH_PEAK="+strconv.Itoa(i))
		child.Stderr = os.Stderr
		out, err := child.Output()
		if err != nil {
			t.Errorf("%s %s: %v\n%s", task.game, task.size, err, out)
			continue
		}
		_, found, _ := strings.Cut(string(out), peakMark)
		var took float64
		var before, peak uint64
		if _, err := fmt.Sscan(found, &took, &before, &peak); err != nil {
			t.Errorf("%s %s: %v\n%s", task.game, task.size, err, out)
			continue
		}
		limit := ""
		if task.time > 0 {
			limit = duration(float64(task.time))
		}
		p.line(line, task.game, task.size, duration(took), limit, mebibytes(before), mebibytes(peak),
			mebibytes(task.bytes))
	}
}

const peakMark = "peak: "

// TestPeak is the other process.
func TestPeak(t *testing.T) {
	i, err := strconv.Atoi(os.Getenv("ZERMELO_BENCH_PEAK"))
	if err != nil {
		t.Skip("run by TestTable only")
	}
	before := peakMemory()
	start := time.Now()
	tasks()[i].kernel.answer(t)
	took := time.Since(start)
	printer{os.Stdout}.printf("%s%v %d %d\n", peakMark, float64(took), before, peakMemory())
}

// peakMemory is how much memory was resident at once so far, in bytes; 0 where the system does not tell.
func peakMemory() uint64 {
	kib, _ := strconv.ParseUint(strings.TrimSuffix(field("/proc/self/status", "VmHWM"), " kB"), 10, 64)
	return kib << 10
}

// processor is the processor's name.
func processor() string { return cmp.Or(field("/proc/cpuinfo", "model name"), "unnamed processor") }

// field reads the first value of a name in a file with a name and a value in each line; none where it is not there.
func field(path, name string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if before, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(before) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// text writes the median, and both ends in brackets.
func (s spread) text(number func(float64) string) string {
	return fmt.Sprintf("%s (%s–%s)", number(s.median), number(s.least), number(s.most))
}

// significant writes three digits, or all before the point.
func significant(x float64) string {
	return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(max(x, 1e-9))))), 64)
}

func hundredths(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// short writes a ratio.
func short(x float64) string {
	switch {
	case x >= 1e6:
		return significant(x/1e6) + "M"
	case x >= 1e4:
		return significant(x/1e3) + "k"
	default:
		return significant(x)
	}
}

// duration writes nanoseconds.
func duration(nanoseconds float64) string {
	for _, unit := range []struct {
		name string
		size float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if nanoseconds >= unit.size {
			return significant(nanoseconds/unit.size) + " " + unit.name
		}
	}
	return significant(nanoseconds) + " ns"
}

func mebibytes(bytes uint64) string {
	if bytes == 0 {
		return "not known"
	}
	return significant(float64(bytes)/(1<<20)) + " MiB"
}

// digits writes a number with commas.
func digits(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
