package show

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/zermelo-games/zermelo/client/words"
)

// Cell is one entry of a table.
type Cell struct {
	text  string
	paint paint
}

// Text is a cell of plain text.
func Text(plainly string) Cell { return Cell{plainly, plain} }

// Good is a cell for what is as it should be.
func Good(expected string) Cell { return Cell{expected, good} }

// Bad is a cell for what is not as it should be.
func Bad(unexpected string) Cell { return Cell{unexpected, bad} }

// Column is one column of a table.
type Column struct {
	// Head is what stands above it.
	Head string
	// Right aligns it at its right end, as numbers are.
	Right bool
	// Wrap breaks its texts at spaces where the line is wider than the page.
	Wrap bool

	least int // narrowest, in characters
}

const (
	tableMargin = "  "
	tableGap    = "   "
)

// rows lays rows out in columns while they come. The widths come from the first ones, which are held back until there
// are enough of them or the table ends. What follows is written in batches, at once where it is slow to come; what is
// wider than all before it moves what stands right of it from there on.
type rows struct {
	out     *Output
	columns []Column
	hold    int
	held    []table.Row
	widths  []int // of the columns, so far
	begun   bool
}

// newRows makes a table whose widths come from the first hold rows.
func newRows(out *Output, hold int, columns ...Column) *rows {
	r := &rows{out: out, columns: columns, hold: hold, widths: make([]int, len(columns))}
	for i, column := range columns {
		r.widths[i] = max(width(column.Head), column.least)
	}
	return r
}

// add adds a row, of as many cells as there are columns.
func (r *rows) add(cells ...Cell) {
	r.held = append(r.held, r.painted(cells))
	if len(r.held) >= r.hold || r.begun && r.out.Quiet(outputPause) {
		r.write()
	}
}

func (r *rows) painted(cells []Cell) table.Row {
	row := make(table.Row, len(cells))
	for i, c := range cells {
		r.widths[i] = max(r.widths[i], width(c.text))
		row[i] = r.out.Style.paint(c.paint, c.text)
	}
	return row
}

// end writes what is held back. A table without rows is not written.
func (r *rows) end() {
	r.write()
	r.out.pending = nil
}

// write writes the rows that are held back, below the head when they are the first.
func (r *rows) write() {
	if len(r.held) == 0 {
		return
	}
	widths := r.fit()
	batch := table.NewWriter()
	batch.SetStyle(table.Style{
		Box: table.BoxStyle{MiddleVertical: tableGap}, Options: table.Options{SeparateColumns: true},
	})
	configs := make([]table.ColumnConfig, len(r.columns))
	heads, rules := make([]Cell, len(r.columns)), make([]Cell, len(r.columns))
	for i, column := range r.columns {
		configs[i] = table.ColumnConfig{Number: i + 1, WidthMin: widths[i]}
		if column.Wrap {
			configs[i].WidthMax, configs[i].WidthMaxEnforcer = widths[i], text.WrapSoft
		}
		if column.Right {
			configs[i].Align = text.AlignRight
		}
		heads[i], rules[i] = Cell{column.Head, strong}, Cell{strings.Repeat("─", widths[i]), faint}
	}
	batch.SetColumnConfigs(configs)
	if !r.begun && r.columns[0].Head != "" {
		batch.AppendRow(r.painted(heads))
		batch.AppendRow(r.painted(rules))
	}
	batch.AppendRows(r.held)
	r.held = nil
	r.begun, r.out.pending = true, r.write
	for line := range strings.SplitSeq(batch.Render(), "\n") {
		r.out.Line(tableMargin, line)
	}
}

// fit narrows the columns that may be wrapped until a line fits the page.
func (r *rows) fit() []int {
	widths := slices.Clone(r.widths)
	room := r.out.Style.width() - len(tableMargin) - len(tableGap)*(len(r.columns)-1)
	for _, w := range widths {
		room -= w
	}
	for i := len(r.columns) - 1; i >= 0 && room < 0; i-- {
		if r.columns[i].Wrap {
			narrowed := min(widths[i], max(widths[i]+room, width(r.columns[i].Head), 8))
			room += widths[i] - narrowed
			widths[i] = narrowed
		}
	}
	return widths
}

// Table writes a whole table.
func Table(out *Output, columns []Column, all [][]Cell) {
	r := newRows(out, len(all), columns...)
	for _, row := range all {
		r.add(row...)
	}
	r.end()
}

// grid lays short texts out in columns of a width that does not depend on the texts to come: at tab stops.
type grid struct {
	out  *Output
	line strings.Builder
	wide int // of the line
}

func (g *grid) add(short string) {
	const stop, gap = 8, 2
	w := width(short)
	if g.wide > 0 && len(tableMargin)+g.wide+w > g.out.Style.width() {
		g.end()
	}
	padding := stop - (w+gap-1)%stop + gap - 1
	g.line.WriteString(short)
	g.line.WriteString(strings.Repeat(" ", padding))
	g.wide += w + padding
}

func (g *grid) end() {
	if g.wide > 0 {
		g.out.Line(tableMargin, g.line.String())
		g.line.Reset()
		g.wide = 0
	}
}

// width is how many columns of a terminal a text takes that is not painted. All that is shown is in characters of one
// column; the library's own count, which allows for others, takes most of the time of a long table.
func width(plainly string) int { return utf8.RuneCountInString(plainly) }

// labelled writes texts, wrapped, behind their labels, of which column is. Where no text has a label, there is no room
// for one.
func labelled(out *Output, column Column, p paint, all []words.Row) {
	columns := []Column{column, {Wrap: true}}
	if !slices.ContainsFunc(all, func(row words.Row) bool { return row.Label != "" }) {
		columns = columns[1:]
	}
	t := newRows(out, len(all), columns...)
	for _, row := range all {
		t.add([]Cell{{row.Label, p}, Text(row.Text)}[2-len(columns):]...)
	}
	t.end()
}
