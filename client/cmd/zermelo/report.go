package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
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
		over       = &ended{}
		stream     *streamError
		usage      *usageError
		typing     *words.UsageError
		interrupt  interruption
		differing  *differences
		wrong      *proofError
		protocol   *client.ProtocolError
		afterwards string
	)
	errors.As(err, &over)
	if errors.As(err, &stream) {
		afterwards = " after " + stream.after
	}
	switch {
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		// Whoever read has seen enough.
		return complaint{code: exitSignal + int(syscall.SIGPIPE)}
	case errors.As(err, &usage):
		return complaint{usage.problem, seeHelp(usage.command), exitUsage}
	case errors.As(err, &typing):
		return complaint{typing.Problem, seeHelp(p.typed), exitUsage}
	case errors.As(err, &differing):
		return complaint{differing.Error(), "", exitFault}
	case errors.As(err, &wrong):
		if wrong.file != "" {
			return complaint{wrong.Error(), "What came of the proof is in " + wrong.file + ".", exitWrongProof}
		}
		return complaint{wrong.Error(), "", exitWrongProof}
	case errors.As(over.cause, &interrupt):
		return complaint{"interrupted" + afterwards, "", exitSignal + signalNumber(interrupt.signal)}
	case errors.Is(over.cause, errNoServer):
		if stream != nil && stream.begun {
			return complaint{fmt.Sprintf("the server at %s went away and did not come back within %v%s", p.settings.Addr,
				p.settings.ConnectTimeout, afterwards), "A longer --connect-timeout may do.", exitUnavailable}
		}
		return noServer(p, err)
	case errors.Is(over.cause, context.Canceled):
		return complaint{"interrupted" + afterwards, "", exitSignal + int(syscall.SIGINT)}
	case errors.Is(err, context.DeadlineExceeded): // before there was a call
		return late(p, afterwards)
	case errors.As(err, &protocol):
		return complaint{protocol.Error(), "Is that a Zermelo server, of a version like this one's?", exitFault}
	}
	if violations := client.Violations(err); violations != nil {
		return invalid(p, err, violations)
	}
	// Not status.FromError, which puts the texts of what wraps a status into its message.
	var answer interface{ GRPCStatus() *status.Status }
	if !errors.As(err, &answer) {
		return complaint{err.Error(), "", exitFault}
	}
	return refused(p, err, answer.GRPCStatus(), afterwards)
}

// refused is about a call that ended with a status.
func refused(p *parsed, err error, answer *status.Status, afterwards string) complaint {
	if client.Reason(err) == zermelov1.ErrorReason_ERROR_REASON_RESUME_TOKEN_MISMATCH {
		return complaint{"the server was replaced" + afterwards + " by one of another version, which cannot go on with the trace",
			"", exitFault}
	}
	switch answer.Code() {
	case codes.InvalidArgument:
		return complaint{answer.Message(), seeHelp(p.typed), exitUsage}
	case codes.ResourceExhausted:
		if client.Reason(err) != zermelov1.ErrorReason_ERROR_REASON_MEMO_BUDGET {
			return complaint{answer.Message(), "", exitBudget}
		}
		return complaint{memoSpent(err, afterwards), moreMemory(p), exitBudget}
	case codes.DeadlineExceeded:
		return late(p, afterwards)
	case codes.Unavailable:
		return complaint{"the server went away" + afterwards + ": " + answer.Message(), "", exitUnavailable}
	case codes.Unimplemented:
		return complaint{answer.Message(), "Is that a Zermelo server, of a version like this one's?", exitFault}
	default:
		text := answer.Message()
		if id := client.Metadata(err)["request_id"]; id != "" {
			text += " (request " + id + ")"
		}
		return complaint{fmt.Sprintf("%s%s: %s", strings.ToLower(answer.Code().String()), afterwards, text), "", exitFault}
	}
}

// late is about a command that took longer than it may.
func late(p *parsed, afterwards string) complaint {
	text := "no answer in time"
	if p.settings.Timeout > 0 {
		text = fmt.Sprintf("no answer within %v", p.settings.Timeout)
	}
	return complaint{text + afterwards, "A longer --timeout may do.", exitUnavailable}
}

