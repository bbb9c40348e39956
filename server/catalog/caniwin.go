package catalog

import (
	"fmt"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/games/caniwin"
)

var canIWinEntry = entry{
	info: &zermelov1.GameInfo{
		Name:     "can_i_win",
		Title:    "Can I Win",
		Question: "Who first brings the sum to the total, when each integer can be taken once?",
		Rules: "Two players in turn take an integer from 1 to n that neither has taken. Who first brings the sum of all " +
			"taken integers to the total or above wins. When none is left before that, it is a draw. (LeetCode 464)",
		PositionNotation: "chosen integers ascending, joined by ',': 1,4; none: -",
		MoveNotation:     "the integer taken: 7",
		MoveOrder:        "ascending",
		MemoPolicies:     winLossPolicies,
		Example: &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
			MaxChoosableInteger: 10, DesiredTotal: 11,
		}}},
	},
	open: openCanIWin,
	limits: func(limits Limits) []*zermelov1.Limit {
		return []*zermelov1.Limit{
			{
				Rpc: "Solve", Subject: "integers not in position.can_i_win.chosen, where no shortcut decides",
				Maximum: int64(mostFree(limits)), Unit: "integers",
			},
			{Subject: "position.can_i_win.max_choosable_integer", Maximum: caniwin.MaxInteger, Unit: "integers"},
		}
	},
}

func openCanIWin(c *checker, p *zermelov1.Position, limits Limits) Instance {
	asked := p.GetCanIWin()
	n := asked.GetMaxChoosableInteger()
	switch {
	case n == 0:
		c.invalidf("max_choosable_integer", "is 0 or not set; it must be from 1 to %d", caniwin.MaxInteger)
		return nil
	case n > caniwin.MaxInteger:
		c.tooLargef("max_choosable_integer", "is %d; at most %d is accepted", n, caniwin.MaxInteger)
		return nil
	}
	var chosen caniwin.Position
	for i, integer := range asked.GetChosen() {
		if integer == 0 || integer > n {
			c.invalidf(Element("chosen", i), "is %d; it must be from 1 to max_choosable_integer, %d", integer, n)
			continue
		}
		with := chosen.With(caniwin.Move(integer))
		if with == chosen {
			c.invalidf(Element("chosen", i), "is %d, which was chosen before; each integer can be chosen once", integer)
		}
		chosen = with
	}
	if c.err() != nil {
		return nil
	}
	game := caniwin.New(int(n), int64(asked.GetDesiredTotal()), chosen)
	filling := engine.MulSaturating(game.TableBytes()/8, game.Plies()) / wordsPerPosition
	return &instance[caniwin.Position, caniwin.Move, caniwin.Position]{
		path: c.path,
		game: game,
		shortcut: shortcut{
			bytes:   game.TableBytes(),
			solving: filling,
			ranking: filling,
			field:   "max_choosable_integer",
			asked:   fmt.Sprintf("is %d, which leaves %d integers to choose from", n, int(n)-len(asked.GetChosen())),
			fits:    fmt.Sprintf("at most %d", mostFree(limits)),
		},
		limits:   limits,
		policies: winLossPolicies,
		theorem:  zermelov1.Theorem_THEOREM_OUT_OF_REACH,
		request: func(p caniwin.Position, _ int64) *zermelov1.Position {
			return &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
				MaxChoosableInteger: n, DesiredTotal: asked.GetDesiredTotal(), Chosen: p.Chosen(),
			}}}
		},
	}
}

// mostFree is how many integers may be left to choose from for their table to fit.
func mostFree(limits Limits) int {
	free := 0
	for free < caniwin.MaxFree && caniwin.TableBytes(free+1) <= limits.tableBudget() {
		free++
	}
	return free
}
