package client

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	_ "google.golang.org/grpc/health" // without it, healthCheckConfig is silently ignored
	"google.golang.org/grpc/keepalive"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Keepalive finds the connections whose other end vanished without a word, and keeps routers that forget quiet
// connections after some minutes from doing so. The server tolerates a ping every 10 s. Without a call nobody waits for
// an answer; but the stream that watches a server's health counts as a call, so every server that has one is pinged.
const (
	keepaliveTime    = 30 * time.Second // quiet time before a ping
	keepaliveTimeout = 10 * time.Second // wait for its answer before the connection counts as dead
)

// How soon a server that is away is tried again. gRPC's own default goes up to two minutes, which a caller that waits
// for a restarted server would have to wait too.
const (
	reconnectFirst      = 100 * time.Millisecond
	reconnectMost       = 5 * time.Second
	reconnectMultiplier = 1.6
	reconnectJitter     = 0.2
	connectTimeout      = 10 * time.Second // of a single attempt
)

// How unary calls are repeated when a server is UNAVAILABLE. The pauses are drawn at random up to these values.
const (
	retryAttempts     = 4 // the first one included
	retryFirstPause   = 100 * time.Millisecond
	retryMostPause    = time.Second
	retryMultiplier   = 2
	retryTokens       = 1000 // a failure takes one, a success gives one back; below half of them nothing is retried:
	retryTokensGained = 1    // a lost server among several is made up for, an outage of all of them is not made worse
)

// serviceConfig is what gRPC calls the service config: balancing, health checking, waiting and retrying. A resolver
// that brings one of its own (xds, a DNS TXT record) replaces it: whoever runs those has their reasons.
func serviceConfig() string {
	service := zermelov1.SolverService_ServiceDesc.ServiceName
	// Only unary methods may be tried again: all of them are without side effects, and streams must not be replayed. They
	// are named one by one, because a default for the whole service would take in the streams.
	unary := zermelov1.SolverService_ServiceDesc.Methods
	retried := make([]string, 0, len(unary))
	for _, method := range unary {
		retried = append(retried, fmt.Sprintf(`{"service": %q, "method": %q}`, service, method.MethodName))
	}
	// The entry for a method replaces that for its service as a whole: waitForReady has to be said twice.
	return fmt.Sprintf(`{
		"loadBalancingConfig": [{"round_robin": {}}],
		"healthCheckConfig": {"serviceName": %q},
		"methodConfig": [
			{"name": [{"service": %q}], "waitForReady": true},
			{"name": [%s], "waitForReady": true, "retryPolicy": {
				"maxAttempts": %d,
				"initialBackoff": "%gs",
				"maxBackoff": "%gs",
				"backoffMultiplier": %d,
				"retryableStatusCodes": ["UNAVAILABLE"]
			}}
		],
		"retryThrottling": {"maxTokens": %d, "tokenRatio": %d}
	}`, service, service, strings.Join(retried, ", "),
		retryAttempts, retryFirstPause.Seconds(), retryMostPause.Seconds(), retryMultiplier,
		retryTokens, retryTokensGained)
}

// defaultDialOptions are what another service wants of its connections. The largest message received stays gRPC's
// default of 4 MiB: the server keeps the messages of streams below 1 MiB and every other answer below 3 MiB, and leaves
// the positions after moves out of an answer that they would bring above 1 MiB.
func defaultDialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithDefaultServiceConfig(serviceConfig()),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time:                keepaliveTime,
			Timeout:             keepaliveTimeout,
			PermitWithoutStream: false,
		}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{
				BaseDelay:  reconnectFirst,
				Multiplier: reconnectMultiplier,
				Jitter:     reconnectJitter,
				MaxDelay:   reconnectMost,
			},
			MinConnectTimeout: connectTimeout,
		}),
	}
}
