package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
)

// run is the whole program: it does what the arguments say and returns the exit code. When ctx ends, so does it, with
// what is known until then.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	help := stdout
	if len(args) == 0 {
		help = stderr // nobody asked for it
	}
	p, err := parse(args, env, help)
	switch {
	case errors.Is(err, errHelp) && len(args) == 0:
		return exitUsage
	case errors.Is(err, errHelp):
		return exitOK
	case errors.Is(err, errVersion):
		p.command = versionCommand{}
	case err != nil:
		return report(stderr, nil, err)
	}

	out := show.NewOutput(stdout, p.settings.style(stdout, env))
	counter := newCounter(stderr, stdout, out)
	err = p.execute(ctx, &session{parsed: p, stdin: stdin, out: out, counter: counter})
	// What is known is written, also before an error.
	out.Flush()
	counter.clear()
	if err == nil {
		err = out.Err()
	}
	return report(stderr, p, err)
}

// execute runs the command against a server.
func (p *parsed) execute(ctx context.Context, s *session) error {
	ctx, cancel := p.deadline(ctx)
	defer cancel()
	if local, is := p.command.(interface{ offline() bool }); is && local.offline() {
		if err := p.command.run(ctx, s); err != nil {
			return &ended{err: err, cause: context.Cause(ctx)}
		}
		return nil
	}
	way, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer way.close()
	s.client = way.client
	err = p.command.run(way.ctx, s)
	if err == nil {
		return nil
	}
	// Who ended the call is known here, not from what the call made of it.
	cause := context.Cause(way.ctx)
	if errors.Is(cause, context.DeadlineExceeded) && way.waiting() {
		cause = errNoServer
	}
	return &ended{err: err, cause: cause}
}

// versionCommand is --version. The version of the engine is what a server says.
type versionCommand struct{}

func (versionCommand) run(ctx context.Context, s *session) error {
	catalogue, err := s.client.ListGames(ctx)
	if err != nil {
		return err
	}
	module := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		module = info.Main.Version
	}
	s.out.Line(fmt.Sprintf("%s %s engine %s", program, module, catalogue.GetEngineVersion()))
	return nil
}
