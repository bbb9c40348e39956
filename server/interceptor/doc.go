// Package interceptor holds what every call goes through before and after its handler: the chain, one file a stage.
//
// The stages know calls, contexts and statuses; what a position is or what a search costs is none of their business, and
// the only status made here is that of a panic, by rpc.InternalError. Nothing is global: each server builds its own chain
// with its own metrics, so that several can live in one process.
package interceptor
