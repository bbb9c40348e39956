package rpc

import "time"

// ServiceName is the full name of the service, as in the path of its calls and in health checks.
const ServiceName = "zermelo.v1.SolverService"

const (
	// frameBytes is how large a frame of a stream is meant to be: batches are cut when they reach it. A frame is at
	// least one event, and events are bounded well below 1 MiB.
	frameBytes = 64 << 10
	// progressInterval is how long a stream is silent at most.
	progressInterval = 500 * time.Millisecond
)
