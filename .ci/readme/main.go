// Command readme runs what the README and the pages beside it show and compares what comes out, so that they stay true.
//
//	readme [-update] README.md client/cmd/zermelo/TOUR.md
//
// In blocks marked `console`, a line that begins with `$ ` is a command, continued while lines end in a backslash; the
// lines up to the next command are its output. White space does not count, since the JSON of Protobuf has different
// amounts of it in every build, and neither does the time that an answer took. A line with nothing but `…` stands for any output.
// Blocks marked `go` are whole programs; the block marked `text` after one is its output. The server of `make run` is
// started first, from the same source, and stopped at the end.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// commandTime bounds one command; on a new machine the first ones build.
const commandTime = 5 * time.Minute

// address is where the README's server listens.
const address = "127.0.0.1:50051"

func main() {
	update := flag.Bool("update", false, "write what comes out into the pages")
	flag.Parse()
	if err := checkAll(context.Background(), flag.Args(), *update, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func checkAll(ctx context.Context, files []string, update bool, out io.Writer) (err error) {
	if len(files) == 0 {
		return errors.New("name the pages")
	}
	stop, err := serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	for _, file := range files {
		_, _ = fmt.Fprintln(out, "==  ", file)
		if failed := check(ctx, file, update, out); failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", file, failed))
		}
	}
	return err
}

func check(ctx context.Context, file string, update bool, out io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	steps, err := parse(string(text))
	if err != nil {
		return err
	}
	passed, failed := 0, 0
	for _, s := range steps {
		got, err := s.run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if matches(s.want, got) {
			passed++
			_, _ = fmt.Fprintln(out, "ok  ", s.name)
			continue
		}
		if update && s.shown != "" && !strings.Contains(s.want, elision) {
			text = []byte(strings.Replace(string(text), s.shown+s.want, s.shown+strings.TrimRight(got, "\n")+"\n", 1))
			passed++
			_, _ = fmt.Fprintln(out, "new ", s.name)
			continue
		}
		failed++
		_, _ = fmt.Fprintf(out, "FAIL %s\n--- shown\n%s\n--- now\n%s\n", s.name, s.want, got)
	}
	if update {
		err = os.WriteFile(file, text, 0o644)
	}
	if failed > 0 || passed == 0 {
		err = errors.Join(err, fmt.Errorf("%d commands differ, %d are as shown", failed, passed))
	}
	return err
}

// step is a command, or a program, with the output that the page shows.
type step struct {
	name string
	// shown is how the page shows the command; empty for a program.
	shown string
	run   func(context.Context) (string, error)
	want  string
}

// elision, alone on a line, stands for any output.
const elision = "…"

var elided = regexp.MustCompile(`\n *` + elision + `\n`)

var fence = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

func parse(text string) ([]step, error) {
	var steps []step
	program := false // the block before was a program without output yet
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		language, body := block[1], block[2]
		switch {
		case language == "console":
			steps = append(steps, commands(body)...)
		case language == "go":
			steps = append(steps, step{name: "the Go program", run: goProgram(body)})
		case language == "text" && program:
			steps[len(steps)-1].want = body
		}
		program = language == "go"
	}
	if len(steps) == 0 {
		return nil, errors.New("no commands")
	}
	return steps, nil
}

func commands(body string) []step {
	var steps []step
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			if len(steps) > 0 {
				steps[len(steps)-1].want += lines[i] + "\n"
			}
			continue
		}
		for strings.HasSuffix(command, "\\") && i+1 < len(lines) {
			i++
			command += "\n" + lines[i]
		}
		steps = append(steps, step{name: command, shown: "$ " + command + "\n", run: shell(command)})
	}
	return steps
}

// shell runs a command and returns what it prints on both outputs. Its exit code does not matter: the README shows
// errors too.
func shell(command string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, commandTime)
		defer cancel()
		out, err := exec.CommandContext(ctx, "bash", "-c", command).CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) && ctx.Err() == nil {
			err = nil
		}
		return withoutTools(out), err
	}
}

func goProgram(body string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		// Within the module, so that its packages are found; with a dot, so that `./...` does not find it.
		dir, err := os.MkdirTemp(".", ".readme")
		if err != nil {
			return "", err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(body), 0o600); err != nil {
			return "", err
		}
		return shell("go run ./" + dir)(ctx)
	}
}

// withoutTools removes what the go command and make say of themselves.
func withoutTools(out []byte) string {
	var kept []string
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "go: downloading ") && !strings.HasPrefix(line, "exit status ") &&
			!strings.HasPrefix(line, "make[") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

var (
	space = regexp.MustCompile(`\s+`)
	// took is how long something took: in the JSON of a response, or as people read it.
	took = regexp.MustCompile(`"elapsed":"[^"]*"|[0-9.]+ ?(ns|µs|ms|s)\b`)
)

func normalize(text string) string {
	return space.ReplaceAllString(took.ReplaceAllString(space.ReplaceAllString(text, " "), "TIME"), "")
}

func matches(want, got string) bool {
	pattern := "^"
	for i, part := range elided.Split("\n"+want, -1) {
		if i > 0 {
			pattern += ".*"
		}
		pattern += regexp.QuoteMeta(normalize(strings.ReplaceAll(part, `": "`, `":"`)))
	}
	return regexp.MustCompile(pattern + "$").MatchString(normalize(strings.ReplaceAll(space.ReplaceAllString(got, " "), `": "`, `":"`)))
}

// serve builds the server, starts it and waits until it answers.
func serve(ctx context.Context) (stop func() error, err error) {
	dir, err := os.MkdirTemp("", "zermelo-readme")
	if err != nil {
		return nil, err
	}
	binary := filepath.Join(dir, "zermelod")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "./server/cmd/zermelod").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	var log bytes.Buffer
	server := exec.CommandContext(ctx, binary, "--listen", address, "--drain-delay", "0s")
	server.Stderr = &log
	if err := server.Start(); err != nil {
		return nil, err
	}
	stop = func() error {
		_ = server.Process.Signal(syscall.SIGTERM)
		err := server.Wait()
		return errors.Join(err, os.RemoveAll(dir))
	}
	for range 100 {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err == nil {
			return stop, conn.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil, errors.Join(fmt.Errorf("no server at %s: %s", address, &log), stop())
}
