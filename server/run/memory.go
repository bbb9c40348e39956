package run

import (
	"errors"
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
	// ballastBytes is the garbage that small calls may leave before it is collected, beyond as much as there is live data.
	ballastBytes = 32 << 20
)

// machineMemory is what the process may have: the least of what its cgroup lets it have and what the machine has. It is an
// error when neither is known, or when the cgroup's limit is there but cannot be read, with what the machine has.
func machineMemory(cgroup, system func() (uint64, error)) (uint64, error) {
	limit, err := cgroup()
	if errors.Is(err, memlimit.ErrNoLimit) || errors.Is(err, memlimit.ErrNoCgroup) {
		return system()
	}
	if has, systemErr := system(); err != nil {
		return has, err
	} else if systemErr == nil {
		limit = min(limit, has)
	}
	return limit, nil
}

// thisMachine is machineMemory of the process.
func thisMachine() (uint64, error) { return machineMemory(memlimit.FromCgroup, memlimit.FromSystem) }

// memoryOfCalls is the memory that calls may have together.
func memoryOfCalls(cfg config.Config, logger *slog.Logger) uint64 {
	if cfg.Memory > 0 {
		return uint64(cfg.Memory)
	}
	machine, err := thisMachine()
	if err != nil {
		if machine == 0 {
			machine = uint64(unknownMachine)
		}
		logger.Warn("cannot find out how much memory there is; --memory sets it", "taken_for", config.Bytes(machine), "error", err)
	}
	return max(machine/memoryShare, uint64(config.MinMemory))
}

// ballast is memory that is never touched, so that no page of it is ever there. The Go runtime collects garbage whenever
// the heap has doubled. A server of small calls has a few MiB of live data and would collect forty times a second, for a
// fifth of its processor time; with the ballast counted as live data it collects a tenth as often.
var ballast []byte //nolint:unused // it is there to be held, not to be read

// LimitGoMemory tells the Go runtime how much memory the process may have, so that it collects garbage in time instead
// of being killed, and lets it collect less often while the heap is small. GOMEMLIMIT in the environment goes before. It is
// for programs that are nothing but a server.
//
// The tables of the games' algorithms are memory that the runtime does not see. They are admitted together with all else,
// so that with the default of --memory, half of what there is, what the heap may grow to by garbage shrinks by twice what
// they take.
func LimitGoMemory(logger *slog.Logger) {
	// An error is logged there, and leaves everything as it was.
	_, _ = memlimit.Set(memlimit.WithProvider(thisMachine), memlimit.WithRatio(goMemoryRatio), memlimit.WithLogger(logger))
	ballast = make([]byte, ballastBytes)
}
