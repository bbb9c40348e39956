package tracefile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/tracefile"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// A file cut anywhere yields the events that are whole in it, and says after which one it ends.
func TestTruncatedAtEveryByte(t *testing.T) {
	whole := invented(16)
	for _, f := range formats {
		t.Run(f.String(), func(t *testing.T) {
			var data bytes.Buffer
			w := tracefile.NewWriter(&data, f)
			if err := errors.Join(w.Request(whole.request), w.Opening(whole.opening), w.Flush()); err != nil {
				t.Fatal(err)
			}
			head := data.Len()
			written := []int{head} // written[i] is the size of the file with i batches of four
			for i, event := range whole.events {
				if err := w.Event(event); err != nil {
					t.Fatal(err)
				}
				if i%4 == 3 {
					if err := w.Flush(); err != nil {
						t.Fatal(err)
					}
					written = append(written, data.Len())
				}
			}
			if err := w.Summary(whole.summary); err != nil {
				t.Fatal(err)
			}
			for size := range data.Len() {
				got, err := decode(t, data.Bytes()[:size], f)
				if f == tracefile.JSONLines && size == data.Len()-1 {
					// The last line feed is missing, and nothing else.
					if err != nil {
						t.Errorf("without the last line feed: %v", err)
					}
					continue
				}
				var read *tracefile.ReadError
				if !errors.As(err, &read) || !errors.Is(err, tracefile.ErrTruncated) {
					t.Fatalf("%d bytes of %d: %v, want that it is truncated", size, data.Len(), err)
				}
				if f == tracefile.JSONLines && size == head-1 {
					continue // as above: the opening is there
				}
				if (got == nil) != (size < head) {
					t.Fatalf("%d bytes, of which the first %d are the head: %v", size, head, err)
				}
				if got == nil {
					continue
				}
				least := 0
				for i, end := range written {
					if end <= size {
						least = 4 * i
					}
				}
				count := len(got.events)
				if count < least || count > least+4 || f == tracefile.Protobuf && count != least {
					t.Fatalf("%d bytes: %d events, want %d", size, count, least)
				}
				if read.LastSequence != int64(count) || got.summary != nil {
					t.Fatalf("%d bytes: %v after %d events, summary %v", size, err, count, got.summary)
				}
			}
		})
	}
}

// Whatever is done to a file, its reader ends with the right trace or with an error, and what it yields is in order.
func TestCorruptedFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	whole := invented(50)
	for _, f := range formats {
		data := encode(t, whole, f)
		for range 1000 {
			damaged := bytes.Clone(data)
			for range 1 + random.IntN(4) {
				at := random.IntN(len(damaged))
				switch random.IntN(4) {
				case 0:
					damaged[at] = byte(random.Uint32())
				case 1:
					damaged[at] ^= 1 << random.IntN(8)
				case 2:
					damaged = append(damaged[:at], damaged[at+random.IntN(min(8, len(damaged)-at)):]...)
				default:
					damaged = append(damaged[:at], append([]byte{byte(random.Uint32())}, damaged[at:]...)...)
				}
			}
			inOrder(t, damaged, f)
		}
	}
}

// inOrder reads whatever bytes and looks at what a reader promises.
func inOrder(t *testing.T, data []byte, f tracefile.Format) {
	t.Helper()
	reader, err := tracefile.NewReader(bytes.NewReader(data), f)
	var read *tracefile.ReadError
	if err != nil {
		if !errors.As(err, &read) || read.Message < 1 {
			t.Fatalf("error %v is not a ReadError", err)
		}
		return
	}
	if reader.Request().GetPosition() == nil || reader.Opening() == nil {
		t.Fatal("a reader without a position or an opening")
	}
	count, last := int64(0), reader.Request().GetResumeAfterSequence()
	var failure error
	for event, err := range reader.Events() {
		switch {
		case failure != nil:
			t.Fatalf("something follows the error %v", failure)
		case err != nil:
			failure = err
		case event.GetSequence() <= last:
			t.Fatalf("event %d after %d", event.GetSequence(), last)
		default:
			count++
			last = event.GetSequence()
		}
	}
	if failure == nil {
		if s := reader.Summary(); s == nil || s.GetEventCount() != count || s.GetLastSequence() != last {
			t.Fatalf("summary %v after %d events up to %d", s, count, last)
		}
		return
	}
	if !errors.As(failure, &read) || read.LastSequence != last || reader.Summary() != nil {
		t.Fatalf("error %v after event %d, summary %v", failure, last, reader.Summary())
	}
}

func FuzzReader(f *testing.F) {
	for _, n := range []int{0, 1, 5} {
		for _, format := range formats {
			f.Add(encode(f, invented(n), format))
		}
	}
	f.Add([]byte("{}\n{\"opening\":{}}\n"))
	f.Add(binary.AppendUvarint(nil, 1<<63))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range formats {
			inOrder(t, data, format)
		}
	})
}

