package rules

import (
	"errors"
	"math"
	"strconv"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// heap is a heap from which any number can be taken; who takes the last loses nothing but their move. It counts the
// positions that are looked up after moves.
type heap struct {
	size    uint64
	known   map[uint64]Known
	lookups int
}

func (h *heap) Read(text string) (err error) {
	h.size, err = strconv.ParseUint(text, 10, 64)
	return err
}

func (h *heap) Plays() (shortest, longest uint64) { return 0, math.MaxInt64 }

func (h *heap) Ended() zermelov1.Outcome {
	if h.size == 0 {
		return Loss
	}
	return Unknown
}

func (h *heap) Found() Known                 { return h.known[h.size] }
func (h *heap) Record(k Known)               { h.known[h.size] = k }
func (h *heap) First() uint64                { return 1 }
func (h *heap) Next(m uint64) (uint64, bool) { return m + 1, m < h.size }
func (h *heap) Print(m uint64) string        { return strconv.FormatUint(m, 10) }
func (h *heap) Move(string) (uint64, error)  { return 0, errors.New("is not looked at") }

func (h *heap) After(m uint64) Known {
	h.lookups++
	return h.known[h.size-m]
}

// However many legal moves there are, no more positions are looked up for an event than were proved before, and one
// more, of which nothing is known.
func TestWorkIsBoundedByWhatIsProved(t *testing.T) {
	const most = 1 << 62
	for proved := range uint64(5) {
		h := &heap{known: make(map[uint64]Known)}
		for i := range proved {
			h.known[most-1-i] = KnownAs(Win, int64(i+1))
		}
		game := NewWinLoss[uint64](h)
		if err := game.Read(strconv.FormatUint(most, 10)); err != nil {
			t.Fatal(err)
		}
		if err := game.Decide(&zermelov1.Event{Outcome: Loss}, 1); err == nil {
			t.Error("a loss is accepted though most positions after moves are not proved")
		}
		if h.lookups != int(proved)+1 {
			t.Errorf("with %d positions proved, %d are looked up", proved, h.lookups)
		}
	}
}
