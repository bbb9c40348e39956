// Package words is the kit with which the rooms of package games say how a game is typed and shown: as data and plain
// text, without a command line, a terminal or a call. The rules stay the server's.
//
// # How a position is typed
//
// A [Game] lists the [Field]s of its message. From these and from the descriptor of the message, a command line makes
// its grammar:
//
//   - A field with a Flag is a flag with a value: "--max 10". A list is typed there with commas: "--chosen 1,4".
//   - A field with Choices, an enum, has a flag without a value for each of them: "--misere". Exactly one is typed.
//   - A field with Argument may be typed without a flag: "can-i-win 10 11". A list takes all arguments that are there;
//     "-" alone is an empty one. Fewer arguments than fields go to the fields without a default first:
//     "guess-number 10" is the high end, "guess-number 3 10" both.
//   - A field with neither Argument nor Default nor Choices is a list that may be left out.
//
// [Game.Position] makes the position of what was typed, [Game.Arguments] does the reverse, and [Game.Tell] puts a
// server's complaint about a field in terms of what was typed.
package words

import (
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Game is how one game is typed and shown.
type Game struct {
	// Field is the name of its field in a position: "can_i_win".
	Field string
	// Title is its name for people: "Can I Win".
	Title string
	// Summary is a line about it: "Can I Win: each integer can be taken once (LeetCode 464)."
	Summary string
	// Help are the rules in a sentence or two, for those who look up how a position is typed.
	Help string
	// Examples are positions as they are typed after the command, the most common one first: "10 11". There is at least
	// one.
	Examples []string
	// Fields are the fields of its message, in the order in which arguments without flags are typed.
	Fields []Field
	// Describe puts a position of this game in words.
	Describe func(*zermelov1.Position) Position
}

// Field is how one field of the message of a game is typed.
type Field struct {
	// Name is its name in the message: "max_choosable_integer". Its kind is in the descriptor of the message: a whole
	// number, an enum, or a list of numbers.
	Name string
	// Flag is its flag, without hyphens: "max". Empty: it has none.
	Flag string
	// Placeholder stands for the value in help: "N".
	Placeholder string
	// Argument says that it may be typed without a flag.
	Argument bool
	// Default is what it is when it is not typed. Empty: it has to be typed.
	Default string
	// Element is what one element of a list is called: "pile". Empty where the field is no list.
	Element string
	// Separator is what may stand between the elements of a list besides spaces and commas: the "-" of "7-5-3".
	Separator string
	// Choices are the values of an enum that can be typed.
	Choices []Choice
	// Question is asked when none of the choices is typed.
	Question string
	// Help is a sentence about it.
	Help string
}

// Choice is one value of an enum.
type Choice struct {
	// Value is the value in the message.
	Value int32
	// Flag is its flag, without hyphens: "misere".
	Flag string
	// Help is a sentence about it.
	Help string
}

// Command is the name of the game on a command line: "can-i-win".
func (g Game) Command() string { return strings.ReplaceAll(g.Field, "_", "-") }

// Example is a position of the game as it is typed, with the command: "can-i-win 10 11".
func (g Game) Example() string { return g.Command() + " " + g.Examples[0] }

// Position puts one position in words, and the moves and answers that belong to it. Long rows are cut.
type Position interface {
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
	// Move says what a move does, out of its notation: "take 1 from a pile of 7". "" when it does not say more than the
	// notation.
	Move(notation string) string
	// Leaves is what a move leaves, out of the positions after it: "6-5-3".
	Leaves(next []*zermelov1.Position) string
	// Over says in a sentence why the game is over at the position. Only a position without moves is asked.
	Over() string

	// Result says in a sentence what the answer means beyond who wins; "" when there is nothing more to it.
	Result(*zermelov1.Solution) string
	// Remark is a sentence where another convention than this service's would answer differently, "" elsewhere.
	Remark(*zermelov1.Solution) string
	// Theorem is the name of a theorem that decides positions of the game, and its premises at this one, worked out here:
	// "Bouton's theorem", "the nim-sum is 7 xor 5 xor 3 = 1, not 0". Both are "" for one that is not about the game.
	Theorem(zermelov1.Theorem) (name, premises string)
	// Answer says in a sentence how a move of the one player was answered, out of the position that it led to; "" where
	// there are two players.
	Answer(next *zermelov1.Position) string
	// Play replays moves from the position, and says how each changes what players look at. nil where moves alone do not
	// say more, and where they cannot be made.
	Play(moves []string) []Turn
}

// Plain has the answers of a game of which there is nothing more to say. Rooms embed it.
type Plain struct{}

// Result is "".
func (Plain) Result(*zermelov1.Solution) string { return "" }

// Remark is "".
func (Plain) Remark(*zermelov1.Solution) string { return "" }

// Theorem is "": no theorem about the game is known.
func (Plain) Theorem(zermelov1.Theorem) (name, premises string) { return "", "" }

// Answer is "": there are two players.
func (Plain) Answer(*zermelov1.Position) string { return "" }

// Play is nil: the positions after the moves say it all.
func (Plain) Play([]string) []Turn { return nil }

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
