package search

import (
	"context"
	"iter"
	"math"
	"time"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Proof is a certificate of the value of a game's root: decisions, each about another position, each after all those
// that it rests on, the root's last. A win rests on one move to a lost position, a loss on all moves leading to won
// ones, a draw on a move to a drawn position and on all others leading to won or drawn ones; a margin or a cost on the
// values after all moves. A position at which the game is over needs no decision.
//
// In Margin and Cost games every decision of a search is needed, so that its trace is the proof. In WinLoss games many
// are not, and which winning moves are named decides how long the proof is. To find the shortest is hard; this one first
// decides all that can be reached, if there is room, and then tries some ways to choose (see choice) and takes the one
// that needs the fewest decisions. Where there is no room, it chooses from what a search with cutoffs has decided.
type Proof[P, M any, K comparable] struct {
	*Search[P, M, K]
	open *stack[proofFrame[P, M]]
}

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

// NewProof prepares a proof. budget bounds the bytes of the memo and the stack together; maxBest is how many best moves
// the result lists. fits says that the whole game surely fits the budget: then all of it is searched for a short proof.
func NewProof[P, M any, K comparable](
	game engine.Game[P, M, K], budget int64, maxBest int, fits bool,
) *Proof[P, M, K] {
	options := Options{Detail: Decisions, Budget: budget, MaxBest: maxBest}
	if game.Objective() == engine.WinLoss {
		options.Detail = Silent
		options.planning = true
		options.uncut = fits
	}
	p := &Proof[P, M, K]{Search: New(game, options)}
	p.open = newStack[proofFrame[P, M]](&p.ledger, engine.BulkOf(game).PositionBytes)
	return p
}

// Events finds the proof and hands it out, as Search.Events does a trace: Decided events, numbered from 1, and ticks.
// The errors are the same.
func (p *Proof[P, M, K]) Events(ctx context.Context) iter.Seq2[Event[P, M], error] {
	if !p.options.planning {
		return p.Search.Events(ctx)
	}
	return func(yield func(Event[P, M], error) bool) {
		for e, err := range p.Search.Events(ctx) {
			if !yield(e, err) || err != nil {
				return
			}
		}
		if _, over := p.game.Over(p.game.Root()); over {
			return
		}
		p.yield, p.running = yield, true
		err := p.shortest(ctx)
		p.stats.Elapsed, p.running = time.Since(p.started), false
		p.fail(yield, err)
	}
}

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

// shortest lays the proof out once for each choice, without handing it out, and then again for the best one.
func (p *Proof[P, M, K]) shortest(ctx context.Context) error {
	var best choice
	least := int64(math.MaxInt64)
	for c := leastProof; c <= lastMove; c++ {
		decisions, err := p.layOut(ctx, c, nil)
		if err != nil {
			return err
		}
		if decisions < least {
			best, least = c, decisions
		}
	}
	_, err := p.layOut(ctx, best, func(f *proofFrame[P, M], number int64) bool {
		return p.yield(Event[P, M]{
			Number: number, Kind: Decided, Depth: p.open.size - 1, Position: f.position, Move: f.named, HasMove: f.hasNamed,
			Value: f.value, Because: f.because,
		}, nil)
	})
	return err
}

// layOut walks through the decisions that prove the root, each after those that it rests on, and returns how many there
// are. It ends with errLeft when decided returns false. Without decided it keeps the sizes of the proofs for the next
// time.
func (p *Proof[P, M, K]) layOut(
	ctx context.Context, c choice, decided func(f *proofFrame[P, M], number int64) bool,
) (int64, error) {
	p.memo.clear(inProof)
	number := int64(0)
	_, at := p.place(p.game.Root())
	if err := p.enter(p.game.Root(), p.result.Value, at, c); err != nil {
		return 0, err
	}
	for p.open.size > 0 {
		if p.untilTick <= 0 {
			if err := p.tick(ctx); err != nil {
				return 0, err
			}
		}
		p.untilTick -= p.weight
		f := p.open.top
		next, key, at, _, over, _ := p.follow(f.position, f.at, f.move, 0)
		because := int64(0)
		if !over {
			known, _ := p.memo.find(key, at)
			if known.figure&inProof == 0 {
				if err := p.enter(next, known.value, at, c); err != nil {
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
			if move, more := p.game.Next(f.position, f.move); more {
				f.move = move
				f.untilNamed--
				continue
			}
		}
		number++
		key = p.key(f.position)
		known, _ := p.memo.find(key, f.at)
		known.figure |= inProof
		if decided != nil {
			known.figure = atPlace(number)
		}
		if err := p.memo.replace(key, f.at, known); err != nil {
			return number, err
		}
		if decided != nil && !decided(f, number) {
			return number, errLeft
		}
		p.open.pop()
	}
	return number, nil
}

// enter opens a position of the proof, which is in the memo, and chooses the move that its decision names.
func (p *Proof[P, M, K]) enter(position P, value int64, at uint64, c choice) error {
	f, err := p.open.push()
	if err != nil {
		return err
	}
	f.position, f.value, f.at = position, value, at
	f.move = p.game.First(f.position)
	if f.value == engine.Loss {
		f.untilNamed = -1
		return nil
	}
	least := figure(math.MaxInt64)
	i := 0
	for m := range engine.Moves(p.game, f.position) {
		p.untilTick -= p.weight
		i++
		_, key, at, value, over, _ := p.follow(f.position, f.at, m, 0)
		size := figure(0) // what is over, and what the proof has already, takes no further decision
		if !over {
			known, ok := p.memo.find(key, at)
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
