package run

import (
	"log/slog"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/zermelo-games/zermelo/server/config"
)

const (
	// memoryShare is the part of the machine's memory that calls may have together, unless the settings say how much: the
	// other half is for what they leave behind until it is collected, and for everything else.
	memoryShare = 2
	// unknownMachine is what a machine is taken to have that does not say.
	unknownMachine = 4 * config.GiB
	// goMemoryRatio is the part of the machine's memory above which the Go runtime collects garbage harder.
	goMemoryRatio = 0.9
)

// machineMemory is what the cgroup of the process lets it have, or else what the machine has.
func machineMemory() (uint64, error) {
	return memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)()
}

// memoryOfCalls is the memory that calls may have together.
func memoryOfCalls(cfg config.Config, logger *slog.Logger) uint64 {
	if cfg.Memory > 0 {
		return uint64(cfg.Memory)
	}
	machine, err := machineMemory()
	if err != nil {
		logger.Warn("cannot find out how much memory there is; --memory sets it", "taken_for", unknownMachine, "error", err)
		machine = uint64(unknownMachine)
	}
	return max(machine/memoryShare, uint64(config.MinMemory))
}

// LimitGoMemory tells the Go runtime how much memory the process may have, so that it collects garbage in time instead
// of being killed. GOMEMLIMIT in the environment goes before. It is for programs that are nothing but a server.
func LimitGoMemory(logger *slog.Logger) {
	// An error is logged there, and leaves everything as it was.
	_, _ = memlimit.Set(memlimit.WithProvider(machineMemory), memlimit.WithRatio(goMemoryRatio), memlimit.WithLogger(logger))
}
