package run

import (
	"errors"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/zermelo-games/zermelo/server/config"
)

func TestMachineMemory(t *testing.T) {
	errBroken := errors.New("broken")
	is := func(n uint64, err error) func() (uint64, error) { return func() (uint64, error) { return n, err } }
	for name, test := range map[string]struct {
		cgroup, system func() (uint64, error)
		want           uint64
		err            error
	}{
		"a cgroup below the machine":      {is(5, nil), is(8, nil), 5, nil},
		"a cgroup above the machine":      {is(9, nil), is(8, nil), 8, nil},
		"a cgroup without a limit":        {is(0, memlimit.ErrNoLimit), is(8, nil), 8, nil},
		"no cgroup":                       {is(0, memlimit.ErrNoCgroup), is(8, nil), 8, nil},
		"a cgroup, and a silent machine":  {is(5, nil), is(0, errBroken), 5, nil},
		"no cgroup, and a silent machine": {is(0, memlimit.ErrNoCgroup), is(0, errBroken), 0, errBroken},
		"a cgroup that cannot be read":    {is(0, errBroken), is(8, nil), 8, errBroken},
	} {
		if got, err := machineMemory(test.cgroup, test.system); got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%s: %d, %v; want %d, %v", name, got, err, test.want, test.err)
		}
	}
}

func TestMemoryOfCalls(t *testing.T) {
	cfg := config.Default()
	machine, err := thisMachine()
	if err != nil {
		t.Skip(err)
	}
	if got := memoryOfCalls(cfg, silent()); got != machine/memoryShare {
		t.Errorf("%d of %d", got, machine)
	}
	cfg.Memory = 3 * config.GiB
	if got := memoryOfCalls(cfg, silent()); got != uint64(cfg.Memory) {
		t.Errorf("%d", got)
	}
}
