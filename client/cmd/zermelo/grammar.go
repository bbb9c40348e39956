package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/zermelo-games/zermelo/client/games"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// hyphenMinus is what stands for the minus of a negative number while the command line is parsed: a parser takes the
// "-3" of a row of scores for a flag. It is U+2212, which typography uses and which nobody has to type.
const hyphenMinus = "−"

// arguments are what was typed after the name of a game.
type arguments interface {
	// Position is the position that was typed. stdin is read only where the arguments say so. Errors are a
	// *words.UsageError, or those of stdin.
	Position(stdin io.Reader) (*zermelov1.Position, error)
	// Tell says what a server found wrong with a field of the position in terms of what was typed: the field
	// "position.guess_number.low", which "is 0", makes "--low is 0".
	Tell(path, description string) string
}

// gameCommands makes the sub-commands of one verb, one a game and one for positions in JSON: pointers to structs whose
// tags are the grammar. Each verb needs a set of its own, since the arguments are stored there.
func gameCommands(list games.List) kong.Plugins {
	var commands kong.Plugins
	for _, game := range list {
		command := reflect.StructOf([]reflect.StructField{{
			Name: "Game",
			Type: flagsOf(game.Game),
			Tag:  reflect.StructTag(fmt.Sprintf("cmd:%q name:%q help:%q", "", game.Command(), game.Summary)),
		}})
		commands = append(commands, reflect.New(command).Interface())
	}
	return append(commands, new(jsonCommand))
}

// flagsOf is a struct with a field for each flag of a game, and one for the words without a flag, "Arguments".
func flagsOf(game words.Game) reflect.Type {
	var fields []reflect.StructField
	add := func(name string, holds any, tag string, values ...any) {
		fields = append(fields, reflect.StructField{
			Name: name, Type: reflect.TypeOf(holds), Tag: reflect.StructTag(fmt.Sprintf(tag, values...)),
		})
	}
	var without []string // names of what can be typed without a flag
	help := ""
	for _, f := range game.Fields {
		for _, c := range f.Choices {
			add(goName(c.Flag), false, "name:%q help:%q", c.Flag, c.Help)
		}
		if f.Flag != "" {
			explained := f.Help
			if f.Default != "" {
				explained += " Default: " + f.Default + "."
			}
			add(goName(f.Flag), []string(nil), "name:%q sep:%q placeholder:%q help:%q", f.Flag, "none", f.Placeholder, explained)
		}
		if f.Argument {
			without = append(without, f.Placeholder)
			help = f.Help
		}
	}
	if len(without) > 1 {
		help = strings.Join(without, " and ") + ", typed without their flags."
	}
	if len(without) > 0 {
		add("Arguments", []string(nil), "arg:%q optional:%q name:%q help:%q", "", "", strings.ToLower(without[0]), help)
	}
	return reflect.StructOf(fields)
}

// goName makes an exported name of Go of the name of a flag.
func goName(flag string) string { return "Flag" + strings.ReplaceAll(flag, "-", "") }

// explainGames adds to the help what it says of the games: examples for each verb, and the rules of each game.
func explainGames(program *kong.Application, list games.List) {
	program.Help = "Solves small finite games exactly, and shows how it decided.\n\n"
	at := 0
	for _, verb := range program.Children {
		if verb.Children == nil {
			continue
		}
		program.Help += fmt.Sprintf("  %s %s %s\n", program.Name, verb.Name, list[at%len(list)].Example())
		at++
		for _, node := range verb.Children {
			game, known := list.Find(node.Name)
			if !known {
				continue
			}
			node.Detail = game.Help + "\n"
			for _, example := range game.Examples {
				node.Detail += "\n    " + strings.Join([]string{program.Name, verb.Name, game.Command(), example}, " ")
			}
		}
	}
	program.Help += "\n" + description
}

// gameArguments are the arguments of one game.
type gameArguments struct {
	words.Game
	typed words.Typed
}

// typedFor reads what was typed out of a struct of flagsOf.
func typedFor(game words.Game, flags reflect.Value) gameArguments {
	typed := words.Typed{Flags: make(map[string][]string)}
	for _, f := range game.Fields {
		for _, c := range f.Choices {
			if flags.FieldByName(goName(c.Flag)).Bool() {
				typed.Flags[c.Flag] = nil
			}
		}
		if f.Flag != "" {
			if values := plainMinus(flags.FieldByName(goName(f.Flag))); values != nil {
				typed.Flags[f.Flag] = values
			}
		}
	}
	if rest := flags.FieldByName("Arguments"); rest.IsValid() {
		typed.Arguments = plainMinus(rest)
	}
	return gameArguments{game, typed}
}

// plainMinus has the texts of a field as they were typed.
func plainMinus(field reflect.Value) []string {
	texts, _ := field.Interface().([]string)
	for i, text := range texts {
		texts[i] = strings.ReplaceAll(text, hyphenMinus, "-")
	}
	return texts
}

// Position is that of arguments.
func (a gameArguments) Position(io.Reader) (*zermelov1.Position, error) {
	return a.Game.Position(a.typed)
}