// raw writes messages as they are, in whatever order.
func raw(t *testing.T, f tracefile.Format, messages ...proto.Message) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, m := range messages {
		if f == tracefile.Protobuf {
			if _, err := protodelim.MarshalTo(&out, m); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := protojson.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(text, '\n'))
	}
	return out.Bytes()
}

func TestMessagesOutOfOrder(t *testing.T) {
	position := positions["nim"]
	request := &zermelov1.ExplainRequest{Position: position}
	sampled := &zermelov1.ExplainRequest{Position: position, SampleEvery: 3}
	limited := &zermelov1.ExplainRequest{Position: position, MaxEvents: 2}
	resumed := &zermelov1.ExplainRequest{Position: position, ResumeToken: "token", ResumeAfterSequence: 5}
	opening := func(p *zermelov1.Position) proto.Message {
		return &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Opening{Opening: &zermelov1.Opening{Position: p}}}
	}
	start := opening(position)
	events := func(sequences ...int64) proto.Message {
		batch := &zermelov1.Events{}
		for _, sequence := range sequences {
			batch.Events = append(batch.Events, &zermelov1.Event{Sequence: sequence})
		}
		return &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Events{Events: batch}}
	}
	summary := func(count, last int64) proto.Message {
		return &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{
			Summary: &zermelov1.Summary{EventCount: count, LastSequence: last},
		}}
	}
	progress := &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Progress{Progress: &zermelov1.Progress{}}}
	for _, test := range []struct {
		name     string
		messages []proto.Message
		last     int64
		text     string // in the error; none when the file is right
	}{
		{"right", []proto.Message{request, start, events(1, 2), events(3), summary(3, 3)}, 3, ""},
		{"batch is empty", []proto.Message{request, start, summary(0, 0)}, 0, ""},
		{"progress is passed over", []proto.Message{request, start, progress, events(1), progress, summary(1, 1)}, 1, ""},
		{"gaps of a filter", []proto.Message{sampled, start, events(1, 7), events(9), summary(3, 9)}, 9, ""},
		{"a limit", []proto.Message{limited, start, events(1, 2), summary(2, 2)}, 2, ""},
		{"from the middle", []proto.Message{resumed, start, events(6), summary(1, 6)}, 6, ""},
		{"from the end", []proto.Message{resumed, start, summary(0, 5)}, 5, ""},
		{"nothing", nil, 0, "message 1: the file ends"},
		{"only a request", []proto.Message{request}, 0, "message 2: the file ends"},
		{"no position", []proto.Message{&zermelov1.ExplainRequest{MaxEvents: 1}, start}, 0, "no position"},
		{"no opening", []proto.Message{request, events(1), summary(1, 1)}, 0, "does not begin with an opening"},
		{"another position", []proto.Message{request, opening(positions["nim over"])}, 0, "another position"},
		{"no summary", []proto.Message{request, start, events(1, 2)}, 2, "after event 2: message 4: the file ends before"},
		{"two openings", []proto.Message{request, start, events(1), start}, 1, "second opening"},
		{"a gap", []proto.Message{request, start, events(1, 3)}, 1, "event 3 follows"},
		{"twice", []proto.Message{request, start, events(1, 2), events(2)}, 2, "event 2 follows"},
		{"backwards in spite of a filter", []proto.Message{sampled, start, events(5, 4)}, 5, "event 4 follows"},
		{"above the limit", []proto.Message{limited, start, events(1, 2, 3)}, 2, "2 were asked for"},
		{"from the beginning", []proto.Message{resumed, start, events(1)}, 5, "event 1 follows"},
		{"an empty batch", []proto.Message{request, start, events()}, 0, "batch is empty"},
		{"an empty message", []proto.Message{request, start, &zermelov1.ExplainResponse{}}, 0, "carries nothing"},
		{"counts otherwise", []proto.Message{request, start, events(1), summary(2, 1)}, 1, "event_count 2"},
		{"ends otherwise", []proto.Message{request, start, events(1), summary(1, 2)}, 1, "last_sequence 2"},
		{"more after the summary", []proto.Message{request, start, summary(0, 0), events(1)}, 0, "follows the summary"},
		{"two summaries", []proto.Message{request, start, summary(0, 0), summary(0, 0)}, 0, "follows the summary"},
	} {
		for _, f := range formats {
			t.Run(test.name+" "+f.String(), func(t *testing.T) {
				got, err := decode(t, raw(t, f, test.messages...), f)
				if test.text == "" {
					if err != nil || got.summary == nil || got.summary.GetLastSequence() != test.last {
						t.Fatalf("%v, %v", got, err)
					}
					return
				}
				var read *tracefile.ReadError
				if !errors.As(err, &read) || read.LastSequence != test.last || !strings.Contains(err.Error(), test.text) {
					t.Errorf("error %v, want one after event %d that says %q", err, test.last, test.text)
				}
				if got, want := errors.Is(err, tracefile.ErrTruncated), strings.Contains(test.text, "the file ends"); got != want {
					t.Errorf("truncated: %v, want %v", got, want)
				}
			})
		}
	}
}

