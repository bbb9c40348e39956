package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
	"github.com/zermelo-games/zermelo/client/games"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/version"
)

// program is the name under which the program speaks of itself.
const program = "zermelo"

// commandLine is the grammar.
type commandLine struct {
	Solve     solveCommand     `cmd:"" help:"Who wins, by how much or at what cost, and the best moves."`
	Analyze   analyzeCommand   `cmd:"" help:"Every move, best first: its value and how far the end is."`
	Play      playCommand      `cmd:"" help:"Play against the solver."`
	Explain   explainCommand   `cmd:"" help:"Follow the search that decides a position, decision by decision."`
	Verify    verifyCommand    `cmd:"" help:"Have a position proved, or read a proof, and check it without trusting anybody."`
	Positions positionsCommand `cmd:"" help:"List every position that can be reached, with its value."`
	Games     gamesCommand     `cmd:"" help:"List the games: rules, notation, limits."`
	Demo      demoCommand      `cmd:"" help:"Solve the examples of the sources and compare with their figures."`

	settings `group:"Flags of all commands:"`
}

// settings are the flags that all commands have.
type settings struct {
	Addr           string           `name:"addr" placeholder:"HOST:PORT" help:"Call the server there instead of running one in this process ($$ZERMELO_ADDR)."`
	TLS            bool             `name:"tls" help:"Call it over TLS and trust the authorities of the system."`
	TLSCA          string           `name:"tls-ca" placeholder:"FILE" help:"Call it over TLS and trust the authorities in FILE, PEM ($$ZERMELO_TLS_CA)."`
	TLSCert        string           `name:"tls-cert" placeholder:"FILE" help:"Certificate to show to the server, PEM; needs --tls-key ($$ZERMELO_CLIENT_CERT)."`
	TLSKey         string           `name:"tls-key" placeholder:"FILE" help:"Its key, PEM ($$ZERMELO_CLIENT_KEY)."`
	TokenFile      string           `name:"token-file" placeholder:"FILE" help:"File with the token to send, over TLS only ($$ZERMELO_CLIENT_TOKEN_FILE)."`
	InsecureToken  bool             `name:"insecure-token" help:"Send the token without TLS too, where others can read it."`
	ConnectTimeout time.Duration    `name:"connect-timeout" default:"5s" placeholder:"TIME" help:"How long to wait for a server to be there; 0s: for ever. Default: 5s."`
	Timeout        time.Duration    `name:"timeout" default:"0s" placeholder:"TIME" help:"How long the command may take in all, such as 30s or 5m. In play, how long each answer may take. Default: no limit, and 5m for solve, analyze, games and each answer of play."`
	MemoBudget     config.Bytes     `name:"memo-budget" default:"${memo_budget}" placeholder:"BYTES" help:"Memory for one search in this process; a server at --addr has its own ($$ZERMELO_MEMO_BUDGET). Default: ${memo_budget}."`
	Output         string           `name:"output" short:"o" enum:"text,json" default:"text" placeholder:"text|json" help:"Text for people or JSON for programs. Default: text."`
	Color          string           `name:"color" enum:"auto,always,never" default:"auto" placeholder:"WHEN" help:"auto, always or never. Auto: on a terminal, unless $$NO_COLOR is set. Default: auto."`
	ASCII          bool             `name:"ascii" help:"Leave out characters beyond ASCII, as where the locale has no UTF-8."`
	Version        kong.VersionFlag `name:"version" help:"Print version, commit and engine version, and exit."`
}

// json reports whether programs read the output.
func (s *settings) json() bool { return s.Output == "json" }

// environment are the flags that have a twin in the environment.
var environment = map[string]string{
	"addr": "ZERMELO_ADDR", "memo-budget": "ZERMELO_MEMO_BUDGET", "tls-ca": "ZERMELO_TLS_CA",
	"tls-cert": "ZERMELO_CLIENT_CERT", "tls-key": "ZERMELO_CLIENT_KEY", "token-file": "ZERMELO_CLIENT_TOKEN_FILE",
}

// remote are the flags that are for a server at --addr alone.
var remote = []string{"tls", "tls-ca", "tls-cert", "tls-key", "token-file", "insecure-token"}

