package interceptor

import (
	"context"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// maxLoggedError is how many bytes of an error's text are logged.
const maxLoggedError = 1024

// logged writes one line for each finished call, and nothing for one that begins. It builds the line only if it will be
// written, and hands it to the log's handler directly: a logger would look up the line of code that calls it, which is
// always the same here.
func logged(logger *slog.Logger) Stage {
	log := newCallLog(logger.Handler())
	return Stage{
		Name: StageLogging,
		Unary: func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			answer, err := handler(ctx, req)
			log.write(ctx, err)
			return answer, err
		},
		Stream: func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			err := handler(srv, stream)
			log.write(stream.Context(), err)
			return err
		},
	}
}

// callLog writes the lines of finished calls. What calls of one kind have in common is rendered once and kept. There are
// few kinds, since what tells them apart is from closed sets; rendering costs more than everything else about a line.
type callLog struct {
	plain slog.Handler
	mu    sync.Mutex // Held while kinds is replaced.
	kinds atomic.Pointer[map[callKind]slog.Handler]
}

// callKind is what calls of one kind have in common.
type callKind struct {
	fullMethod string
	game       string
	method     zermelov1.Method
	result     call.Result
	code       codes.Code
}

func newCallLog(plain slog.Handler) *callLog {
	l := &callLog{plain: plain}
	l.kinds.Store(&map[callKind]slog.Handler{})
	return l
}

// of is the handler that has rendered what calls of a kind have in common.
func (l *callLog) of(kind callKind, name string) slog.Handler {
	if handler := (*l.kinds.Load())[kind]; handler != nil {
		return handler
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	attrs := []slog.Attr{slog.String("rpc", name)}
	for _, a := range []slog.Attr{
		slog.String("game", kind.game),
		slog.String("method", methodName(kind.method)),
		slog.String("result", kind.result.String()),
		slog.String("code", kind.code.String()),
	} {
		if a.Value.String() != "" {
			attrs = append(attrs, a)
		}
	}
	kinds := maps.Clone(*l.kinds.Load())
	kinds[kind] = l.plain.WithAttrs(attrs)
	l.kinds.Store(&kinds)
	return kinds[kind]
}

// write logs how a call ended.
func (l *callLog) write(ctx context.Context, err error) {
	c := call.Of(ctx)
	code := status.Code(err)
	name, level := loggedAs(c.Method, code)
	if !l.plain.Enabled(ctx, level) {
		return
	}
	ended := c.End()
	r := c.Record()
	if code > codes.Unauthenticated {
		code = codes.Unknown // a number of a handler's own making
	}
	handler := l.of(callKind{c.Method, r.Game, r.Method, r.Result, code}, name)

	const most = 16
	attrs := make([]slog.Attr, 0, most)
	attrs = append(attrs, slog.String("request_id", c.ID))
	if p, ok := peer.FromContext(ctx); ok {
		attrs = append(attrs, slog.String("peer", addressOf(p)))
	}
	if r.Client != "" {
		attrs = append(attrs, slog.String("client", r.Client))
	}
	if r.Price.Positions != 0 || r.Price.Bytes != 0 {
		attrs = append(attrs, slog.Uint64("price_positions", r.Price.Positions), slog.Uint64("price_bytes", r.Price.Bytes))
	}
	if r.HasValue {
		attrs = append(attrs, slog.Int64("value", r.Value))
	}
	if r.Cached {
		attrs = append(attrs, slog.Bool("cached", true))
	}
	if r.Positions != 0 {
		attrs = append(attrs, slog.Int64("positions", r.Positions))
	}
	if r.Frames != 0 {
		attrs = append(attrs, slog.Int64("events", r.Events), slog.Int64("frames", r.Frames))
	}
	if err != nil {
		if reason := rpc.ReasonOf(err); reason != zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED {
			attrs = append(attrs, slog.String("reason", rpc.ReasonName(reason)))
		}
		why := err.Error()
		attrs = append(attrs, slog.String("error", why[:min(len(why), maxLoggedError)]))
	}
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		attrs = append(attrs, slog.String("trace_id", span.TraceID().String()))
	}
	attrs = append(attrs, slog.Int64("duration_us", ended.Sub(c.Began).Microseconds()))

	line := slog.NewRecord(ended, level, "finished call", 0)
	line.AddAttrs(attrs...)
	_ = handler.Handle(ctx, line) // A log that cannot be written has nowhere to say so.
}

// addressOf writes the address of a peer; of a TCP peer with one allocation instead of three.
func addressOf(p *peer.Peer) string {
	if tcp, ok := p.Addr.(*net.TCPAddr); ok {
		a := tcp.AddrPort()
		return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()).String()
	}
	return p.Addr.String()
}

// loggedAs is how an RPC is named in the log, ours without their service, and the level of a call of it that ended with
// a code: faults of the server are errors, other failures warnings. A caller that leaves is an everyday end of a stream.
// Health and reflection, whose services are named grpc.…, are called every few seconds by probes, and are logged for
// debugging only.
func loggedAs(fullMethod string, code codes.Code) (name string, level slog.Level) {
	name, ours := strings.CutPrefix(fullMethod, "/"+rpc.ServiceName+"/")
	switch code {
	case codes.Unknown, codes.Internal, codes.DataLoss:
		level = slog.LevelError
	case codes.OK, codes.Canceled:
		level = slog.LevelInfo
	default:
		level = slog.LevelWarn
	}
	if !ours && level < slog.LevelError && strings.HasPrefix(name, "/grpc.") {
		level = slog.LevelDebug
	}
	return strings.TrimPrefix(name, "/"), level
}

// methodName is how a method of solving is written in logs, labels and spans; empty for none.
func methodName(m zermelov1.Method) string {
	if int(m) >= len(methodNames) {
		return ""
	}
	return methodNames[m]
}

// methodNames are the names of the contract, by number, without their prefix and in small letters.
var methodNames = func() []string {
	names := make([]string, len(zermelov1.Method_name))
	for number, name := range zermelov1.Method_name {
		if zermelov1.Method(number) != zermelov1.Method_METHOD_UNSPECIFIED {
			names[number] = strings.ToLower(strings.TrimPrefix(name, "METHOD_"))
		}
	}
	return names
}()