// A message of a kind that does not exist yet.
func TestNewerMessagesArePassedOver(t *testing.T) {
	whole := invented(0)
	newer := &zermelov1.ExplainResponse{}
	newer.ProtoReflect().SetUnknown([]byte{15<<3 | 2, 0})
	opening := &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Opening{Opening: whole.opening}}
	summary := &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Summary{Summary: whole.summary}}
	if _, err := decode(t, raw(t, tracefile.Protobuf, whole.request, opening, newer, summary), tracefile.Protobuf); err != nil {
		t.Error(err)
	}
	lines := bytes.Replace(encode(t, whole, tracefile.JSONLines), []byte(`{"summary"`), []byte("{\"newer\":{}}\n{\"summary\""), 1)
	if _, err := decode(t, lines, tracefile.JSONLines); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("error %v, want one that names the field", err)
	}
}

// People edit text.
func TestLinesLeaveRoom(t *testing.T) {
	whole := invented(2)
	text := string(encode(t, whole, tracefile.JSONLines))
	for name, edited := range map[string]string{
		"line ends of Windows": strings.ReplaceAll(text, "\n", "\r\n"),
		"empty lines":          strings.ReplaceAll(text, "\n", "\n\n \n"),
		"spaces":               strings.ReplaceAll(text, ":", " : "),
		"no last line feed":    strings.TrimSpace(text),
		"batches":              strings.Replace(text, "]}}\n{\"events\":{\"events\":[", ",", 1),
	} {
		got, err := decode(t, []byte(edited), tracefile.JSONLines)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		same(t, got, whole)
	}
}

// zeros never ends.
type zeros struct{ b byte }

func (z zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = z.b
	}
	return len(p), nil
}

// A length is not believed, nor a line without an end.
func TestHostileLengths(t *testing.T) {
	allocated := func(read func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, test := range []struct {
		name string
		in   io.Reader
		f    tracefile.Format
		most uint64 // bytes allocated
		text string
	}{
		{"the longest, without bytes", bytes.NewReader(binary.AppendUvarint(nil, tracefile.MaxMessageBytes)), tracefile.Protobuf, 2 * tracefile.MaxMessageBytes, "ends before"},
		{"one longer", io.MultiReader(bytes.NewReader(binary.AppendUvarint(nil, tracefile.MaxMessageBytes+1)), zeros{}), tracefile.Protobuf, 256 << 10, "the most is"},
		{"the longest of all", bytes.NewReader(binary.AppendUvarint(nil, 1<<64-1)), tracefile.Protobuf, 256 << 10, "the most is"},
		{"no varint", zeros{0xff}, tracefile.Protobuf, 256 << 10, "overflow"},
		{"a line without an end", zeros{' '}, tracefile.JSONLines, 8 * tracefile.MaxLineBytes, "a line of more than"},
		{"a number without an end", zeros{'1'}, tracefile.JSONLines, 20 * tracefile.MaxLineBytes, "cannot be decoded"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var err error
			got := allocated(func() { _, err = tracefile.NewReader(test.in, test.f) })
			if err == nil || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v, want one that says %q", err, test.text)
			}
			if got > test.most {
				t.Errorf("%d bytes allocated, want %d at most", got, test.most)
			}
		})
	}
}

// What the operating system says is passed on.
func TestReadingFails(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, f := range formats {
		data := encode(t, invented(3), f)
		in := io.MultiReader(bytes.NewReader(data[:len(data)-5]), iotest.ErrReader(broken))
		reader, err := tracefile.NewReader(in, f)
		if err != nil {
			t.Fatal(err)
		}
		got := record(t, reader.Request(), reader)
		if len(got.events) != 3 || !errors.Is(got.failure, broken) || errors.Is(got.failure, tracefile.ErrTruncated) {
			t.Errorf("%v: %d events, %v", f, len(got.events), got.failure)
		}
	}
}

func TestRangedTwice(t *testing.T) {
	reader, err := tracefile.NewReader(bytes.NewReader(encode(t, invented(2), tracefile.Protobuf)), tracefile.Protobuf)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range reader.Events() {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if got := record(t, nil, reader); !errors.Is(got.failure, tracefile.ErrRanged) || got.summary != nil {
		t.Errorf("%v, %v", got.failure, got.summary)
	}
}
