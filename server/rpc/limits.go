package rpc

import "time"

// ServiceName is the full name of the service, as in the path of its calls and in health checks.
const ServiceName = "zermelo.v1.SolverService"

const (
	// frameBytes is how large a frame of a stream is meant to be: batches are cut when they reach it. It is just below
	// the 32 KiB up to which a receiver in Go puts a message together in a small buffer of its pool; the next size there is
	// 1 MiB. A frame is at least one event, and events are bounded well below 1 MiB.
	frameBytes = 31 << 10
	// progressInterval is how long a stream is silent at most.
	progressInterval = 500 * time.Millisecond
)
