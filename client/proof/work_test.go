package proof_test

import (
	"math"
	"testing"
	"time"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Of games with more moves than anybody can look at, a proof that lacks something is rejected at once.
func TestHugeGamesAreRejectedAtOnce(t *testing.T) {
	const (
		most   = math.MaxInt64
		normal = zermelov1.PlayConvention_PLAY_CONVENTION_NORMAL
		win    = zermelov1.Outcome_OUTCOME_WIN
		loss   = zermelov1.Outcome_OUTCOME_LOSS
	)
	decided := func(position, move string, outcome zermelov1.Outcome, depth uint32) *zermelov1.Event {
		return &zermelov1.Event{
			Kind: zermelov1.EventKind_EVENT_KIND_DECIDED, Position: position, Move: move, Outcome: outcome, Depth: depth,
		}
	}
	hundred := hundredGame(1<<62, most, 0)
	for name, test := range map[string]struct {
		root   *zermelov1.Position
		events []*zermelov1.Event
	}{
		"hundred_game": {hundred, []*zermelov1.Event{
			decided("9223372036854775000", "900", win, 2),
			decided("9223372036854775001", "900", win, 2),
			decided("9223372036854775002", "900", win, 3),
			decided("0", "", loss, 0),
		}},
		"hundred_game, a draw": {hundred, []*zermelov1.Event{decided("0", "1", zermelov1.Outcome_OUTCOME_DRAW, 0)}},
		"nim": {nim(normal, most, most), []*zermelov1.Event{
			decided("9223372036854775807-0", "9223372036854775807>0", win, 1),
			decided("9223372036854775806-0", "9223372036854775806>0", win, 2),
			decided("9223372036854775807-9223372036854775807", "", loss, 0),
		}},
		"can_i_win": {canIWin(64, 2080), []*zermelov1.Event{decided("-", "", loss, 0)}},
		"guess_number": {guessNumber(1, 1<<31), []*zermelov1.Event{{
			Kind: zermelov1.EventKind_EVENT_KIND_DECIDED, Position: "1..2147483648", Move: "1", Value: new(int64),
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			checker, err := proof.NewChecker(test.root)
			if err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			for i, event := range test.events {
				event.Sequence = int64(i + 1)
				if err := checker.Add(event); (err != nil) != (i == len(test.events)-1) {
					t.Errorf("event %d: %v", i+1, err)
				}
			}
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}
