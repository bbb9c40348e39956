package rpc

import (
	"context"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/call"
)

const (
	// answerBytes is what an answer takes at least, and byteBytes bounds what each byte of its encoding takes: a number of
	// one byte there is one of eight here.
	answerBytes, byteBytes = 1 << 10, 8
	// cacheFrom is how long an answer must have taken to be worth keeping.
	cacheFrom = time.Millisecond
	// shareFrom is the price from which an answer is shared, in positions. A cheaper one is found well below a millisecond,
	// about as fast as it is looked up.
	shareFrom = 1_000
	// shareRequestBytes is the largest request whose answer is shared: the key of a larger one would take longer to make
	// than the answer.
	shareRequestBytes = 4 << 10
)

// answers shares answers that take long: one that is known is given again, and one that is being found is found once for
// all who ask for it meanwhile. An answer is never changed once it is here: several calls may be sending it.
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

// share returns the answer with this key: a known one, or what find finds. find runs once for all callers who wait for
// it, as long as one of them does, and its answer is kept as asKnown makes it. Without a key, nothing is shared.
func share[A proto.Message](
	ctx context.Context, a *answers, key string, asKnown func(A) A, find func(context.Context) (A, error),
) (A, error) {
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

// solutionKey is the key of the solution of a position, with so many moves and at this price; empty when it is not shared.
func solutionKey(price admission.Price, position *zermelov1.Position, maxMoves int) string {
	return answerKey(price, "Solve", maxMoves, position)
}

// analysisKey is the key of the answer to a request of this price; empty when it is not shared.
func analysisKey(price admission.Price, r *zermelov1.AnalyzeRequest) string {
	return answerKey(price, "Analyze", 0, r)
}

// answerKey is a key that answers of different kinds, or with different numbers, do not have in common. Requests are the same if they are so byte by
// byte: with the piles in another order, the positions after the moves are others.
func answerKey(price admission.Price, kind string, number int, asked proto.Message) string {
	if price.Positions <= shareFrom || proto.Size(asked) > shareRequestBytes {
		return ""
	}
	key, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(fmt.Appendf(nil, "%s %d:", kind, number), asked)
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
