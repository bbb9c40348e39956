package gametest

import (
	"errors"

	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/search"
)

// errTooLong ends a recursion that would look at more positions than it may.
var errTooLong = errors.New("more positions than the recursion may look at")

// recursion is the search once more, as the plain recursion that it would be if games were never deep and memory never
// ended. It makes the events that search.Search has to make.
type recursion[P, M any, K comparable] struct {
	game    engine.Game[P, M, K]
	options search.Options
	looks   int // that it may still take

	memo   map[K]decision
	number int64
	stats  search.Statistics
	events []search.Event[P, M]
	result engine.Solution[M]
}

// decision is the value of a position and the number of the event that says so; 0 when none does, or when distances are
// asked for. distance is how far the position is from the end.
type decision struct {
	value, number, distance int64
}

// recurse searches a game with at most looks looks at positions, and otherwise returns errTooLong.
func recurse[P, M any, K comparable](g engine.Game[P, M, K], options search.Options, looks int) (*recursion[P, M, K], error) {
	r := &recursion[P, M, K]{game: g, options: options, looks: looks, memo: make(map[K]decision)}
	r.result.BestKnown = true
	root, err := r.look(g.Root(), search.Event[P, M]{})
	r.result.Value = root.value
	r.stats.MemoEntries = int64(len(r.memo))
	return r, err
}

// look answers position p. The event to begin with holds the move that led there and the depth.
func (r *recursion[P, M, K]) look(p P, e search.Event[P, M]) (decision, error) {
	if r.looks--; r.looks < 0 {
		return decision{}, errTooLong
	}
	e.Position = p
	r.stats.MaxDepth = max(r.stats.MaxDepth, int64(e.Depth))
	if known, ok := r.memo[r.game.Key(p)]; ok {
		r.stats.MemoHits++
		e.Kind, e.Value, e.Because = search.MemoHit, known.value, known.number
		r.emit(e)
		return known, nil
	}
	if value, over := r.game.Over(p); over {
		r.stats.Terminals++
		e.Kind, e.Value = search.Terminal, value
		d := decision{value: value}
		if number := r.emit(e); r.options.Exhaustive {
			if !r.options.Distances {
				d.number = number
			}
			r.memo[r.game.Key(p)] = d
		}
		return d, nil
	}
	r.stats.PositionsExpanded++
	e.Kind = search.Enter
	r.emit(e)
	return r.expand(p, e.Depth)
}

// expand tries the moves at p.
func (r *recursion[P, M, K]) expand(p P, depth int) (decision, error) {
	decided := search.Event[P, M]{Kind: search.Decided, Depth: depth, Position: p}
	winLoss := r.game.Objective() == engine.WinLoss
	for m, more := r.game.First(p), true; more; {
		answer, err := r.answer(p, m, depth)
		if err != nil {
			return answer, err
		}
		value := answer.value
		if gain := engine.GainOf(r.game); gain != nil {
			value += gain(p, m)
		}
		better := !decided.HasMove || value > decided.Value
		if r.game.Objective() == engine.Cost {
			better = !decided.HasMove || value < decided.Value
		}
		if better || r.options.Distances && value == decided.Value &&
			sooner(r.game.Objective(), value, answer.distance+1, decided.Distance) {
			decided.Move, decided.HasMove, decided.Value, decided.Because = m, true, value, answer.number
			decided.Distance = answer.distance + 1
		}
		if depth == 0 {
			r.noteRootMove(m, better, value == decided.Value)
		}
		m, more = r.game.Next(p, m)
		won := winLoss && value == engine.Win
		if all := r.options.Exhaustive || depth == 0 && r.options.AllRootMoves; more && won && !all {
			r.stats.Cutoffs++
			r.result.BestKnown = r.result.BestKnown && depth > 0
			cutoff := decided
			cutoff.Kind, cutoff.Distance = search.Cutoff, 0
			r.emit(cutoff)
			break
		}
	}
	if winLoss && decided.Value == engine.Loss {
		decided = search.Event[P, M]{
			Kind: search.Decided, Depth: depth, Position: p, Value: engine.Loss, Distance: decided.Distance,
		}
	}
	d := decision{value: decided.Value}
	if r.options.Distances {
		d.distance = decided.Distance
		r.emit(decided)
	} else {
		decided.Distance = 0
		d.number = r.emit(decided)
	}
	if r.options.Policy == search.RememberAll || r.options.Policy == search.RememberLosses && d.value == engine.Loss {
		r.memo[r.game.Key(p)] = d
	}
	return d, nil
}

// answer is the best that the other side has after m, as the player sees it who makes the move.
func (r *recursion[P, M, K]) answer(p P, m M, depth int) (decision, error) {
	var worst decision
	for branch := 0; ; branch++ {
		next, ok := r.game.After(p, m, branch)
		if !ok {
			return worst, nil
		}
		d, err := r.look(next, search.Event[P, M]{Depth: depth + 1, Move: m, HasMove: true})
		if err != nil {
			return d, err
		}
		if r.game.Objective() != engine.Cost {
			d.value = -d.value
		}
		if branch == 0 || d.value > worst.value ||
			r.options.Distances && d.value == worst.value && d.distance > worst.distance {
			worst = d
		}
	}
}

// sooner reports whether who moves prefers, of two moves that are best with this value, the one that is a moves from the
// end to that which is b moves from it: winners, and who pays, want it to be over; others want it to last.
func sooner(values engine.Objective, value, a, b int64) bool {
	hurries := values == engine.Cost || values == engine.WinLoss && value == engine.Win
	return hurries && a < b || !hurries && a > b
}

func (r *recursion[P, M, K]) noteRootMove(m M, better, best bool) {
	if better {
		r.result.Best = nil
	}
	text := string(r.game.AppendMove(nil, m))
	for _, other := range r.result.Best {
		best = best && string(r.game.AppendMove(nil, other)) != text
	}
	if best {
		r.result.Best = append(r.result.Best, m)
	}
	r.result.BestCount = int64(len(r.result.Best))
}

func (r *recursion[P, M, K]) emit(e search.Event[P, M]) int64 {
	if e.Kind != search.Decided && r.options.Detail != search.Everything &&
		(e.Kind != search.Terminal || !r.options.Exhaustive) {
		return 0
	}
	r.number++
	e.Number = r.number
	if r.options.Detail != search.Silent {
		r.events = append(r.events, e)
	}
	return e.Number
}
