package rpc_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// fuzzBudget keeps a fuzzed search short; fuzzTime ends one that has no memo to fill.
const (
	fuzzBudget = 256 << 10
	fuzzTime   = 200 * time.Millisecond
)

// FuzzRequests sends arbitrary bytes as the request of every RPC, through the whole chain. Whatever it is, the server
// answers or says what is wrong; it never panics, which would be INTERNAL.
func FuzzRequests(f *testing.F) {
	random := rand.New(rand.NewPCG(1913, 4))
	seeds := slices.Collect(maps.Values(examples))
	for _, game := range games.All() {
		seeds = append(seeds, game.Example, game.Draw(random))
	}
	for _, p := range seeds {
		for _, m := range []proto.Message{
			&zermelov1.SolveRequest{Position: p, MaxMoves: 3},
			&zermelov1.ExplainRequest{Position: p, Detail: zermelov1.Detail_DETAIL_SEARCH, MemoPolicy: policyNone, MaxEvents: 9},
			&zermelov1.EnumeratePositionsRequest{Position: p, Outcome: loss, MaxPositions: 3},
		} {
			data, err := proto.Marshal(m)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	conn := servertest.Start(f, servertest.WithMemoBudget(fuzzBudget)).Conn(f)
	c := zermelov1.NewSolverServiceClient(conn)
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), fuzzTime)
		defer cancel()
		check := func(m proto.Message, err error) {
			t.Helper()
			switch status.Code(err) {
			case codes.OK, codes.InvalidArgument, codes.ResourceExhausted, codes.DeadlineExceeded:
			default:
				t.Errorf("%v: %s", err, protojson.Format(m))
			}
		}
		// The three requests have their position and their limit in the same places, so that one input serves all.
		var solve zermelov1.SolveRequest
		if proto.Unmarshal(data, &solve) == nil {
			_, err := c.Solve(ctx, &solve)
			check(&solve, err)
		}
		var explain zermelov1.ExplainRequest
		if proto.Unmarshal(data, &explain) == nil {
			if explain.GetMaxEvents() == 0 {
				explain.MaxEvents = 1000
			}
			check(&explain, drainStream(c.Explain(ctx, &explain)))
		}
		var enumerate zermelov1.EnumeratePositionsRequest
		if proto.Unmarshal(data, &enumerate) == nil {
			check(&enumerate, drainStream(c.EnumeratePositions(ctx, &enumerate)))
		}
	})
}
