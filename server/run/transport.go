package run

import (
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"

	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/interceptor"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// What the transport allows and does.
const (
	// minClientPing is the shortest interval at which a client may ping; a faster one is disconnected with
	// too_many_pings. Clients of this service ping every 30 s, also while they have no call.
	minClientPing = 10 * time.Second
	// serverPing is the silence on a connection after which the server pings, and serverPingTimeout how long it waits
	// for the answer: a client that vanished without a word holds its streams no longer than both.
	serverPing        = 30 * time.Second
	serverPingTimeout = 20 * time.Second
	// maxConcurrentStreams bounds the calls in flight on one connection. A client queues what is above it without a
	// sign, so that it guards against floods only; refusing work is for admission, at a far smaller number.
	maxConcurrentStreams = 1024
	// streamWorkers goroutines are kept for calls, with the stacks they have grown. When all are busy a call gets a
	// goroutine of its own, so that long streams do not use them up. A fresh goroutine grows its stack several times on its
	// way through the chain: with 16 workers, a quarter of the work for 64 callers was that.
	streamWorkers = 64
	// maxHeaderBytes bounds the metadata of a call, a bearer token and tracing included.
	maxHeaderBytes = 64 << 10
	// maxHandshake bounds the time from a connection's first byte to its settings. Shutdown waits for connections in
	// that state, so that it is never more than half of the drain grace.
	maxHandshake = 5 * time.Second
)

// The keepalive of both sides.
var (
	clientPings = keepalive.EnforcementPolicy{MinTime: minClientPing, PermitWithoutStream: true}
	serverPings = keepalive.ServerParameters{Time: serverPing, Timeout: serverPingTimeout}
)

// serverOptions gives the options of the gRPC server. creds may be nil.
func serverOptions(
	cfg config.Config, creds credentials.TransportCredentials, tracing *tracing, stages []interceptor.Stage,
) []grpc.ServerOption {
	pings := serverPings
	if cfg.MaxConnectionAge > 0 {
		pings.MaxConnectionAge, pings.MaxConnectionAgeGrace = cfg.MaxConnectionAge, cfg.MaxConnectionAgeGrace
	}
	options := slices.Concat(rpc.ServerOptions(int(cfg.MaxRequestBytes)), tracing.options(), interceptor.ServerOptions(stages),
		[]grpc.ServerOption{
			grpc.KeepaliveEnforcementPolicy(clientPings),
			grpc.KeepaliveParams(pings),
			grpc.MaxConcurrentStreams(maxConcurrentStreams),
			grpc.MaxHeaderListSize(maxHeaderBytes),
			grpc.NumStreamWorkers(streamWorkers),
			grpc.ConnectionTimeout(min(maxHandshake, cfg.DrainGrace/2)),
		})
	if creds != nil {
		options = append(options, grpc.Creds(creds))
	}
	return options
}
