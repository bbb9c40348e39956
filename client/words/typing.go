package words

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Typed is what was typed after the command of a game.
type Typed struct {
	// Flags has the values of the flags that were typed, by their names without hyphens. The flag of a choice has none.
	Flags map[string][]string
	// Arguments are the other words.
	Arguments []string
}

// UsageError says that what was typed cannot be meant.
type UsageError struct {
	// Problem says what is wrong, and what would do.
	Problem string
}

// Error is the problem.
func (e *UsageError) Error() string { return e.Problem }

func usagef(format string, args ...any) error {
	return &UsageError{Problem: fmt.Sprintf(format, args...)}
}

// Position makes the position that was typed. The error is a [*UsageError].
func (g Game) Position(typed Typed) (*zermelov1.Position, error) {
	texts, err := g.texts(typed)
	if err != nil {
		return nil, err
	}
	position := new(zermelov1.Position)
	message := position.ProtoReflect().Mutable(g.descriptor()).Message()
	for _, f := range g.Fields {
		descriptor := message.Descriptor().Fields().ByName(protoreflect.Name(f.Name))
		var value protoreflect.Value
		switch {
		case len(f.Choices) > 0:
			value, err = f.choice(typed)
		case descriptor.IsList():
			value, err = f.list(descriptor.Kind(), texts[f.Name], message.NewField(descriptor).List())
		default:
			value, err = number(descriptor.Kind(), f.typed(), texts[f.Name][0])
		}
		if err != nil {
			return nil, err
		}
		message.Set(descriptor, value)
	}
	return position, nil
}

// descriptor is that of the field of a position that holds the game.
func (g Game) descriptor() protoreflect.FieldDescriptor {
	return (*zermelov1.Position)(nil).ProtoReflect().Descriptor().Fields().ByName(protoreflect.Name(g.Field))
}

// texts finds what was typed for each field but those with choices, by the name of the field; the default where nothing
// was.
func (g Game) texts(typed Typed) (map[string][]string, error) {
	texts := make(map[string][]string)
	var open []Field // may be among the arguments
	needed := 0      // of these
	for _, f := range g.Fields {
		values, flagged := typed.Flags[f.Flag]
		switch {
		case f.Flag != "" && flagged:
			texts[f.Name] = values
		case f.Argument:
			open = append(open, f)
			if f.Default == "" {
				needed++
			}
		}
	}
	rest := typed.Arguments
	optional := len(rest) - needed // arguments that are left for fields with a default
	for _, f := range open {
		switch {
		case len(rest) == 0 || f.Default != "" && optional <= 0:
		case f.Element != "":
			texts[f.Name], rest = rest, nil
		default:
			texts[f.Name], rest = rest[:1], rest[1:]
			if f.Default != "" {
				optional--
			}
		}
	}
	if len(rest) > 0 {
		return nil, g.unexpected(rest[0], open)
	}
	return texts, g.complete(texts)
}

// unexpected is about an argument for which no field is left.
func (g Game) unexpected(argument string, open []Field) error {
	names := make([]string, 0, len(open))
	for _, f := range open {
		names = append(names, f.Placeholder)
	}
	if len(names) == 0 {
		return usagef("unexpected argument %q; an example is %s", argument, g.Example())
	}
	return usagef("unexpected argument %q after %s; an example is %s", argument, strings.Join(names, " "), g.Example())
}

// complete fills in the defaults. The error names the fields that are missing.
func (g Game) complete(texts map[string][]string) error {
	var missing []string
	for _, f := range g.Fields {
		_, there := texts[f.Name]
		switch {
		case there || len(f.Choices) > 0:
		case f.Default != "":
			texts[f.Name] = []string{f.Default}
		case f.Element == "":
			missing = append(missing, f.typed())
		case f.Argument:
			return usagef("the %s are missing: type them as in %s, or - for none", f.typed(), g.Example())
		}
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return usagef("%s is missing: type it as in %s", missing[0], g.Example())
	default:
		return usagef("%s are missing: type them as in %s", strings.Join(missing, ", "), g.Example())
	}
}

// choice is the value of an enum whose flag was typed.
func (f Field) choice(typed Typed) (protoreflect.Value, error) {
	var chosen []Choice
	for _, c := range f.Choices {
		if _, is := typed.Flags[c.Flag]; is {
			chosen = append(chosen, c)
		}
	}
	switch len(chosen) {
	case 0:
		return protoreflect.Value{}, usagef("%s", f.Question)
	case 1:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(chosen[0].Value)), nil
	default:
		return protoreflect.Value{}, usagef("--%s and --%s cannot both be meant", chosen[0].Flag, chosen[1].Flag)
	}
}

// list reads the elements of a list, which are separated by spaces or commas; "-" alone is an empty one.
func (f Field) list(kind protoreflect.Kind, words []string, list protoreflect.List) (protoreflect.Value, error) {
	if len(words) == 1 && words[0] == "-" {
		words = nil
	}
	for _, word := range words {
		for element := range strings.SplitSeq(word, ",") {
			if element == "" { // as in "1, 2"
				continue
			}
			for _, one := range f.split(element) {
				value, err := number(kind, f.element(list.Len()), one)
				if err != nil {
					return value, err
				}
				list.Append(value)
			}
		}
	}
	return protoreflect.ValueOfList(list), nil
}

