package config

import (
	"encoding"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
)

// Setting describes one setting to those who set it.
type Setting struct {
	// Flag is the name on the command line, with its dashes: --drain-grace.
	Flag string
	// Env is the name in the environment: ZERMELO_DRAIN_GRACE.
	Env string
	// Placeholder stands for the value in the usage, such as DURATION; empty for a flag that is given without one.
	Placeholder string
	// Default is the value in force when nothing is said, as it would be written; it may be empty.
	Default string
	// Help says what the setting does, and ends with the default.
	Help string
}

// Table describes all settings, in the order of the fields of [Config].
func Table() ([]Setting, error) {
	var flags flags
	parser, err := flags.parser(Program{Stdout: io.Discard, Exit: func(int) {}})
	if err != nil {
		return nil, err
	}
	known := map[string]Setting{}
	for _, flag := range parser.Model.Flags {
		if len(flag.Envs) > 0 {
			known["--"+flag.Name] = Setting{
				Flag: "--" + flag.Name, Env: flag.Envs[0], Placeholder: flag.PlaceHolder, Default: flag.Default, Help: flag.Help,
			}
		}
	}
	table := make([]Setting, 0, len(known))
	for i := range reflect.TypeFor[Config]().NumField() {
		name, _ := names(reflect.TypeFor[Config]().Field(i).Name)
		table = append(table, known[name])
	}
	return table, nil
}

// InForce gives the value of each setting under the name of its flag, without dashes: a number or a bool as such, all
// else as it would be written. Of secrets a setting holds at most the name of their file.
func (c Config) InForce() map[string]any {
	values := map[string]any{}
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		name, _ := names(v.Type().Field(i).Name)
		values[strings.TrimPrefix(name, "--")] = written(v.Field(i).Interface())
	}
	return values
}

// written is a value as it would be written on the command line, unless it is a number or a bool.
func written(value any) any {
	switch v := value.(type) {
	case time.Duration:
		return v.String()
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		if err != nil {
			return fmt.Sprint(v)
		}
		return string(text)
	default:
		return v
	}
}
