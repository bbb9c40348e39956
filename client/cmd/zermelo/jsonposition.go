package main

import (
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// jsonMost is how much of standard input is read: more than the largest request that a server receives.
const jsonMost = 64 << 20

type jsonCommand struct {
	Position jsonArguments `cmd:"" name:"position" help:"Any game: the position as JSON, as answers contain it."`
}

// jsonArguments are a position in JSON, or "-".
type jsonArguments struct {
	JSON string `arg:"" name:"json" help:"A zermelo.v1.Position in JSON; - reads it from standard input."`
}

// Help is shown below the usage.
func (*jsonArguments) Help() string {
	return `A position after a move, as answers with -o json contain it, can be asked about as it is.

    zermelo games -o json | jq '.games[0].example' | zermelo solve position -`
}

// Position is that of arguments.
func (a *jsonArguments) Position(stdin io.Reader) (*zermelov1.Position, error) {
	text, from := []byte(a.JSON), "the argument"
	if a.JSON == "-" {
		from = "standard input"
		var err error
		if text, err = io.ReadAll(io.LimitReader(stdin, jsonMost)); err != nil {
			return nil, fmt.Errorf("reading the position from standard input: %w", err)
		}
	}
	position := &zermelov1.Position{}
	if err := protojson.Unmarshal(text, position); err != nil {
		// The error of protojson varies in its spaces from build to build.
		return nil, usagef("solve position", "%s is not a position in JSON, of which games -o json has examples: %s", from,
			stableSpaces(err.Error()))
	}
	return position, nil
}

// Tell is that of arguments. Whoever types JSON knows the fields by their names.
func (*jsonArguments) Tell(path, description string) string {
	if path == "position" {
		return "the position: " + description
	}
	return path + " " + description
}

// stableSpaces replaces the no-break spaces that the protobuf library strews into its errors by plain ones.
func stableSpaces(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }
