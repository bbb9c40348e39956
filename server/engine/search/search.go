// Package search decides positions by memoised minimax: one engine for all games. It knows nothing of any game's rules
// and hands out what it does as a sequence of events.
package search

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"time"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Policy is which decided positions a search remembers.
type Policy uint8

const (
	// RememberAll remembers every decided position.
	RememberAll Policy = iota
	// RememberLosses remembers only lost ones; for WinLoss games.
	RememberLosses
	// RememberNone remembers nothing.
	RememberNone
)

// Detail is which events a search hands out and numbers.
type Detail uint8

const (
	// Silent hands out ticks only. Decisions are still numbered.
	Silent Detail = iota
	// Decisions hands out Decided events.
	Decisions
	// Everything hands out all events.
	Everything
)

// Options of a search. The zero value remembers all, is silent, and has no memory to work with.
type Options struct {
	Policy Policy
	Detail Detail
	// Budget bounds the bytes of the memo and the stack together.
	Budget int64
	// AllRootMoves looks at every move of the root, so that all its best moves are known. Elsewhere a win/loss search
	// stops at the first winning move.
	AllRootMoves bool
	// Exhaustive looks at every move everywhere and remembers terminals too, so that each reachable position is
	// decided, and handed out, exactly once: as a Decided or a Terminal event. It needs RememberAll.
	Exhaustive bool
	// Distances finds how far each position is from the end of the game; see engine.Ranked. It needs Exhaustive. The
	// deciding move is then the one by which the distance is reached, and no event says what it rests on.
	Distances bool
	// MaxBest is how many best moves the result lists.
	MaxBest int

	// uncut looks at every move everywhere.
	uncut bool
	// planning makes the numbers of decisions the sizes of their proofs, and remembers both packed; see Proof.
	planning bool
}

// TickPositions is how many positions a search looks at between two looks at the context, each of them followed by a
// Tick. After a cancel, no more than this many positions are looked at. Games with bulky positions count each for more.
const TickPositions = 4096

// Search is one search of one game. It is used once and by one goroutine.
type Search[P, M any, K comparable] struct {
	game      engine.Game[P, M, K]
	options   Options
	objective engine.Objective
	// gain and repeats are the game's; nil where moves earn nothing, and where no two have the same text.
	gain      func(p P, m M) int64
	repeats   func(p P, m M) bool
	ledger    ledger
	memo      *memo[K]
	stack     *stack[frame[P, M]]
	stats     Statistics
	started   time.Time
	running   bool
	number    int64
	untilTick int
	weight    int
	yield     func(Event[P, M], error) bool
	result    engine.Solution[M]
}

// frame is an open position: entered and not yet decided.
type frame[P, M any] struct {
	position P
	// move is the move being tried, branch the adversary's choice after it.
	move   M
	branch int
	// answer is what move has turned out to be worth so far, answerNumber the decision that this rests on. In a search for
	// distances the numbers are one more than the distances instead: that is what move makes of them.
	answer       int64
	answerNumber int64
	// best is the first best move so far; tried says that there is one.
	best       M
	tried      bool
	bestValue  int64
	bestNumber int64
	// proofs adds up the sizes of the proofs of all positions after the moves so far; see Proof.
	proofs int64
}

// errLeft ends a search whose consumer has left the loop.
var errLeft = errors.New("the consumer left")

// New prepares a search.
func New[P, M any, K comparable](game engine.Game[P, M, K], options Options) *Search[P, M, K] {
	s := &Search[P, M, K]{
		game:      game,
		options:   options,
		objective: game.Objective(),
		gain:      engine.GainOf(game),
		repeats:   engine.RepeatsOf(game),
		ledger:    ledger{budget: options.Budget},
	}
	bulk := engine.BulkOf(game)
	s.weight = 1 + bulk.Work
	s.memo = newMemo(&s.ledger, bulk.KeyBytes, game.Hash)
	s.stack = newStack[frame[P, M]](&s.ledger, bulk.PositionBytes)
	return s
}

// Events runs the search as it is ranged over, once: it goes on only while the consumer asks for more, and ends when
// the consumer leaves. An error comes once, last: ctx's cause when ctx ended, or a *engine.BudgetError. Without one,
// Result holds the solution after the last event.
func (s *Search[P, M, K]) Events(ctx context.Context) iter.Seq2[Event[P, M], error] {
	return func(yield func(Event[P, M], error) bool) {
		s.yield = yield
		s.started, s.running = time.Now(), true
		err := s.run(ctx)
		s.stats.Elapsed, s.running = time.Since(s.started), false
		s.fail(yield, err)
	}
}

