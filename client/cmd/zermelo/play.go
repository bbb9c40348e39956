package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/match"
	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

type playCommand struct {
	Games  kong.Plugins `embed:""`
	Second bool         `name:"second" help:"Let the solver make the first move."`
}

// prompt is what a move is typed behind.
const prompt = "Your move: "

func (c *playCommand) run(ctx context.Context, s *session) error {
	if s.settings.json() {
		return usagef(s.typed, "play is for people; for programs there is analyze -o json")
	}
	position, err := s.arguments.Position(movesOnly{s})
	if err != nil {
		return err
	}
	t := &table{session: s, analyze: &patientAnalysis{session: s}}
	if t.match, err = match.New(ctx, t.analyze.analyze, position, !c.Second); err != nil {
		return err
	}
	if c.Second && t.match.Alone() {
		return usagef(s.typed, "--second is for two players; here you play alone, and the solver answers")
	}
	if t.view, err = show.NewMatch(s.out, t.match); err != nil {
		return err
	}
	lines, stop := readLines(s.stdin)
	defer stop()
	return t.play(ctx, lines)
}

// movesOnly is read by whoever takes standard input for the position.
type movesOnly struct{ *session }

func (m movesOnly) Read([]byte) (int, error) {
	return 0, usagef(m.typed, "moves are read from standard input, so that the position cannot be; write it in place of the -")
}

// patientAnalysis asks for distances as long as the server has room for them.
type patientAnalysis struct {
	session *session
	without bool
}

// analyze asks. What --timeout limits in a match is each answer, not how long a person thinks.
func (a *patientAnalysis) analyze(ctx context.Context, p *zermelov1.Position) (*zermelov1.AnalyzeResponse, error) {
	ctx, cancel := a.session.deadline(ctx)
	defer cancel()
	r, err := a.session.analyze(ctx, p, a.without)
	if a.without || !tooLarge(err) {
		return r, err
	}
	if r, err = a.session.analyze(ctx, p, true); err == nil {
		a.without = true
	}
	return r, err
}

// tooLarge reports whether a server has refused a request for the size of its position.
func tooLarge(err error) bool {
	switch client.Reason(err) {
	case zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT, zermelov1.ErrorReason_ERROR_REASON_BUDGET_LIMIT:
		return true
	default:
		return false
	}
}

// table is where a match is played.
type table struct {
	*session
	analyze *patientAnalysis
	match   *match.Match
	view    *show.Match
}

// play reads lines and does what they say, until the match has ended.
func (t *table) play(ctx context.Context, typed <-chan typing) error {
	t.view.Begin(t.analyze.without)
	draw := true
	for !t.match.Over() {
		if !t.match.PersonsTurn() {
			turn, err := t.match.Reply(ctx)
			if err != nil {
				return t.broken(err)
			}
			t.view.Reply(turn)
			continue
		}
		if draw {
			t.view.Board()
		}
		line, err := t.read(ctx, typed)
		if errors.Is(err, io.EOF) {
			t.out.Line()
			t.out.Line("The input has ended, and with it the match.")
			return nil
		}
		if err != nil {
			return t.broken(err)
		}
		var ended bool
		if draw, ended, err = t.do(ctx, line); ended || err != nil {
			return t.broken(err)
		}
	}
	t.view.End()
	return nil
}

// broken is the error of a match that cannot go on; nil for nil.
func (t *table) broken(err error) error {
	if moves := int64(len(t.match.Turns())); err != nil && moves > 0 {
		return &streamError{err: err, after: show.Counted(moves, "move"), begun: true}
	}
	return err
}

// read asks for a line. io.EOF: there is none.
func (t *table) read(ctx context.Context, typed <-chan typing) (string, error) {
	t.out.Prompt(prompt)
	if err := t.out.Err(); err != nil {
		return "", err
	}
	select {
	case <-ctx.Done():
		t.out.Line()
		return "", context.Cause(ctx)
	case next := <-typed:
		if next.err == nil && !typedAt(t.stdin) {
			t.out.Line(show.Cut(printable(next.line))) // where nobody types, it is not there to be seen
		}
		if next.err != nil && !errors.Is(next.err, io.EOF) {
			t.out.Line()
			return "", fmt.Errorf("reading moves from standard input: %w", next.err)
		}
		return next.line, next.err
	}
}

// printable is what was typed, without what would move the cursor of a terminal.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return -1
	}, line)
}

// typedAt reports whether a person types what is read.
func typedAt(r io.Reader) bool {
	file, is := r.(*os.File)
	return is && term.IsTerminal(int(file.Fd()))
}

// do does what was typed. It reports whether the board has to be drawn again, and whether the match has ended.
func (t *table) do(ctx context.Context, line string) (draw, ended bool, err error) {
	switch word := strings.ToLower(strings.Join(strings.Fields(line), " ")); word {
	case "":
		return true, false, nil
	case "help", "h", "?":
		t.view.Help()
	case "hint":
		t.view.Hint()
	case "moves":
		t.view.Moves(movesShown)
		return true, false, nil
	case "moves all":
		t.view.Moves(math.MaxInt)
		return true, false, nil
	case "undo", "u":
		mine, ok := t.match.Undo()
		if ok {
			t.view.Undone(mine)
		} else {
			t.out.Line("There is nothing to take back.")
		}
		return ok, false, nil
	case "give up", "quit", "q", "exit", "resign":
		t.view.GiveUp()
		return false, true, nil
	default:
		turn, err := t.match.Play(ctx, strings.ReplaceAll(word, " ", "")) // 7 > 6
		switch {
		case errors.Is(err, match.ErrIllegal):
			t.view.Illegal(line)
		case errors.Is(err, match.ErrLeftOut):
			t.out.Paragraph("That move cannot be played here: " + err.Error() + ".")
		case err != nil:
			return false, false, err
		default:
			t.view.Judge(turn)
			return true, false, nil
		}
	}
	return false, false, nil
}

// typing is a line that was typed, or why there is none.
type typing struct {
	line string
	err  error
}

// readLines reads lines in the background, so that an interrupt does not have to wait for one. The last is an error:
// io.EOF, or why reading failed. stop ends that.
func readLines(r io.Reader) (lines <-chan typing, stop func()) {
	out, done := make(chan typing), make(chan struct{})
	send := func(t typing) (more bool) {
		select {
		case out <- t:
			return true
		case <-done:
			return false
		}
	}
	go func() {
		scanner := bufio.NewScanner(r)
		for scanner.Scan() {
			if !send(typing{line: scanner.Text()}) {
				return
			}
		}
		err := scanner.Err()
		if err == nil {
			err = io.EOF
		}
		send(typing{err: err})
	}()
	return out, func() { close(done) }
}
