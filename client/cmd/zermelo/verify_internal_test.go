package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/zermelo-games/zermelo/client/tracefile"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// positions are some of each game, with proofs of each shape.
var positions = []string{
	"nim --misere 4 3 2", "nim --normal 3 2 1", "nim --misere -", "can-i-win --max 8 --total 20", "can-i-win --max 3 --total 7",
	"can-i-win --max 10 --total 40 --chosen 1,4", "hundred-game --max 3 --total 21", "hundred-game --max 3 --total 20",
	"predict-the-winner 0 0 7 6 5 6 1", "predict-the-winner --lead -2 -3 5 -7 2", "stone-game 5 3 4 5", "guess-number --high 12",
	"guess-number --low 7 --high 7",
}

// Proofs of all games are right, where they are made, saved and read again in both formats.
func TestVerify(t *testing.T) {
	t.Parallel()
	for _, position := range positions {
		for _, name := range []string{"proof.trace", "proof.jsonl"} {
			path := filepath.Join(t.TempDir(), name)
			asked := invoke(t, fields("verify "+position+" --save "+path)...)
			if asked.code != exitOK || asked.stderr != "" ||
				!strings.Contains(asked.stdout, "it did not trust the server") || !strings.Contains(asked.stdout, " in "+path) {
				t.Errorf("verify %s: exit code %d, %s\n%s", position, asked.code, asked.stderr, asked.stdout)
			}
			read := invoke(t, fields("verify --file "+path)...)
			if read.code != exitOK || read.stderr != "" || !strings.Contains(read.stdout, "it trusted neither the file nor") {
				t.Errorf("verify --file, %s: exit code %d, %s\n%s", position, read.code, read.stderr, read.stdout)
			}
			// The first line has the position and its value.
			first, _, _ := strings.Cut(asked.stdout, "\n")
			if again, _, _ := strings.Cut(read.stdout, "\n"); again != first {
				t.Errorf("the file proves %q, the server %q", again, first)
			}
		}
	}
}

// load reads a saved trace.
func load(t *testing.T, path string) (*tracefile.Reader, []*zermelov1.Event) {
	t.Helper()
	in, err := tracefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	var events []*zermelov1.Event
	for event, err := range in.Events() {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, event)
	}
	return in, events
}

// What explain saves is what it shows otherwise.
func TestExplainSave(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"explain nim --misere 5 4 3", "explain can-i-win --max 5 --total 12 --detail search", "explain nim --misere 3 2 1 --max-events 3",
		"explain hundred-game --detail proof", "explain nim --misere 5 4 3 --detail proof --proof-form theorem", "explain nim --misere -",
	} {
		want := lines(t, invoke(t, fields(line+" -o json")...).stdout,
			func() *zermelov1.ExplainResponse { return &zermelov1.ExplainResponse{} })
		for _, name := range []string{"a.pb", "a.jsonl"} {
			path := filepath.Join(t.TempDir(), name)
			got := invoke(t, fields(line+" --save "+path)...)
			if got.code != exitOK || got.stderr != "" {
				t.Fatalf("%s: exit code %d, %s", line, got.code, got.stderr)
			}
			in, events := load(t, path)
			if !strings.Contains(got.stdout, "Saved: ") || strings.Count(got.stdout, "\n") > 4 ||
				strings.Contains(got.stdout, "verify --file") != (in.Opening().GetDetail() == zermelov1.Detail_DETAIL_PROOF) {
				t.Errorf("%s says\n%s", line, got.stdout)
			}
			if diff := cmp.Diff(want[0].GetOpening(), in.Opening(), protocmp.Transform()); diff != "" {
				t.Errorf("%s, opening (-shown +saved)\n%s", line, diff)
			}
			if len(events) != len(want)-2 {
				t.Fatalf("%s: %d events are saved, %d shown", line, len(events), len(want)-2)
			}
			for i, event := range events {
				if diff := cmp.Diff(want[i+1].GetEvents().GetEvents()[0], event, protocmp.Transform()); diff != "" {
					t.Errorf("%s (-shown +saved)\n%s", line, diff)
				}
			}
			if diff := cmp.Diff(want[len(want)-1].GetSummary(), in.Summary(), protocmp.Transform(),
				protocmp.IgnoreFields(&zermelov1.Statistics{}, "elapsed")); diff != "" {
				t.Errorf("%s, summary (-shown +saved)\n%s", line, diff)
			}
		}
	}
}