// fail hands out the error that ended a search, if one did.
func (s *Search[P, M, K]) fail(yield func(Event[P, M], error) bool, err error) {
	switch {
	case err == nil, errors.Is(err, errLeft):
	case errors.Is(err, engine.ErrMemoBudget):
		yield(Event[P, M]{}, &engine.BudgetError{Budget: s.options.Budget, Expanded: s.stats.PositionsExpanded})
	default:
		yield(Event[P, M]{}, err)
	}
}

// Statistics returns the work done so far; also from within the loop over Events.
func (s *Search[P, M, K]) Statistics() Statistics {
	stats := s.stats
	stats.MemoEntries = s.memo.count
	if s.running {
		stats.Elapsed = time.Since(s.started)
	}
	return stats
}

// Result is the solution. It is set when Events ended without an error and without the consumer leaving. BestKnown is
// false when a cutoff at the root left moves untried; Best then holds the winning move.
func (s *Search[P, M, K]) Result() engine.Solution[M] { return s.result }

func (s *Search[P, M, K]) run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	s.untilTick = TickPositions
	s.result.BestKnown = true
	var none M
	value, _, known, err := s.look(s.game.Root(), none, 0)
	if err != nil {
		return err
	}
	if known {
		s.result.Value = value
		return nil
	}
	for s.stack.size > 0 {
		if s.untilTick <= 0 {
			if err := s.tick(ctx); err != nil {
				return err
			}
		}
		if err := s.step(); err != nil {
			return err
		}
	}
	return nil
}

// tick looks at the context and gives the consumer its moment.
func (s *Search[P, M, K]) tick(ctx context.Context) error {
	s.untilTick = TickPositions
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	runtime.Gosched() // what takes less does not wait for this search
	if !s.yield(Event[P, M]{Kind: Tick}, nil) {
		return errLeft
	}
	return nil
}

// step follows the next branch of the move being tried at the top of the stack or, when all of them are known, settles
// the move.
func (s *Search[P, M, K]) step() error {
	f := s.stack.top()
	next, ok := s.game.After(f.position, f.move, f.branch)
	if !ok {
		return s.settle(f)
	}
	value, number, known, err := s.look(next, f.move, s.stack.size)
	if err != nil {
		return err
	}
	if known {
		s.take(f, value, number)
	}
	return nil
}

// look answers a position from the rules or the memo; otherwise it enters it.
func (s *Search[P, M, K]) look(p P, by M, depth int) (value, number int64, known bool, err error) {
	s.untilTick -= s.weight
	s.stats.MaxDepth = max(s.stats.MaxDepth, int64(depth))
	value, over := s.game.Over(p)
	if over && !s.options.Exhaustive {
		s.stats.Terminals++
		_, err = s.emit(Event[P, M]{Kind: Terminal, Depth: depth, Position: p, Move: by, HasMove: depth > 0, Value: value})
		return value, 0, true, err
	}
	if s.options.Policy != RememberNone {
		if r := s.memo.find(s.game.Key(p)); r != nil {
			s.stats.MemoHits++
			value, number = r.value, r.number
			if s.options.planning {
				value, number = unpackPlan(r.value)
			}
			if s.options.Detail == Everything { // the most frequent event by far: not even made when nobody asks for it
				e := Event[P, M]{
					Kind: MemoHit, Depth: depth, Position: p, Move: by, HasMove: depth > 0, Value: value, Because: number,
				}
				if s.options.Distances {
					e.Because = 0
				}
				_, err = s.emit(e)
			}
			return value, number, true, err
		}
	}
	if over {
		s.stats.Terminals++
		number, err = s.emit(Event[P, M]{Kind: Terminal, Depth: depth, Position: p, Move: by, HasMove: depth > 0, Value: value})
		if s.options.Distances {
			number = 1
		}
		if err == nil {
			err = s.memo.put(s.game.Key(p), value, number)
		}
		return value, number, true, err
	}
	s.stats.PositionsExpanded++
	if _, err = s.emit(Event[P, M]{Kind: Enter, Depth: depth, Position: p, Move: by, HasMove: depth > 0}); err != nil {
		return 0, 0, false, err
	}
	f, err := s.stack.push()
	if err != nil {
		return 0, 0, false, err
	}
	f.position = p
	f.move = s.game.First(p)
	return 0, 0, false, nil
}

