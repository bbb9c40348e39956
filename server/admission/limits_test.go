package admission_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/server/admission"
)

func TestVerify(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*admission.Limits)
		field  string // "": the limits are good
		says   string
	}{
		{"as they are", func(*admission.Limits) {}, "", ""},
		{"the least memory", func(l *admission.Limits) { l.MemoryBytes, l.StreamBytes = 4*mib, 4*mib }, "", ""},
		{"too little memory", func(l *admission.Limits) { l.MemoryBytes = 4*mib - 1 }, "MemoryBytes", "4194304"},
		{"too little for streams", func(l *admission.Limits) { l.StreamBytes = 4*mib - 1 }, "StreamBytes", "4194304"},
		{"too much for streams", func(l *admission.Limits) { l.StreamBytes = l.MemoryBytes + 1 }, "StreamBytes", "67108864"},
		{"all for streams", func(l *admission.Limits) { l.StreamBytes = l.MemoryBytes }, "", ""},
		{"no solves", func(l *admission.Limits) { l.Solves = 0 }, "Solves", "from 1 to 65536"},
		{"too many solves", func(l *admission.Limits) { l.Solves = 1<<16 + 1 }, "Solves", "from 1 to 65536"},
		{"no streams", func(l *admission.Limits) { l.Streams = 0 }, "Streams", "from 1 to 65536"},
		{"too many streams", func(l *admission.Limits) { l.Streams = 1<<16 + 1 }, "Streams", "from 1 to 65536"},
		{"no queue", func(l *admission.Limits) { l.Queue = 0 }, "", ""},
		{"a queue below zero", func(l *admission.Limits) { l.Queue = -1 }, "Queue", "from 0 to 65536"},
		{"a queue too long", func(l *admission.Limits) { l.Queue = 1<<16 + 1 }, "Queue", "from 0 to 65536"},
		{"no wait", func(l *admission.Limits) { l.QueueWait = 0 }, "", ""},
		{"a wait below zero", func(l *admission.Limits) { l.QueueWait = -1 }, "QueueWait", "from 0s to 1s"},
		{"a wait too long", func(l *admission.Limits) { l.QueueWait = time.Minute }, "QueueWait", "from 0s to 1s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := limits()
			test.change(&l)
			gate, err := admission.New(l)
			if test.field == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var bad *admission.LimitError
			if gate != nil || !errors.As(err, &bad) || bad.Field != test.field || !strings.Contains(err.Error(), test.says) {
				t.Fatalf("the error is %v, want one of %s that says %q", err, test.field, test.says)
			}
		})
	}
}

func TestAllThatIsWrongIsSaid(t *testing.T) {
	err := admission.Limits{Queue: -1, QueueWait: -1}.Verify()
	for _, field := range []string{"MemoryBytes", "StreamBytes", "Solves", "Streams", "Queue", "QueueWait"} {
		if err == nil || !strings.Contains(err.Error(), field+" is ") {
			t.Errorf("the error does not speak of %s: %v", field, err)
		}
	}
}

func TestDefaultsAreGood(t *testing.T) {
	for _, memory := range []uint64{admission.MinMemory, admission.MinMemory + 1, 1 << 30, 1 << 44} {
		for _, cores := range []int{1, 2, 256} {
			l := admission.DefaultLimits(memory, cores)
			if err := l.Verify(); err != nil {
				t.Errorf("with %d bytes and %d cores: %v", memory, cores, err)
			}
			if l.Solves != cores || l.MemoryBytes != memory || l.QueueWait >= 100*time.Millisecond {
				t.Errorf("with %d bytes and %d cores the limits are %+v", memory, cores, l)
			}
		}
	}
}
