package show

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/zermelo-games/zermelo/client/games"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// page is what show writes in a style.
func page(style Style, show func(*Output)) string {
	var b bytes.Buffer
	out := NewOutput(&b, style, games.All())
	show(out)
	out.Flush()
	return b.String()
}

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 98708: "98,708", 1234567: "1,234,567", -5: "-5", -1234: "-1,234",
		math.MaxInt64: "9,223,372,036,854,775,807", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %s, want %s", n, got, want)
		}
	}
	if Counted(1, "move") != "1 move" || Counted(0, "move") != "0 moves" || Counted(2000, "move") != "2,000 moves" {
		t.Error("Counted")
	}
}

func TestTook(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 µs", 12_345: "12 µs", 1_260_000: "1.3 ms", 4_577_875_482: "4.6 s", 75 * time.Second: "1m15s",
	} {
		if got := took(d); got != want {
			t.Errorf("took(%d) = %s, want %s", d, got, want)
		}
	}
}

func TestListed(t *testing.T) {
	for want, texts := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := Listed(texts); got != want {
			t.Errorf("Listed(%q) = %q", texts, got)
		}
	}
}

// Widths come from the rows that are held back; what is wider later on shifts the rest of its line.
func TestTableStreams(t *testing.T) {
	var b bytes.Buffer
	out := NewOutput(&b, Style{}, games.All())
	table := newRows(out, 2, Column{Head: "A"}, Column{Head: "N", Right: true}, Column{Head: "Z"})
	table.add(Text("one"), Text("1"), Text("x"))
	out.Flush()
	if b.Len() > 0 {
		t.Errorf("written before the widths are known: %q", b.String())
	}
	table.add(Text("three"), Text("100"), Text("y"))
	table.add(Text("seventeen"), Text("17"), Text(""))
	table.end()
	out.Flush()
	want := "  A         N   Z\n" +
		"  ─────   ───   ─\n" +
		"  one       1   x\n" +
		"  three   100   y\n" +
		"  seventeen    17\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// Only columns that may be wrapped are, and only as far as the page demands.
func TestTableFits(t *testing.T) {
	long := strings.Repeat("x", 100)
	got := page(Style{Width: 60}, func(out *Output) {
		Table(out, []Column{{Head: "A"}, {Head: "B", Wrap: true}}, [][]Cell{{Text("fixed"), Text(long)}})
	})
	for line := range strings.Lines(got) {
		if n := width(strings.TrimRight(line, "\n")); n > 60 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if strings.Count(got, "x") != len(long)+1 { // "fixed" has one too
		t.Errorf("got\n%s", got)
	}
	if got := page(Style{}, func(out *Output) { Table(out, []Column{{Head: "A"}}, nil) }); got != "" {
		t.Errorf("a table without rows is %q", got)
	}
}

func TestGrid(t *testing.T) {
	lay := func(style Style, texts ...string) string {
		return page(style, func(out *Output) {
			g := &grid{out: out}
			for _, short := range texts {
				g.add(short)
			}
			g.end()
		})
	}
	if got, want := lay(Style{Width: 28}, "a", "bbbbbbb", "c", "d"), "  a       bbbbbbb         c\n  d\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := lay(Style{Width: 5}, "wider than that", "b"); strings.Count(got, "\n") != 2 {
		t.Errorf("got %q", got)
	}
}

// failing is a writer that fails once, and counts what comes after.
type failing struct{ calls int }

func (f *failing) Write([]byte) (int, error) {
	f.calls++
	return 0, errors.New("failed")
}

func TestOutputStopsAtAnError(t *testing.T) {
	var w failing
	out := NewOutput(&w, Style{}, games.All())
	for range 10 {
		out.Line("text")
		out.Flush()
	}
	if w.calls != 1 || out.Err() == nil {
		t.Errorf("%d calls, error %v", w.calls, out.Err())
	}
}

// Lines are held back, but not many, and never a part of one.
func TestOutputHoldsLittle(t *testing.T) {
	var sizes []int
	out := NewOutput(writerFunc(func(p []byte) {
		if p[len(p)-1] != '\n' {
			t.Errorf("a part of a line: %q", p)
		}
		sizes = append(sizes, len(p))
	}), Style{}, games.All())
	for range 10_000 {
		out.Line(strings.Repeat("x", 99))
	}
	if len(sizes) < 20 {
		t.Errorf("written in %d pieces", len(sizes))
	}
	for _, size := range sizes {
		if size > outputBytes+100 {
			t.Errorf("a piece of %d bytes", size)
		}
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

func decided(sequence int64, depth uint32, position, move string, because int64) *zermelov1.Event {
	outcome := zermelov1.Outcome_OUTCOME_WIN
	if move == "" {
		outcome = zermelov1.Outcome_OUTCOME_LOSS
	}
	return &zermelov1.Event{
		Sequence: sequence, Kind: zermelov1.EventKind_EVENT_KIND_DECIDED, Depth: depth, Position: position, Move: move,
		Outcome: outcome, Because: because,
	}
}

func opening(detail zermelov1.Detail) *zermelov1.Opening {
	return &zermelov1.Opening{
		Position: &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{
			Piles: []uint64{2, 1}, Convention: zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL,
		}}},
		Detail: detail, MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_ALL,
	}
}

// begun is the text of a trace that has begun.
func begun(t *testing.T, out *Output, opening *zermelov1.Opening, options TraceOptions) *Trace {
	t.Helper()
	trace := NewTrace(out, options)
	if err := trace.Opening(opening); err != nil {
		t.Fatal(err)
	}
	return trace
}

// wholeTrace writes a trace.
func wholeTrace(t *testing.T, style Style, options TraceOptions, events ...*zermelov1.Event) string {
	t.Helper()
	return page(style, func(out *Output) {
		trace := begun(t, out, opening(zermelov1.Detail_DETAIL_DECISIONS), options)
		for _, e := range events {
			_ = trace.Event(e)
		}
		trace.rest()
	})
}

// trace writes a trace without its heading.
func trace(t *testing.T, style Style, options TraceOptions, events ...*zermelov1.Event) string {
	t.Helper()
	text := wholeTrace(t, style, options, events...)
	_, rows, found := strings.Cut(text, "─\n")
	if !found {
		t.Fatalf("no table in\n%s", text)
	}
	return rows
}

// The search decides children before parents; the tree has the root at the top and its children in their order.
func TestTree(t *testing.T) {
	events := []*zermelov1.Event{
		decided(1, 2, "1-0", "1>0", 0),
		decided(2, 1, "1-1", "", 0),
		decided(3, 3, "2-0", "2>0", 0),
		decided(4, 2, "2-1", "2>1", 2),
		decided(5, 1, "2-2", "", 0),
		decided(6, 0, "3-2", "3>2", 5),
	}
	want := "" +
		"  3-2           6   WIN     3>2    5: 2-2\n" +
		"  ├─ 1-1        2   LOSS           every move loses\n" +
		"  │  └─ 1-0     1   WIN     1>0    it ends the game\n" +
		"  └─ 2-2        5   LOSS           every move loses\n" +
		"     └─ 2-1     4   WIN     2>1    2: 1-1\n" +
		"        └─ 2-0  3   WIN     2>0    it ends the game\n"
	got := trace(t, Style{}, TraceOptions{}, events...)
	if fields(got) != fields(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}

	// As a list they come in the order of the search, whether by wish, because the page is too narrow, or because the
	// root is not decided.
	for name, got := range map[string]string{
		"list":   trace(t, Style{}, TraceOptions{List: true}, events...),
		"narrow": trace(t, Style{Width: 40}, TraceOptions{}, events...),
		"cut":    trace(t, Style{}, TraceOptions{}, events[:5]...),
	} {
		if first := strings.Fields(got)[0]; first != "1" || strings.Contains(got, "├") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// fields is text with its spaces evened out.
func fields(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	return b.String()
}

// A trace that grows too large for a tree is listed from then on, and not held back.
func TestTreeGivesUp(t *testing.T) {
	var b bytes.Buffer
	out := NewOutput(&b, Style{}, games.All())
	trace := begun(t, out, opening(zermelov1.Detail_DETAIL_DECISIONS), TraceOptions{})
	for i := range int64(TreeMost + 1) {
		_ = trace.Event(decided(i+1, 1, "1-0", "1>0", 0))
	}
	out.Flush()
	if lines := strings.Count(b.String(), "1>0"); lines != TreeMost+1 {
		t.Errorf("%d events written of %d", lines, TreeMost+1)
	}
	if trace.tree != nil || trace.held != nil {
		t.Error("events are still held back")
	}
}

// A kind of event that is newer than this program does not stop it.
func TestUnknownEvent(t *testing.T) {
	got := trace(t, Style{}, TraceOptions{},
		&zermelov1.Event{Sequence: 1, Kind: 99, Position: "?"}, decided(2, 0, "2-1", "2>1", 0))
	if !strings.Contains(got, "2>1") {
		t.Errorf("got\n%s", got)
	}
}

func TestUnknownGame(t *testing.T) {
	var b bytes.Buffer
	out := NewOutput(&b, Style{}, games.All())
	if err := Solution(out, &zermelov1.Position{}, &zermelov1.Solution{}, ""); err == nil {
		t.Error("a solution of no game is shown")
	}
	if err := NewTrace(out, TraceOptions{}).Opening(&zermelov1.Opening{}); err == nil {
		t.Error("a trace of no game is shown")
	}
	if _, err := NewPositions(out, nil, zermelov1.Outcome_OUTCOME_UNSPECIFIED); err == nil {
		t.Error("positions of no game are shown")
	}
	// The catalogue of a newer server is listed all the same.
	got := page(Style{}, func(out *Output) {
		Games(out, &zermelov1.ListGamesResponse{Games: []*zermelov1.GameInfo{{Name: "chess", Title: "Chess"}}}, "zermelo")
	})
	if !strings.Contains(got, "Chess") || !strings.Contains(got, "does not know the game") {
		t.Errorf("got\n%s", got)
	}
}

// A solution whose number of best moves is not known, and whose positions after moves were left out.
func TestSolutionWithGaps(t *testing.T) {
	got := page(Style{}, func(out *Output) {
		err := Solution(out, opening(zermelov1.Detail_DETAIL_DECISIONS).GetPosition(), &zermelov1.Solution{
			Outcome:    zermelov1.Outcome_OUTCOME_WIN,
			BestMoves:  []*zermelov1.Move{{Notation: "2>1", NextOmitted: true}},
			Statistics: &zermelov1.Statistics{PositionsExpanded: 3, MemoHits: 1, Elapsed: durationpb.New(time.Second)},
			Method:     zermelov1.Method_METHOD_SEARCH,
		}, "")
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, want := range []string{"(left out: too large)", "1 best move listed; there may be others.",
		"Found by searching 3 positions, 1 of them met again, in 1.0 s."} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// The summary of a trace whose best moves could not all be looked at.
func TestTraceWithoutBestMoveCount(t *testing.T) {
	got := page(Style{}, func(out *Output) {
		trace := begun(t, out, opening(zermelov1.Detail_DETAIL_DECISIONS), TraceOptions{})
		_ = trace.Event(decided(1, 0, "2-1", "2>1", 0))
		_ = trace.Summary(&zermelov1.Summary{
			Solution: &zermelov1.Solution{
				Outcome: zermelov1.Outcome_OUTCOME_WIN, BestMoves: []*zermelov1.Move{{Notation: "2>1"}},
			},
			Statistics: &zermelov1.Statistics{PositionsExpanded: 1}, EventCount: 1, LastSequence: 1,
		})
	})
	if want := "A best move: 2>1; there may be others."; !strings.Contains(got, want) {
		t.Errorf("%q is missing in\n%s", want, got)
	}
}

// Nothing is said by colour alone, and ASCII is as wide as what it stands for.
func TestStyles(t *testing.T) {
	events := []*zermelov1.Event{decided(1, 1, "1-0", "", 0), decided(2, 0, "2-1", "2>1", 1)}
	plainText := wholeTrace(t, Style{}, TraceOptions{}, events...)
	colored := wholeTrace(t, Style{Color: true}, TraceOptions{}, events...)
	for _, escape := range append(escapes[1:], text.EscapeReset) {
		colored = strings.ReplaceAll(colored, escape, "")
	}
	if colored != plainText {
		t.Errorf("without its colours\n%s is not\n%s", colored, plainText)
	}
	for from, to := range map[string]string{"├─ └─ │": "|- `- |", "misère · 3 µs ×": "misere - 3 us x"} {
		if got := (Style{ASCII: true}).glyphs(from); got != to || width(from) != width(to) {
			t.Errorf("%q is %q in ASCII", from, got)
		}
	}
}

func TestJSONIsStable(t *testing.T) {
	message := &zermelov1.SolveRequest{Position: opening(0).GetPosition(), MaxMoves: 3}
	want := `{"position":{"nim":{"piles":["2","1"],"convention":"PLAY_CONVENTION_NORMAL"}},"maxMoves":3}` + "\n"
	if got := page(Style{}, func(out *Output) {
		if err := JSONLine(out, message); err != nil {
			t.Fatal(err)
		}
	}); got != want {
		t.Errorf("got %s", got)
	}
	got := page(Style{ASCII: true}, func(out *Output) {
		if err := JSON(out, message); err != nil {
			t.Fatal(err)
		}
	})
	if !strings.HasPrefix(got, "{\n  \"position\": {\n    \"nim\": {\n") {
		t.Errorf("got %s", got)
	}
}

// A long enumeration is written as it comes.
func TestPositionsStream(t *testing.T) {
	var b bytes.Buffer
	out := NewOutput(&b, Style{}, games.All())
	positions, err := NewPositions(out, opening(0).GetPosition(), zermelov1.Outcome_OUTCOME_LOSS)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10_000 {
		positions.Position(&zermelov1.EnumeratedPosition{
			Notation: fmt.Sprintf("%d-%d", i, i), Outcome: zermelov1.Outcome_OUTCOME_LOSS,
		})
	}
	if b.Len() < outputBytes {
		t.Errorf("%d bytes written of an enumeration of 10,000 positions", b.Len())
	}
	positions.End(&zermelov1.EnumerationSummary{PositionCount: 10_000, Losses: 10_000}, "")
	out.Flush()
	if !strings.HasSuffix(b.String(), "\n10,000 positions.\n") {
		t.Errorf("the end is %q", b.String()[b.Len()-80:])
	}
}

// A line of best play is cut where it is long.
func TestBestPlay(t *testing.T) {
	position := &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
		PredictTheWinner: &zermelov1.PredictTheWinner{Scores: make([]int64, turnsShown+3)},
	}}
	analysis := &zermelov1.AnalyzeResponse{
		Solution: &zermelov1.Solution{BestMoves: []*zermelov1.Move{{Notation: "L"}}}, Moves: []*zermelov1.RankedMove{{Move: &zermelov1.Move{Notation: "L"}}},
	}
	for range turnsShown + 3 {
		analysis.MainLine = append(analysis.MainLine, &zermelov1.Move{Notation: "L"})
	}
	write := func() string {
		return page(Style{}, func(out *Output) {
			if err := Analysis(out, position, analysis, 2, ""); err != nil {
				t.Error(err)
			}
		})
	}
	if got := write(); strings.Count(got, "L 0 ") != turnsShown || !strings.Contains(got, "  3 moves later it ends with 0 to 0.\n") {
		t.Errorf("got\n%s", got)
	}
	analysis.MainLine = analysis.MainLine[:turnsShown] // the end is not known
	if got := write(); !strings.Contains(got, "\n  "+strings.TrimSpace(strings.Repeat("L ", turnsShown))+"\n") {
		t.Errorf("got\n%s", got)
	}
}

// A theorem that this program does not know is named as the contract does.
func TestUnknownTheorem(t *testing.T) {
	nim := &zermelov1.Position{Game: &zermelov1.Position_Nim{Nim: &zermelov1.Nim{Piles: []uint64{3}}}}
	text := page(Style{}, func(out *Output) {
		trace := begun(t, out, &zermelov1.Opening{Position: nim, Detail: zermelov1.Detail_DETAIL_PROOF}, TraceOptions{})
		_ = trace.Event(&zermelov1.Event{
			Sequence: 1, Kind: zermelov1.EventKind_EVENT_KIND_THEOREM, Position: "3", Theorem: zermelov1.Theorem_THEOREM_OUT_OF_REACH,
		})
		_ = trace.Summary(&zermelov1.Summary{EventCount: 1})
	})
	if !strings.Contains(text, "By a theorem that is not known here, out_of_reach.\n") {
		t.Errorf("got\n%s", text)
	}
}
