// Package call holds what is known of one call while it runs. A [Call] is the context of everything that is done for it,
// so that it costs one allocation; it keeps the [Record] for the call's log line and its span; and it tells an [Observer],
// which counts, as things happen. The chain of interceptors begins and ends a call, and the handlers fill its record: both
// import this package, which knows neither.
package call
