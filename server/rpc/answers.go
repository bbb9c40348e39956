package rpc

import (
	"context"
	"time"

	"github.com/maypok86/otter/v2"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/call"
)

const (
	// answerBytes is what an answer takes at least, and byteBytes bounds what each byte of its encoding takes: a number of
	// one byte there is one of eight here.
	answerBytes, byteBytes = 1 << 10, 8
	// cacheFrom is how long an answer must have taken to be worth keeping.
	cacheFrom = time.Millisecond
	// cacheRequestBytes is the largest request whose answer is shared: a key that takes longer to make than the answer
	// would not help.
	cacheRequestBytes = 4 << 10
)

// answers shares answers that take long: one that is known is given again, and one that is being found is found once for
// all who ask for it meanwhile. A request is the same if it is so byte by byte: another order of the piles is another
// `next`. Answers are never changed once they are here, for several calls may be sending one.
type answers struct {
	known   *otter.Cache[string, proto.Message] // nil where none are kept
	flights flights
}

func newAnswers(bytes uint64) *answers {
	if bytes == 0 {
		return &answers{}
	}
	return &answers{known: otter.Must(&otter.Options[string, proto.Message]{
		MaximumWeight: bytes,
		Weigher: func(key string, m proto.Message) uint32 {
			return uint32(answerBytes + len(key) + byteBytes*proto.Size(m))
		},
		Executor: func(maintain func()) { maintain() }, // leaves no goroutine behind
	})}
}

// share returns the answer to a request: a known one, or what find finds. That is found in one place for all callers who
// wait for it, as long as one of them does, and kept as asKnown makes it.
func share[A proto.Message](
	ctx context.Context, a *answers, request proto.Message, asKnown func(A) A, find func(context.Context) (A, error),
) (A, error) {
	key := requestKey(request)
	if key == "" {
		return find(ctx)
	}
	if a.known != nil {
		known, ok := a.known.GetIfPresent(key)
		call.Of(ctx).Looked(ok)
		if ok {
			return known.(A), nil
		}
	}
	found, err := a.flights.share(ctx, key, func(ctx context.Context) (proto.Message, error) {
		began := time.Now()
		found, err := find(ctx)
		if err == nil && a.known != nil && time.Since(began) >= cacheFrom {
			a.known.Set(key, asKnown(found))
		}
		return found, err
	})
	if err != nil {
		var none A
		return none, err
	}
	return found.(A), nil
}

// requestKey is what a request is known by; empty when its answer is not shared. Requests of different types have
// different keys.
func requestKey(request proto.Message) string {
	if proto.Size(request) > cacheRequestBytes {
		return ""
	}
	key := []byte(request.ProtoReflect().Descriptor().Name() + ":")
	key, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(key, request)
	if err != nil {
		return ""
	}
	return string(key)
}

// knownSolution is a solution as it is given again: its statistics say that it was known.
func knownSolution(s *zermelov1.Solution) *zermelov1.Solution {
	again := sameSolution(s)
	again.Statistics = proto.CloneOf(s.GetStatistics())
	again.Statistics.Cached = true
	return again
}

// sameSolution is a solution of its own, which has everything within it in common with s.
func sameSolution(s *zermelov1.Solution) *zermelov1.Solution {
	return &zermelov1.Solution{
		Outcome: s.GetOutcome(), Margin: s.Margin, Cost: s.Cost, BestMoves: s.GetBestMoves(), BestMoveCount: s.BestMoveCount,
		Statistics: s.GetStatistics(), Method: s.GetMethod(),
	}
}

// knownAnalysis is an analysis as it is given again.
func knownAnalysis(r *zermelov1.AnalyzeResponse) *zermelov1.AnalyzeResponse {
	return &zermelov1.AnalyzeResponse{
		Solution: knownSolution(r.GetSolution()), Moves: r.GetMoves(), MainLine: r.GetMainLine(),
		MainLineLength: r.MainLineLength, MovesToEnd: r.MovesToEnd,
	}
}
