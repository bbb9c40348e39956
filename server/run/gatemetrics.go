package run

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/zermelo-games/zermelo/server/admission"
)

// gateMetrics tells what the gate holds and has let through. All of one scrape is from one moment.
type gateMetrics struct {
	gate *admission.Gate

	memory, memoryLimit, running, slots, small, queued *prometheus.Desc
	admitted, waited, waitTime, refused                *prometheus.Desc
}

// The values of the label kind.
const (
	kindSolve  = "solve"
	kindStream = "stream"
)

func newGateMetrics(gate *admission.Gate) *gateMetrics {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("zermelo_admission_"+name, help, labels, nil)
	}
	return &gateMetrics{
		gate:        gate,
		memory:      describe("memory_bytes", "Memory that running calls were admitted with.", "kind"),
		memoryLimit: describe("memory_limit_bytes", "Memory that all calls may have together."),
		running:     describe("running", "Calls that run in a slot.", "kind"),
		slots:       describe("slots", "Slots for running calls.", "kind"),
		small:       describe("small_running", "Small calls that run beside the slots."),
		queued:      describe("queued", "Calls that wait to be admitted.", "kind"),
		admitted:    describe("admitted_total", "Calls admitted, in a slot or as small ones.", "size"),
		waited:      describe("waited_total", "Calls whose wait is over, whatever came of it."),
		waitTime:    describe("wait_seconds_total", "Time that calls have waited."),
		refused:     describe("refused_total", "Calls not admitted, by what was full.", "cause"),
	}
}

// Describe names the series.
func (m *gateMetrics) Describe(names chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, names) }

// Collect takes a snapshot.
func (m *gateMetrics) Collect(series chan<- prometheus.Metric) {
	s, limits := m.gate.Stats(), m.gate.Limits()
	gauge := func(name *prometheus.Desc, value float64, labels ...string) {
		series <- prometheus.MustNewConstMetric(name, prometheus.GaugeValue, value, labels...)
	}
	counter := func(name *prometheus.Desc, value float64, labels ...string) {
		series <- prometheus.MustNewConstMetric(name, prometheus.CounterValue, value, labels...)
	}
	gauge(m.memory, float64(s.Bytes-s.StreamBytes), kindSolve)
	gauge(m.memory, float64(s.StreamBytes), kindStream)
	gauge(m.memory, float64(s.SmallBytes), "small")
	gauge(m.memoryLimit, float64(limits.MemoryBytes))
	gauge(m.running, float64(s.Solves), kindSolve)
	gauge(m.running, float64(s.Streams), kindStream)
	gauge(m.slots, float64(limits.Solves), kindSolve)
	gauge(m.slots, float64(limits.Streams), kindStream)
	gauge(m.small, float64(s.Small))
	gauge(m.queued, float64(s.SolvesQueued), kindSolve)
	gauge(m.queued, float64(s.StreamsQueued), kindStream)
	counter(m.admitted, float64(s.Admitted-s.AdmittedSmall), "slot")
	counter(m.admitted, float64(s.AdmittedSmall), "small")
	counter(m.waited, float64(s.Waited))
	counter(m.waitTime, s.WaitTime.Seconds())
	for _, cause := range admission.Causes() {
		counter(m.refused, float64(s.Refused[cause]), cause.String())
	}
}