// description is what --help says, below its first sentence and examples. It is laid out by hand.
const description = `Answers are for the player to move. Without --addr a server runs in this
process, and calls take the same way as those to any other.

With -o json, solve, analyze and games print the answer as the service gives
it, in the JSON of protobuf. Explain and positions print one message a line as
they come:
  explain    {"opening": ...}, then {"events": {"events": [...]}} with one event
             each, then {"summary": ...}
  positions  {"positions": {"positions": [...]}} with one position each, then
             {"summary": ...}
Verify, and explain with --save, print an object of their own.

Exit codes:
    0  answered
    1  a fault: of the server, of the connection, or of writing the answer
    2  what was typed or asked is not valid
    3  the memory for the search is used up (--memo-budget)
    4  no server, or no answer in time
    5  the proof is wrong, or proves another value than the server's answer
  130  interrupted (143: terminated)
  141  the reader of the output went away`

// command is one verb, parsed.
type command interface {
	run(ctx context.Context, s *session) error
}

// parsed is what was typed.
type parsed struct {
	games     games.List
	settings  settings
	command   command
	arguments arguments       // nil where the verb has no game
	typed     string          // the command as it was typed: "solve nim"
	given     map[string]bool // the flags that were typed
}

// errHelp says that help or the version was printed, which is all that was asked for.
var errHelp = errors.New("help is asked for")

// parse reads the arguments and the environment. Help and version go to stdout. Errors: errHelp, a *usageError.
func parse(list games.List, args []string, env func(string) string, stdout io.Writer) (*parsed, error) {
	cli := &commandLine{}
	for _, verb := range []*kong.Plugins{
		&cli.Solve.Games, &cli.Analyze.Games, &cli.Play.Games, &cli.Explain.Games, &cli.Verify.Games, &cli.Positions.Games,
	} {
		*verb = gameCommands(list)
	}
	helped := false
	parser, err := kong.New(cli,
		kong.Name(program),
		kong.Writers(stdout, io.Discard),
		kong.Exit(func(int) { helped = true }),
		kong.Resolvers(environmentResolver(env)),
		kong.ConfigureHelp(kong.HelpOptions{
			Compact: true, NoExpandSubcommands: true, FlagsLast: true, NoAppDescFormat: true, WrapUpperBound: 80,
		}),
		kong.Vars{
			"memo_budget": config.Default().MemoBudget.String(), "tree_most": strconv.Itoa(show.TreeMost),
			"kinds": typedNames[zermelov1.EventKind](), "proof_form_help": proofFormHelp, "save_help": saveHelp,
			"version": version.Of(program, engine.Version),
		},
	)
	if err != nil {
		return nil, fmt.Errorf("the grammar of the command line is wrong: %w", err)
	}
	explainGames(parser.Model, list)
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsing, err := parser.Parse(prepare(list, args))
	switch {
	case helped:
		return nil, errHelp
	case err != nil:
		return nil, mistake(list, err)
	}

	p := &parsed{games: list, settings: cli.settings, typed: typed(parsing), given: map[string]bool{}}
	for _, path := range parsing.Path {
		if path.Flag != nil && !path.Resolved {
			p.given[path.Flag.Name] = true
		}
		if path.Command == nil {
			continue
		}
		switch target := path.Command.Target.Addr().Interface().(type) {
		case command:
			p.command = target
		case arguments:
			p.arguments = target
		default:
			if game, is := list.Find(path.Command.Name); is {
				p.arguments = typedFor(game.Game, path.Command.Target)
			}
		}
	}
	return p, p.check()
}

