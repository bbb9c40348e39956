// Package client calls a Zermelo server, the service zermelo.v1.SolverService, from Go.
//
// A [Client] is made once with [New], shared by all goroutines and closed at the end. It solves a position
// ([Client.Solve]), follows the search that decides one ([Client.Explain]), lists every position that can be reached
// ([Client.EnumeratePositions]) and reads the catalogue of games ([Client.ListGames]). The messages are the generated
// ones of package zermelov1; what they mean is said in their comments.
//
// # Streams
//
// Explanations and enumerations are ranged over. The call is made when the loop begins; leaving the loop, in whatever
// way, cancels it, and the server stops searching soon after. An error comes once, as the last pair of the loop.
// Nothing is read ahead beyond the window of the transport: a slow loop slows the server down.
//
// What the loop yields is complete and in order, or the loop ends with an error: a stream that breaks off, that skips
// an event, or whose summary counts otherwise than the client did, ends with a [ProtocolError].
//
// # Waiting and retrying
//
// Every call waits for a server that is not there yet, or not there for the moment because it restarts, instead of
// failing at once; how long is for the context to say. Solve and ListGames take [DefaultUnaryTimeout] when their
// context has no deadline. Explain and EnumeratePositions take none, because a search may rightly run for hours: with
// a context that has no deadline they wait for ever for a server that does not exist.
//
// Solve and ListGames, which are safe to repeat, are tried again when a server is UNAVAILABLE. Streams never are: a
// second attempt would begin at the first event again.
//
// Calls are spread over all addresses that the target resolves to, and only servers whose health service says SERVING
// for zermelo.v1.SolverService get any.
//
// # Errors
//
// Errors of calls are gRPC statuses. status.Code of package google.golang.org/grpc/status gives the code, [Reason]
// what the service says about the cause, [Violations] the fields of the request that were wrong, and [Metadata] the
// variables of the message. Those that the service itself returns have a reason; those that arise on the way to it,
// such as a lost connection or a deadline that passed on this side, have a code only.
//
// # Notation
//
// Inside events and solutions, positions and moves are short strings. [PositionAt] makes a position out of one that
// can be sent again, [ParseMove] tells what a move does.
package client
