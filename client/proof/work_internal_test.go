package proof

import (
	"math"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// counting counts the positions that are looked up after moves.
type counting[M any] struct {
	rules[M]
	lookups int
}

func (c *counting[M]) after(m M) worth {
	c.lookups++
	return c.rules.after(m)
}

func count[M any](g game) *counting[M] {
	w := g.(*winLoss[M])
	c := &counting[M]{rules: w.rules}
	w.rules = c
	return c
}

// However many legal moves there are, no more positions are looked up for an event than were proved before, and two
// more: one of which nothing is known, and one at which the game is over.
func TestWorkIsBoundedByWhatIsProved(t *testing.T) {
	const most = math.MaxInt64
	decided := func(position, move string, outcome zermelov1.Outcome, depth uint32) *zermelov1.Event {
		return &zermelov1.Event{
			Kind: zermelov1.EventKind_EVENT_KIND_DECIDED, Position: position, Move: move, Outcome: outcome, Depth: depth,
		}
	}
	run := func(t *testing.T, g game, lookups func() int, events []*zermelov1.Event) {
		t.Helper()
		checker := &Checker{game: g}
		for i, event := range events {
			event.Sequence = int64(i + 1)
			before := lookups()
			err := checker.Add(event)
			if work := lookups() - before; work > i+2 {
				t.Errorf("event %d looks up %d positions", i+1, work)
			}
			if last := i == len(events)-1; last != (err != nil) {
				t.Errorf("event %d: %v", i+1, err)
			}
		}
	}
	t.Run("hundred_game", func(t *testing.T) {
		g, err := newHundred(&zermelov1.HundredGame{MaxChoosableInteger: 1 << 62, DesiredTotal: most})
		if err != nil {
			t.Fatal(err)
		}
		c := count[uint64](g)
		run(t, g, func() int { return c.lookups }, []*zermelov1.Event{
			decided("9223372036854775000", "900", win, 2),
			decided("9223372036854775001", "900", win, 2),
			decided("9223372036854775002", "900", win, 3),
			decided("0", "", loss, 0),
		})
		g, _ = newHundred(&zermelov1.HundredGame{MaxChoosableInteger: 1 << 62, DesiredTotal: most})
		c = count[uint64](g)
		run(t, g, func() int { return c.lookups }, []*zermelov1.Event{decided("0", "1", draw, 0)})
	})
	t.Run("nim", func(t *testing.T) {
		g, err := newNim(&zermelov1.Nim{
			Piles: []uint64{most, most}, Convention: zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL,
		})
		if err != nil {
			t.Fatal(err)
		}
		c := count[nimMove](g)
		run(t, g, func() int { return c.lookups }, []*zermelov1.Event{
			decided("9223372036854775807-0", "9223372036854775807>0", win, 1),
			decided("9223372036854775806-0", "9223372036854775806>0", win, 2),
			decided("9223372036854775807-9223372036854775807", "", loss, 0),
		})
	})
	t.Run("nim, equal piles", func(t *testing.T) { // one move for all of them
		g, err := newNim(&zermelov1.Nim{
			Piles: []uint64{1, 1, 1, 1, 1, 1}, Convention: zermelov1.PlayConvention_PLAY_CONVENTION_MISERE,
		})
		if err != nil {
			t.Fatal(err)
		}
		c := count[nimMove](g)
		run(t, g, func() int { return c.lookups }, []*zermelov1.Event{
			decided("1-0-0-0-0-0", "", loss, 5),
			decided("1-1-1-1-1-1", "", loss, 0),
		})
	})
	t.Run("can_i_win", func(t *testing.T) {
		g, err := newCanIWin(&zermelov1.CanIWin{MaxChoosableInteger: 64, DesiredTotal: 2080})
		if err != nil {
			t.Fatal(err)
		}
		c := count[uint64](g)
		run(t, g, func() int { return c.lookups }, []*zermelov1.Event{decided("-", "", loss, 0)})
	})
	// These have no moves to look at one by one: that something is missing is seen before.
	t.Run("guess_number", func(t *testing.T) {
		g, err := newGuess(&zermelov1.GuessNumber{Low: 1, High: 1 << 31})
		if err != nil {
			t.Fatal(err)
		}
		event := decided("1..2147483648", "1", unknown, 0)
		event.Value = new(int64)
		run(t, g, func() int { return 0 }, []*zermelov1.Event{event})
	})
}