func TestExplainSaveJSON(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.jsonl")
	got := invoke(t, fields("explain nim --misere 7 5 3 -o json --save "+path)...)
	var says struct {
		File, Format string
		Bytes        int64
		Summary      struct{ EventCount, Completion string }
	}
	if err := json.Unmarshal([]byte(got.stdout), &says); err != nil {
		t.Fatalf("%v: %s", err, got.stdout)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if says.File != path || says.Format != "JSON lines" || says.Bytes != info.Size() || says.Summary.EventCount != "61" ||
		says.Summary.Completion != "COMPLETION_COMPLETE" {
		t.Errorf("%+v", says)
	}
}

// A trace that breaks leaves what there is of it under a name that says so.
func TestSaveBroken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "part.trace")
	got := invoke(t, fields("explain "+endless+" --timeout 300ms --save "+path)...)
	if got.code != exitUnavailable || got.stdout != "" || !strings.Contains(got.stderr, "; "+path+".partial has them\n") {
		t.Errorf("exit code %d, %s\n%s", got.code, got.stderr, got.stdout)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("there is a file that looks whole: %v", err)
	}
	in, err := tracefile.Open(path + ".partial")
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	// A call that fails before there is a trace leaves nothing.
	if got := invoke(t, fields("explain nim --misere 3 --detail proof --max-depth 1 --save "+path)...); got.code != exitUsage {
		t.Errorf("%+v", got)
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// proofFile saves the proof of a position, and changes one of its lines; line 3 has event 1.
func proofFile(t *testing.T, position string, change func(lines [][]byte) [][]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "proof.jsonl")
	if got := invoke(t, fields("explain "+position+" --detail proof --save "+path)...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Join(change(bytes.SplitAfter(text, []byte("\n"))), nil)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// replace changes a line.
func replace(line int, from, to string) func([][]byte) [][]byte {
	return func(lines [][]byte) [][]byte {
		lines[line] = bytes.Replace(lines[line], []byte(from), []byte(to), 1)
		return lines
	}
}

// What is wrong in a file is found: exit code 5 for a proof that is, another for a file that cannot be read to its end.
func TestVerifyWrong(t *testing.T) {
	t.Parallel()
	const win, loss = `"outcome":"OUTCOME_WIN"`, `"outcome":"OUTCOME_LOSS"`
	for _, test := range []struct {
		name, position string
		change         func([][]byte) [][]byte
		code           int
		says           string
	}{
		{"a loss made a win", "nim --misere 3 2 1", replace(8, loss, win), exitWrongProof, "the proof is wrong: event 7, about 2-2-0: "},
		{"a win made a loss", "nim --misere 3 2 1", replace(3, win, loss), exitWrongProof, "the proof is wrong: event 2, about 2-1-0: "},
		{"the last one", "can-i-win --max 4 --total 5", func(lines [][]byte) [][]byte {
			return replace(len(lines)-3, loss, win)(lines)
		}, exitWrongProof, "the proof is wrong: event "},
		{"a margin", "predict-the-winner 1 5 233 7", replace(2, `"value":"7"`, `"value":"8"`), exitWrongProof, "event 1, about 3..4: its value is 7, and not 8"},
		{"a cost", "guess-number --high 5", replace(2, `"value":"`, `"value":"1`), exitWrongProof, "event 1, about "},
		{"a stone game's move", "stone-game 5 3 4 5", replace(2, `"move":"L"`, `"move":"X"`), exitWrongProof, "event 1, about "},
		{"a total", "hundred-game --max 3 --total 21", replace(2, win, loss), exitWrongProof, "event 1, about "},
		{"a theorem's", "nim --normal 7 5 3 --proof-form theorem", replace(2, win, loss), exitWrongProof, "event 1, about 7-5-3: "},
		{"the solution", "nim --misere 3 2 1", replace(14, loss, win), exitWrongProof, "the summary of the proof is wrong: it says OUTCOME_WIN; proved is OUTCOME_LOSS"},
		{"no last event", "nim --misere 3 2 1", func(lines [][]byte) [][]byte {
			lines = append(lines[:13], lines[14:]...)
			return replace(13, `"eventCount":"12","lastSequence":"12"`, `"eventCount":"11","lastSequence":"11"`)(lines)
		}, exitWrongProof, "the proof is wrong: it ends after 11 events, and the position is not decided"},
		{"another position", "nim --misere 3 2 1", func(lines [][]byte) [][]byte {
			for _, line := range []int{0, 1} {
				lines = replace(line, `"piles":["3","2","1"]`, `"piles":["3","3","1"]`)(lines)
			}
			return lines
		}, exitWrongProof, "the proof is wrong: event 2, about 2-1-0: "},
		{"cut by a limit", "nim --misere 3 2 1 --max-events 4", replace(0, "", ""), exitFault, "the proof was cut after 4 events"},
		{"truncated", "nim --misere 3 2 1", func(lines [][]byte) [][]byte { return lines[:9] }, exitFault, "proves nothing: after event 7: the file ends before the trace does"},
		{"truncated in a line", "nim --misere 3 2 1", func(lines [][]byte) [][]byte {
			lines[9] = lines[9][:20]
			return lines[:10]
		}, exitFault, "proves nothing: after event 7: the file ends before the trace does"},
		{"nearly empty", "nim --misere 3 2 1", func(lines [][]byte) [][]byte { return lines[:1] }, exitFault, "the file ends before the trace does"},
		{"an event less", "nim --misere 3 2 1", func(lines [][]byte) [][]byte {
			return append(lines[:4], lines[5:]...)
		}, exitFault, "after event 2: event 4 follows"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := proofFile(t, test.position, test.change)
			got := invoke(t, "verify", "--file", path)
			if got.code != test.code || got.stdout != "" || !strings.Contains(got.stderr, test.says) {
				t.Errorf("exit code %d, %s%s", got.code, got.stderr, got.stdout)
			}
		})
	}
}

func TestVerifyOtherDetail(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "decisions.pb")
	if got := invoke(t, fields("explain nim --misere 3 2 1 --save "+path)...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	got := invoke(t, "verify", "--file", path)
	if got.code != exitUsage || !strings.Contains(got.stderr, path+" is a trace with DETAIL_DECISIONS, not a proof; save one with explain --detail proof --save") {
		t.Errorf("%+v", got)
	}
	text := filepath.Join(t.TempDir(), "text.jsonl")
	if err := os.WriteFile(text, []byte("no JSON\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := invoke(t, "verify", "--file", text); got.code != exitFault || !strings.Contains(got.stderr, "proves nothing: after event 0: it cannot be decoded") {
		t.Errorf("%+v", got)
	}
}

// verified is what verify says to programs.
func verified(t *testing.T, got result) (v verification) {
	t.Helper()
	if err := json.Unmarshal([]byte(got.stdout), &v); err != nil {
		t.Fatalf("%v: %+v", err, got)
	}
	return v
}

func TestVerifyJSON(t *testing.T) {
	t.Parallel()
	got := invoke(t, fields("verify predict-the-winner 0 0 7 6 5 6 1 -o json")...)
	v := verified(t, got)
	if got.code != exitOK || !v.Proved || !v.Agrees || v.Decisions != 28 || v.Move != "L" || v.WrongEvent != 0 ||
		!strings.Contains(string(v.Solution), `"margin": "-1"`) || !strings.Contains(string(v.Position), "predictTheWinner") {
		t.Errorf("%d %s", got.code, got.stdout)
	}
	got = invoke(t, fields("verify nim --normal 7 5 3 --proof-form theorem -o json")...)
	v = verified(t, got)
	if got.code != exitOK || !v.Proved || v.Decisions != 0 || v.Theorem != "THEOREM_BOUTON" || v.Move != "7>6" {
		t.Errorf("%d %s", got.code, got.stdout)
	}
	got = invoke(t, "verify", "-o", "json", "--file", proofFile(t, "nim --misere 3 2 1", replace(3, "OUTCOME_WIN", "OUTCOME_LOSS")))
	v = verified(t, got)
	if got.code != exitWrongProof || v.Proved || v.Agrees || v.WrongEvent != 2 || v.WrongPosition != "2-1-0" || v.Problem == "" {
		t.Errorf("%d %s", got.code, got.stdout)
	}
	got = invoke(t, "verify", "-o", "json", "--file", proofFile(t, "nim --misere 3 2 1", replace(14, "OUTCOME_LOSS", "OUTCOME_WIN")))
	v = verified(t, got)
	if got.code != exitWrongProof || !v.Proved || v.Agrees || v.WrongEvent != 0 || !strings.Contains(v.Problem, "it says OUTCOME_WIN") {
		t.Errorf("%d %s", got.code, got.stdout)
	}
}

// A server of wrong proofs is found out, and what it said is kept.
func TestVerifyWrongServer(t *testing.T) {
	t.Parallel()
	address := serveWrong(t)
	path := filepath.Join(t.TempDir(), "wrong.jsonl")
	got := invoke(t, fields("verify predict-the-winner 1 5 2 --addr "+address+" --save "+path)...)
	if got.code != exitWrongProof || got.stdout != "" || !strings.Contains(got.stderr, "the proof is wrong: event 3, about ") {
		t.Errorf("%+v", got)
	}
	again := invoke(t, "verify", "--file", path+".partial")
	again.stderr += "What was received of the proof is in " + path + ".partial.\n"
	if again != got {
		t.Errorf("the file says %+v, the server %+v", again, got)
	}
	// Here the proof is right, and Solve is wrong.
	got = invoke(t, fields("verify predict-the-winner 222 --addr "+address)...)
	if got.code != exitWrongProof || !strings.Contains(got.stderr, "Solve is wrong: it has the margin 221; proved is 222") {
		t.Errorf("%+v", got)
	}
}
