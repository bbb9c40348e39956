package client

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Each unary method of the contract is retried; a stream never is.
func TestRetriedMethodsAreTheUnaryOnes(t *testing.T) {
	var config struct {
		MethodConfig []struct {
			Name        []struct{ Service, Method string }
			RetryPolicy any
		}
	}
	if err := json.Unmarshal([]byte(serviceConfig()), &config); err != nil {
		t.Fatal(err)
	}
	var retried, unary []string
	for _, method := range config.MethodConfig {
		for _, name := range method.Name {
			if method.RetryPolicy != nil {
				retried = append(retried, name.Method)
			}
		}
	}
	service := zermelov1.File_zermelo_v1_solver_proto.Services().ByName("SolverService")
	for i := range service.Methods().Len() {
		if method := service.Methods().Get(i); !method.IsStreamingServer() {
			unary = append(unary, string(method.Name()))
		}
	}
	slices.Sort(retried)
	slices.Sort(unary)
	if !slices.Equal(retried, unary) || len(unary) < 6 {
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
