package servertest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// position is a game that has a few thousand positions.
func position() *zermelov1.Position { return positions.CanIWin(12, 70) }

// explain reads a trace to its end and returns the error that ended it, nil for OK.
func explain(t *testing.T, conn *grpc.ClientConn) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	stream, err := zermelov1.NewSolverServiceClient(conn).Explain(ctx, &zermelov1.ExplainRequest{Position: position()})
	for err == nil {
		_, err = stream.Recv()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func TestTheRealServerAnswers(t *testing.T) {
	conn := servertest.Start(t).Conn(t)
	var header metadata.MD
	_, err := zermelov1.NewSolverServiceClient(conn).ListGames(t.Context(), &zermelov1.ListGamesRequest{}, grpc.Header(&header))
	if err != nil {
		t.Fatal(err)
	}
	if len(header.Get("x-request-id")) != 1 {
		t.Errorf("the answer has not come through the chain: its header is %v", header)
	}
	if err := explain(t, conn); err != nil {
		t.Error(err)
	}
}

func TestMemoBudget(t *testing.T) {
	err := explain(t, servertest.Start(t, servertest.WithMemoBudget(1<<10)).Conn(t))
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("with a memo of 1 KiB the trace ended %v, want RESOURCE_EXHAUSTED", err)
	}
}

// TestDraining stops a server under a trace.
func TestDraining(t *testing.T) {
	server := servertest.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	stream, err := zermelov1.NewSolverServiceClient(server.Conn(t)).Explain(ctx, &zermelov1.ExplainRequest{
		Position: &zermelov1.Position{Game: &zermelov1.Position_CanIWin{CanIWin: &zermelov1.CanIWin{
			MaxChoosableInteger: 30, DesiredTotal: 400,
		}}},
		MemoPolicy: zermelov1.MemoPolicy_MEMO_POLICY_NONE,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Stop() }()
	for err == nil {
		_, err = stream.Recv()
	}
	var reason string
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			reason = info.GetReason()
		}
	}
	if status.Code(err) != codes.Unavailable || reason != "SERVER_DRAINING" {
		t.Errorf("the trace ended %v, reason %q", err, reason)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// broken is a service that breaks the contract: its streams end OK without a summary.
type broken struct {
	zermelov1.UnimplementedSolverServiceServer
}

func (broken) Explain(*zermelov1.ExplainRequest, grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error {
	return nil
}

func (broken) ListGames(context.Context, *zermelov1.ListGamesRequest) (*zermelov1.ListGamesResponse, error) {
	panic(errors.New("broken"))
}

func TestAnotherService(t *testing.T) {
	conn := servertest.Start(t, servertest.WithService(broken{})).Conn(t)
	if err := explain(t, conn); err != nil {
		t.Errorf("the broken stream ended %v, want OK", err)
	}
	_, err := zermelov1.NewSolverServiceClient(conn).ListGames(t.Context(), &zermelov1.ListGamesRequest{})
	if status.Code(err) != codes.Internal {
		t.Errorf("a panic ended the call %v, want INTERNAL by the chain", err)
	}
}

// ExampleRun runs a server where there is no test.
func ExampleRun() {
	server, stop, err := servertest.Run()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stop()
	conn, err := grpc.NewClient(server.Target(), server.DialOptions()...)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = conn.Close() }()
	games, err := zermelov1.NewSolverServiceClient(conn).ListGames(context.Background(), &zermelov1.ListGamesRequest{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(games.GetGames()[0].GetTitle())
	// Output: Nim
}
