// Package proof checks certificates: the events with which a Zermelo server proves the value of a position, when it
// explains it with DETAIL_PROOF. [Check] reads a whole stream of them; a [Checker] is given one event at a time. Either
// the proof is accepted, and a [Verdict] says what it proves, or a [WrongError] names the first event that is wrong and
// says why.
//
// The root position is the one that the proof is about. The rules of its game come from package games; [With] has the
// checker know other games.
//
// # What is trusted
//
// Nothing that comes from a server. What has to be believed is little: the rules of each game, a few lines each
// (rules.go in the rooms of package games), three of them with a theorem; how a value follows from the values after the
// moves (winloss.go in package rules; the rooms ends and guess for the other games); that what was proved is found again
// (the maps of Go); this package; and the machine's arithmetic on whole numbers, which is
// kept from overflowing. All of it imports the generated messages and the standard library, and shares no code with the
// solver, nor with the client library.
//
// # What a proof is
//
// The events are numbered 1, 2, 3, … and each decides one position: a legal position that play can reach from the root
// position, at which the game is not over, and which was not decided before. It has to follow from the rules and from
// earlier decisions alone:
//
//   - WIN: `move` is legal and leads to a position that is lost for the player who then moves.
//   - LOSS: every legal move leads to a position that is won for the player who then moves. There is no `move`.
//   - DRAW: `move` is legal and leads to a drawn position; every other legal move leads to a drawn one or to one that is
//     won for the player who then moves.
//   - Ends games: `value` is the larger, over both moves, of the score taken less the value of what is left; `outcome`
//     is its sign; `move` attains it.
//   - Guess number: `value` is the least, over all guesses, of the guess and the larger value among the ranges that it
//     can leave; `move` attains it. There is no `outcome`.
//
// `because` is the number of the decision about the position after `move`; in guess_number about the costlier range,
// the lower one of two that cost the same; 0 when the game is over there, or when there is no `move`. What the contract
// leaves out has to be left out. `depth` is no part of the argument, but it says something: that some play of so many
// moves leads from the root position to this one. It is held to that, no more; so it is 0 for the root position.
//
// The last decision is about the root position, and nothing follows it. When the game is over at the root position,
// there are no events at all. Instead of decisions, there can be a single THEOREM about the root position. A decision
// that no other one rests on does no harm and is accepted.
//
// Positions and moves have to be written exactly as the contract writes them, so that no position has two names.
//
// # What a hostile stream can do
//
// Nothing but be rejected. For each event, no more positions are looked up than were proved before, and two: of 2^62
// legal moves, the first whose position has not been proved is enough to reject the event. A position is looked up in
// the time that it takes to read one. The memory is bounded by [MemoryFactor] and [MemoryBase].
package proof

const (
	// MemoryFactor bounds the memory of a checker: over its whole life it allocates, all in all and whether or not it
	// still needs it, no more than MemoryFactor bytes for each byte that the root position and the events take as
	// Protobuf messages, and MemoryBase bytes besides. The memory of the events themselves is their maker's.
	MemoryFactor = 16
	// MemoryBase is the part of the memory that does not depend on the proof, in bytes.
	MemoryBase = 64 << 10
)
