package rpc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// smallSolves are the requests of the benchmark of unary calls: the Nim of the sources, whose answer has three moves with
// the positions after them, and the 100 game, whose answer has one.
var smallSolves = map[string]*zermelov1.SolveRequest{
	"nim":          {Position: nim(misere, 7, 5, 3)},
	"hundred_game": {Position: hundred(10, 100, 0)},
}

// bareUnary are unary methods of a bare server: one for each of the small solves, which answers with as many bytes as
// that has, and CPU, with the nanoseconds that the process has computed for.
func bareUnary() ([]grpc.MethodDesc, error) {
	gate, err := admission.New(admission.DefaultLimits(4*gib, 1))
	if err != nil {
		return nil, err
	}
	method := func(name string, handle func() any) grpc.MethodDesc {
		return grpc.MethodDesc{
			MethodName: name,
			Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				return handle(), decode(&wrapperspb.BytesValue{})
			},
		}
	}
	methods := []grpc.MethodDesc{method("CPU", func() any { return wrapperspb.UInt64(processorTime()) })}
	for name, request := range smallSolves {
		solution, err := rpc.NewService(catalog.DefaultLimits(), gate).Solve(context.Background(), request)
		if err != nil {
			return nil, err
		}
		answer := bytesOfSize(proto.Size(solution))
		methods = append(methods, method(name, func() any { return answer }))
	}
	return methods, nil
}

// bytesOfSize is a message whose encoding has a size from 2 to 129.
func bytesOfSize(size int) *wrapperspb.BytesValue {
	return &wrapperspb.BytesValue{Value: make([]byte, size-2)}
}

// processorTime is how long the threads of this process have computed, in nanoseconds; 0 where the system does not tell.
func processorTime() (sum uint64) {
	threads, _ := filepath.Glob("/proc/self/task/*/schedstat")
	for _, path := range threads {
		var computed uint64
		if text, err := os.ReadFile(path); err == nil {
			_, _ = fmt.Sscan(string(text), &computed)
		}
		sum += computed
	}
	return sum
}

// BenchmarkUnary measures a small Solve through the whole chain (metrics on, the log of finished calls written as JSON
// to the null device) against a bare echo with default settings and as many bytes each way, in turn in many short rounds. The
// ratio of the rates is what a client sees; that of the server's processor time a call is the price of the chain, with
// decoding, solving and encoding. It reports medians and, of the ratio of rates, the quartiles.
func BenchmarkUnary(b *testing.B) {
	runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(runtime.NumCPU())
	const connections, sample = 2, 100 * time.Millisecond
	services, bares := serverProcess(b, connections)
	computed := func() float64 {
		var time wrapperspb.UInt64Value
		if err := bares[0].Invoke(b.Context(), "/bare/CPU", &wrapperspb.BytesValue{}, &time); err != nil {
			b.Fatal(err)
		}
		return float64(time.GetValue())
	}
	for _, test := range []struct {
		game    string
		callers int
	}{{"nim", 1}, {"nim", 16}, {"nim", 64}, {"hundred_game", 1}, {"hundred_game", 16}, {"hundred_game", 64}} {
		b.Run(fmt.Sprintf("%s/callers=%d", test.game, test.callers), func(b *testing.B) {
			request := smallSolves[test.game]
			asBytes := bytesOfSize(proto.Size(request))
			solve := func(ctx context.Context, connection int) error {
				_, err := zermelov1.NewSolverServiceClient(services[connection]).Solve(ctx, request)
				return err
			}
			echo := func(ctx context.Context, connection int) error {
				return bares[connection].Invoke(ctx, "/bare/"+test.game, asBytes, new(wrapperspb.BytesValue))
			}
			// measure gives calls a second and the server's nanoseconds of processor time a call.
			measure := func(call func(context.Context, int) error) (rate, cpu float64) {
				before, start := computed(), time.Now()
				calls := callFor(b, sample, test.callers, connections, call)
				rate = float64(calls) / time.Since(start).Seconds()
				return rate, (computed() - before) / float64(calls)
			}
			var rates, ratios, costs, cpus []float64
			for b.Loop() {
				bareRate, bareCPU := measure(echo)
				rate, cpu := measure(solve)
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
