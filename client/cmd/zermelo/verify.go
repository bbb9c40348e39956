package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/proof"
	"github.com/zermelo-games/zermelo/client/tracefile"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// verifyCommand asks for a proof, or reads one, and checks it without trusting who made it.
type verifyCommand struct {
	Games kong.Plugins `embed:""`
	// NoGame is what is parsed when no game is typed, as with --file.
	NoGame    struct{}                    `cmd:"" name:"no-game" hidden:"" default:"1"`
	File      string                      `name:"file" placeholder:"FILE" help:"Check the proof that explain or verify has saved there, instead of asking a server for one."`
	ProofForm choice[zermelov1.ProofForm] `name:"proof-form" default:"auto" placeholder:"FORM" help:"${proof_form_help}"`
	Save      string                      `name:"save" placeholder:"FILE" help:"Write the proof to FILE as well: JSON lines where FILE ends in .jsonl, size-delimited Protobuf otherwise."`
}

// Help is shown below the usage.
func (*verifyCommand) Help() string {
	return `Has a server prove the value of a position, and checks the proof step by step while it comes: with the rules of ` +
		`the game and arithmetic, in code that the server has no part in. A wrong proof ends with exit code 5. --file checks ` +
		`a proof that was saved:

    zermelo verify --file nim.trace`
}

// offline reports whether the command needs no server.
func (c *verifyCommand) offline() bool { return c.File != "" }

// proofError is the error of a proof that is wrong, or of an answer that is not what was proved.
type proofError struct {
	what    string // "the proof"
	problem string
	file    string // where what came of the proof is saved; may be empty
}

func (e *proofError) Error() string { return e.what + " is wrong: " + e.problem }

// wrongEvent says which event of a proof is wrong, and why.
func wrongEvent(wrong *proof.WrongError) *proofError {
	problem := fmt.Sprintf("event %d, about %s: %s", wrong.Sequence, show.Cut(wrong.Position), wrong.Why)
	return &proofError{what: "the proof", problem: problem}
}

func (c *verifyCommand) run(ctx context.Context, s *session) error {
	switch {
	case c.File == "" && s.arguments == nil:
		return usagef(s.typed, "say which game, as in %s verify %s, or which file, as in %s verify --file nim.trace; the games are %s",
			program, s.games[0].Example(), program, s.games.Names())
	case c.File == "":
		return c.ask(ctx, s)
	case s.arguments != nil:
		return usagef(s.typed, "the file says what its proof is about: leave out either --file or the game")
	}
	for _, flag := range []string{"save", "proof-form", "addr", "memo-budget"} {
		if s.given[flag] {
			return usagef(s.typed, "--%s is for a proof that a server makes: leave out either that or --file", flag)
		}
	}
	return c.read(ctx, s)
}

// ask has a server prove the position, and checks that.
func (c *verifyCommand) ask(ctx context.Context, s *session) error {
	position, err := s.arguments.Position(s.stdin)
	if err != nil {
		return err
	}
	solution, refusal := s.client.Solve(ctx, &zermelov1.SolveRequest{Position: position})
	if refusal != nil && !tooLarge(refusal) {
		return refusal // what is too large to be solved may have a proof nevertheless
	}
	request := &zermelov1.ExplainRequest{
		Position: position, Detail: zermelov1.Detail_DETAIL_PROOF, ProofForm: zermelov1.ProofForm(c.ProofForm),
	}
	check, err := newCheck(s.games, position)
	if err != nil {
		return cmp.Or(refusal, err) // the refusal says what to type instead
	}
	if c.Save != "" {
		if check.saver, err = newSaver(s, c.Save, request); err != nil {
			return err
		}
		defer check.saver.Broken()
	}
	err = follow(ctx, s, request, &progress{done: " checked", file: check.saver}, check)
	if err == nil && solution != nil {
		err = check.compare("Solve", solution)
	}
	var wrong *proofError
	if check.saver != nil && errors.As(err, &wrong) {
		check.saver.Broken()
		wrong.file = check.saver.file.Name()
	}
	if err := check.report(s, err); err != nil {
		return err
	}
	if check.saver != nil && !s.settings.json() {
		check.saver.closing(s)
	}
	return nil
}

// read checks the proof in a file.
func (c *verifyCommand) read(ctx context.Context, s *session) error {
	in, err := tracefile.Open(c.File)
	if err != nil {
		return c.failed(s, err)
	}
	defer in.Close() //nolint:errcheck // nothing was written
	request := in.Request()
	if detail := in.Opening().GetDetail(); detail != zermelov1.Detail_DETAIL_PROOF {
		return usagef(s.typed, "%s is a trace with %v, not a proof; save one with explain --detail proof --save FILE", c.File, detail)
	}
	if request.GetResumeAfterSequence() > 0 {
		return usagef(s.typed, "%s begins after event %d; a proof can be checked from its beginning only", c.File,
			request.GetResumeAfterSequence())
	}
	check, err := newCheck(s.games, request.GetPosition())
	if err != nil {
		return err
	}
	check.file = c.File
	known := &progress{done: " checked"}
	for event, err := range in.Events() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return &streamError{err: c.failed(s, err), after: known.String(), begun: true}
		}
		if err := check.Event(event); err != nil {
			return check.report(s, err)
		}
		known.come++
		known.tell(s.counter)
	}
	return check.report(s, check.Summary(in.Summary()))
}

