package show

import (
	"strings"
	"unicode/utf8"
)

// Cell is one entry of a table.
type Cell struct {
	text  string
	paint paint
}

// Column is one column of a table.
type Column struct {
	// Head is what stands above it.
	Head string
	// Right aligns it at its right end, as numbers are.
	Right bool

	cut   bool // cut where the line is wider than the page
	least int  // narrowest, in characters
}

const (
	tableMargin = "  "
	tableGap    = "   "
)

// table lays rows out in columns. Its widths come from the first rows, which are held back until there are enough of
// them or the table ends; what follows is written as it comes, and shifts what stands right of it where it is wider.
type table struct {
	out     *Output
	columns []Column
	hold    int
	held    [][]Cell
	widths  []int // once the head is written
}

// newTable makes a table whose widths come from the first hold rows.
func newTable(out *Output, hold int, columns ...Column) *table {
	return &table{out: out, columns: columns, hold: hold}
}

// row adds a row, of as many cells as there are columns.
func (t *table) row(cells ...Cell) {
	if t.widths != nil {
		t.write(cells)
		return
	}
	t.held = append(t.held, cells)
	if len(t.held) >= t.hold {
		t.begin()
	}
}

// end writes what is held back. A table without rows is not written.
func (t *table) end() {
	if t.widths == nil && len(t.held) > 0 {
		t.begin()
	}
}

// begin fixes the widths and writes the head and the rows so far.
func (t *table) begin() {
	t.widths = make([]int, len(t.columns))
	for i, column := range t.columns {
		t.widths[i] = max(width(column.Head), column.least)
		for _, row := range t.held {
			t.widths[i] = max(t.widths[i], width(row[i].text))
		}
	}
	t.fit()
	head, rule := make([]Cell, len(t.columns)), make([]Cell, len(t.columns))
	for i, column := range t.columns {
		head[i] = Cell{column.Head, strong}
		rule[i] = Cell{strings.Repeat("─", t.widths[i]), faint}
	}
	t.write(head)
	t.write(rule)
	for _, row := range t.held {
		t.write(row)
	}
	t.held = nil
}

// fit narrows the columns that may be cut until a line fits the page.
func (t *table) fit() {
	const narrowest = 16
	room := t.out.Style.width() - len(tableMargin) - len(tableGap)*(len(t.columns)-1)
	for _, w := range t.widths {
		room -= w
	}
	for i := len(t.columns) - 1; i >= 0 && room < 0; i-- {
		if t.columns[i].cut && t.widths[i] > narrowest {
			narrowed := max(t.widths[i]+room, narrowest)
			room += t.widths[i] - narrowed
			t.widths[i] = narrowed
		}
	}
}

func (t *table) write(cells []Cell) {
	var b strings.Builder
	b.WriteString(tableMargin)
	for i, c := range cells {
		text := c.text
		if t.columns[i].cut {
			text = cut(text, t.widths[i])
		}
		painted := t.out.Style.paint(c.paint, text)
		padding := strings.Repeat(" ", max(t.widths[i]-width(text), 0))
		switch {
		case t.columns[i].Right:
			b.WriteString(padding + painted)
		case i == len(cells)-1:
			b.WriteString(painted)
		default:
			b.WriteString(painted + padding)
		}
		if i < len(cells)-1 {
			b.WriteString(tableGap)
		}
	}
	t.out.Line(b.String())
}

// grid lays short texts out in as many columns as fit the page, row by row. Their width comes from the first ones.
type grid struct {
	out     *Output
	hold    int
	held    []string
	widest  int
	columns int // once known
	line    []string
}

func newGrid(out *Output, hold int) *grid { return &grid{out: out, hold: hold} }

func (g *grid) add(text string) {
	if g.columns > 0 {
		g.place(text)
		return
	}
	g.held = append(g.held, text)
	if len(g.held) >= g.hold {
		g.begin()
	}
}

func (g *grid) begin() {
	for _, text := range g.held {
		g.widest = max(g.widest, width(text))
	}
	room := g.out.Style.width() - len(tableMargin)
	g.columns = max((room+len(tableGap))/(g.widest+len(tableGap)), 1)
	for _, text := range g.held {
		g.place(text)
	}
	g.held = nil
}

func (g *grid) place(text string) {
	g.line = append(g.line, text+strings.Repeat(" ", max(g.widest-width(text), 0)))
	if len(g.line) == g.columns {
		g.write()
	}
}

func (g *grid) write() {
	if len(g.line) > 0 {
		g.out.Line(tableMargin, strings.Join(g.line, tableGap))
		g.line = g.line[:0]
	}
}

func (g *grid) end() {
	if g.columns == 0 && len(g.held) > 0 {
		g.begin()
	}
	g.write()
}

// width is how many columns a text takes. All that is shown is in characters of one column.
func width(text string) int { return utf8.RuneCountInString(text) }

// cut shortens a text to a width.
func cut(text string, most int) string {
	const mark = "..."
	if width(text) <= most {
		return text
	}
	if most <= len(mark) {
		return mark[:max(most, 0)]
	}
	return string([]rune(text)[:most-len(mark)]) + mark
}

// wrapped cuts a text into lines of a width, at spaces.
func wrapped(text string, most int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case width(line)+1+width(word) <= most:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// wrap writes a text in lines of the page's width, each with a margin.
func (o *Output) wrap(margin string, p paint, text string) {
	for _, line := range wrapped(text, o.Style.width()-width(margin)) {
		o.Line(margin, o.Style.paint(p, line))
	}
}

// String is the text of the cell.
func (c Cell) String() string { return c.text }

// heading writes a title and what belongs to it, painted already, on one line where it fits.
func (o *Output) heading(title, separator, rest string, restWidth int) {
	if width(title)+width(separator)+restWidth > o.Style.width() {
		o.wrap("", strong, title)
		o.Line(rest)
		return
	}
	o.Line(o.Style.Strong(title), separator, rest)
}

// Cut shortens a text that may be of any length, such as a position, to what fits half a line.
func Cut(text string) string { return cut(text, defaultWidth/2) }

// Text is a cell of plain text.
func Text(text string) Cell { return Cell{text, plain} }

// Good is a cell for what is as it should be.
func Good(text string) Cell { return Cell{text, good} }

// Bad is a cell for what is not as it should be.
func Bad(text string) Cell { return Cell{text, bad} }

// Table writes a whole table.
func Table(out *Output, columns []Column, rows [][]Cell) {
	t := newTable(out, len(rows), columns...)
	for _, row := range rows {
		t.row(row...)
	}
	t.end()
}

// Grid writes short texts in as many columns as fit.
func Grid(out *Output, texts []string) {
	g := newGrid(out, len(texts))
	for _, text := range texts {
		g.add(text)
	}
	g.end()
}

// Paragraph writes a text, wrapped.
func Paragraph(out *Output, text string) { out.wrap("", plain, text) }
