package client_test

import (
	"context"
	"net"
	"testing"

	"google.golang.org/grpc"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/test/bufconn"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Two servers behind one name share the calls; one that says NOT_SERVING gets none, until it serves again.
func TestCallsGoToAllServersThatServe(t *testing.T) {
	answering := func() *fake {
		return &fake{solve: func(context.Context, int64) (*zermelov1.SolveResponse, error) { return solved(), nil }}
	}
	first, second := answering(), answering()
	firstListener, _ := listen(t, first)
	secondListener, secondHealth := listen(t, second)
	listeners := map[string]*bufconn.Listener{"first": firstListener, "second": secondListener}

	names := manual.NewBuilderWithScheme("zermelo-test")
	names.InitialState(resolver.State{Addresses: []resolver.Address{{Addr: "first"}, {Addr: "second"}}})
	c, err := client.New(names.Scheme()+":///servers", client.WithDialOptions(
		grpc.WithResolvers(names),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
			return listeners[address].DialContext(ctx)
		}),
	))
	if err != nil {
		t.Fatal(err)
	}
	closeAtTheEnd(t, c)

	ctx := within(t)
	// share makes some calls and returns how many of them each server got.
	share := func() (int64, int64) {
		const calls = 20
		first.calls.Store(0)
		second.calls.Store(0)
		for range calls {
			if _, err := c.Solve(ctx, &zermelov1.SolveRequest{}); err != nil {
				t.Fatal(err)
			}
		}
		return first.calls.Load(), second.calls.Load()
	}
	bothServe := func() bool {
		one, other := share()
		return one == other
	}
	eventually(t, "both servers share the calls", bothServe)

	service := zermelov1.SolverService_ServiceDesc.ServiceName
	secondHealth.SetServingStatus(service, healthpb.HealthCheckResponse_NOT_SERVING)
	eventually(t, "the first server gets all calls", func() bool {
		_, other := share()
		return other == 0
	})
	if _, other := share(); other != 0 {
		t.Errorf("a server that does not serve got %d calls", other)
	}
	secondHealth.SetServingStatus(service, healthpb.HealthCheckResponse_SERVING)
	eventually(t, "both servers share the calls again", bothServe)
}
