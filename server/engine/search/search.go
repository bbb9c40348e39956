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
	// Proof hands out a certificate of the root's value; see shortest. It needs Decisions and RememberAll.
	Proof bool
	// Uncut looks at every move everywhere. A proof that is chosen from all that can be reached is shorter; there has to be
	// room.
	Uncut bool
	// MaxBest is how many best moves the result lists.
	MaxBest int
}

// TickPositions is how many positions a search looks at between two looks at the context, each of them followed by a
// Tick. After a cancel, no more than this many positions are looked at. Games with bulky positions count each for more.
const TickPositions = 4096

// Search is one search of one game. It is used once and by one goroutine.
type Search[P, M any, K comparable] struct {
	game      engine.Game[P, M, K]
	indexed   engine.Indexed[P, M] // where the memo is an array
	options   Options
	objective engine.Objective
	// gain and repeats are the game's; nil where moves earn nothing, and where no two have the same text.
	gain    func(p P, m M) int64
	repeats func(p P, m M) bool
	ledger  ledger
	memo    memo[K]
	stack   *stack[frame[P, M]]
	// planning finds the sizes of proofs, before one of them is laid out in open.
	planning  bool
	open      *stack[proofFrame[P, M]]
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
	// at is the position's place in the memo.
	at uint64
	// answer is the value of the move being tried, by the branches so far, without what it earns, and the figure of the
	// decision that it rests on; in a search for distances the moves to the end, this one included.
	answer decision
	// found is the decision about the position by the moves so far; tried says that there are such. While a proof is
	// planned, its figure counts the decisions that are needed beside the position's own: those of the least proof of a
	// winning move or, until there is one, those after all moves.
	found decision
	// branch is the adversary's choice after the move being tried.
	branch int32
	tried  bool
	// move is the move being tried, best the first best one so far.
	move, best M
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
	s.memo.array.ledger, s.memo.table.ledger, s.memo.list.ledger = &s.ledger, &s.ledger, &s.ledger
	s.memo.table.keyBytes, s.memo.table.hash = int64(bulk.KeyBytes), game.Hash
	s.stack = newStack[frame[P, M]](&s.ledger, bulk.PositionBytes)
	if options.Proof && s.objective == engine.WinLoss { // elsewhere every decision is needed: the trace is the proof
		s.options.Detail, s.planning = Silent, true
		s.open = newStack[proofFrame[P, M]](&s.ledger, bulk.PositionBytes)
	}
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
		if err == nil && s.planning {
			err = s.shortest(ctx)
		}
		s.stats.Elapsed, s.running = time.Since(s.started), false
		switch {
		case err == nil, errors.Is(err, errLeft):
		case errors.Is(err, engine.ErrMemoBudget):
			yield(Event[P, M]{}, &engine.BudgetError{Budget: s.options.Budget, Expanded: s.stats.PositionsExpanded})
		default:
			yield(Event[P, M]{}, err)
		}
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
	if err := s.openMemo(); err != nil {
		return err
	}
	if known, ok, err := s.lookAtRoot(); err != nil || ok {
		s.result.Value = known.value
		return err
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

// openMemo chooses between an array and a table.
func (s *Search[P, M, K]) openMemo() error {
	indexed, ok := s.game.(engine.Indexed[P, M])
	if !ok || s.options.Policy == RememberNone || !sizesOf(s.game).arrayFits(s.options.Budget) {
		return nil
	}
	s.indexed = indexed
	return s.memo.array.open(indexed.Indexes())
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
	f := s.stack.top
	if f.branch > 0 && s.objective != engine.Cost {
		return s.settle(f) // there is no other branch
	}
	next, key, at, value, over, ok := s.follow(f.position, f.at, f.move, f.branch)
	if !ok {
		return s.settle(f)
	}
	known, ok, err := s.look(next, key, at, value, over, f.move, s.stack.size)
	if !ok || err != nil {
		return err
	}
	if s.take(f, known); s.objective == engine.Cost {
		return nil
	}
	return s.settle(f)
}

// look answers a position from the rules or the memo; otherwise it enters it.
func (s *Search[P, M, K]) look(
	p P, key K, at uint64, value int64, over bool, by M, depth int,
) (known decision, ok bool, err error) {
	s.untilTick -= s.weight
	s.stats.MaxDepth = max(s.stats.MaxDepth, int64(depth))
	if over && !s.options.Exhaustive {
		s.stats.Terminals++
		if s.options.Detail == Everything {
			_, err = s.emit(Terminal, depth, p, by, depth > 0, decision{value: value})
		}
		return decision{value: value}, true, err
	}
	if s.options.Policy != RememberNone {
		if known, ok = s.memo.find(key, at); ok {
			s.stats.MemoHits++
			if s.options.Detail == Everything {
				_, err = s.emit(MemoHit, depth, p, by, depth > 0, known)
			}
			return known, true, err
		}
	}
	if over {
		return s.end(p, key, at, value, by, depth)
	}
	return known, false, s.enter(p, at, by, depth)
}

// end remembers a position at which the game is over.
func (s *Search[P, M, K]) end(
	p P, key K, at uint64, value int64, by M, depth int,
) (known decision, ok bool, err error) {
	s.stats.Terminals++
	known.value = value
	number, err := s.emit(Terminal, depth, p, by, depth > 0, known)
	if err != nil {
		return known, false, err
	}
	if !s.options.Distances {
		known.figure = figure(number)
	}
	return known, true, s.memo.put(key, at, known)
}

// enter opens a position.
func (s *Search[P, M, K]) enter(p P, at uint64, by M, depth int) error {
	s.stats.PositionsExpanded++
	if s.options.Detail == Everything {
		if _, err := s.emit(Enter, depth, p, by, depth > 0, decision{}); err != nil {
			return err
		}
	}
	f, err := s.stack.push()
	if err != nil {
		return err
	}
	f.position, f.at = p, at
	f.move = s.game.First(p)
	return nil
}

// take adds what is known of a branch of the move being tried. It reports whether the adversary prefers it to the branches
// before.
func (s *Search[P, M, K]) take(f *frame[P, M], known decision) bool {
	if s.objective != engine.Cost {
		known.value = -known.value // the other player moves there
	}
	if s.options.Distances {
		known.figure++
	}
	preferred := f.branch == 0 || known.value > f.answer.value ||
		s.options.Distances && known.value == f.answer.value && known.figure > f.answer.figure
	if preferred {
		f.answer = known
	}
	f.branch++
	return preferred
}

// settle compares the move being tried, now known, with the best so far, and goes on to the next one or decides the
// position.
func (s *Search[P, M, K]) settle(f *frame[P, M]) error {
	value := f.answer.value
	if s.gain != nil {
		value += s.gain(f.position, f.move)
	}
	better := !f.tried || value > f.found.value
	if s.objective == engine.Cost {
		better = !f.tried || value < f.found.value
	}
	atRoot := s.stack.size == 1
	if atRoot {
		s.noteRootMove(f.move, better, better || value == f.found.value)
	}
	switch {
	case s.planning:
		f.plan(better, value)
	case better || s.options.Distances && value == f.found.value &&
		nearer(s.objective, value, f.answer.figure.remoteness(), f.found.figure.remoteness()):
		f.best, f.found.figure = f.move, f.answer.figure
	}
	if better {
		f.found.value, f.tried = value, true
	}
	move, more := s.game.Next(f.position, f.move)
	if more {
		won := s.objective == engine.WinLoss && value == engine.Win
		if !won || s.options.Exhaustive || s.options.Uncut || atRoot && s.options.AllRootMoves {
			f.move, f.branch = move, 0
			return nil
		}
		s.stats.Cutoffs++
		if atRoot {
			s.result.BestKnown = false
		}
		if s.options.Detail == Everything {
			if _, err := s.emit(Cutoff, s.stack.size-1, f.position, f.best, true, f.found); err != nil {
				return err
			}
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
	decided := f.found
	if s.planning {
		decided.figure = addSizes(decided.figure, oneDecision)
	} else {
		told, move, hasMove := decided, f.best, true
		if s.objective == engine.WinLoss && decided.value == engine.Loss {
			var none M
			move, hasMove = none, false // and no decision that it rests on
			if !s.options.Distances {
				told.figure = 0
			}
		}
		number, err := s.emit(Decided, s.stack.size-1, f.position, move, hasMove, told)
		if err != nil {
			return err
		}
		if !s.options.Distances {
			decided.figure = figure(number)
		}
	}
	if p := s.options.Policy; p == RememberAll || p == RememberLosses && decided.value == engine.Loss {
		if err := s.memo.put(s.key(f.position), f.at, decided); err != nil {
			return err
		}
	}
	s.stack.pop()
	if s.stack.size == 0 {
		s.result.Value = decided.value
		return nil
	}
	s.take(s.stack.top, decided)
	return nil
}

// emit numbers an event and hands it out, unless the search is silent. known is what is told of the position: its value
// and, in a search for distances, how far it is from the end, otherwise the decision that this rests on.
func (s *Search[P, M, K]) emit(kind Kind, depth int, p P, m M, hasMove bool, known decision) (int64, error) {
	s.number++
	if s.options.Detail == Silent {
		return s.number, nil
	}
	because, distance := known.figure.sequence(), int64(0)
	if s.options.Distances {
		because, distance = 0, known.figure.remoteness()
		if kind != Decided && kind != Terminal {
			distance = 0
		}
	}
	if !s.yield(Event[P, M]{
		Number: s.number, Kind: kind, Depth: depth, Position: p, Move: m, HasMove: hasMove, Value: known.value,
		Because: because, Distance: distance,
	}, nil) {
		return 0, errLeft
	}
	return s.number, nil
}

// lookAtRoot is look at the root.
func (s *Search[P, M, K]) lookAtRoot() (known decision, ok bool, err error) {
	var none M
	root := s.game.Root()
	key, at, value, over := s.ask(root)
	return s.look(root, key, at, value, over, none, 0)
}

// follow returns what is after move m at p, whose place in the memo is given: the position, its own place, and whether the
// game is over there; false when there is no such branch.
func (s *Search[P, M, K]) follow(
	p P, at uint64, m M, branch int32,
) (next P, key K, nextAt uint64, value int64, over, ok bool) {
	if s.indexed != nil {
		next, nextAt, value, over, ok = s.indexed.Follow(p, at, m, int(branch))
	} else if next, ok = s.game.After(p, m, int(branch)); ok {
		key, nextAt, value, over = s.ask(next)
	}
	return next, key, nextAt, value, over, ok
}

// ask asks where a position stands in the memo, and whether the game is over there.
func (s *Search[P, M, K]) ask(p P) (key K, at uint64, value int64, over bool) {
	value, over = s.game.Over(p)
	if !over || s.options.Exhaustive {
		key, at = s.place(p)
	}
	return key, at, value, over
}

// place is a position's key and hash or, where the memo is an array, its index.
func (s *Search[P, M, K]) place(p P) (key K, at uint64) {
	switch {
	case s.indexed != nil:
		at = s.indexed.Index(p)
	case s.options.Policy != RememberNone:
		key = s.game.Key(p)
		at = s.game.Hash(key)
	}
	return key, at
}

// key is a position's key, where the memo is not an array.
func (s *Search[P, M, K]) key(p P) (key K) {
	if s.indexed == nil {
		key = s.game.Key(p)
	}
	return key
}
