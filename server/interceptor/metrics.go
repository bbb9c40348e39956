package interceptor

import (
	"context"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// handlingBuckets are the upper bounds, in seconds, of the histograms of time. A closed form takes microseconds, a long
// trace minutes.
var handlingBuckets = []float64{0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10, 60, 600}

// reasonOther is the label of errors without a reason of this service.
const reasonOther = "OTHER"

// Metrics counts the calls of one server and what is done in them. Every series exists from the start and is looked up
// then, so that a call puts no labels together: that takes a sixth of the time of the interceptor of
// go-grpc-middleware, and no memory. All labels are from sets that no caller can add to.
type Metrics struct {
	started, handled, received, sent *prometheus.CounterVec
	seconds                          *prometheus.HistogramVec
	streams                          *prometheus.GaugeVec
	// methods are the series of each RPC of the server, by its full name. They are complete before the first call.
	methods map[string]*methodSeries

	games        map[string]*gameSeries
	errors       map[zermelov1.ErrorReason]prometheus.Counter
	memoEntries  prometheus.Gauge
	hits, misses prometheus.Counter
	panics       prometheus.Counter
	stalls       prometheus.Counter
}

var _ call.Observer = (*Metrics)(nil)

// methodSeries are the series of one RPC.
type methodSeries struct {
	started, received, sent prometheus.Counter
	handled                 [codes.Unauthenticated + 1]prometheus.Counter
	seconds                 prometheus.Observer
	open                    prometheus.Gauge // nil for unary calls
}

// gameSeries are the series of one game.
type gameSeries struct {
	solves    [][call.ResultCount]prometheus.Counter // by the method's number
	seconds   prometheus.Observer
	positions prometheus.Counter
	events    prometheus.Counter
}

// NewMetrics makes the metrics of one server, which offers these games, and registers them with its registry. It panics
// when the registry has them already: a registry belongs to one server.
func NewMetrics(registry prometheus.Registerer, games []string) *Metrics {
	vector := func(subsystem, name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: subsystem, Name: name, Help: help}, labels)
		registry.MustRegister(c)
		return c
	}
	counter := func(name, help string) prometheus.Counter { return vector("zermelo", name, help).WithLabelValues() }
	histogram := func(namespace, name, help string, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: name, Help: help, Buckets: handlingBuckets,
		}, labels)
		registry.MustRegister(h)
		return h
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "zermelo", Name: name, Help: help}, labels)
		registry.MustRegister(g)
		return g
	}

	// The names and labels that dashboards for gRPC in Go expect.
	const grpcServer = "grpc_server"
	rpcLabels := []string{"grpc_type", "grpc_service", "grpc_method"}
	m := &Metrics{
		started: vector(grpcServer, "started_total", "Calls that began.", rpcLabels...),
		handled: vector(grpcServer, "handled_total", "Calls that ended, by their status code.",
			slices.Concat(rpcLabels, []string{"grpc_code"})...),
		received: vector(grpcServer, "msg_received_total", "Messages received.", rpcLabels...),
		sent:     vector(grpcServer, "msg_sent_total", "Messages sent; of a stream, its frames.", rpcLabels...),
		seconds:  histogram(grpcServer, "handling_seconds", "Time from the start of a call to its end.", rpcLabels...),
		streams:  gauge("streams_open", "Streams that are open now.", "rpc"),
		methods:  make(map[string]*methodSeries),

		games:       make(map[string]*gameSeries),
		errors:      make(map[zermelov1.ErrorReason]prometheus.Counter),
		memoEntries: gauge("memo_entries", "Positions that running searches remember now.").WithLabelValues(),
		hits:        counter("cache_hits_total", "Answers that were known from an earlier call."),
		misses:      counter("cache_misses_total", "Answers that were looked for and not known."),
		panics:      counter("panics_total", "Calls that ended in a panic of their handler, answered with INTERNAL."),
		stalls:      counter("stalls_total", "Streams that were ended because their caller had stopped reading."),
	}

	solves := vector("zermelo", "solves_total", "Positions solved, with their solution sent, in any RPC.",
		"game", "method", "result")
	seconds := histogram("zermelo", "solve_seconds", "Time of unary calls about positions of a game, failures included.",
		"game")
	positions := vector("zermelo", "positions_expanded_total", "Positions that searches have expanded.", "game")
	events := vector("zermelo", "events_sent_total", "Events of traces and positions of enumerations sent.", "game")
	for _, game := range slices.Concat(games, []string{call.GameBatch}) {
		g := &gameSeries{
			solves:    make([][call.ResultCount]prometheus.Counter, len(methodNames)),
			seconds:   seconds.WithLabelValues(game),
			positions: positions.WithLabelValues(game),
			events:    events.WithLabelValues(game),
		}
		m.games[game] = g
		if game == call.GameBatch {
			continue // each of its positions counts for its own game
		}
		for method, name := range methodNames {
			for result := call.ResultWin; result < call.ResultCount && name != ""; result++ {
				g.solves[method][result] = solves.WithLabelValues(game, name, result.String())
			}
		}
	}

	errors := vector("zermelo", "errors_total", "Errors by their reason, of calls and of positions in a batch.", "reason")
	for number := range zermelov1.ErrorReason_name {
		reason, name := zermelov1.ErrorReason(number), reasonOther
		if reason != zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED {
			name = rpc.ReasonName(reason)
		}
		m.errors[reason] = errors.WithLabelValues(name)
	}
	return m
}

