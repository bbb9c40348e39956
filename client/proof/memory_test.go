package proof_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// hostile are streams that make a checker keep as much as they can for as few bytes: the shortest positions, none of
// them needed for anything. They are at depths that there are plays for.
func hostile() map[string]func(count int) (asked *zermelov1.Position, events []*zermelov1.Event) {
	return map[string]func(count int) (asked *zermelov1.Position, events []*zermelov1.Event){
		"nothing": func(int) (*zermelov1.Position, []*zermelov1.Event) {
			return hundredGame(1, 1, 0), nil
		},
		"nim, one pile": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			var events []*zermelov1.Event
			for pile := range count {
				events = append(events, at(1, decision(fmt.Sprint(pile+1), fmt.Sprintf("%d>0", pile+1), win, 0)))
			}
			return nim(normal, math.MaxInt64), events
		},
		"nim, two piles": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			var events []*zermelov1.Event
			for pile := range count {
				events = append(events, at(2, decision(fmt.Sprintf("%d-0", pile+1), fmt.Sprintf("%d>0", pile+1), win, 0)))
			}
			return nim(normal, math.MaxInt64, 1), events
		},
		"nim, ever more ones": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			size := max(int(math.Sqrt(float64(count))), 1)
			ones := make([]int, size)
			asked := make([]uint64, 0, size)
			var events []*zermelov1.Event
			for i := range ones {
				ones[i] = 1
				asked = append(asked, 1)
				event := decision(join(ones, "-"), "", loss, 0)
				if i%2 == 0 {
					event = decision(join(ones, "-"), "1>0", win, int64(i))
				}
				events = append(events, at(size-i-1, event))
			}
			return nim(normal, asked...), events
		},
		"nim, empty piles": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			return nim(normal, make([]uint64, min(count, 100_000))...), nil
		},
		"can_i_win": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			// With 15 integers of 64 at the most, 64 and a little reach the total.
			var events []*zermelov1.Event
			for set := uint64(0); len(events) < count && set < 1<<16; set++ {
				var chosen []int
				for integer := 1; integer <= 16; integer++ {
					if set>>(integer-1)&1 == 1 {
						chosen = append(chosen, integer)
					}
				}
				if sum(chosen) < 64 {
					events = append(events, at(len(chosen), decision(join(chosen, ","), "64", win, 0)))
				}
			}
			events = append(events[1:], events[0])
			return canIWin(64, 64), events
		},
		"hundred_game": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			var events []*zermelov1.Event
			for total := count; total >= 0; total-- {
				events = append(events, at(min(total, 1), decision(fmt.Sprint(total), fmt.Sprint(count+2), win, 0)))
			}
			return hundredGame(uint64(count)+2, uint64(count)+1, 0), events
		},
		"ends": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			scores := make([]int64, count+2)
			var events []*zermelov1.Event
			for from := range count {
				event := decision(fmt.Sprintf("%d..%d", from, from+1), "L", draw, 0)
				event.Value = proto.Int64(0)
				events = append(events, at(count+1, event))
			}
			return predictTheWinner(0, scores...), events
		},
		"ends, one range in another": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			m := modelOf(predictTheWinner(0, make([]int64, int(math.Sqrt(2*float64(min(count, 3000)))))...))
			return m.asked, m.prove(firstChoice)
		},
		"guess_number, pairs": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			var events []*zermelov1.Event
			for low := 1; low <= count; low++ {
				event := decision(fmt.Sprintf("%d..%d", low, low+1), fmt.Sprint(low), 0, 0)
				event.Value = proto.Int64(int64(low))
				events = append(events, at(min(low-1, 1)+1, event))
			}
			return guessNumber(1, 1<<31), events
		},
		"guess_number, a whole proof": func(count int) (*zermelov1.Position, []*zermelov1.Event) {
			m := modelOf(guessNumber(1, uint32(min(math.Sqrt(2*float64(count)), 30)+1)))
			return m.asked, m.prove(firstChoice)
		},
	}
}

// at is an event at a depth.
func at(depth int, event *zermelov1.Event) *zermelov1.Event {
	event.Depth = uint32(depth)
	return event
}

func decision(position, move string, outcome zermelov1.Outcome, because int64) *zermelov1.Event {
	return &zermelov1.Event{
		Kind: zermelov1.EventKind_EVENT_KIND_DECIDED, Position: position, Move: move, Outcome: outcome, Because: because,
	}
}

// allocated is how many bytes are allocated while f runs, whether or not they are needed after.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// size is how many bytes the root position and the events take.
func size(asked *zermelov1.Position, events []*zermelov1.Event) uint64 {
	bytes := proto.Size(asked)
	for _, event := range events {
		bytes += proto.Size(event)
	}
	return uint64(bytes)
}

func TestMemoryIsBoundedByTheBytesOfTheStream(t *testing.T) {
	for name, hostile := range hostile() {
		t.Run(name, func(t *testing.T) {
			worst := 0.0
			for count := 1; count < 20_000; count += 1 + count/3 {
				asked, events := hostile(count)
				for i, event := range events {
					event.Sequence = int64(i + 1)
				}
				var err error
				got := allocated(func() { _, err = proof.Check(asked, stream(events)) })
				if err != nil && !errors.Is(err, proof.ErrIncomplete) {
					t.Fatal(err)
				}
				bytes := size(asked, events)
				if got > proof.MemoryFactor*bytes+proof.MemoryBase {
					t.Errorf("%d bytes are allocated for %d events of %d bytes", got, len(events), bytes)
				}
				worst = max(worst, (float64(got)-proof.MemoryBase)/float64(bytes))
			}
			t.Logf("after the first %d bytes, at most %.1f bytes for each byte", proof.MemoryBase, max(worst, 0))
		})
	}
}
