package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// The exit codes, as --help lists them.
const (
	exitOK          = 0
	exitFault       = 1
	exitUsage       = 2
	exitBudget      = 3
	exitUnavailable = 4
	exitWrongProof  = 5
	// exitSignal is for signals, as shells have it: 128 and the signal's number.
	exitSignal = 128
)

// interruption is why a context ended that a signal ended.
type interruption struct{ signal os.Signal }

func (i interruption) Error() string { return i.signal.String() }

// number is that of the signal.
func (i interruption) number() int {
	if number, is := i.signal.(syscall.Signal); is {
		return int(number)
	}
	return int(syscall.SIGINT)
}

// ended is the error of a command, with the cause of the end of its context, nil while that goes on.
type ended struct {
	err, cause error
}

func (e *ended) Error() string { return e.err.Error() }
func (e *ended) Unwrap() error { return e.err }

// complaint is an error as it is put to the person who typed.
type complaint struct {
	text string
	hint string // what to type instead; may be empty
	code int
}

const otherVersion = "Is that a Zermelo server, of a version like this one's?"

// report writes an error, with what to type instead, and returns the exit code. p is what was typed, nil when that is
// what is wrong.
func report(stderr io.Writer, p *parsed, err error) int {
	if err == nil {
		return exitOK
	}
	c := complain(p, err)
	if c.text != "" {
		_, _ = fmt.Fprintf(stderr, "%s: %s\n", program, c.text) // there is nowhere to say that it failed
	}
	if c.hint != "" {
		_, _ = fmt.Fprintln(stderr, c.hint)
	}
	return c.code
}

// complain finds what there is to say about an error.
func complain(p *parsed, err error) complaint {
	var (
		over      = &ended{}
		stream    *streamError
		usage     *usageError
		typing    *words.UsageError
		interrupt interruption
		wrong     *proofError
		protocol  *client.ProtocolError
		// Not status.FromError, which puts the texts of what wraps a status into its message.
		answer interface{ GRPCStatus() *status.Status }
		after  string
	)
	errors.As(err, &over)
	if errors.As(err, &stream) {
		after = " after " + stream.after
	}
	switch {
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		// The reader of the output has closed it.
		return complaint{code: exitSignal + int(syscall.SIGPIPE)}
	case errors.As(err, &usage):
		return complaint{usage.problem, seeHelp(usage.command), exitUsage}
	case errors.As(err, &typing):
		return complaint{typing.Problem, seeHelp(p.typed), exitUsage}
	case errors.As(err, &wrong):
		hint := ""
		if wrong.file != "" {
			hint = "What was received of the proof is in " + wrong.file + "."
		}
		return complaint{wrong.Error(), hint, exitWrongProof}
	case errors.As(over.cause, &interrupt):
		return complaint{"interrupted" + after, "", exitSignal + interrupt.number()}
	case errors.Is(over.cause, errNoServer):
		return noServer(p, err, stream)
	case errors.Is(over.cause, context.Canceled):
		return complaint{"interrupted" + after, "", exitSignal + int(syscall.SIGINT)}
	case errors.Is(over.cause, context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return late(p, after)
	case errors.As(err, &protocol):
		return complaint{protocol.Error(), otherVersion, exitFault}
	case !errors.As(err, &answer):
		return complaint{err.Error(), "", exitFault}
	default:
		return refused(p, err, answer.GRPCStatus(), after)
	}
}

// refused is about a call that ended with a status: by its reason where it has one of its own, or else by its code.
func refused(p *parsed, err error, answer *status.Status, after string) complaint {
	text := answer.Message()
	if violations := client.Violations(err); violations != nil {
		text = invalid(p, violations)
	}
	switch client.Reason(err) {
	case zermelov1.ErrorReason_ERROR_REASON_RESUME_TOKEN_MISMATCH:
		return complaint{"the server was replaced" + after + " by one of another version, which cannot go on with the trace", "",
			exitFault}
	case zermelov1.ErrorReason_ERROR_REASON_BUDGET_LIMIT:
		return complaint{text, moreMemory(p, client.Metadata(err)["setting"]), exitUsage}
	case zermelov1.ErrorReason_ERROR_REASON_GAME_UNKNOWN:
		return complaint{text, "The games that are known here are " + p.games.Names() + ".", exitUsage}
	default:
	}
	if after != "" {
		text = "ended" + after + ": " + text
	}
	switch answer.Code() {
	case codes.InvalidArgument:
		return complaint{text, seeHelp(p.typed), exitUsage}
	case codes.ResourceExhausted:
		return complaint{text, "", exitBudget}
	case codes.DeadlineExceeded:
		return late(p, after)
	case codes.Unavailable:
		return complaint{"the server went away: " + text, "", exitUnavailable}
	case codes.Unimplemented:
		return complaint{text, otherVersion, exitFault}
	default:
		if id := client.Metadata(err)["request_id"]; id != "" {
			text += " (request " + id + ")"
		}
		return complaint{strings.ToLower(answer.Code().String()) + ": " + text, "", exitFault}
	}
}

// late is about an answer that took longer than it may.
func late(p *parsed, after string) complaint {
	text := "no answer in time"
	if p.settings.Timeout > 0 {
		text = fmt.Sprintf("no answer within %v", p.settings.Timeout)
	}
	return complaint{text + after, "A longer --timeout may be enough.", exitUnavailable}
}

// flags are those of the fields of requests that are not called like their field.
var flags = map[string]string{"max_moves": "moves", "memo_policy": "memo"}

// invalid is about fields of the request: how each was typed, and what the server says of it.
func invalid(p *parsed, violations []client.Violation) string {
	var problems []string
	for _, v := range violations {
		name, _, _ := strings.Cut(v.Field, "[")
		flag, renamed := flags[name]
		switch {
		case name == "position" || strings.Contains(name, "."):
			problems = append(problems, p.arguments.Tell(v.Field, v.Description))
			continue
		case !renamed:
			flag = strings.ReplaceAll(name, "_", "-")
		}
		problems = append(problems, "--"+flag+" "+v.Description)
	}
	return strings.Join(problems, "\n  ")
}

// memoBudget is the setting of a server that can be set here too, for the one in this process.
const memoBudget = "--memo-budget"

// moreMemory is what to do where a setting of the server gives too little memory.
func moreMemory(p *parsed, setting string) string {
	if p.settings.Addr != "" || setting != memoBudget {
		return "A server with a larger " + setting + " may have room for it."
	}
	return fmt.Sprintf("A larger %s than %v may be enough.", memoBudget, p.settings.MemoBudget)
}

// noServer is about an address at which there is none, or none any more.
func noServer(p *parsed, err error, stream *streamError) complaint {
	if stream != nil && stream.begun {
		return complaint{fmt.Sprintf("the server at %s went away and did not come back within %v after %s", p.settings.Addr,
			p.settings.ConnectTimeout, stream.after), "A longer --connect-timeout may be enough.", exitUnavailable}
	}
	text := "no server answers at " + p.settings.Addr
	// What gRPC says of the last attempt tells a wrong port from a wrong certificate.
	var answer interface{ GRPCStatus() *status.Status }
	if errors.As(err, &answer) {
		text += " (" + answer.GRPCStatus().Message() + ")"
	}
	return complaint{text, fmt.Sprintf("Start one with zermelod --listen %s, or leave out --addr.", p.settings.Addr), exitUnavailable}
}

// seeHelp names the help for a command.
func seeHelp(command string) string {
	return "See " + strings.Join(strings.Fields(program+" "+command+" --help."), " ")
}
