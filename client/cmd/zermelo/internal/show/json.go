package show

import (
	"bytes"
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// JSON writes a message in the JSON of protobuf, indented. The spaces of that JSON vary from build to build; here they
// do not.
func JSON(out *Output, m proto.Message) error {
	text, err := RawJSON(m)
	if err != nil {
		return err
	}
	return Object(out, text)
}

// JSONLine writes a message in the JSON of protobuf on one line.
func JSONLine(out *Output, m proto.Message) error {
	text, err := RawJSON(m)
	if err != nil {
		return err
	}
	var stable bytes.Buffer
	if err := json.Compact(&stable, text); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	out.raw(stable.Bytes())
	return nil
}

// RawJSON is a message in the JSON of protobuf, for a field of what [Object] writes.
func RawJSON(m proto.Message) (json.RawMessage, error) {
	text, err := protojson.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("writing %s as JSON: %w", m.ProtoReflect().Descriptor().Name(), err)
	}
	return text, nil
}

// Object writes something as a JSON object, indented.
func Object(out *Output, object any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // moves have a ">"
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(object); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	out.raw(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return nil
}
