package config

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"
	"time"
)

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
