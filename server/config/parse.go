package config

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// Program describes the program whose settings are parsed.
type Program struct {
	// Name is the program's name, as its usage shows it.
	Name string
	// Description is the text under the usage line.
	Description string
	// Version is the line that --version prints.
	Version string
	// Stdout receives what --help and --version print.
	Stdout io.Writer
	// Exit ends the program after --help and --version, with status 0.
	Exit func(code int)
}

// Parse reads the settings from the arguments (without the program's name) and the environment; an argument goes before
// its twin in the environment. It does not verify them. The error is the caller's mistake and names the flag.
func Parse(program Program, args []string) (Config, error) {
	var flags struct {
		Config
		Version kong.VersionFlag `help:"Print the version and exit."`
	}
	parser, err := kong.New(&flags,
		kong.Name(program.Name),
		kong.Description(program.Description),
		kong.Writers(program.Stdout, io.Discard),
		kong.Exit(program.Exit),
		kong.Vars{
			"version":              program.Version,
			"default_listen":       DefaultListen,
			"default_admin_listen": DefaultAdminListen,
			"default_memo_budget":  DefaultMemoBudget.String(),
			"default_memory":       DefaultMemory.String(),
			"default_cache":        DefaultCache.String(),
			"default_max_solves":   strconv.Itoa(DefaultMaxSolves),
			"default_max_streams":  strconv.Itoa(DefaultMaxStreams),
			"default_log_format":   DefaultLogFormat,
			"default_log_level":    strings.ToLower(DefaultLogLevel.String()),
			"default_drain_delay":  DefaultDrainDelay.String(),
			"default_drain_grace":  DefaultDrainGrace.String(),
			"default_stall_limit":  DefaultStallLimit.String(),

			"default_reflection":               DefaultReflection,
			"default_client_streams":           strconv.Itoa(DefaultClientStreams),
			"default_client_rate":              strconv.Itoa(DefaultClientRate),
			"default_max_solve_time":           DefaultMaxSolveTime.String(),
			"default_max_stream_time":          DefaultMaxStreamTime.String(),
			"default_max_connection_age":       time.Duration(DefaultMaxConnectionAge).String(),
			"default_max_connection_age_grace": DefaultMaxConnectionAgeGrace.String(),
			"default_max_request_bytes":        DefaultMaxRequestBytes.String(),
		},
	)
	if err != nil {
		return Config{}, fmt.Errorf("config: the flags are declared wrongly: %w", err)
	}
	if _, err := parser.Parse(args); err != nil {
		return Config{}, err
	}
	return flags.Config, nil
}
