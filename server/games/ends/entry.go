package ends

import (
	"math"
	"math/rand/v2"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
)

const (
	positionNotation = "the range of indices that remains, half open, counted from 0 in the row as asked: 2..6; empty: 3..3"
	moveNotation     = "the end that is taken: L or R"
	moveOrder        = "L, R"
)

// Sizes that are the same on every server.
const (
	maxScores = 1_000_000
	// maxTraceScores bounds the rows of which Explain and EnumeratePositions write positions.
	maxTraceScores = 50_000
)

// scoresPerPosition is how many scores are fused in a position's time; see admission.Price.
const scoresPerPosition = 50

// PredictTheWinner is Predict the Winner in the catalogue.
func PredictTheWinner() catalog.Entry {
	return catalog.Entry{
		Name:     "predict_the_winner",
		Title:    "Predict the Winner",
		Question: "By how much does the player to move outscore the other?",
		Rules: "Two players in turn take the score at either end of a row. The higher sum wins; negative scores are " +
			"allowed. (LeetCode 486, where a draw counts for player 1: its true is \"not a loss\".)",
		PositionNotation: positionNotation,
		MoveNotation:     moveNotation,
		MoveOrder:        moveOrder,
		Objective:        engine.Margin,
		Example:          predictTheWinner([]int64{1, 5, 233, 7}, 0),
		Limits:           func(catalog.Limits) []*zermelov1.Limit { return limits("position.predict_the_winner.scores", "scores") },
		Open: func(r *catalog.Request, p *zermelov1.Position) catalog.Instance {
			asked := p.GetPredictTheWinner()
			return open(r, "scores", asked.GetScores(), asked.GetLead(), func(from, to uint32, lead int64) *zermelov1.Position {
				return predictTheWinner(asked.GetScores()[from:to], lead)
			})
		},
		Oracle: func() func(p *zermelov1.Position) oracle.Answer {
			solve := newOracle()
			return func(p *zermelov1.Position) oracle.Answer { return solve(p.GetPredictTheWinner().GetScores()) }
		},
		Samples: func(yield func(*zermelov1.Position) bool) {
			rows(-2, 3, func(scores []int64) bool { return yield(predictTheWinner(scores, 0)) })
		},
		Draw: func(r *rand.Rand) *zermelov1.Position {
			scores := make([]int64, r.IntN(11))
			for i := range scores {
				scores[i] = r.Int64N(201) - 100
			}
			return predictTheWinner(scores, r.Int64N(201)-100)
		},
	}
}

func predictTheWinner(scores []int64, lead int64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_PredictTheWinner{
		PredictTheWinner: &zermelov1.PredictTheWinner{Scores: scores, Lead: lead},
	}}
}

// StoneGame is Stone Game in the catalogue: Predict the Winner with a stone or more for every score.
func StoneGame() catalog.Entry {
	return catalog.Entry{
		Name:     "stone_game",
		Title:    "Stone Game",
		Question: "By how many stones does the player to move outscore the other?",
		Rules: "Two players in turn take the pile at either end of a row. Who has more stones wins. (LeetCode 877, which " +
			"starts with an even number of piles and an odd sum; any number is accepted here.)",
		PositionNotation: positionNotation,
		MoveNotation:     moveNotation,
		MoveOrder:        moveOrder,
		Objective:        engine.Margin,
		Example:          stoneGame([]uint64{5, 3, 4, 5}, 0),
		Limits:           func(catalog.Limits) []*zermelov1.Limit { return limits("position.stone_game.piles", "piles") },
		Open: func(r *catalog.Request, p *zermelov1.Position) catalog.Instance {
			asked := p.GetStoneGame()
			for i, pile := range asked.GetPiles() {
				switch {
				case pile == 0:
					r.Invalidf(catalog.Element("piles", i), "is empty; each pile must have at least 1 stone")
				case pile > math.MaxInt64:
					r.Invalidf(catalog.Element("piles", i), "has %d stones; |lead| + the sum of the piles must not exceed 2^63-1", pile)
				}
			}
			if r.Failed() {
				return nil
			}
			return open(r, "piles", scores(asked.GetPiles()), asked.GetLead(), func(from, to uint32, lead int64) *zermelov1.Position {
				return stoneGame(asked.GetPiles()[from:to], lead)
			})
		},
		Oracle: func() func(p *zermelov1.Position) oracle.Answer {
			solve := newOracle()
			return func(p *zermelov1.Position) oracle.Answer { return solve(scores(p.GetStoneGame().GetPiles())) }
		},
		Samples: func(yield func(*zermelov1.Position) bool) {
			rows(1, 4, func(scores []int64) bool { return yield(stoneGame(stones(scores), 0)) })
		},
		Draw: func(r *rand.Rand) *zermelov1.Position {
			piles := make([]uint64, r.IntN(11))
			for i := range piles {
				piles[i] = 1 + r.Uint64N(100)
			}
			return stoneGame(piles, r.Int64N(201)-100)
		},
	}
}