// check finds what the grammar cannot.
func (p *parsed) check() error {
	s := &p.settings
	switch {
	case s.Timeout < 0:
		return usagef(p.typed, "--timeout is %v; it cannot be negative", s.Timeout)
	case s.ConnectTimeout < 0:
		return usagef(p.typed, "--connect-timeout is %v; it cannot be negative", s.ConnectTimeout)
	case (s.TLSCert == "") != (s.TLSKey == ""):
		return usagef(p.typed, "--tls-cert and --tls-key go together: name both files, or neither")
	case s.TokenFile != "" && s.Addr != "" && !s.TLS && s.TLSCA == "" && s.TLSCert == "" && !s.InsecureToken:
		return usagef(p.typed, "--token-file without TLS would let others read the token; add --tls or --tls-ca, or say --insecure-token")
	case s.Addr != "" && p.given["memo-budget"]:
		return usagef(p.typed, "--memo-budget is for the server in this process; the one at %s has its own", s.Addr)
	}
	for _, flag := range remote {
		if s.Addr == "" && p.given[flag] {
			return usagef(p.typed, "--%s is for a server elsewhere; name it with --addr", flag)
		}
	}
	return nil
}

// environmentResolver gives flags that were not typed the values that the environment has for them.
func environmentResolver(env func(string) string) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		if value := env(environment[flag.Name]); environment[flag.Name] != "" && value != "" {
			return value, nil
		}
		return nil, nil
	})
}

var negative = regexp.MustCompile(`^-[0-9][0-9,-]*$`)

// prepare changes arguments that kong would take for something else. Negative numbers have to pass for values, where kong
// takes everything that begins with a hyphen for a flag; no flag is called by a digit. And games may be called by their
// fields, as programs know them: can_i_win.
func prepare(list games.List, args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		flag, value, assigned := strings.Cut(arg, "=")
		game, isGame := list.Find(arg)
		switch {
		case arg == "--":
			return args
		case negative.MatchString(arg):
			args[i] = hyphenMinus + arg[1:]
		case assigned && strings.HasPrefix(flag, "--") && negative.MatchString(value):
			args[i] = flag + "=" + hyphenMinus + value[1:]
		case isGame:
			args[i] = game.Command()
		}
	}
	return args
}

// limit is the value of a flag that limits what is shown; 0 is no limit.
type limit int64

// UnmarshalText reads a whole number that is not negative.
func (l *limit) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a number from 0 up; leave it out for no limit",
			strings.ReplaceAll(string(text), hyphenMinus, "-"))
	}
	*l = limit(n)
	return nil
}

// typed is the command that was typed, as far as it was understood: "solve nim".
func typed(c *kong.Context) string {
	var words []string
	for _, path := range c.Path {
		if path.Command != nil && !path.Command.Hidden {
			words = append(words, path.Command.Name)
		}
	}
	return strings.Join(words, " ")
}

// usageError says that what was typed cannot be meant.
type usageError struct {
	problem string
	command string // as far as it was understood: "solve nim"
}

func (e *usageError) Error() string { return e.problem }

func usagef(command, format string, args ...any) error {
	return &usageError{problem: fmt.Sprintf(format, args...), command: command}
}

// mistake says what is wrong with arguments that kong does not accept.
func mistake(list games.List, err error) error {
	var parsing *kong.ParseError
	if !errors.As(err, &parsing) || parsing.Context == nil {
		return &usageError{problem: err.Error()}
	}
	so := typed(parsing.Context)
	problem := strings.ReplaceAll(err.Error(), hyphenMinus, "-")
	node := parsing.Context.Model.Node
	if selected := parsing.Context.Selected(); selected != nil {
		node = selected
	}
	rest := parsing.Context.Path[len(parsing.Context.Path)-1].Remainder()
	if len(node.Children) == 0 || len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		return &usageError{problem: problem, command: so}
	}
	// A command is missing, or is not one that there is.
	var commands []string
	for _, child := range node.Children {
		commands = append(commands, child.Name)
	}
	switch {
	case so != "" && len(rest) > 0:
		return usagef(so, "%q is not a game that is known here; the games are %s", rest[0], list.Names())
	case so != "":
		return usagef(so, "say which game, as in %s %s %s; the games are %s", program, so, list[0].Example(), list.Names())
	case len(rest) == 0:
		return usagef(so, "say what to do: the commands are %s", show.Listed(commands))
	}
	if game, is := list.Find(rest[0]); is {
		return usagef(so, "say what to do with %s: %s solve %s, for one", game.Command(), program, game.Example())
	}
	return usagef(so, "%q is not a command; the commands are %s", rest[0], show.Listed(commands))
}