// failed is the error of a file that cannot be read.
func (c *verifyCommand) failed(s *session, err error) error {
	var broken *tracefile.ReadError
	switch {
	case errors.As(err, &broken):
		return fmt.Errorf("%s proves nothing: after event %d: %w", c.File, broken.LastSequence, broken.Err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	default:
		return usagef(s.typed, "--file is %q: %s", c.File, reasonOf(err))
	}
}

// check checks a proof while it comes.
type check struct {
	position *zermelov1.Position
	checker  *proof.Checker
	saver    *saver // has the proof before it is checked, so that a wrong one can be looked at
	file     string // where it is read; empty when it comes from a server
	begun    time.Time
	spent    time.Duration // in the checker
	verdict  *proof.Verdict
	agree    []string // who says the same
	wrong    *proof.WrongError
}

func newCheck(list games.List, position *zermelov1.Position) (*check, error) {
	checker, err := proof.NewChecker(position, proof.With(list))
	if err != nil {
		return nil, fmt.Errorf("the checker does not take the position: %s", strings.TrimPrefix(err.Error(), proof.ErrPosition.Error()+": "))
	}
	return &check{position: position, checker: checker, begun: time.Now()}, nil
}

// Opening has nothing to check.
func (c *check) Opening(o *zermelov1.Opening) error { return c.saver.Opening(o) }

// Event checks an event.
func (c *check) Event(e *zermelov1.Event) error {
	if err := c.saver.Event(e); err != nil {
		return err
	}
	began := time.Now()
	err := c.checker.Add(e)
	c.spent += time.Since(began)
	if errors.As(err, &c.wrong) {
		return wrongEvent(c.wrong)
	}
	return err
}

// Broken keeps what came.
func (c *check) Broken() { c.saver.Broken() }

// Summary checks that the position is decided, and that the summary says the same.
func (c *check) Summary(s *zermelov1.Summary) error {
	if err := c.saver.Summary(s); err != nil {
		return err
	}
	verdict, err := c.checker.Verdict()
	switch {
	case err == nil:
		c.verdict = verdict
		return c.compare("the summary of the proof", s.GetSolution())
	case s.GetCompletion() == zermelov1.Completion_COMPLETION_LIMIT_REACHED:
		return fmt.Errorf("the proof was cut after %s; without the rest it proves nothing (--max-events)",
			show.Counted(s.GetEventCount(), "event"))
	default:
		return &proofError{what: "the proof", problem: fmt.Sprintf("it ends after %s, and the position is not decided",
			show.Counted(s.GetEventCount(), "event"))}
	}
}

// compare compares what someone says with what is proved.
func (c *check) compare(who string, solution *zermelov1.Solution) error {
	if err := c.verdict.Agrees(solution); err != nil {
		return &proofError{what: who, problem: strings.TrimPrefix(err.Error(), proof.ErrDisagrees.Error()+": ")}
	}
	c.agree = append([]string{who}, c.agree...) // Solve before the summary, which comes earlier
	return nil
}

// verification is what there is to say about a proof, for programs.
type verification struct {
	Position json.RawMessage `json:"position"`
	// Proved says that the proof is right, Agrees that so are the answers that were compared with it.
	Proved bool `json:"proved"`
	Agrees bool `json:"agrees"`
	// Solution is the outcome, the margin or the cost that is proved.
	Solution  json.RawMessage `json:"solution,omitempty"`
	Move      string          `json:"move,omitempty"`
	Decisions int64           `json:"decisions"`
	Theorem   string          `json:"theorem,omitempty"`
	// WrongEvent is the number of the first event that is wrong; 0: none is, or what is wrong is not an event.
	WrongEvent    int64   `json:"wrongEvent,omitempty"`
	WrongPosition string  `json:"wrongPosition,omitempty"`
	Problem       string  `json:"problem,omitempty"`
	CheckSeconds  float64 `json:"checkSeconds"`
	Seconds       float64 `json:"seconds"`
}

// report says what came of it, and returns the error that err is.
func (c *check) report(s *session, err error) error {
	var wrong *proofError
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	if s.settings.json() {
		return errors.Join(c.object(s, wrong), err)
	}
	if err != nil {
		return err
	}
	return show.Verified(s.out, c.shown())
}

func (c *check) shown() *show.Verdict {
	return &show.Verdict{
		Verdict: c.verdict, Position: c.position, Checking: c.spent, Took: time.Since(c.begun), Agree: c.agree, File: c.file,
	}
}

// object writes the verdict for programs.
func (c *check) object(s *session, wrong *proofError) (err error) {
	v := verification{
		Proved: c.verdict != nil, Agrees: wrong == nil,
		CheckSeconds: c.spent.Seconds(), Seconds: time.Since(c.begun).Seconds(),
	}
	if v.Position, err = show.RawJSON(c.position); err != nil {
		return err
	}
	if c.verdict != nil {
		if v.Solution, err = show.RawJSON(c.shown().Solution()); err != nil {
			return err
		}
		v.Move, v.Decisions = c.verdict.Move, c.verdict.Decisions
		if c.verdict.Theorem != zermelov1.Theorem_THEOREM_UNSPECIFIED {
			v.Theorem = c.verdict.Theorem.String()
		}
	}
	if wrong != nil {
		v.Problem = wrong.problem
	}
	if c.wrong != nil {
		v.WrongEvent, v.WrongPosition, v.Problem = c.wrong.Sequence, c.wrong.Position, c.wrong.Why
	}
	return show.Object(s.out, v)
}
