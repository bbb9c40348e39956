package catalog_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// prepare does all that is done with a position before its call is admitted.
func prepare(t *testing.T, offered *catalog.Catalog, p *zermelov1.Position) {
	t.Helper()
	// Each call opens the position anew, so that none of them counts on what another has counted.
	instance := func() catalog.Instance {
		instance, err := offered.Open(p, "position")
		if err != nil {
			t.Fatal(err)
		}
		return instance
	}
	_, _ = instance().SolvePrice()
	_, _ = instance().AnalyzePrice(true)
	_, _ = instance().AnalyzePrice(false)
	for _, detail := range []zermelov1.Detail{
		zermelov1.Detail_DETAIL_DECISIONS, zermelov1.Detail_DETAIL_SEARCH, zermelov1.Detail_DETAIL_PROOF,
	} {
		for policy := range zermelov1.MemoPolicy_name {
			for form := range zermelov1.ProofForm_name {
				trace, err := instance().Explain(catalog.TraceOptions{
					Detail: detail, Policy: zermelov1.MemoPolicy(policy), Form: zermelov1.ProofForm(form),
				})
				if err == nil {
					trace.Price()
				}
			}
		}
	}
	for _, limit := range []int64{0, 10, math.MaxInt64} {
		if walk, err := instance().Enumerate(zermelov1.Outcome_OUTCOME_UNSPECIFIED, limit, true); err == nil {
			walk.Price()
		}
	}
}

// TestWhatComesBeforeAdmissionIsAsLargeAsTheRequest: whatever numbers a request has, what is allocated before its call is
// admitted is in proportion to the bytes of the request, not to these numbers.
func TestWhatComesBeforeAdmissionIsAsLargeAsTheRequest(t *testing.T) {
	const calls, fixed, perByte = 54, 8 << 10, 16
	offered := catalog.New(games.All(), catalog.DefaultLimits())
	for _, p := range []*zermelov1.Position{
		positions.Nim(positions.Normal, 1<<20, 1<<20, 1<<21, 1<<21),
		positions.Nim(positions.Misere, 4_000, 4_000),
		positions.Nim(positions.Misere, math.MaxInt64, math.MaxInt64, math.MaxInt64),
		positions.Nim(positions.Normal, slices.Repeat([]uint64{math.MaxInt64}, 1_000)...),
		positions.Nim(positions.Normal, slices.Repeat([]uint64{2}, 10_000)...),
		positions.CanIWin(64, 2_000), positions.CanIWin(64, 300), positions.CanIWin(33, 500), positions.CanIWin(64, 1<<31),
		positions.Hundred(10, math.MaxInt64, 0), positions.Hundred(math.MaxInt64, math.MaxInt64, 0),
		positions.Predict(0, make([]int64, 50_000)...), positions.Predict(0, make([]int64, 1_000_000)...),
		positions.Stones(0, slices.Repeat([]uint64{1}, 50_000)...),
		positions.Guess(1, 1<<31), positions.Guess(1, 32_768),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		prepare(t, offered, p)
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(calls*(fixed+perByte*proto.Size(p))); got > most {
			t.Errorf("%s with %d bytes: %d bytes allocated, %d allowed", catalog.GameOf(p), proto.Size(p), got, most)
		} else {
			t.Logf("%s with %d bytes: %d bytes allocated", catalog.GameOf(p), proto.Size(p), got/calls)
		}
	}
}
