// Package games lists the games of the client's side, one room each: the rules by which proofs are checked, and the
// words with which a game is typed and shown. The rules are independent of those by which the server solves.
//
// A further game is one room like the others and one line in [All].
package games

import (
	"errors"
	"slices"
	"strings"

	"github.com/zermelo-games/zermelo/client/games/caniwin"
	"github.com/zermelo-games/zermelo/client/games/ends"
	"github.com/zermelo-games/zermelo/client/games/guess"
	"github.com/zermelo-games/zermelo/client/games/hundred"
	"github.com/zermelo-games/zermelo/client/games/nim"
	"github.com/zermelo-games/zermelo/client/rules"
	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Game is one game on the client's side.
type Game struct {
	words.Game
	// Rules are the rules by which the checker judges proofs about a root position of the game. The error says why that
	// is not legal.
	Rules func(root *zermelov1.Position) (rules.Game, error)
}

// List is some games.
type List []Game

// All lists the games, in the order of the fields of a position. It is not to be changed.
func All() List { return all }

var all = List{
	{nim.Words(), nim.Rules},
	{caniwin.Words(), caniwin.Rules},
	{hundred.Words(), hundred.Rules},
	{ends.PredictTheWinnerWords(), ends.PredictTheWinnerRules},
	{ends.StoneGameWords(), ends.StoneGameRules},
	{guess.Words(), guess.Rules},
}

// Find is the game with this command, or with this field of a position.
func (l List) Find(name string) (Game, bool) {
	at := slices.IndexFunc(l, func(g Game) bool { return g.Field == name || g.Command() == name })
	if at < 0 {
		return Game{}, false
	}
	return l[at], true
}

// Names lists the commands of the games, joined by commas.
func (l List) Names() string {
	names := make([]string, 0, len(l))
	for _, g := range l {
		names = append(names, g.Command())
	}
	return strings.Join(names, ", ")
}

// errNoGame is for a position of a game that is not in the list.
var errNoGame = errors.New("the position has no game that is known here; is the server newer?")

// Of is the game of a position. The error says that it is not known here.
func (l List) Of(p *zermelov1.Position) (Game, error) {
	if game, ok := l.Find(FieldOf(p)); ok {
		return game, nil
	}
	return Game{}, errNoGame
}

// Describe puts a position in words. The error is that of Of.
func (l List) Describe(p *zermelov1.Position) (words.Position, error) {
	game, err := l.Of(p)
	if err != nil {
		return nil, err
	}
	return game.Describe(p), nil
}

var gameField = (*zermelov1.Position)(nil).ProtoReflect().Descriptor().Oneofs().ByName("game")

// FieldOf is the name of the field that holds the game of a position; "" when none is set.
func FieldOf(p *zermelov1.Position) string {
	if field := p.ProtoReflect().WhichOneof(gameField); field != nil {
		return string(field.Name())
	}
	return ""
}
