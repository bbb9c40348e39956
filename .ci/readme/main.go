// Command readme runs the commands that pages show and compares what comes out, so that the pages stay true.
//
//	readme [-update] README.md client/cmd/zermelo/TOUR.md
//
// In blocks marked `console`, a line that begins with `$ ` is a command, continued while lines end in a backslash; the
// lines up to the next command are its output. White space does not count, since the JSON of Protobuf has different
// amounts of it in every build, and neither does the time that an answer took. A line with nothing but `…` stands for any
// output. With -update, output that differs is written into the page, unless it has such a line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

func main() {
	update := flag.Bool("update", false, "write what comes out into the pages")
	flag.Parse()
	status := 0
	for _, page := range flag.Args() {
		if err := check(page, *update); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", page, err)
			status = 1
		}
	}
	os.Exit(status)
}

// commandTime bounds one command; on a new machine the first ones build.
const commandTime = 5 * time.Minute

var (
	block = regexp.MustCompile("(?ms)^```console\n.*?^```$")
	// step is a command and the output that the page shows.
	step = regexp.MustCompile(`(?m)^\$ ((?:.*\\\n)*.*\n)((?:(?:[^$\x60\n].*|\$[^ ].*)?\n)*)`)
	// rest is the line that stands for any output.
	rest = regexp.MustCompile(`(?m)^ *…\n`)
	// tools is what the go command and make say of themselves.
	tools = regexp.MustCompile(`(?m)^(go: downloading |exit status |make\[).*\n`)
	// took is how long something took: in the JSON of a response, or as people read it.
	took  = regexp.MustCompile(`"elapsed":\s*"[^"]*"|[0-9.]+\s*(ns|µs|ms|s)\b`)
	space = regexp.MustCompile(`\s+`)
)

func check(page string, update bool) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	same := 0
	var failed []error
	now := block.ReplaceAllStringFunc(string(text), func(shown string) string {
		return step.ReplaceAllStringFunc(shown, func(shown string) string {
			parts := step.FindStringSubmatch(shown)
			command, want := parts[1], parts[2]
			got, err := run(command)
			switch {
			case err == nil && matches(want, got):
				same++
			case err == nil && update && !rest.MatchString(want):
				return "$ " + command + strings.TrimRight(got, "\n") + "\n"
			default:
				failed = append(failed, fmt.Errorf("$ %s--- shown\n%s--- now\n%s", command, want, got), err)
			}
			return shown
		})
	})
	_, _ = fmt.Fprintf(os.Stdout, "%s: %d commands print what it shows\n", page, same)
	if now != string(text) {
		failed = append(failed, os.WriteFile(page, []byte(now), 0o644))
	}
	return errors.Join(failed...)
}

// run returns what a command prints on both outputs. Its exit code does not matter, since the pages show errors too.
func run(command string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), commandTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, "bash", "-c", command).CombinedOutput()
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.Exited() {
		err = nil
	}
	return tools.ReplaceAllString(string(out), ""), err
}

func matches(want, got string) bool {
	parts := rest.Split(want, -1)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(normal(part))
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString(normal(got))
}

// normal is a text without its white space and times.
func normal(text string) string {
	return space.ReplaceAllString(took.ReplaceAllString(text, "TIME"), "")
}