// split splits at the separator, where there is one. A "-" in front is a minus.
func (f Field) split(text string) []string {
	if f.Separator == "" || strings.HasPrefix(text, "-") {
		return []string{text}
	}
	return strings.Split(text, f.Separator)
}

// element names an element of a list by its index. The service counts from 0 and people from 1, so it says which.
func (f Field) element(index int) string {
	if f.Flag != "" {
		return fmt.Sprintf("%s %d of --%s (counted from 1)", f.Element, index+1, f.Flag)
	}
	return fmt.Sprintf("%s %d (counted from 1)", f.Element, index+1)
}

// typed is how the field is typed: "--high"; "piles" for what has no flag.
func (f Field) typed() string {
	switch {
	case len(f.Choices) > 0:
		flags := make([]string, 0, len(f.Choices))
		for _, c := range f.Choices {
			flags = append(flags, "--"+c.Flag)
		}
		return strings.Join(flags, " or ")
	case f.Flag != "":
		return "--" + f.Flag
	default:
		return f.Name
	}
}

// number reads a whole number of some kind. what names it in errors.
func number(kind protoreflect.Kind, what, text string) (protoreflect.Value, error) {
	var value protoreflect.Value
	var err error
	var limits string
	switch kind {
	case protoreflect.Uint32Kind:
		var n uint64
		n, err = strconv.ParseUint(text, 10, 32)
		value, limits = protoreflect.ValueOfUint32(uint32(n)), "at most 4294967295 can be written"
	case protoreflect.Uint64Kind:
		var n uint64
		n, err = strconv.ParseUint(text, 10, 64)
		value, limits = protoreflect.ValueOfUint64(n), "at most 18446744073709551615 can be written"
	default:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		value, limits = protoreflect.ValueOfInt64(n), "it must be from -2^63 to 2^63-1"
	}
	digits, negative := strings.CutPrefix(text, "-")
	isNumber := digits != "" && strings.Trim(digits, "0123456789") == ""
	switch {
	case !isNumber: // "+1" among them
		return value, usagef("%s is %q; it must be a whole number", what, text)
	case errors.Is(err, strconv.ErrSyntax) && negative:
		return value, usagef("%s is %s; it cannot be negative", what, text)
	case err != nil:
		return value, usagef("%s is %s; %s", what, text, limits)
	default:
		return value, nil
	}
}

// Arguments is a position of the game as it is typed: "nim --misere 7 5 3".
func (g Game) Arguments(p *zermelov1.Position) string {
	words := []string{g.Command()}
	message := p.ProtoReflect().Get(g.descriptor()).Message()
	for _, f := range g.Fields {
		descriptor := message.Descriptor().Fields().ByName(protoreflect.Name(f.Name))
		value := message.Get(descriptor)
		switch {
		case len(f.Choices) > 0:
			at := slices.IndexFunc(f.Choices, func(c Choice) bool { return c.Value == int32(value.Enum()) })
			if at >= 0 {
				words = append(words, "--"+f.Choices[at].Flag)
			}
		case descriptor.IsList():
			words = append(words, f.spelled(value.List())...)
		case f.Default == "0" && value.String() == "0":
		default:
			words = append(words, "--"+f.Flag, value.String())
		}
	}
	return strings.Join(words, " ")
}

// spelled is a list as it is typed.
func (f Field) spelled(list protoreflect.List) []string {
	elements := make([]string, 0, list.Len())
	for i := range list.Len() {
		elements = append(elements, list.Get(i).String())
	}
	switch {
	case f.Flag == "" && len(elements) == 0:
		return []string{"-"}
	case f.Flag == "" || len(elements) == 0:
		return elements
	default:
		return []string{"--" + f.Flag, strings.Join(elements, ",")}
	}
}

var (
	indexed   = regexp.MustCompile(`^(.*)\[(\d+)\]$`)
	fieldName = regexp.MustCompile("`[a-z_]+`|\\b[a-z]+(?:_[a-z]+)+\\b")
)

// Tell says what a server found wrong with a field, by its path, in terms of what was typed: that
// "position.guess_number.low" "is 0" makes "--low is 0".
func (g Game) Tell(path, description string) string {
	description = fieldName.ReplaceAllStringFunc(description, func(name string) string {
		if f, known := g.field(strings.Trim(name, "`")); known {
			return f.typed()
		}
		return name
	})
	return g.typed(path) + " " + description
}

func (g Game) field(name string) (Field, bool) {
	at := slices.IndexFunc(g.Fields, func(f Field) bool { return f.Name == name })
	if at < 0 {
		return Field{}, false
	}
	return g.Fields[at], true
}

// typed is how a field is typed, by its path. An element of a list is named by its place.
func (g Game) typed(path string) string {
	rest, of := strings.CutPrefix(path, "position."+g.Field)
	name := strings.TrimPrefix(rest, ".")
	if of && name == "" {
		return "the position:"
	}
	index := -1
	if found := indexed.FindStringSubmatch(name); found != nil {
		name = found[1]
		index, _ = strconv.Atoi(found[2])
	}
	f, known := g.field(name)
	switch {
	case !of || !known:
		return path
	case index >= 0:
		return f.element(index)
	case f.Flag == "" && f.Element != "": // a row: piles, scores
		return "the " + f.typed() + ":"
	default:
		return f.typed()
	}
}
