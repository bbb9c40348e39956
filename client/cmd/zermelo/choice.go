package main

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// enum is an enum of the contract.
type enum interface {
	~int32
	protoreflect.Enum
}

// choice is a flag for a value of an enum, which is typed in small letters: "memo-hit" for EVENT_KIND_MEMO_HIT.
type choice[E enum] int32

// unset are words for the value that is not set, of the enums that have one.
var unset = map[protoreflect.Descriptor]string{zermelov1.ProofForm(0).Descriptor(): "auto"}

// UnmarshalText reads a value.
func (c *choice[E]) UnmarshalText(text []byte) error {
	values := (*new(E)).Descriptor().Values()
	for i := range values.Len() {
		if name := typedName(values.Get(i)); name != "" && name == strings.ReplaceAll(string(text), "_", "-") {
			*c = choice[E](values.Get(i).Number())
			return nil
		}
	}
	return fmt.Errorf("%q is not one of %s", text, typedNames[E]())
}

// typedName is how a value is typed; "" for one that cannot be.
func typedName(value protoreflect.EnumValueDescriptor) string {
	if value.Number() == 0 {
		return unset[value.Parent()]
	}
	prefix := strings.TrimSuffix(string(value.Parent().(protoreflect.EnumDescriptor).Values().Get(0).Name()), "UNSPECIFIED")
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(string(value.Name()), prefix)), "_", "-")
}

// typedNames lists what can be typed for an enum.
func typedNames[E enum]() string {
	var names []string
	values := (*new(E)).Descriptor().Values()
	for i := range values.Len() {
		if name := typedName(values.Get(i)); name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
