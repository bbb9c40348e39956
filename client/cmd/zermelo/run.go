package main

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	"github.com/zermelo-games/zermelo/client/games"
)

// run is the whole program for some games: it does what the arguments say and returns the exit code. When ctx ends, so
// does it, with what is known until then.
func run(
	ctx context.Context, list games.List, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string,
) int {
	help := stdout
	if len(args) == 0 {
		help = stderr // nobody asked for it
	}
	p, err := parse(list, args, env, help)
	switch {
	case errors.Is(err, errHelp) && len(args) == 0:
		return exitUsage
	case errors.Is(err, errHelp):
		return exitOK
	case err != nil:
		return report(stderr, nil, err)
	}

	out := show.NewOutput(stdout, p.settings.style(stdout, env), list)
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
	if _, thinking := p.command.(*playCommand); !thinking { // where the time of each answer is limited
		var cancel context.CancelFunc
		ctx, cancel = p.deadline(ctx)
		defer cancel()
	}
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
	if way.waiting() && (errors.Is(cause, context.DeadlineExceeded) || cause == nil && status.Code(err) == codes.DeadlineExceeded) {
		cause = errNoServer
	}
	return &ended{err: err, cause: cause}
}
