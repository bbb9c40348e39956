package caniwin

import (
	"context"

	"github.com/zermelo-games/zermelo/server/engine"
)

// Ranking knows the outcome of every move from the table that Solve fills, for at most MaxFree integers that are left;
// it is filled when a position first asks for it, and takes TableBytes. Distances it knows where one move decides, at the
// root and so wherever it leads: near the end of the game, and where the total is out of reach.
func (g *Game) Ranking(_ context.Context, distances bool) (engine.Ranking[Position, Move], error) {
	if !g.Ranks(distances) {
		return nil, engine.ErrNoAlgorithm
	}
	return &ranking{game: g}, nil
}

// Ranks is Ranking's.
func (g *Game) Ranks(distances bool) bool {
	_, ok := g.obvious(0)
	return ok || !distances && g.Plies() <= MaxFree
}

var _ engine.Ranker[Position, Move] = (*Game)(nil)

// ranking holds the table once a position has asked for it.
type ranking struct {
	game     *Game
	table    *table
	giveBack func()
}

// Close gives the table back to the system.
func (r *ranking) Close() {
	if r.table != nil {
		r.giveBack()
	}
}

// Rank ranks p by its own integers where one move decides there; otherwise it reads the table. Its errors are those of
// Solve.
func (r *ranking) Rank(ctx context.Context, p Position) ([]engine.Ranked[Move], error) {
	g := New(r.game.n, r.game.total, p)
	if _, over := g.Over(p); over {
		return nil, nil
	}
	if s, ok := g.obvious(0); ok {
		return g.rankObvious(s.Value), nil
	}
	if r.table == nil {
		var err error
		if r.table, r.giveBack, err = r.game.fillTable(ctx); err != nil {
			r.table = nil
			return nil, err
		}
	}
	var ranked []engine.Ranked[Move]
	for m := range engine.Moves(g, p) {
		value := engine.Win
		if r.table.won(r.table.subset(p.With(m) &^ r.game.root)) {
			value = engine.Loss
		}
		ranked = append(ranked, engine.Ranked[Move]{Move: m, Value: value})
	}
	return ranked, nil
}

// rankObvious ranks the root's moves where obvious knows the root's value. In a draw all integers that are left will be
// taken. Otherwise a move that reaches the total ends the game, and any other lets the other player end it.
func (g *Game) rankObvious(value int64) []engine.Ranked[Move] {
	var ranked []engine.Ranked[Move]
	for m := range engine.Moves(g, g.root) {
		move := engine.Ranked[Move]{Move: m, Value: value, Distance: 1}
		switch {
		case value == engine.Draw:
			move.Distance = int64(g.Plies())
		case g.root.With(m).Sum() < g.total:
			move.Value, move.Distance = engine.Loss, 2
		}
		ranked = append(ranked, move)
	}
	return ranked
}