// take adds what a branch of the move being tried is worth, decided as number. It reports whether the adversary prefers
// it to the branches before.
func (s *Search[P, M, K]) take(f *frame[P, M], value, number int64) bool {
	if s.objective != engine.Cost {
		value = -value // the other player moves there
	}
	preferred := f.branch == 0 || value > f.answer || s.options.Distances && value == f.answer && number > f.answerNumber
	if preferred {
		f.answer, f.answerNumber = value, number
	}
	f.branch++
	return preferred
}

// settle compares the move being tried, now known, with the best so far, and goes on to the next one or decides the
// position.
func (s *Search[P, M, K]) settle(f *frame[P, M]) error {
	value := f.answer
	if s.gain != nil {
		value += s.gain(f.position, f.move)
	}
	atRoot := s.stack.size == 1
	better := !f.tried || value > f.bestValue
	if s.objective == engine.Cost {
		better = !f.tried || value < f.bestValue
	}
	if better {
		f.best, f.bestValue, f.bestNumber, f.tried = f.move, value, f.answerNumber, true
	}
	if atRoot {
		s.noteRootMove(f.move, better, value == f.bestValue)
	}
	if s.options.Distances && !better && value == f.bestValue && nearer(s.objective, value, f.answerNumber, f.bestNumber) {
		f.best, f.bestNumber = f.move, f.answerNumber
	}
	if s.options.planning {
		f.plan(value)
	}
	move, more := s.game.Next(f.position, f.move)
	if more {
		won := s.objective == engine.WinLoss && value == engine.Win
		if !won || s.options.Exhaustive || s.options.uncut || atRoot && s.options.AllRootMoves {
			f.move, f.branch = move, 0
			return nil
		}
		s.stats.Cutoffs++
		if atRoot {
			s.result.BestKnown = false
		}
		if _, err := s.emit(Event[P, M]{
			Kind: Cutoff, Depth: s.stack.size - 1, Position: f.position, Move: f.best, HasMove: true, Value: value,
			Because: f.bestNumber,
		}); err != nil {
			return err
		}
	}
	return s.decide(f)
}

// noteRootMove keeps the list of the root's best moves, one for each text.
func (s *Search[P, M, K]) noteRootMove(m M, better, equal bool) {
	switch {
	case better:
		s.result.Best, s.result.BestCount = s.result.Best[:0], 0
	case !equal || s.repeats != nil && s.repeats(s.game.Root(), m):
		return
	}
	s.result.BestCount++
	if len(s.result.Best) < s.options.MaxBest {
		s.result.Best = append(s.result.Best, m)
	}
}

// decide closes the position at the top of the stack and hands its value up.
func (s *Search[P, M, K]) decide(f *frame[P, M]) error {
	e := Event[P, M]{
		Kind: Decided, Depth: s.stack.size - 1, Position: f.position, Move: f.best, HasMove: true, Value: f.bestValue,
		Because: f.bestNumber,
	}
	if s.objective == engine.WinLoss && f.bestValue == engine.Loss {
		var none M
		e.Move, e.HasMove, e.Because = none, false, 0
	}
	if s.options.Distances {
		e.Distance, e.Because = f.bestNumber, 0
	}
	number, err := s.emit(e)
	if err != nil {
		return err
	}
	if s.options.Distances {
		number = e.Distance + 1
	}
	stored := e.Value
	if s.options.planning {
		number = f.proofSize()
		stored = packPlan(e.Value, number)
	}
	if p := s.options.Policy; p == RememberAll || p == RememberLosses && e.Value == engine.Loss {
		if err := s.memo.put(s.game.Key(e.Position), stored, number); err != nil {
			return err
		}
	}
	s.stack.pop()
	if s.stack.size == 0 {
		s.result.Value = e.Value
		return nil
	}
	s.take(s.stack.top(), e.Value, number)
	return nil
}

// emit numbers an event and hands it out, if the detail asked for has events of its kind.
func (s *Search[P, M, K]) emit(e Event[P, M]) (int64, error) {
	counted := e.Kind == Decided || s.options.Detail == Everything || e.Kind == Terminal && s.options.Exhaustive
	if !counted {
		return 0, nil
	}
	s.number++
	e.Number = s.number
	if s.options.Detail != Silent && !s.yield(e, nil) {
		return 0, errLeft
	}
	return e.Number, nil
}