// flagsOfRequest is how the fields of requests beside the position are typed.
var flagsOfRequest = map[string]string{
	"max_moves":     "--moves",
	"max_events":    "--max-events",
	"max_positions": "--max-positions",
	"detail":        "--detail",
	"memo_policy":   "--memo",
	"outcome":       "--outcome",
	"proof_form":    "--proof-form",
	"max_depth":     "--max-depth",
	"kinds":         "--kinds",
	"sample_every":  "--sample-every",
}

var (
	// detailElse is a detail that is named beside the one that is asked for.
	detailElse = regexp.MustCompile(`(^|[^s]) DETAIL_`)
	enumValue  = regexp.MustCompile(`\b(?:MEMO_POLICY|OUTCOME|DETAIL|PROOF_FORM|EVENT_KIND|THEOREM)_([A-Z_]+)\b`)
	// otherField is a field of the request within a description.
	otherField = regexp.MustCompile("`([a-z_]+)`")
	element    = regexp.MustCompile(`\[\d+\]$`)
)

// plainEnum writes values of enums as they are typed: "memo-hit" for EVENT_KIND_MEMO_HIT.
func plainEnum(text string) string {
	return enumValue.ReplaceAllStringFunc(text, func(name string) string {
		return strings.ReplaceAll(strings.ToLower(enumValue.FindStringSubmatch(name)[1]), "_", "-")
	})
}

// invalid is about fields of the request.
func invalid(p *parsed, err error, violations []client.Violation) complaint {
	var problems []string
	for _, v := range violations {
		description := strings.ReplaceAll(v.Description, "set skip_distance to do", "--skip-distance does")
		description = plainEnum(detailElse.ReplaceAllString(description, "$1 --detail DETAIL_"))
		if flag, is := flagsOfRequest[element.ReplaceAllString(v.Field, "")]; is {
			description = otherField.ReplaceAllStringFunc(description, func(name string) string {
				if flag, is := flagsOfRequest[strings.Trim(name, "`")]; is {
					return flag
				}
				return name
			})
			problems = append(problems, flag+" "+description)
		} else {
			problems = append(problems, p.arguments.Tell(v.Field, description))
		}
	}
	hint := seeHelp(p.typed)
	if client.Reason(err) == zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT &&
		strings.Contains(violations[0].Description, "memo budget") {
		hint = moreMemory(p)
	}
	return complaint{strings.Join(problems, "\n  "), hint, exitUsage}
}

// memoSpent says which budget was spent.
func memoSpent(err error, afterwards string) string {
	metadata := client.Metadata(err)
	text := "the memory for the search"
	if budget, err := strconv.ParseInt(metadata["budget_bytes"], 10, 64); err == nil {
		text += ", " + config.Bytes(budget).String() + ","
	}
	text += " is spent" + afterwards
	if entered, err := strconv.ParseInt(metadata["positions_expanded"], 10, 64); err == nil {
		joint := " after "
		if afterwards != "" {
			joint = " and "
		}
		text += joint + show.Counted(entered, "position") + " entered"
	}
	return text
}

// moreMemory is what to do for a search that needs more.
func moreMemory(p *parsed) string {
	if p.settings.Addr != "" {
		return "A server with a larger --memo-budget may do."
	}
	return fmt.Sprintf("A larger --memo-budget than %v may do.", p.settings.MemoBudget)
}

// noServer is about an address at which there is none.
func noServer(p *parsed, err error) complaint {
	why := ""
	// What gRPC says about the connection is behind what it says about the call.
	if _, connection, found := strings.Cut(err.Error(), "connection error: desc = "); found {
		if at := strings.LastIndex(connection, ": "); at >= 0 {
			connection = connection[at+2:]
		}
		why = " (" + strings.Trim(connection, `"`) + ")"
	}
	return complaint{
		fmt.Sprintf("no server answers at %s%s", p.settings.Addr, why),
		fmt.Sprintf("Start one with zermelod --listen %s, or leave out --addr.", p.settings.Addr),
		exitUnavailable,
	}
}

// seeHelp names the help for a command.
func seeHelp(command string) string {
	if command == "" {
		return "See " + program + " --help."
	}
	return "See " + program + " " + command + " --help."
}

func signalNumber(s os.Signal) int {
	if number, is := s.(syscall.Signal); is {
		return int(number)
	}
	return int(syscall.SIGINT)
}
