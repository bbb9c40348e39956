package rpc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/config"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// TestSameRequestIsAnsweredFromWhatIsKnown: an answer that took long is not found a second time; its statistics, with
// the time that it took, show it. Another request does not get it.
func TestSameRequestIsAnsweredFromWhatIsKnown(t *testing.T) {
	c := start(t)
	long := func(maxMoves int32) *zermelov1.SolveResponse {
		t.Helper()
		r, err := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: canIWin(40, 44), MaxMoves: maxMoves})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first, second, other := long(0), long(0), long(1)
	if first.GetSolution().GetStatistics().GetCached() || !second.GetSolution().GetStatistics().GetCached() {
		t.Errorf("cached is %t, then %t", first.GetSolution().GetStatistics().GetCached(), second.GetSolution().GetStatistics().GetCached())
	}
	second.GetSolution().GetStatistics().Cached = false
	if first.GetSolution().GetMethod() != zermelov1.Method_METHOD_SEARCH || first.GetSolution().GetStatistics().GetElapsed().AsDuration() <= 0 {
		t.Fatalf("%v", first)
	}
	if diff := cmp.Diff(first, second, protocmp.Transform()); diff != "" {
		t.Errorf("the second answer differs: %s", diff)
	}
	if len(other.GetSolution().GetBestMoves()) > 1 {
		t.Errorf("another request got the answer: %v", other)
	}
}

// TestNothingIsKeptWithoutACache, and everything is answered.
func TestNothingIsKeptWithoutACache(t *testing.T) {
	c := start(t, servertest.WithConfig(func(cfg *config.Config) { cfg.Cache = 0 }))
	for range 2 {
		r, err := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: canIWin(40, 44)})
		if err != nil || r.GetSolution().GetStatistics().GetCached() {
			t.Errorf("%v, %v", r, err)
		}
	}
}
