package search

import (
	"context"
	"math"

	"github.com/zermelo-games/zermelo/server/engine"
)

// proofFrame is a position of the proof whose decision follows once those that it rests on have.
type proofFrame[P, M any] struct {
	position P
	// at is its place in the memo.
	at    uint64
	value int64
	// move is the move after which a decision is needed next.
	move M
	// named is the move that the decision names; a loss names none.
	named    M
	hasNamed bool
	// untilNamed is how many moves come before it; negative after it, and where none is named.
	untilNamed int
	// because is the number of the decision about the position after named.
	because int64
}

// choice is a way to choose among the winning moves of a position. All of them take a move that ends the game, or one to
// a position that the proof has already, where there is one.
type choice uint8

const (
	// leastProof takes the move to the position with the least proof, counted as if no two proofs had any decision in
	// common.
	leastProof choice = iota
	// firstMove takes the first one in natural order.
	firstMove
	// lastMove takes the last one. In Can I Win that is the highest integer, after which the least play is left.
	lastMove
)

// plan counts the proof of the move being tried, whose value is better than all before it or not, towards the proof of the
// position: a win needs one winning move, all else every move.
func (f *frame[P, M]) plan(better bool, value int64) {
	size := f.answer.figure
	switch {
	case value == engine.Win && better:
		f.found.figure = size
	case value == engine.Win:
		f.found.figure = min(f.found.figure, size)
	case f.found.value != engine.Win || !f.tried:
		f.found.figure = addSizes(f.found.figure, size)
	}
}

// shortest hands out a certificate of the root's value: decisions, each about another position, each after all those that
// it rests on, the root's last. A win rests on one move to a lost position, a loss on all moves leading to won ones, a
// draw on a move to a drawn position and on all others leading to won or drawn ones. A position at which the game is over
// needs no decision.
//
// Not all decisions of a search are needed, and which winning moves are named decides how long the proof is. To find the
// shortest is hard: from what the search has decided, the proof is laid out once for each choice, without handing it out,
// and then again for the choice that needs the fewest decisions.
func (s *Search[P, M, K]) shortest(ctx context.Context) error {
	if _, over := s.game.Over(s.game.Root()); over {
		return nil
	}
	var best choice
	least := int64(math.MaxInt64)
	for c := leastProof; c <= lastMove; c++ {
		decisions, err := s.layOut(ctx, c, nil)
		if err != nil {
			return err
		}
		if decisions < least {
			best, least = c, decisions
		}
	}
	_, err := s.layOut(ctx, best, func(f *proofFrame[P, M], number int64) bool {
		return s.yield(Event[P, M]{
			Number: number, Kind: Decided, Depth: s.open.size - 1, Position: f.position, Move: f.named, HasMove: f.hasNamed,
			Value: f.value, Because: f.because,
		}, nil)
	})
	return err
}

// layOut walks through the decisions that prove the root, each after those that it rests on, and returns how many there
// are. It ends with errLeft when decided returns false. Without decided it keeps the sizes of the proofs for the next
// time.
func (s *Search[P, M, K]) layOut(
	ctx context.Context, c choice, decided func(f *proofFrame[P, M], number int64) bool,
) (int64, error) {
	s.memo.clear(inProof)
	number := int64(0)
	_, at := s.place(s.game.Root())
	if err := s.prove(s.game.Root(), s.result.Value, at, c); err != nil {
		return 0, err
	}
	for s.open.size > 0 {
		if s.untilTick <= 0 {
			if err := s.tick(ctx); err != nil {
				return 0, err
			}
		}
		s.untilTick -= s.weight
		f := s.open.top
		next, key, at, _, over, _ := s.follow(f.position, f.at, f.move, 0)
		because := int64(0)
		if !over {
			known, _ := s.memo.find(key, at)
			if known.figure&inProof == 0 {
				if err := s.prove(next, known.value, at, c); err != nil {
					return 0, err
				}
				continue
			}
			because = known.figure.place()
		}
		if f.untilNamed == 0 {
			f.because = because
		}
		if f.value != engine.Win {
			if move, more := s.game.Next(f.position, f.move); more {
				f.move = move
				f.untilNamed--
				continue
			}
		}
		number++
		key = s.key(f.position)
		known, _ := s.memo.find(key, f.at)
		known.figure |= inProof
		if decided != nil {
			known.figure = atPlace(number)
		}
		if err := s.memo.replace(key, f.at, known); err != nil {
			return number, err
		}
		if decided != nil && !decided(f, number) {
			return number, errLeft
		}
		s.open.pop()
	}
	return number, nil
}

// prove opens a position of the proof, which is in the memo, and chooses the move that its decision names.
func (s *Search[P, M, K]) prove(position P, value int64, at uint64, c choice) error {
	f, err := s.open.push()
	if err != nil {
		return err
	}
	f.position, f.value, f.at = position, value, at
	f.move = s.game.First(f.position)
	if f.value == engine.Loss {
		f.untilNamed = -1
		return nil
	}
	least := figure(math.MaxInt64)
	i := 0
	for m := range engine.Moves(s.game, f.position) {
		s.untilTick -= s.weight
		i++
		_, key, at, value, over, _ := s.follow(f.position, f.at, m, 0)
		size := figure(0) // what is over, and what the proof has already, takes no further decision
		if !over {
			known, ok := s.memo.find(key, at)
			if !ok {
				continue // left untried by a cutoff
			}
			if value = known.value; known.figure&inProof == 0 {
				size = known.figure
			}
		}
		if -value != f.value {
			continue
		}
		if size > 0 {
			switch c {
			case firstMove:
				size = 1
			case lastMove:
				size = max(1, least-1) // less than all before it
			default:
			}
		}
		if size < least {
			f.named, f.hasNamed, f.untilNamed, least = m, true, i-1, size
		}
		if least == 0 {
			break
		}
	}
	if f.value == engine.Win {
		f.move, f.untilNamed = f.named, 0
	}
	return nil
}
