package catalog

import (
	"math"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/games/ends"
)

const (
	endsPositionNotation = "the range of indices that remains, half open, counted from 0 in the row as asked: 2..6; empty: 3..3"
	endsMoveNotation     = "the end that is taken: L or R"
	endsMoveOrder        = "L, R"
)

var predictTheWinnerEntry = entry{
	info: &zermelov1.GameInfo{
		Name:     "predict_the_winner",
		Title:    "Predict the Winner",
		Question: "By how much does the player to move outscore the other?",
		Rules: "Two players in turn take the score at either end of a row. The higher sum wins; negative scores are " +
			"allowed. (LeetCode 486, where a draw counts for player 1: its true is \"not a loss\".)",
		PositionNotation: endsPositionNotation,
		MoveNotation:     endsMoveNotation,
		MoveOrder:        endsMoveOrder,
		MemoPolicies:     valuePolicies,
		Example: &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
			PredictTheWinner: &zermelov1.PredictTheWinner{Scores: []int64{1, 5, 233, 7}},
		}},
	},
	open:   openPredictTheWinner,
	limits: func(Limits) []*zermelov1.Limit { return endsLimits("position.predict_the_winner.scores", "scores") },
}

var stoneGameEntry = entry{
	info: &zermelov1.GameInfo{
		Name:     "stone_game",
		Title:    "Stone Game",
		Question: "By how many stones does the player to move outscore the other?",
		Rules: "Two players in turn take the pile at either end of a row. Who has more stones wins. (LeetCode 877, which " +
			"starts with an even number of piles and an odd sum; any number is accepted here.)",
		PositionNotation: endsPositionNotation,
		MoveNotation:     endsMoveNotation,
		MoveOrder:        endsMoveOrder,
		MemoPolicies:     valuePolicies,
		Example: &zermelov1.Position{Game: &zermelov1.Position_StoneGame{
			StoneGame: &zermelov1.StoneGame{Piles: []uint64{5, 3, 4, 5}},
		}},
	},
	open:   openStoneGame,
	limits: func(Limits) []*zermelov1.Limit { return endsLimits("position.stone_game.piles", "piles") },
}

func endsLimits(field, unit string) []*zermelov1.Limit {
	return []*zermelov1.Limit{
		{Rpc: "Solve", Subject: field, Maximum: maxScores, Unit: unit},
		{Rpc: "Explain", Subject: field, Maximum: maxTraceScores, Unit: unit},
		{Rpc: "EnumeratePositions", Subject: field, Maximum: maxTraceScores, Unit: unit},
		{Subject: "|lead| + the sum of |" + unit + "|", Maximum: math.MaxInt64, Unit: "points"},
	}
}

func openPredictTheWinner(c *checker, p *zermelov1.Position, limits Limits) Instance {
	asked := p.GetPredictTheWinner()
	return openEnds(c, limits, row{
		field:  "scores",
		scores: asked.GetScores(),
		lead:   asked.GetLead(),
		position: func(from, to int, lead int64) *zermelov1.Position {
			return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
				PredictTheWinner: &zermelov1.PredictTheWinner{Scores: asked.GetScores()[from:to], Lead: lead},
			}}
		},
	})
}

func openStoneGame(c *checker, p *zermelov1.Position, limits Limits) Instance {
	asked := p.GetStoneGame()
	scores := make([]int64, len(asked.GetPiles()))
	for i, pile := range asked.GetPiles() {
		switch {
		case pile == 0:
			c.invalidf(Element("piles", i), "is empty; each pile must have at least 1 stone")
		case pile > math.MaxInt64:
			c.invalidf(Element("piles", i), "has %d stones; |lead| + the sum of the piles must not exceed 2^63-1", pile)
		default:
			scores[i] = int64(pile)
		}
	}
	return openEnds(c, limits, row{
		field:  "piles",
		scores: scores,
		lead:   asked.GetLead(),
		position: func(from, to int, lead int64) *zermelov1.Position {
			return &zermelov1.Position{Game: &zermelov1.Position_StoneGame{
				StoneGame: &zermelov1.StoneGame{Piles: asked.GetPiles()[from:to], Lead: lead},
			}}
		},
	})
}

// row is what the two games have in common.
type row struct {
	field    string
	scores   []int64
	lead     int64
	position func(from, to int, lead int64) *zermelov1.Position
}

func openEnds(c *checker, limits Limits, r row) Instance {
	if n := len(r.scores); n > maxScores {
		c.tooLargef(r.field, "has %d entries; at most %d are accepted", n, maxScores)
	}
	sum := magnitude(r.lead)
	for _, score := range r.scores {
		sum += magnitude(score)
		if sum > math.MaxInt64 {
			// Every margin that play can lead to is at most this sum, so none of them wraps when it is not exceeded.
			c.invalidf(r.field, "|lead| + the sum of |%s| exceeds 2^63-1", r.field)
			break
		}
	}
	if len(r.scores) == 0 && sum > math.MaxInt64 {
		c.invalidf("lead", "is -2^63; |lead| must not exceed 2^63-1")
	}
	if c.err() != nil {
		return nil
	}
	fusing := uint64(len(r.scores)) / scoresPerPosition
	return &instance[ends.Position, ends.Move, ends.Position]{
		path:     c.path,
		shortcut: shortcut{solving: fusing, ranking: fusing * uint64(min(len(r.scores), maxMainLine)+1)},
		game:     ends.New(r.scores),
		limits:   limits,
		policies: valuePolicies,
		lead:     r.lead,
		trace:    sizeBound{field: r.field, size: len(r.scores), most: maxTraceScores, unit: r.field},
		request: func(p ends.Position, lead int64) *zermelov1.Position {
			return r.position(int(p.From), int(p.To), lead)
		},
	}
}

// magnitude is |v|, also of -2^63.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}
