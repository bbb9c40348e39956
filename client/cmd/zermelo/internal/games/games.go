// Package games holds what the command line knows about each game: how a position is typed, and how positions, moves
// and answers are put in words. It knows nothing of calls and of how a page is laid out; the rules are the server's.
//
// A further game is one file like the others and one line in [All].
package games

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Game is one game of the command line.
type Game struct {
	// Command is its name there: "can-i-win".
	Command string
	// Field is the name of its field in a position: "can_i_win".
	Field string
	// Title is its name for people: "Can I Win".
	Title string

	// example is what is typed after the command, for hints.
	example string
	// fields tells how the fields of its message are typed: "high" as "--high".
	fields map[string]string
	// command makes a struct with one field, the command, whose tags are the grammar.
	command func() any
	// words puts a position of this game in words.
	words func(*zermelov1.Position) Words
}

// All lists the games, in the order of the fields of a position.
func All() []Game {
	return []Game{nim(), canIWin(), hundredGame(), predictTheWinner(), stoneGame(), guessNumber()}
}

// Find is the game with this command, or with this field of a position.
func Find(name string) (Game, bool) {
	all := All()
	at := slices.IndexFunc(all, func(g Game) bool { return g.Command == name || g.Field == name })
	if at < 0 {
		return Game{}, false
	}
	return all[at], true
}

// Names lists the commands of all games, joined by commas.
func Names() string {
	all := All()
	names := make([]string, 0, len(all))
	for _, g := range all {
		names = append(names, g.Command)
	}
	return strings.Join(names, ", ")
}

// Example is a position of the game as it is typed: "can-i-win --max 10 --total 11".
func (g Game) Example() string { return g.Command + " " + g.example }

// Commands makes the sub-commands of one verb, one a game and one for positions in JSON: pointers to structs that carry
// the grammar. Each verb needs a set of its own, since what is typed is stored there.
func Commands() []any {
	var commands []any
	for _, g := range All() {
		commands = append(commands, g.command())
	}
	return append(commands, new(jsonCommand))
}

// Arguments are what was typed after the name of a game. All that [Commands] makes, once parsed, holds one.
type Arguments interface {
	// Position is the position that was typed. stdin is read only where the arguments say so. Errors are a *UsageError,
	// or those of stdin.
	Position(stdin io.Reader) (*zermelov1.Position, error)
	// Tell says what a server found wrong with a field of the position in terms of what was typed: the field
	// "position.guess_number.low", which "is 0", makes "--low is 0".
	Tell(path, description string) string
}

// UsageError says that what was typed cannot be meant.
type UsageError struct {
	// Problem says what is wrong, and what would do.
	Problem string
}

// Error is the problem.
func (e *UsageError) Error() string { return e.Problem }

// Words puts one position in words, and the moves and answers that belong to it. Long rows are cut.
type Words interface {
	// Title is the game and the position: "Nim 7-5-3, misère play".
	Title() string
	// Short is the position alone, as far as moves change it: "7-5-3".
	Short() string
	// Rules says in a sentence or two what a move is and who wins.
	Rules() string
	// Board draws the position for those who play: all of it that a move can change.
	Board() []Row
	// Reading says in a sentence how the notation of positions is read.
	Reading() string
	// Move says what a move does, out of its notation: "take 1 from the pile of 7".
	Move(notation string) string
	// Leaves is what a move leaves, out of the positions after it: "6-5-3".
	Leaves(next []*zermelov1.Position) string
	// Result says in a sentence what the answer means beyond who wins; "" when there is nothing more to it.
	Result(*zermelov1.Solution) string
	// Over says in a sentence why the game is over at the position. Only a position without moves is asked.
	Over() string
	// Remark is a sentence where another convention than this service's would answer differently, "" elsewhere.
	Remark(*zermelov1.Solution) string
	// Theorem is the name of a theorem that decides positions of the game, and its premises at this one, worked out here:
	// "Bouton's theorem", "the nim-sum is 7 xor 5 xor 3 = 1, not 0". Both are "" for one that is not about the game.
	Theorem(zermelov1.Theorem) (name, premises string)
	// Play replays moves from the position, and says how each changes what players look at. nil where moves alone do not
	// say more, and where they cannot be made.
	Play(moves []string) []Turn
	// Arguments is the position as it is typed: "nim --misere 7 5 3".
	Arguments() string
}

// Row is one row of a board.
type Row struct {
	// Label is what the row is about; empty for nothing.
	Label string
	// Text is what there is, in words that can be wrapped at their spaces.
	Text string
}

// Turn is one move of a play.
type Turn struct {
	// Takes is what the move does, short: "L 7".
	Takes string
	// Leaves is what is left after it.
	Leaves string
	// Last says that the game is over after it.
	Last bool
	// Mine and Theirs are the scores after it: that of the player to move at the position played from, and the other's.
	Mine, Theirs string
}

// errNoGame is for a position of a game that is not in the list.
var errNoGame = errors.New("the position is of a game that this command line does not know; is the server newer?")

// Describe puts a position in words. The error says that its game is not known here.
func Describe(p *zermelov1.Position) (Words, error) {
	if game, ok := Find(FieldOf(p)); ok {
		return game.words(p), nil
	}
	return nil, errNoGame
}

var gameField = (*zermelov1.Position)(nil).ProtoReflect().Descriptor().Oneofs().ByName("game")

// FieldOf is the name of the field that holds the game of a position; "" when none is set.
func FieldOf(p *zermelov1.Position) string {
	if p == nil {
		return ""
	}
	var field protoreflect.FieldDescriptor
	if field = p.ProtoReflect().WhichOneof(gameField); field == nil {
		return ""
	}
	return string(field.Name())
}

var (
	indexed   = regexp.MustCompile(`^(.*)\[(\d+)\]$`)
	fieldName = regexp.MustCompile("`[a-z_]+`|\\b[a-z]+(?:_[a-z]+)+\\b")
)

// Tell says what a server found wrong with a field, as Arguments.Tell does, in terms of what is typed for this game.
func (g Game) Tell(path, description string) string {
	description = fieldName.ReplaceAllStringFunc(description, func(name string) string {
		if typed, known := g.fields[strings.Trim(name, "`")]; known {
			return typed
		}
		return name
	})
	return g.typed(path) + " " + description
}

// typed is how a field is typed, by its path. An element of a list is named by its place, counted from 1 as people do.
func (g Game) typed(path string) string {
	rest, of := strings.CutPrefix(path, "position."+g.Field)
	if !of {
		return path
	}
	name, place := strings.TrimPrefix(rest, "."), ""
	if found := indexed.FindStringSubmatch(name); found != nil {
		name, place = found[1], fromOne(found[2])
	}
	typed, known := g.fields[name]
	switch {
	case name == "":
		return "the position:"
	case !known:
		return path
	case strings.HasPrefix(typed, "--") && place == "":
		return typed
	case strings.HasPrefix(typed, "--"):
		return "number " + place + " of " + typed
	case place == "": // a row: piles, scores
		return "the " + typed + ":"
	default:
		return strings.TrimSuffix(typed, "s") + " " + place
	}
}
