package rpc

import (
	"time"

	"github.com/maypok86/otter/v2"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"google.golang.org/protobuf/proto"
)

const (
	// cacheBytes bounds the answers that are kept, as they are encoded, with their requests.
	cacheBytes = 32 << 20
	// cacheFrom is how long an answer must have taken to be worth keeping.
	cacheFrom = time.Millisecond
	// cacheRequestBytes is the largest request whose answer is kept: a key that takes longer to make than the answer
	// would not help.
	cacheRequestBytes = 4 << 10
)

// answers keeps solutions that took long, so that the same request is answered from what is known. A request is the
// same if it is so byte by byte: another order of the piles is another `next`. Answers are never changed once they are
// here, for several calls may be sending one.
type answers struct {
	cache *otter.Cache[string, *zermelov1.SolveResponse]
}

func newAnswers() *answers {
	return &answers{otter.Must(&otter.Options[string, *zermelov1.SolveResponse]{
		MaximumWeight: cacheBytes,
		Weigher: func(key string, r *zermelov1.SolveResponse) uint32 {
			return uint32(len(key) + proto.Size(r))
		},
		Executor: func(maintain func()) { maintain() }, // leaves no goroutine behind
	})}
}

// key is what a request is known by; empty when its answer is not kept.
func (a *answers) key(r *zermelov1.SolveRequest) string {
	if proto.Size(r) > cacheRequestBytes {
		return ""
	}
	key, err := proto.MarshalOptions{Deterministic: true}.Marshal(r)
	if err != nil {
		return ""
	}
	return string(key)
}

// find returns the answer to a request, or nil.
func (a *answers) find(key string) *zermelov1.SolveResponse {
	if key == "" {
		return nil
	}
	r, _ := a.cache.GetIfPresent(key)
	return r
}

// keep keeps an answer that took some time.
func (a *answers) keep(key string, r *zermelov1.SolveResponse, took time.Duration) {
	if key != "" && took >= cacheFrom {
		a.cache.Set(key, r)
	}
}
