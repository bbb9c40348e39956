package client

import (
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Each unary method of the contract is either retried or left out here on purpose; a stream never is.
func TestRetriedMethodsAreTheUnaryOnes(t *testing.T) {
	methods := zermelov1.SolverService_ServiceDesc.Methods
	unary := make([]string, 0, len(methods))
	for _, method := range methods {
		unary = append(unary, method.MethodName)
	}
	slices.Sort(unary)
	retried := slices.Sorted(slices.Values(retriedMethods))
	if !slices.Equal(retried, unary) {
		t.Errorf("retried are %v, unary are %v", retried, unary)
	}
}

// gRPC reports a service config that it cannot read when the client is made.
func TestServiceConfigIsValid(t *testing.T) {
	connection, err := grpc.NewClient("localhost:50051",
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultServiceConfig(serviceConfig()))
	if err != nil {
		t.Fatalf("%v\n%s", err, serviceConfig())
	}
	if err := connection.Close(); err != nil {
		t.Error(err)
	}
}

// A client that pings more often than the server's policy allows is cut off with ENHANCE_YOUR_CALM.
func TestKeepaliveIsWithinTheServersPolicy(t *testing.T) {
	const serverMinimum = 10 * time.Second
	if keepaliveTime < 2*serverMinimum {
		t.Errorf("a ping every %v is too close to the server's minimum of %v", keepaliveTime, serverMinimum)
	}
}
