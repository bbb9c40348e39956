// Package client calls a Zermelo server, the service zermelo.v1.SolverService, from Go.
//
// A [Client] is made once with [New], shared by all goroutines and closed at the end. It solves a position
// ([Client.Solve]) or many of them ([Client.BatchSolve]), ranks every move ([Client.Analyze]), follows the search that
// decides a position ([Client.Explain]), lists every position that can be reached ([Client.EnumeratePositions]), estimates
// what a call would take ([Client.EstimateCost]) and reads the catalogue of games ([Client.ListGames], [Client.GetGame]). The messages are the generated ones of package zermelov1; what they mean
// is said in their comments.
//
// # Streams
//
// Explanations and enumerations are ranged over. The call is made when the loop begins; leaving the loop, in whatever
// way, cancels it, and the server stops searching soon after. An error comes once, as the last pair of the loop.
// Nothing is read ahead beyond the window of the transport: a slow loop slows the server down.
//
// What the loop yields is complete and in order, or the loop ends with an error: a stream that breaks off, that skips
// something, or whose summary counts otherwise than the client did, ends with a [ProtocolError]. Where the request of an
// explanation has a filter, the sequence numbers have gaps, and only increase.
//
// Package tracefile, below this one, saves explanations and reads them back.
//
// # Waiting and retrying
//
// Every call waits for a server that is not there yet, or not there for the moment because it restarts, instead of
// failing at once; how long is for the context to say. Unary calls take [DefaultUnaryTimeout] when their context has no
// deadline. Explain and EnumeratePositions take none, because a search may rightly run for hours: with a context that
// has no deadline they wait for ever for a server that does not exist.
//
// Unary calls, all of which are safe to repeat, are tried again when a server is UNAVAILABLE. Streams are resumed.
//
// A busy server refuses a call with RESOURCE_EXHAUSTED and a google.rpc.RetryInfo, the reason being SERVER_BUSY. Unary
// calls, and streams that have brought nothing yet, are then made again after the time that it says and up to half as
// much: five times in all, while the deadline leaves room, and unless it says more than half a minute. Every other
// RESOURCE_EXHAUSTED is final. [WithoutBusyRetry] leaves this to the caller, too.
//
// # Resuming
//
// An explanation or an enumeration goes on when a server becomes UNAVAILABLE in its middle: it is drained, it is killed,
// the connection breaks. The call is made again after a short pause, with the token of the opening and the number of the
// last event or position, to whatever server is there; that one makes the search again without sending, until it gets to
// the point. The loop sees each of them once, and one opening and summary. `max_events`, `max_positions` and the deadline
// hold for all the calls together. A call that the server ends because it took as long as any may (TIME_LIMIT) is made
// again in the same way, as long as each one brings something new.
//
// A stream is given up, with the last error, after ten attempts in a row that have brought nothing new. To wait until
// there is a server at all is part of an attempt; a server that stays busy is one more that has failed. The stream ends
// with the reason RESUME_TOKEN_MISMATCH when the server that is there now has another version of the engine, whose order
// might be another one. [WithoutResume] leaves all this to the caller.
//
// Calls are spread over all addresses that the target resolves to, and only servers whose health service says SERVING
// for zermelo.v1.SolverService get any.
//
// # Security
//
// Connections are plain unless [WithTLS], [WithTLSCA] or [WithClientCertificate] encrypts them. [WithToken] and
// [WithTokenFile] say to the server who calls. Files are read again when they change: certificates and tokens can be
// replaced while the client runs.
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
// Inside events and solutions, positions and moves are short strings; the comments of the messages of the games say how
// they are written. A move in a solution or an analysis carries the positions after it, which can be sent again.
package client
