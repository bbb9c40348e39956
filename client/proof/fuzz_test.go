package proof_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Whatever the root position and the events are, the checker does not panic, does not go on for ever and keeps to its
// memory; and what it accepts is true, as far as the position is small enough to know the truth.
func FuzzChecker(f *testing.F) {
	seed := func(asked *zermelov1.Position, events []*zermelov1.Event) {
		askedBytes, err := proto.Marshal(asked)
		if err != nil {
			f.Fatal(err)
		}
		eventBytes, err := proto.Marshal(&zermelov1.Events{Events: events})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(askedBytes, eventBytes)
	}
	random := rand.New(rand.NewPCG(9, 10))
	seed(nil, nil)
	for _, m := range mutatedModels() {
		events := m.prove(random.IntN)
		seed(m.asked, events)
		for _, mutation := range mutations {
			c := &mutated{m: m, of: m, events: clone(events)}
			mutation.mutate(random, c)
			seed(c.m.asked, c.events)
		}
	}
	for _, stream := range hostile() {
		seed(stream(20))
	}
	const most = 1<<63 - 1
	seed(hundredGame(1<<62, most, 0), []*zermelov1.Event{decision("0", "", loss, 0)})
	seed(nim(normal, most, most), []*zermelov1.Event{decision("1-1", "", loss, 0)})
	seed(predictTheWinner(-most, most), nil)
	seed(guessNumber(1, 1<<31), []*zermelov1.Event{decision("1..2147483648", "1", 0, 0)})

	f.Fuzz(func(t *testing.T, askedBytes, eventBytes []byte) {
		var asked zermelov1.Position
		var events zermelov1.Events
		if proto.Unmarshal(askedBytes, &asked) != nil || proto.Unmarshal(eventBytes, &events) != nil {
			return
		}
		var verdict *proof.Verdict
		var err error
		got := allocated(func() { verdict, err = proof.Check(&asked, stream(events.GetEvents())) })
		if bytes := size(&asked, events.GetEvents()); got > proof.MemoryFactor*bytes+proof.MemoryBase {
			t.Errorf("%d bytes are allocated for a stream of %d", got, bytes)
		}
		if err != nil {
			if !errors.As(err, new(*proof.WrongError)) && !errors.Is(err, proof.ErrPosition) &&
				!errors.Is(err, proof.ErrIncomplete) {
				t.Fatalf("a bare error: %v", err)
			}
			if m := smallModel(&asked); m != nil && m.accepts(events.GetEvents()) {
				t.Fatalf("a right proof is rejected: %v", err)
			}
			return
		}
		if m := smallModel(&asked); m != nil {
			checkVerdict(t, m, events.GetEvents(), verdict)
			if !m.accepts(events.GetEvents()) {
				t.Fatal("a wrong proof is accepted")
			}
		}
	})
}
