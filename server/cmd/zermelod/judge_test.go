package main_test

import (
	"math/rand/v2"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
	"github.com/zermelo-games/zermelo/server/games"
)

// Judge draws positions of all games, and says whether a solution of a small one is right: by the games' oracles, which
// share no code with the solver. It knows of the games what their entries in the catalogue say. It is for one goroutine.
type Judge struct {
	entries []catalog.Entry
	catalog *catalog.Catalog
	oracles map[string]func(p *zermelov1.Position) oracle.Answer
	asked   int
}

// rememberedFor is after how many answers the oracles start anew: they remember all that they find out.
const rememberedFor = 1_000

// newJudge is a judge of all games.
func newJudge() *Judge {
	j := &Judge{entries: games.All()}
	limits := catalog.DefaultLimits()
	limits.MemoBudget = 64 << 20 // how large a game is, is not counted beyond what fits
	j.catalog = catalog.New(j.entries, limits)
	return j
}

// Agrees reports whether a solution says what the oracle of its game says: the value and, in any order, the best moves.
func (j *Judge) Agrees(p *zermelov1.Position, s *zermelov1.Solution) bool {
	if s == nil {
		return false
	}
	if j.asked%rememberedFor == 0 {
		j.oracles = make(map[string]func(p *zermelov1.Position) oracle.Answer)
		for _, game := range j.entries {
			j.oracles[game.Name] = game.Oracle()
		}
	}
	j.asked++
	answer := j.oracles[catalog.GameOf(p)](p)
	var value int64
	switch {
	case s.Margin != nil:
		value = s.GetMargin() - lead(p)
	case s.Cost != nil:
		value = s.GetCost()
	default:
		value = map[zermelov1.Outcome]int64{zermelov1.Outcome_OUTCOME_WIN: 1, zermelov1.Outcome_OUTCOME_LOSS: -1}[s.GetOutcome()]
	}
	var best []string
	for _, m := range s.GetBestMoves() {
		best = append(best, m.GetNotation())
	}
	want := slices.Clone(answer.Best)
	slices.Sort(best)
	slices.Sort(want)
	return value == answer.Value && slices.Equal(best, want)
}

// lead is by how much the player to move is ahead already, in the games that have that.
func lead(p *zermelov1.Position) int64 {
	game := gameOf(p)
	if field := game.Descriptor().Fields().ByName("lead"); field != nil {
		return game.Get(field).Int()
	}
	return 0
}

// gameOf is the message of a position's game.
func gameOf(p *zermelov1.Position) protoreflect.Message {
	position := p.ProtoReflect()
	return position.Get(position.Descriptor().Fields().ByName(protoreflect.Name(catalog.GameOf(p)))).Message()
}

// Small draws a small legal position of any game, which its oracle answers in no time.
func (j *Judge) Small(r *rand.Rand) *zermelov1.Position {
	return j.entries[r.IntN(len(j.entries))].Draw(r)
}
