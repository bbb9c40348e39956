// Package tracefile saves traces, as Explain streams them, and reads them back.
//
// [Create] begins a file that takes its name when it is whole, [Save] writes a whole trace into one, [Open] reads one;
// [NewWriter] and [NewReader] do the same with any stream of bytes. Both hold one batch of events at a time, however
// long the trace.
//
// # What is in a file
//
// Messages of zermelo.v1, in this order and nothing else:
//
//  1. one ExplainRequest: what was asked;
//  2. one ExplainResponse with an `opening`;
//  3. any number of ExplainResponse with `events`, none of them empty: the events of the trace in their order, however
//     they are spread over the messages;
//  4. one ExplainResponse with the `summary`.
//
// It is what the server sent, but for `progress`, which says nothing about the trace. A trace that was resumed is saved
// as the one trace that it is. A file without a summary is one whose trace, or whose writing, was cut; what is in it is
// as good as in any other, up to its last message.
//
// The sequence numbers go on from the request's `resume_after_sequence` + 1, without gaps unless the request has a filter
// (`max_depth`, `kinds`, `sample_every`), and increase in any case. The summary's `event_count` is the number of events
// in the file, its `last_sequence` the number of the last one.
//
// # How a message is written
//
// [Protobuf]: each message in its binary encoding, and before it its length in bytes as a varint, as package protodelim
// of google.golang.org/protobuf and writeDelimitedTo of Protobuf for Java do it. A message has at most
// [MaxMessageBytes]. Names of such files end as one likes; .pb, say.
//
// [JSONLines]: each message in the JSON encoding of Protobuf, without any white space, on a line of its own that ends
// with a line feed; UTF-8. A line has at most [MaxLineBytes]. Written here, every event has its own line, so that such a
// file can be searched and cut with the tools for lines; read are batches of any length, with any white space. As everywhere in that encoding,
// 64-bit integers are strings, and fields at their default are left out. Names of such files end with .jsonl.
//
// Without this library, a file of the first kind is read by reading a varint, that many bytes, and decoding them; one of
// the second, line by line:
//
//	jq -c 'select(.events).events.events[] | [.sequence, .position, .outcome]' trace.jsonl
//
// # What a file can do to its reader
//
// It may be hostile. A length above the limits is not believed; what is wrong is an error, after the events before it were
// yielded. Whether the events are true is not looked at: package proof checks that.
package tracefile