func stoneGame(piles []uint64, lead int64) *zermelov1.Position {
	return &zermelov1.Position{Game: &zermelov1.Position_StoneGame{StoneGame: &zermelov1.StoneGame{Piles: piles, Lead: lead}}}
}

func scores(piles []uint64) []int64 {
	scores := make([]int64, len(piles))
	for i, pile := range piles {
		scores[i] = int64(pile)
	}
	return scores
}

func stones(scores []int64) []uint64 {
	piles := make([]uint64, len(scores))
	for i, score := range scores {
		piles[i] = uint64(score)
	}
	return piles
}

// limits are those of a row in this field.
func limits(field, unit string) []*zermelov1.Limit {
	return []*zermelov1.Limit{
		{Rpc: "Solve", Subject: field, Maximum: maxScores, Unit: unit},
		{Rpc: "Explain", Subject: field, Maximum: maxTraceScores, Unit: unit},
		{Rpc: "EnumeratePositions", Subject: field, Maximum: maxTraceScores, Unit: unit},
		{Subject: "|lead| + the sum of |" + unit + "|", Maximum: math.MaxInt64, Unit: "points"},
	}
}

// open opens a row in this field. message writes what is left of it as a request.
func open(
	r *catalog.Request, field string, scores []int64, lead int64,
	message func(from, to uint32, lead int64) *zermelov1.Position,
) catalog.Instance {
	if n := len(scores); n > maxScores {
		r.TooLargef(field, "has %d entries; at most %d are accepted", n, maxScores)
	}
	sum := magnitude(lead)
	for _, score := range scores {
		sum += magnitude(score)
		if sum > math.MaxInt64 {
			// Every margin that play can lead to is at most this sum, so none of them wraps when it is not exceeded.
			r.Invalidf(field, "|lead| + the sum of |%s| exceeds 2^63-1", field)
			break
		}
	}
	if len(scores) == 0 && sum > math.MaxInt64 {
		r.Invalidf("lead", "is -2^63; |lead| must not exceed 2^63-1")
	}
	if r.Failed() {
		return nil
	}
	fusing := uint64(len(scores)) / scoresPerPosition
	return catalog.NewInstance(r, catalog.Opened[Position, Move, Position]{
		Game:     New(scores),
		Message:  func(p Position, lead int64) *zermelov1.Position { return message(p.From, p.To, lead) },
		Lead:     lead,
		Elements: len(scores),
		Traced:   catalog.TraceLimit{Field: field, Most: maxTraceScores},
		Work:     catalog.Work{Solving: fusing, Ranking: fusing * uint64(min(len(scores), catalog.MaxMainLine)+1)},
	})
}

// magnitude is |v|, also of -2^63.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// newOracle is the game as it is spoken, in terms of what is left of the row.
func newOracle() func(scores []int64) oracle.Answer {
	rules := oracle.Rules[[]int64]{
		Moves: func(p []int64) []oracle.Move[[]int64] {
			n := len(p)
			if n == 0 {
				return nil
			}
			return []oracle.Move[[]int64]{
				{Text: "L", Gain: p[0], To: [][]int64{p[1:]}},
				{Text: "R", Gain: p[n-1], To: [][]int64{p[:n-1]}},
			}
		},
		Over: func([]int64) int64 { return 0 },
	}
	return rules.Solve
}

// rows yields all rows of up to six scores within bounds.
func rows(least, largest int64, yield func(scores []int64) bool) {
	var extend func(scores []int64) bool
	extend = func(scores []int64) bool {
		if !yield(scores) {
			return false
		}
		for score := least; len(scores) < 6 && score <= largest; score++ {
			if !extend(append(scores[:len(scores):len(scores)], score)) {
				return false
			}
		}
		return true
	}
	extend(nil)
}
