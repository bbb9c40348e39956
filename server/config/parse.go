package config

import (
	"fmt"
	"io"
	"strings"

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
		vars(program.Version),
	)
	if err != nil {
		return Config{}, fmt.Errorf("config: the flags are declared wrongly: %w", err)
	}
	if _, err := parser.Parse(args); err != nil {
		return Config{}, err
	}
	return flags.Config, nil
}

// vars are what the tags of Config refer to: the defaults, under the names of their flags.
func vars(version string) kong.Vars {
	v := kong.Vars{"version": version}
	for name, value := range Default().InForce() {
		v["default_"+strings.ReplaceAll(name, "-", "_")] = fmt.Sprint(value)
	}
	v["default_log_level"] = strings.ToLower(v["default_log_level"])
	return v
}
