package catalog

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// solution writes a solution in the terms of the contract.
func (i *instance[P, M, K]) solution(
	solved engine.Solution[M], method zermelov1.Method, stats search.Statistics,
) *zermelov1.Solution {
	s := &zermelov1.Solution{Method: method, Statistics: statistics(stats)}
	switch i.Game.Objective() {
	case engine.Margin:
		s.Margin = new(i.Lead + solved.Value)
		s.Outcome = outcomeOf(engine.Margin, i.Lead+solved.Value)
	case engine.Cost:
		s.Cost = &solved.Value
	default:
		s.Outcome = outcomeOf(engine.WinLoss, solved.Value)
	}
	if solved.BestKnown {
		s.BestMoveCount = &solved.BestCount
	}
	room := nextRoom{left: nextBytes, plenty: i.surelyFit(len(solved.Best))}
	moves := make([]zermelov1.Move, len(solved.Best))
	s.BestMoves = make([]*zermelov1.Move, len(solved.Best))
	var notation []byte
	for n, m := range solved.Best {
		notation = i.Game.AppendMove(notation[:0], m)
		moves[n].Notation = string(notation)
		s.BestMoves[n] = &moves[n]
	}
	room.take(s)
	root := i.Game.Root()
	next := make([]*zermelov1.Position, len(moves)) // of one branch, which is all that most moves have
	for n, m := range solved.Best {
		moves[n].Next = next[n : n : n+1]
		i.fillNext(&room, s.BestMoves[n], root, i.Lead, m)
	}
	return s
}

// surelyFit reports whether there is room for the positions after so many moves, whatever these are: an element takes at
// most 10 bytes. To add up what they take would be a fifth of the time of a small answer.
func (i *instance[P, M, K]) surelyFit(moves int) bool {
	const mostBranches, moveAndFields = 2, 256
	return moves < 1000 && mostBranches*moves*(10*i.Elements+moveAndFields) < nextBytes
}

// gain is what move m at p earns or costs.
func (i *instance[P, M, K]) gain(p P, m M) int64 {
	if gainer, ok := i.Game.(engine.Gainer[P, M]); ok {
		return gainer.Gain(p, m)
	}
	return 0
}

// nextRoom is how many bytes a response may still grow by; plenty says that they are enough, and need not be counted.
type nextRoom struct {
	left   int
	plenty bool
}

// entryBytes is what an entry of a repeated field takes beyond the message itself, up to 1 MiB.
const entryBytes = 6

// take takes the room of a message that is in the response.
func (r *nextRoom) take(m proto.Message) {
	if !r.plenty {
		r.left -= proto.Size(m) + 2*entryBytes
	}
}

// fillNext fills in the positions after a move at p, as long as there is room.
func (i *instance[P, M, K]) fillNext(room *nextRoom, move *zermelov1.Move, p P, lead int64, m M) {
	if room.left > 0 {
		for branch := 0; ; branch++ {
			q, ok := i.Game.After(p, m, branch)
			if !ok {
				break
			}
			move.Next = append(move.Next, i.Message(q, -(lead+i.gain(p, m))))
		}
		for _, next := range move.Next {
			room.take(next)
		}
	}
	if room.left <= 0 {
		move.Next, move.NextOmitted = nil, true
	}
}

// rankedMove writes a ranked move of the root in the terms of the contract.
func (i *instance[P, M, K]) rankedMove(m engine.Ranked[M], distances bool) *zermelov1.RankedMove {
	out := &zermelov1.RankedMove{Move: &zermelov1.Move{Notation: string(i.Game.AppendMove(nil, m.Move))}}
	switch i.Game.Objective() {
	case engine.Margin:
		out.Margin = new(i.Lead + m.Value)
		out.Outcome = outcomeOf(engine.Margin, i.Lead+m.Value)
	case engine.Cost:
		out.Cost = &m.Value
	default:
		out.Outcome = outcomeOf(engine.WinLoss, m.Value)
	}
	if distances {
		out.MovesToEnd = &m.Distance
	}
	return out
}

// outcomeOf is the outcome that a value stands for; a Cost has none.
func outcomeOf(objective engine.Objective, value int64) zermelov1.Outcome {
	switch {
	case objective == engine.Cost:
		return zermelov1.Outcome_OUTCOME_UNSPECIFIED
	case value > 0:
		return zermelov1.Outcome_OUTCOME_WIN
	case value < 0:
		return zermelov1.Outcome_OUTCOME_LOSS
	default:
		return zermelov1.Outcome_OUTCOME_DRAW
	}
}

func statistics(s search.Statistics) *zermelov1.Statistics {
	return &zermelov1.Statistics{
		PositionsExpanded: s.PositionsExpanded,
		MemoHits:          s.MemoHits,
		MemoEntries:       s.MemoEntries,
		Terminals:         s.Terminals,
		Cutoffs:           s.Cutoffs,
		MaxDepth:          s.MaxDepth,
		Elapsed:           durationpb.New(s.Elapsed),
	}
}
