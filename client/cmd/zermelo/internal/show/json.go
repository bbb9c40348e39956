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
	return jsonLines(out, m, func(to *bytes.Buffer, text []byte) error { return json.Indent(to, text, "", "  ") })
}

// JSONLine writes a message in the JSON of protobuf on one line.
func JSONLine(out *Output, m proto.Message) error {
	return jsonLines(out, m, json.Compact)
}

func jsonLines(out *Output, m proto.Message, layOut func(*bytes.Buffer, []byte) error) error {
	text, err := protojson.Marshal(m)
	if err != nil {
		return fmt.Errorf("writing %s as JSON: %w", m.ProtoReflect().Descriptor().Name(), err)
	}
	var stable bytes.Buffer
	if err := layOut(&stable, text); err != nil {
		return fmt.Errorf("writing %s as JSON: %w", m.ProtoReflect().Descriptor().Name(), err)
	}
	out.raw(stable.Bytes())
	return nil
}
