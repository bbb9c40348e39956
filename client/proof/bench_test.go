package proof_test

import (
	"math/bits"
	"strconv"
	"testing"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// fast makes a proof of Can I Win with up to 32 integers, taking the high integers first.
type fast struct {
	n, total uint32
	// deciding is the winning move at each position that was searched, or 0 where there is none.
	deciding map[uint32]uint32
	numbers  map[uint32]int64
	events   []*zermelov1.Event
}

// wins says whether a position is won.
func (f *fast) wins(chosen, sum uint32) bool {
	if sum >= f.total {
		return false
	}
	if move, found := f.deciding[chosen]; found {
		return move > 0
	}
	winning := uint32(0)
	for integer := f.n; integer >= 1 && winning == 0; integer-- {
		if set := chosen | 1<<(integer-1); set != chosen && !f.wins(set, sum+integer) {
			winning = integer
		}
	}
	f.deciding[chosen] = winning
	return winning > 0
}

// prove proves a position that was searched, after what it rests on. It returns the number of the decision.
func (f *fast) prove(chosen, sum uint32) int64 {
	if sum >= f.total {
		return 0
	}
	if number, found := f.numbers[chosen]; found {
		return number
	}
	event := &zermelov1.Event{
		Kind: zermelov1.EventKind_EVENT_KIND_DECIDED, Depth: uint32(bits.OnesCount32(chosen)), Outcome: loss,
	}
	if move := f.deciding[chosen]; move > 0 {
		event.Outcome, event.Move = win, strconv.Itoa(int(move))
		event.Because = f.prove(chosen|1<<(move-1), sum+move)
	} else {
		for integer := f.n; integer >= 1; integer-- {
			if set := chosen | 1<<(integer-1); set != chosen {
				f.prove(set, sum+integer)
			}
		}
	}
	var integers []int
	for rest := chosen; rest != 0; rest &= rest - 1 {
		integers = append(integers, bits.TrailingZeros32(rest)+1)
	}
	event.Position = join(integers, ",")
	f.events = append(f.events, event)
	event.Sequence = int64(len(f.events))
	f.numbers[chosen] = event.GetSequence()
	return event.GetSequence()
}

func BenchmarkCheck(b *testing.B) {
	canIWinProof := func(n, total uint32) func() (*zermelov1.Position, []*zermelov1.Event) {
		return func() (*zermelov1.Position, []*zermelov1.Event) {
			f := &fast{n: n, total: total, deciding: make(map[uint32]uint32), numbers: make(map[uint32]int64)}
			f.wins(0, 0)
			f.prove(0, 0)
			return canIWin(n, total), f.events
		}
	}
	modelProof := func(asked *zermelov1.Position) func() (*zermelov1.Position, []*zermelov1.Event) {
		return func() (*zermelov1.Position, []*zermelov1.Event) { return asked, modelOf(asked).prove(firstChoice) }
	}
	for _, bench := range []struct {
		name string
		make func() (*zermelov1.Position, []*zermelov1.Event)
	}{
		{"can_i_win(20,100)", canIWinProof(20, 100)},
		{"can_i_win(20,152)", canIWinProof(20, 152)},
		{"nim(12,11,10)", modelProof(nim(misere, 12, 11, 10))},
		{"hundred_game(10,1000)", modelProof(hundredGame(10, 1000, 0))},
		{"ends(200)", modelProof(predictTheWinner(0, zigzag(200)...))},
		{"guess_number(100)", modelProof(guessNumber(1, 100))},
	} {
		b.Run(bench.name, func(b *testing.B) {
			asked, events := bench.make()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := proof.Check(asked, stream(events)); err != nil {
					b.Fatal(err)
				}
			}
			decisions := float64(len(events))
			b.ReportMetric(decisions*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mdecisions/s")
			b.ReportMetric(decisions, "decisions")
		})
	}
}

// zigzag is a row of so many scores without a pattern that matters.
func zigzag(length int) []int64 {
	row := make([]int64, 0, length)
	for i := range length {
		row = append(row, int64(i*i%17-8))
	}
	return row
}
