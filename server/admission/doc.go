// Package admission decides whether a call may start now, must wait a moment, or is refused because the server is busy.
//
// Each call is priced before it starts, and a [Gate] keeps the calls that run within fixed [Limits]: of memory, of
// solves at a time and of streams at a time.
//
//   - A call of each kind needs a slot of its kind and its bytes of the memory, and holds both until its [Ticket] is
//     released. Streams run as fast as their callers read, for an hour perhaps: they have slots of their own and a bound
//     on the memory they hold together, so that slow readers cannot keep solves out.
//   - A call that does not fit waits in the short queue of its kind, for a short time. Queues are strictly first come,
//     first served: a large call at the head is not overtaken by smaller ones behind it. Memory, which both kinds share,
//     goes to the older of the two heads.
//   - A small call (see [Price.Small]) needs no slot and never waits behind large ones: it takes its bytes from a reserve
//     that each kind has beside the memory. Only when that is full, it queues as the others do.
//
// Nothing here knows of gRPC or of games: what a call costs, and how a refusal is told, is the business of others.
package admission
