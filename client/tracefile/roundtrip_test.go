package tracefile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/zermelo-games/zermelo/client/tracefile"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

func TestEveryTraceIsReadBackAsItWas(t *testing.T) {
	c := realServer(t)
	for name, request := range requests() {
		t.Run(name, func(t *testing.T) {
			want := record(t, request, c.Explain(within(t), request))
			if want.failure != nil {
				t.Fatal(want.failure)
			}
			for _, f := range formats {
				got, err := decode(t, encode(t, want, f), f)
				if err != nil {
					t.Fatalf("%v: %v", f, err)
				}
				same(t, got, want)
			}
		})
	}
}

// A trace asked for from its middle, too.
func TestResumedTraceIsReadBack(t *testing.T) {
	c := realServer(t)
	request := &zermelov1.ExplainRequest{Position: positions["can_i_win"]}
	whole := record(t, request, c.Explain(within(t), request))
	rest := &zermelov1.ExplainRequest{
		Position: request.Position, ResumeToken: whole.opening.GetResumeToken(), ResumeAfterSequence: 7,
	}
	want := record(t, rest, c.Explain(within(t), rest))
	if want.failure != nil || len(want.events) != len(whole.events)-7 {
		t.Fatalf("%d events of %d, %v", len(want.events), len(whole.events), want.failure)
	}
	for _, f := range formats {
		got, err := decode(t, encode(t, want, f), f)
		if err != nil {
			t.Fatalf("%v: %v", f, err)
		}
		same(t, got, want)
	}
}

// Files are converted by saving what is read.
func TestSaveAndOpen(t *testing.T) {
	c := realServer(t)
	dir := t.TempDir()
	binary, text, again := filepath.Join(dir, "trace.pb"), filepath.Join(dir, "trace.jsonl"), filepath.Join(dir, "again.pb")
	request := &zermelov1.ExplainRequest{Position: positions["guess_number"], Detail: zermelov1.Detail_DETAIL_PROOF}
	if err := tracefile.Save(binary, request, c.Explain(within(t), request)); err != nil {
		t.Fatal(err)
	}
	convert := func(from, to string) {
		reader, err := tracefile.Open(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(tracefile.Save(to, reader.Request(), reader), reader.Close()); err != nil {
			t.Fatal(err)
		}
	}
	convert(binary, text)
	convert(text, again)
	if !bytes.Equal(contents(t, binary), contents(t, again)) {
		t.Error("a file converted there and back is another")
	}
	if names := list(t, dir); len(names) != 3 {
		t.Errorf("files %v", names)
	}
}

// The package comment says how files are read without this package.
func TestFilesAreReadWithoutThisPackage(t *testing.T) {
	want := invented(3)
	in := bytes.NewReader(encode(t, want, tracefile.Protobuf))
	got := &recorded{request: &zermelov1.ExplainRequest{}}
	if err := protodelim.UnmarshalFrom(in, got.request); err != nil {
		t.Fatal(err)
	}
	for in.Len() > 0 {
		frame := &zermelov1.ExplainResponse{}
		if err := protodelim.UnmarshalFrom(in, frame); err != nil {
			t.Fatal(err)
		}
		if o := frame.GetOpening(); o != nil {
			got.opening = o
		}
		if s := frame.GetSummary(); s != nil {
			got.summary = s
		}
		got.events = append(got.events, frame.GetEvents().GetEvents()...)
	}
	same(t, got, want)

	got = &recorded{}
	number := 0
	for line := range strings.Lines(string(encode(t, want, tracefile.JSONLines))) {
		number++
		if number == 1 {
			got.request = &zermelov1.ExplainRequest{}
			if err := protojson.Unmarshal([]byte(line), got.request); err != nil {
				t.Fatal(err)
			}
			continue
		}
		frame := &zermelov1.ExplainResponse{}
		if err := protojson.Unmarshal([]byte(line), frame); err != nil {
			t.Fatal(err)
		}
		if o := frame.GetOpening(); o != nil {
			got.opening = o
		}
		if s := frame.GetSummary(); s != nil {
			got.summary = s
		}
		got.events = append(got.events, frame.GetEvents().GetEvents()...)
	}
	if number != 6 {
		t.Errorf("%d lines, want one for each of 3 events and 3 others", number)
	}
	same(t, got, want)
}

// JSON lines look the same in every build.
func TestLinesAsWritten(t *testing.T) {
	const want = `{"position":{"nim":{"piles":["5","0","4","3"],"convention":"PLAY_CONVENTION_MISERE"}}}
{"opening":{"position":{"nim":{"piles":["5","0","4","3"],"convention":"PLAY_CONVENTION_MISERE"}},"detail":"DETAIL_DECISIONS","resumeToken":"token"}}
{"events":{"events":[{"sequence":"1","kind":"EVENT_KIND_DECIDED","depth":1,"position":"4-3-0-0","value":"0"}]}}
{"summary":{"eventCount":"1","lastSequence":"1"}}
`
	got := encode(t, invented(1), tracefile.JSONLines)
	if string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for line := range bytes.Lines(got) {
		if !json.Valid(line) {
			t.Errorf("%s is not JSON", line)
		}
	}
}

// Batches are cut by bytes, so that a trace of any length is written and read in little memory.
func TestBatches(t *testing.T) {
	want := invented(20000)
	data := encode(t, want, tracefile.Protobuf)
	in := bytes.NewReader(data)
	largest, messages := 0, 0
	for in.Len() > 0 {
		before := in.Len()
		// Any message will do to skip by: what is not known is kept as it is.
		if err := protodelim.UnmarshalFrom(in, &emptypb.Empty{}); err != nil {
			t.Fatal(err)
		}
		largest = max(largest, before-in.Len())
		messages++
	}
	if largest > 66<<10 || messages > len(data)/(60<<10)+4 {
		t.Errorf("%d messages of at most %d bytes, in all %d", messages, largest, len(data))
	}
	got, err := decode(t, data, tracefile.Protobuf)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, want)
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]tracefile.Format{
		"trace.jsonl": tracefile.JSONLines, "dir/a.b.JSONL": tracefile.JSONLines, "trace.jsonl.partial": tracefile.JSONLines,
		"trace.pb": tracefile.Protobuf, "trace": tracefile.Protobuf, "jsonl": tracefile.Protobuf, "a.jsonl/b": tracefile.Protobuf,
		"trace.json": tracefile.Protobuf, "trace.pb.partial": tracefile.Protobuf, "": tracefile.Protobuf,
	} {
		if got := tracefile.FormatOf(path); got != want {
			t.Errorf("%q is %v, want %v", path, got, want)
		}
	}
}
