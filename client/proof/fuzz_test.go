package proof_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Whatever the asked position and the events are, the checker does not panic, does not go on for ever and keeps to its
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
	for _, asked := range []*zermelov1.Position{
		nil,
		nim(normal, 3, 2, 1),
		nim(misere, 4, 2, 1),
		nim(misere),
		canIWin(5, 9),
		canIWin(6, 13, 2),
		canIWin(4, 10),
		canIWin(4, 11),
		hundredGame(3, 13, 0),
		predictTheWinner(1, 1, 5, 2, 7, -3),
		stoneGame(0, 5, 3, 4, 5),
		guessNumber(1, 7),
	} {
		if asked == nil {
			seed(asked, nil)
			continue
		}
		m := modelOf(asked)
		for range 5 {
			events := m.prove(random.IntN)
			seed(asked, events)
			for _, mutation := range mutations {
				if c := (&mutated{m: m, of: m, events: clone(events)}); len(events) > 0 {
					mutation.mutate(random, c)
					seed(c.m.asked, c.events)
				}
			}
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
			if small(&asked) && modelOf(&asked).accepts(events.GetEvents()) {
				t.Fatalf("a right proof is rejected: %v", err)
			}
			return
		}
		if small(&asked) {
			m := modelOf(&asked)
			checkVerdict(t, m, events.GetEvents(), verdict)
			if !m.accepts(events.GetEvents()) {
				t.Fatal("a wrong proof is accepted")
			}
		}
	})
}

// small says whether a position is legal and has few enough positions that can be reached.
func small(asked *zermelov1.Position) bool {
	if _, err := proof.NewChecker(asked); err != nil {
		return false
	}
	switch game := asked.GetGame().(type) {
	case *zermelov1.Position_Nim:
		product := uint64(1)
		for _, pile := range game.Nim.GetPiles() {
			if product *= min(pile, 1000) + 1; product > 200 {
				return false
			}
		}
		return len(game.Nim.GetPiles()) < 20
	case *zermelov1.Position_CanIWin:
		return game.CanIWin.GetMaxChoosableInteger() <= 8
	case *zermelov1.Position_HundredGame:
		return game.HundredGame.GetDesiredTotal() <= 40 && game.HundredGame.GetMaxChoosableInteger() <= 40
	case *zermelov1.Position_PredictTheWinner:
		return len(game.PredictTheWinner.GetScores()) <= 20
	case *zermelov1.Position_StoneGame:
		return len(game.StoneGame.GetPiles()) <= 20
	case *zermelov1.Position_GuessNumber:
		return game.GuessNumber.GetHigh()-game.GuessNumber.GetLow() < 20
	default:
		return false
	}
}
