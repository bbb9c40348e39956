package interceptor

import (
	grpcprom "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc/reflection"
)

// handlingBuckets are the upper bounds, in seconds, of the histogram of handling times. A closed form takes
// microseconds, a long trace minutes.
var handlingBuckets = []float64{0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10, 60, 600}

// Metrics counts the calls of one server.
type Metrics struct {
	calls  *grpcprom.ServerMetrics
	panics prometheus.Counter
	stalls prometheus.Counter
}

// NewMetrics makes the metrics of one server and registers them with its registry. It panics when the registry has them
// already: a registry belongs to one server.
func NewMetrics(registry prometheus.Registerer) *Metrics {
	m := &Metrics{
		calls: grpcprom.NewServerMetrics(
			grpcprom.WithServerHandlingTimeHistogram(grpcprom.WithHistogramBuckets(handlingBuckets)),
		),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "zermelo",
			Name:      "panics_total",
			Help:      "Calls that ended in a panic of their handler, answered with INTERNAL.",
		}),
		stalls: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "zermelo",
			Name:      "stalls_total",
			Help:      "Streams that were ended because their caller had stopped reading.",
		}),
	}
	registry.MustRegister(m.calls, m.panics, m.stalls)
	return m
}

// Initialize makes the series of every method of the server exist from the start, at zero, so that the first error is
// an increase and not the birth of a series. Call it when all services are registered.
func (m *Metrics) Initialize(server reflection.ServiceInfoProvider) {
	m.calls.InitializeMetrics(server)
}

// stage counts and times every call, health and reflection included. Its labels are the names of registered methods and
// status codes: a caller cannot add to them.
func (m *Metrics) stage() Stage {
	return Stage{
		Name:   StageMetrics,
		Unary:  m.calls.UnaryServerInterceptor(),
		Stream: m.calls.StreamServerInterceptor(),
	}
}
