package interceptor

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/logging"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/selector"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/server/rpc"
)

// logged writes one line for each finished call of the service. Health and reflection, whose services are named
// grpc.…, are left out by a selector, not by a level: probes come every few seconds, and building a line that is then
// discarded costs nearly as much as writing it.
func logged(logger *slog.Logger) Stage {
	write := logging.LoggerFunc(func(ctx context.Context, level logging.Level, message string, fields ...any) {
		logger.Log(ctx, slog.Level(level), message, fields...)
	})
	options := []logging.Option{
		logging.WithLogOnEvents(logging.FinishCall),
		logging.WithLevels(logLevel),
		logging.WithDisableLoggingFields(logging.SystemTag[0], logging.ComponentFieldKey),
		logging.WithTimestampFormat(time.RFC3339Nano),
		logging.WithDurationField(func(d time.Duration) logging.Fields {
			return logging.Fields{"grpc.time_ms", float64(d.Microseconds()) / 1000}
		}),
		logging.WithErrorFields(func(err error) logging.Fields {
			if reason := reasonOf(err); reason != "" {
				return logging.Fields{"reason", reason}
			}
			return nil
		}),
		logging.WithFieldsFromContext(func(ctx context.Context) logging.Fields {
			return logging.Fields{"request_id", rpc.RequestID(ctx)}
		}),
	}
	worth := selector.MatchFunc(func(_ context.Context, call interceptors.CallMeta) bool {
		return !strings.HasPrefix(call.Service, "grpc.")
	})
	return Stage{
		Name:   StageLogging,
		Unary:  selector.UnaryServerInterceptor(logging.UnaryServerInterceptor(write, options...), worth),
		Stream: selector.StreamServerInterceptor(logging.StreamServerInterceptor(write, options...), worth),
	}
}

// logLevel gives the level at which a call that ended with a code is logged: faults of the server as errors, other
// failures as warnings. A caller that leaves is an everyday end of a stream.
func logLevel(code codes.Code) logging.Level {
	switch code {
	case codes.OK, codes.Canceled:
		return logging.LevelInfo
	case codes.Unknown, codes.Internal, codes.DataLoss:
		return logging.LevelError
	default:
		return logging.LevelWarn
	}
}

// reasonOf gives the reason in the ErrorInfo of a status; "" when there is none.
func reasonOf(err error) string {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			return info.GetReason()
		}
	}
	return ""
}
