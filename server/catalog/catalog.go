// Package catalog knows the games that the service offers: it turns a position of the contract into a game of the
// engine, with what is wrong about it and what it would cost, and gives back answers of the contract. It is the only
// package that knows both. It knows nothing of calls, streams and status codes.
package catalog

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// entry is one game of the catalogue.
type entry struct {
	// info describes the game. The name is that of its field in Position.
	info *zermelov1.GameInfo
	// open turns a position, whose game is this one, into an instance, or notes in c what is wrong with it.
	open func(c *checker, p *zermelov1.Position, limits Limits) Instance
	// limits are those that concern only this game.
	limits func(Limits) []*zermelov1.Limit
}

// entries are the games, in the order of the fields of Position.
var entries = []entry{nimEntry, canIWinEntry, hundredEntry, predictTheWinnerEntry, stoneGameEntry, guessNumberEntry}

var gameField = (*zermelov1.Position)(nil).ProtoReflect().Descriptor().Oneofs().ByName("game")

// Open returns the game of a position. path is where the position stands in the request; it begins the field paths of
// the error, which is a *RequestError.
func Open(p *zermelov1.Position, path string, limits Limits) (Instance, error) {
	c := &checker{path: path}
	var field protoreflect.FieldDescriptor
	if p != nil {
		field = p.ProtoReflect().WhichOneof(gameField)
	}
	if field == nil {
		c.invalidf("", "no game is set; set one of %s", gameNames())
		return nil, c.err()
	}
	for i := range entries {
		if e := &entries[i]; e.info.GetName() == string(field.Name()) {
			c.path += "." + e.info.GetName()
			instance := e.open(c, p, limits)
			if err := c.err(); err != nil {
				return nil, err
			}
			return instance, nil
		}
	}
	c.invalidf("", "%s is not offered; set one of %s", field.Name(), gameNames())
	return nil, c.err()
}

// GameOf is the name of a position's game, that of its field; empty when no game is set.
func GameOf(p *zermelov1.Position) string {
	if p == nil {
		return ""
	}
	field := p.ProtoReflect().WhichOneof(gameField)
	if field == nil {
		return ""
	}
	return string(field.Name())
}

// Games lists the names of the games, in the order of their fields.
func Games() []string {
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].info.GetName()
	}
	return names
}

func gameNames() string { return strings.Join(Games(), ", ") }