// Initialize makes the series of every method of the server exist from the start, at zero, so that the first error is
// an increase of a series that is there. Call it when all services are registered, and before the server serves.
func (m *Metrics) Initialize(server reflection.ServiceInfoProvider) {
	for service, info := range server.GetServiceInfo() {
		for _, method := range info.Methods {
			labels := []string{callType(method.IsClientStream, method.IsServerStream), service, method.Name}
			s := &methodSeries{
				started:  m.started.WithLabelValues(labels...),
				received: m.received.WithLabelValues(labels...),
				sent:     m.sent.WithLabelValues(labels...),
				seconds:  m.seconds.WithLabelValues(labels...),
			}
			for code := range s.handled {
				s.handled[code] = m.handled.WithLabelValues(append(labels, codes.Code(code).String())...)
			}
			if (method.IsClientStream || method.IsServerStream) && service == rpc.ServiceName {
				s.open = m.streams.WithLabelValues(method.Name)
			}
			m.methods["/"+service+"/"+method.Name] = s
		}
	}
}

// callType names a kind of RPC.
func callType(clientStreams, serverStreams bool) string {
	switch {
	case clientStreams && serverStreams:
		return "bidi_stream"
	case clientStreams:
		return "client_stream"
	case serverStreams:
		return "server_stream"
	default:
		return "unary"
	}
}

// stage counts and times every call, health and reflection included.
func (m *Metrics) stage() Stage {
	return Stage{
		Name: StageMetrics,
		Unary: func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			c, series := call.Of(ctx), m.methods[info.FullMethod]
			if series == nil {
				return handler(ctx, req)
			}
			series.started.Inc()
			answer, err := handler(ctx, req)
			took := m.ended(c, series, err)
			series.received.Inc()
			if err == nil {
				series.sent.Inc()
			}
			if game := m.games[c.Record().Game]; game != nil {
				game.seconds.Observe(took.Seconds())
			}
			return answer, err
		},
		Stream: func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			c, series := call.Of(stream.Context()), m.methods[info.FullMethod]
			if series == nil {
				return handler(srv, stream)
			}
			series.started.Inc()
			if series.open != nil {
				series.open.Inc()
				defer series.open.Dec()
			}
			err := handler(srv, &countedStream{stream, c, series})
			m.ended(c, series, err)
			return err
		},
	}
}

// ended counts a call that has ended and tells how long it took.
func (m *Metrics) ended(c *call.Call, series *methodSeries, err error) time.Duration {
	took := c.End().Sub(c.Began)
	series.seconds.Observe(took.Seconds())
	if err == nil {
		series.handled[codes.OK].Inc()
		return took
	}
	code := status.Code(err)
	if int(code) >= len(series.handled) {
		code = codes.Unknown
	}
	series.handled[code].Inc()
	if isOwn(c.Method) { // a tool that leaves reflection is no error of anybody
		m.Failed(rpc.ReasonOf(err))
	}
	return took
}

// countedStream is a stream whose messages are counted.
type countedStream struct {
	grpc.ServerStream
	call   *call.Call
	series *methodSeries
}

// SendMsg sends a message and counts it.
func (s *countedStream) SendMsg(message any) error {
	err := s.ServerStream.SendMsg(message)
	if err == nil {
		s.series.sent.Inc()
		s.call.SentFrame()
	}
	return err
}

// RecvMsg receives a message and counts it.
func (s *countedStream) RecvMsg(message any) error {
	err := s.ServerStream.RecvMsg(message)
	if err == nil {
		s.series.received.Inc()
	}
	return err
}

// Solved counts a solution.
func (m *Metrics) Solved(game string, method zermelov1.Method, result call.Result) {
	g := m.games[game]
	if g == nil || int(method) >= len(g.solves) {
		return
	}
	if counter := g.solves[method][result]; counter != nil {
		counter.Inc()
	}
}

// Worked counts positions expanded, and what memos hold now.
func (m *Metrics) Worked(game string, positions, entries int64) {
	if g := m.games[game]; g != nil && positions > 0 {
		g.positions.Add(float64(positions))
	}
	m.memoEntries.Add(float64(entries))
}

// Sent counts events.
func (m *Metrics) Sent(game string, events int64) {
	if g := m.games[game]; g != nil {
		g.events.Add(float64(events))
	}
}

// Looked counts a look for the answer of an earlier call.
func (m *Metrics) Looked(known bool) {
	if known {
		m.hits.Inc()
	} else {
		m.misses.Inc()
	}
}

// Failed counts an error.
func (m *Metrics) Failed(reason zermelov1.ErrorReason) {
	if counter := m.errors[reason]; counter != nil {
		counter.Inc()
	}
}
