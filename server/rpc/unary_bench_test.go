package rpc_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// smallSolves are the requests of the benchmark of unary calls: the Nim of the sources, whose answer has three moves with
// the positions after them, and the 100 game, whose answer has one.
var smallSolves = map[string]*zermelov1.SolveRequest{
	"nim":          {Position: nim(misere, 7, 5, 3)},
	"hundred_game": {Position: hundred(10, 100, 0)},
}

// bareUnary are unary methods of a bare server, one for each of the small solves: each decodes the request and encodes
// the answer that the service gives to it.
func bareUnary() ([]grpc.MethodDesc, error) {
	gate, err := admission.New(admission.DefaultLimits(4*gib, 1))
	if err != nil {
		return nil, err
	}
	var methods []grpc.MethodDesc
	for name, request := range smallSolves {
		answer, err := rpc.NewService(catalog.New(games.All(), catalog.DefaultLimits()), gate).Solve(context.Background(), request)
		if err != nil {
			return nil, err
		}
		methods = append(methods, grpc.MethodDesc{
			MethodName: name,
			Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				return answer, decode(&zermelov1.SolveRequest{})
			},
		})
	}
	return methods, nil
}

// BenchmarkUnary measures a small Solve through the whole chain, with metrics and the log of finished calls, against a
// bare echo of the same messages, in turn in many short rounds. The ratio of the rates is what a client sees; that of the
// servers' processor time a call is the price of the chain, with solving. It reports medians and, of the ratio of rates,
// the quartiles.
func BenchmarkUnary(b *testing.B) {
	runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(runtime.NumCPU())
	const connections, sample = 2, 100 * time.Millisecond
	service, bare := startProcess(b, serviceProcess, connections), startProcess(b, bareProcess, connections)
	for _, test := range []struct {
		game    string
		callers int
	}{{"nim", 1}, {"nim", 16}, {"nim", 64}, {"hundred_game", 1}, {"hundred_game", 16}, {"hundred_game", 64}} {
		b.Run(fmt.Sprintf("%s/callers=%d", test.game, test.callers), func(b *testing.B) {
			request := smallSolves[test.game]
			// measure gives calls a second and the server's nanoseconds of processor time a call.
			measure := func(p process, method string) (rate, cpu float64) {
				before, start := p.processorTime(), time.Now()
				calls := callFor(b, sample, test.callers, connections, func(ctx context.Context, connection int) error {
					return p.connections[connection].Invoke(ctx, method, request, new(zermelov1.SolveResponse), grpc.StaticMethod())
				})
				rate = float64(calls) / time.Since(start).Seconds()
				return rate, (p.processorTime() - before) / float64(calls)
			}
			var rates, ratios, costs, cpus []float64
			for b.Loop() {
				bareRate, bareCPU := measure(bare, "/bare/"+test.game)
				rate, cpu := measure(service, zermelov1.SolverService_Solve_FullMethodName)
				rates, costs = append(rates, rate), append(costs, cpu)
				ratios, cpus = append(ratios, rate/bareRate), append(cpus, cpu/bareCPU)
			}
			b.ReportMetric(median(rates), "calls/s")
			b.ReportMetric(median(ratios), "x-bare-rate")      // sorts them
			b.ReportMetric(ratios[len(ratios)/4], "x-quarter") // a quarter of the rounds was below
			b.ReportMetric(ratios[3*len(ratios)/4], "x-three-quarters")
			b.ReportMetric(median(costs)/1000, "server-µs/call")
			b.ReportMetric(median(cpus), "x-bare-cpu")
			b.ReportMetric(0, "ns/op") // would be that of a round
		})
	}
}

// callFor calls for a while from so many callers, each on one of the connections, and counts the calls.
func callFor(
	b *testing.B, sample time.Duration, callers, connections int, call func(context.Context, int) error,
) (calls int) {
	b.Helper()
	counts := make([]int, callers)
	var failure error
	var fails sync.Once
	var all sync.WaitGroup
	until := time.Now().Add(sample)
	for i := range callers {
		all.Go(func() {
			for time.Now().Before(until) {
				if err := call(b.Context(), i%connections); err != nil {
					fails.Do(func() { failure = err })
					return
				}
				counts[i]++
			}
		})
	}
	all.Wait()
	if failure != nil {
		b.Fatal(failure)
	}
	for _, n := range counts {
		calls += n
	}
	return calls
}
