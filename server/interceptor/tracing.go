package interceptor

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// annotate writes the record of a finished call into its span, which the transport began and ends. Where nothing is
// traced there is none.
func annotate(c *call.Call, err error) {
	span := trace.SpanFromContext(c.Context)
	if !span.IsRecording() {
		return
	}
	r := c.Record()
	attributes := append(make([]attribute.KeyValue, 0, 10), attribute.String("zermelo.request_id", c.ID))
	text := func(key, value string) {
		if value != "" {
			attributes = append(attributes, attribute.String(key, value))
		}
	}
	number := func(key string, value int64) {
		if value != 0 {
			attributes = append(attributes, attribute.Int64(key, value))
		}
	}
	text("zermelo.game", r.Game)
	text("zermelo.method", methodName(r.Method))
	text("zermelo.result", r.Result.String())
	if reason := rpc.ReasonOf(err); reason != zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED {
		text("zermelo.reason", rpc.ReasonName(reason))
	}
	number("zermelo.price.positions", int64(min(r.Price.Positions, 1<<62)))
	number("zermelo.price.bytes", int64(min(r.Price.Bytes, 1<<62)))
	number("zermelo.positions", r.Positions)
	number("zermelo.events", r.Events)
	number("zermelo.frames", r.Frames)
	span.SetAttributes(attributes...)
}
