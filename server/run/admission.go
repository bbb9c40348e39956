package run

import (
	"log/slog"
	"runtime"

	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/config"
)

// newGate makes the gate of the settings.
func newGate(cfg config.Config, logger *slog.Logger) (*admission.Gate, error) {
	limits := admission.DefaultLimits(memoryOfCalls(cfg, logger), runtime.GOMAXPROCS(0))
	if cfg.MaxSolves > 0 {
		limits.Solves = cfg.MaxSolves
	}
	if cfg.MaxStreams > 0 {
		limits.Streams = cfg.MaxStreams
	}
	return admission.New(limits)
}

// memoBudget is the memo budget of one request. Where all calls together have little memory, it is less than the
// settings say: a table may take twice as much, and streams together have half of the memory.
func memoBudget(cfg config.Config, limits admission.Limits, logger *slog.Logger) int64 {
	most := config.Bytes(min(limits.MemoryBytes/2, limits.StreamBytes))
	if cfg.MemoBudget <= most {
		return int64(cfg.MemoBudget)
	}
	logger.Warn("the memo budget of a request is cut to what the memory of all calls allows; --memory raises that",
		"memo_budget", cfg.MemoBudget, "cut_to", most, "memory", config.Bytes(limits.MemoryBytes))
	return int64(most)
}
