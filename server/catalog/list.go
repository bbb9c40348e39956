package catalog

import (
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
)

// List returns the catalogue with the limits in force.
func List(limits Limits) *zermelov1.ListGamesResponse {
	response := &zermelov1.ListGamesResponse{EngineVersion: engine.Version}
	for i := range entries {
		info := proto.CloneOf(entries[i].info)
		info.Limits = append(entries[i].limits(limits),
			&zermelov1.Limit{Rpc: "Solve", Subject: "max_moves", Maximum: MaxMaxMoves, Unit: "moves"},
			&zermelov1.Limit{Rpc: "BatchSolve", Subject: "positions", Maximum: MaxBatch, Unit: "positions"},
			&zermelov1.Limit{Subject: "memo and stack of a search", Maximum: limits.MemoBudget, Unit: "bytes"},
			&zermelov1.Limit{Rpc: "Solve", Subject: "table of a kernel", Maximum: int64(limits.tableBudget()), Unit: "bytes"},
		)
		response.Games = append(response.Games, info)
	}
	return response
}

// The memo policies of the games with lost positions to remember, and of those that only have values.
var (
	winLossPolicies = []zermelov1.MemoPolicy{
		zermelov1.MemoPolicy_MEMO_POLICY_ALL, zermelov1.MemoPolicy_MEMO_POLICY_LOSSES, zermelov1.MemoPolicy_MEMO_POLICY_NONE,
	}
	valuePolicies = []zermelov1.MemoPolicy{
		zermelov1.MemoPolicy_MEMO_POLICY_ALL, zermelov1.MemoPolicy_MEMO_POLICY_NONE,
	}
)
