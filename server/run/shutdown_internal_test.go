package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	healthgrpc "google.golang.org/grpc/health/grpc_health_v1"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// The tests of this file run in a bubble with a clock of its own, so that the times they name are exact.

// stopped stops a server in the background; the channel gives what Stop returned.
func stopped(p *InProcess) <-chan error {
	result := make(chan error, 1)
	go func() { result <- p.Stop() }()
	return result
}

// TestOrderOfTheShutdown is about lesson 4: the world is told before calls end, and while it takes note everything is
// still answered.
func TestOrderOfTheShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		causes := make(chan error, 1)
		cfg := settings()
		log := &journal{}
		p, conn := inProcess(t, cfg, log.logger(), WithService(&service{
			explain: func(stream grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error {
				<-stream.Context().Done()
				causes <- context.Cause(stream.Context())
				return errors.New("over")
			},
		}))
		client := zermelov1.NewSolverServiceClient(conn)

		watch, err := healthgrpc.NewHealthClient(conn).Watch(t.Context(), &healthgrpc.HealthCheckRequest{Service: rpc.ServiceName})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := watch.Recv(); err != nil || got.GetStatus() != healthgrpc.HealthCheckResponse_SERVING {
			t.Fatalf("health before the shutdown is %v, %v", got, err)
		}
		if _, err := client.Explain(t.Context(), &zermelov1.ExplainRequest{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()

		began := time.Now()
		result := stopped(p)
		if got, err := watch.Recv(); err != nil || got.GetStatus() != healthgrpc.HealthCheckResponse_NOT_SERVING {
			t.Fatalf("health at the shutdown is %v, %v", got, err)
		}
		if after := time.Since(began); after != 0 {
			t.Errorf("a watcher learns of the shutdown after %v", after)
		}

		time.Sleep(cfg.DrainDelay - 1)
		synctest.Wait()
		if len(causes) != 0 {
			t.Error("the stream was told to end within the drain delay")
		}
		if _, err := client.ListGames(t.Context(), &zermelov1.ListGamesRequest{}); err != nil {
			t.Errorf("a call on the lame duck: %v", err)
		}

		if cause := <-causes; !errors.Is(cause, rpc.ErrDraining) {
			t.Errorf("the stream was told to end because of %v", cause)
		}
		if after := time.Since(began); after != cfg.DrainDelay {
			t.Errorf("the stream was told to end after %v, want %v", after, cfg.DrainDelay)
		}
		if err := <-result; err != nil {
			t.Error(err)
		}
		// A connection that is told to go away has a round trip to do it; nothing else is waited for.
		if after := time.Since(began); after >= cfg.DrainDelay+cfg.DrainGrace/2 {
			t.Errorf("the shutdown took %v", after)
		}

		steps := log.lines("shutdown ")
		if len(steps) != 7 {
			t.Fatalf("the log has %d steps: %q", len(steps), steps)
		}
		for i, line := range steps {
			if want := fmt.Sprintf("shutdown %d/7:", i+1); !strings.Contains(line, want) {
				t.Errorf("step %d is logged as %q", i+1, line)
			}
		}
	})
}

func TestShutdownOfAnIdleServerWaitsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := settings()
		cfg.DrainDelay = 0
		p, _ := inProcess(t, cfg, silent())
		synctest.Wait()
		began := time.Now()
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
		if after := time.Since(began); after != 0 {
			t.Errorf("it took %v", after)
		}
		if err := p.Stop(); err != nil {
			t.Errorf("a second time: %v", err)
		}
	})
}

// TestAHandlerThatIgnoresItsContextCannotHoldTheServer is about lesson 3.
func TestAHandlerThatIgnoresItsContextCannotHoldTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		cfg := settings()
		p, conn := inProcess(t, cfg, silent(), WithService(&service{
			explain: func(grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error {
				<-release
				return nil
			},
		}))
		if _, err := zermelov1.NewSolverServiceClient(conn).Explain(t.Context(), &zermelov1.ExplainRequest{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()

		began := time.Now()
		if err := p.Stop(); !errors.Is(err, ErrHandlersRunning) {
			t.Errorf("the shutdown ended with %v, want %v", err, ErrHandlersRunning)
		}
		if after := time.Since(began); after != cfg.DrainDelay+cfg.DrainGrace {
			t.Errorf("the shutdown took %v, want %v", after, cfg.DrainDelay+cfg.DrainGrace)
		}
		close(release) // So that the bubble can end.
	})
}

func TestAClientThatDoesNotReadCannotHoldTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		returned := make(chan error, 1)
		frame := &zermelov1.ExplainResponse{Payload: &zermelov1.ExplainResponse_Opening{
			Opening: &zermelov1.Opening{EngineVersion: strings.Repeat("x", 64<<10)},
		}}
		cfg := settings()
		p, conn := inProcess(t, cfg, silent(), WithService(&service{
			explain: func(stream grpc.ServerStreamingServer[zermelov1.ExplainResponse]) error {
				for {
					if err := stream.Send(frame); err != nil {
						returned <- err
						return err
					}
				}
			},
		}))
		if _, err := zermelov1.NewSolverServiceClient(conn).Explain(t.Context(), &zermelov1.ExplainRequest{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if len(returned) != 0 {
			t.Fatal("the handler is not blocked in Send")
		}

		began := time.Now()
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
		if after := time.Since(began); after > cfg.DrainDelay+cfg.DrainGrace {
			t.Errorf("the shutdown took %v", after)
		}
		if len(returned) != 1 {
			t.Error("the server was said to have ended while a handler was running")
		}
	})
}

func TestAConnectionThatSaysNothingCannotHoldTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := settings()
		cfg.DrainDelay = 0
		p, _ := inProcess(t, cfg, silent())
		mute, err := p.listener.DialContext(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = mute.Close() }()
		synctest.Wait()

		began := time.Now()
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
		if after := time.Since(began); after > cfg.DrainGrace/2 {
			t.Errorf("the shutdown took %v", after)
		}
	})
}
