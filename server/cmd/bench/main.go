// Command bench prints how fast positions are solved: by our algorithms and by the ways of the textbooks in turn, in
// this process and on one thread; how our times grow; and what the largest tasks take, each in a process of its own.
package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if len(os.Args) == 3 && os.Args[1] == childWord {
		err = runTask(ctx, os.Args[2])
	} else {
		err = tables(ctx, os.Stdout)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// tables prints all tables.
func tables(ctx context.Context, out io.Writer) error {
	threads := runtime.GOMAXPROCS(1)
	t := &table{tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
	t.printf("%s, %s %s/%s, GOMAXPROCS=1\n%s. Medians; of the ratios also (least–most).\n\n",
		cmp.Or(field("/proc/cpuinfo", "model name"), "unnamed processor"), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		time.Now().Format("2 January 2006"))
	if err := compare(ctx, t); err != nil {
		return err
	}
	if err := grow(ctx, t); err != nil {
		return err
	}
	runtime.GOMAXPROCS(threads)
	return peaks(ctx, t, threads)
}

// table writes rows whose columns are as wide as they have to be.
type table struct{ *tabwriter.Writer }

func (t *table) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(t, format, args...)
	_ = t.Flush()
}

func (t *table) row(cells ...string) { _, _ = fmt.Fprintln(t, strings.Join(cells, "\t")) }

// compare prints the table of our ways and those of the textbooks.
func compare(ctx context.Context, t *table) error {
	var goals []string
	t.row("game", "size", "textbook way", "ours", "textbook", "ratio")
	for _, c := range contests() {
		for i, other := range c.textbook {
			rounds, err := inTurn(ctx, c.ours, other)
			if err != nil {
				return fmt.Errorf("%s %s: %w", c.game, c.size, err)
			}
			ours := spreadOf(rounds, func(round []float64) float64 { return round[0] })
			theirs := spreadOf(rounds, func(round []float64) float64 { return round[1] })
			ratio := spreadOf(rounds, func(round []float64) float64 { return round[1] / round[0] })
			t.row(c.game, c.size, other.name, duration(ours.median), duration(theirs.median), ratio.text())
			if i == 0 && c.goal > 0 {
				met := "met"
				if ratio.median < c.goal {
					met = "missed"
				}
				goals = append(goals, fmt.Sprintf("%s %s ≥ %.0f %s", c.game, c.size, c.goal, met))
			}
		}
	}
	t.printf("%s", "can_i_win is at the total at which the memo comes to hold the most sets, and at 152, where\n"+
		"a search makes 606,281 decisions and meets positions 2,138,272 times again; nim with\n"+
		"100,000 piles of up to 1,000 stones counts the winning moves.\n")
	t.printf("Goals: %s.\n\n", strings.Join(goals, ";\n       "))
	return nil
}

// grow prints the table of growth.
func grow(ctx context.Context, t *table) error {
	t.row("game", "size", "time", "grown", "law", "grown / law")
	for _, g := range growths() {
		var ways []way
		for _, n := range g.sizes {
			ways = append(ways, g.at(n).ours)
		}
		rounds, err := inTurn(ctx, ways...)
		if err != nil {
			return err
		}
		for i, n := range g.sizes {
			c := g.at(n)
			took := duration(spreadOf(rounds, func(round []float64) float64 { return round[i] }).median)
			if i == 0 {
				t.row(c.game, c.size, took)
				continue
			}
			law := g.work(n) / g.work(g.sizes[i-1])
			grown := spreadOf(rounds, func(round []float64) float64 { return round[i] / round[i-1] })
			over := ""
			if grown.median > 1.3*law {
				over = "  > 1.3"
			}
			t.row(c.game, c.size, took, significant(grown.median), significant(law),
				spread{grown.least / law, grown.median / law, grown.most / law}.text()+over)
		}
	}
	t.printf("Law: f·2^f/64 for can_i_win with the integers 1..f; linear for the others.\n\n")
	return nil
}

// childWord is the first argument of the processes that do one task, whose number is the second.
const childWord = "task"

// peaks prints the table of memory.
func peaks(ctx context.Context, t *table, threads int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	t.printf("Resident memory of a process that does nothing else, GOMAXPROCS=%d:\n", threads)
	t.row("game", "size", "time", "at most", "before", "peak", "at most")
	for i, task := range tasks() {
		child := exec.CommandContext(ctx, self, childWord, strconv.Itoa(i))
		child.Stderr = os.Stderr
		out, err := child.Output()
		var took float64
		var before, peak uint64
		if err == nil {
			_, err = fmt.Sscan(string(out), &took, &before, &peak)
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", task.game, task.size, err)
		}
		limit := ""
		if task.time > 0 {
			limit = task.time.String()
		}
		t.row(task.game, task.size, duration(took), limit, mebibytes(before), mebibytes(peak), mebibytes(task.bytes))
	}
	return t.Flush()
}

// runTask does a task, and prints the nanoseconds that it took and the peak of the resident memory before and after.
func runTask(ctx context.Context, number string) error {
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(tasks()) {
		return fmt.Errorf("there is no task %s", number)
	}
	before := peakMemory()
	start := time.Now()
	if _, err := tasks()[i].ours.solve(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintln(os.Stdout, float64(time.Since(start)), before, peakMemory())
	return err
}

// peakMemory is how much memory was resident at once so far, in bytes; 0 where the system does not tell. (What wait4
// tells of a child counts the memory of its parent at the time of the fork.)
func peakMemory() uint64 {
	kib, _ := strconv.ParseUint(strings.TrimSuffix(field("/proc/self/status", "VmHWM"), " kB"), 10, 64)
	return kib << 10
}

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
func (s spread) text() string {
	return fmt.Sprintf("%s (%s–%s)", significant(s.median), significant(s.least), significant(s.most))
}

// significant writes three digits, or all before the point.
func significant(x float64) string {
	return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(max(x, 1e-9))))), 64)
}

// duration writes nanoseconds, to three digits.
func duration(nanoseconds float64) string {
	unit := math.Pow10(max(0, int(math.Log10(nanoseconds))-2))
	return time.Duration(nanoseconds).Round(time.Duration(unit)).String()
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
