package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
)

// ErrorDomain is the domain of every ErrorInfo.
const ErrorDomain = "zermelo"

// ErrDraining is the cause with which the server cancels the contexts of the calls that are left when it shuts down.
var ErrDraining = errors.New("the server is shutting down")

// ErrClientTooSlow is the cause with which a stream ends whose caller has stopped reading.
var ErrClientTooSlow = errors.New("the caller has stopped reading")

// ClientTooSlow is the status of such a stream: a message has waited for that long.
func ClientTooSlow(limit time.Duration) error {
	return newStatus(codes.Aborted, zermelov1.ErrorReason_ERROR_REASON_CLIENT_TOO_SLOW, ErrClientTooSlow,
		fmt.Sprintf("nothing was read for %v; read faster, or ask for fewer events", limit),
		map[string]string{"stall_limit": limit.String()})
}

// TimeLimitError is the cause with which the server ends a call that has taken as long as any call may take.
type TimeLimitError struct {
	// Limit is how long that is.
	Limit time.Duration
	// Setting is the flag that sets it, such as --max-stream-time.
	Setting string
}

// Error says what the limit is and who can change it.
func (e *TimeLimitError) Error() string {
	return fmt.Sprintf("the call took longer than %v, the most that this server allows; a smaller request, or a server with a "+
		"larger %s, would do", e.Limit, e.Setting)
}

// ClientLimit is the status of a call whose client has reached a limit. setting is the name of the flag that sets it,
// without dashes, and value is the limit.
func ClientLimit(setting string, value int, message string) error {
	return newStatus(codes.ResourceExhausted, zermelov1.ErrorReason_ERROR_REASON_CLIENT_LIMIT, errors.New(message), message,
		map[string]string{"limit": setting, "value": strconv.Itoa(value)})
}

// The two ways in which a call is not authenticated.
var (
	// ErrNoToken says that the call carries no bearer token.
	ErrNoToken = errors.New("the call carries no token; send one in its metadata, as authorization: Bearer TOKEN")
	// ErrWrongToken says that it carries one that is not accepted.
	ErrWrongToken = errors.New("the token of the call is not one that this server accepts")
)

// Unauthenticated is the status of a call that is refused because of ErrNoToken or ErrWrongToken.
func Unauthenticated(cause error) error {
	return newStatus(codes.Unauthenticated, zermelov1.ErrorReason_ERROR_REASON_UNAUTHENTICATED, cause, cause.Error(), nil)
}

// Ended is the status of a call whose context has ended: by its deadline, by its caller, or by the server.
func Ended(ctx context.Context) error { return toStatus(ctx, context.Cause(ctx)) }

// statusError is a status with its cause. The status goes to the caller; the cause is for the log.
type statusError struct {
	status *status.Status
	reason zermelov1.ErrorReason
	cause  error
}

func (e *statusError) Error() string              { return e.cause.Error() }
func (e *statusError) Unwrap() error              { return e.cause }
func (e *statusError) GRPCStatus() *status.Status { return e.status }

// streamError is an error of a stream that had sent events, or positions, up to a sequence number.
type streamError struct {
	err          error
	lastSequence int64
}

func (e *streamError) Error() string { return fmt.Sprintf("after %d: %v", e.lastSequence, e.err) }
func (e *streamError) Unwrap() error { return e.err }

// toStatus is the one place where errors become statuses.
func toStatus(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		// The end of the context is why it failed: sending to a caller who has left fails, for example.
		err = &causedError{error: err, cause: context.Cause(ctx), ended: ctx.Err()}
	}
	var request *catalog.RequestError
	var budget *engine.BudgetError
	var busy *admission.BusyError
	var timeLimit *TimeLimitError
	var unknown *unknownGameError
	switch {
	case errors.As(err, &request):
		return requestStatus(request)
	case errors.As(err, &busy):
		return busyStatus(busy)
	case errors.As(err, &budget):
		return newStatus(codes.ResourceExhausted, zermelov1.ErrorReason_ERROR_REASON_MEMO_BUDGET, err,
			budget.Error()+"; a smaller position, or a server with a larger --memo-budget, would do",
			map[string]string{
				"budget_bytes":       strconv.FormatInt(budget.Budget, 10),
				"positions_expanded": strconv.FormatInt(budget.Expanded, 10),
			})
	case errors.As(err, &unknown):
		return newStatus(codes.NotFound, zermelov1.ErrorReason_ERROR_REASON_GAME_UNKNOWN, err, unknown.Error(),
			map[string]string{"name": unknown.quoted()})
	case errors.Is(err, errTokenMismatch):
		return newStatus(codes.FailedPrecondition, zermelov1.ErrorReason_ERROR_REASON_RESUME_TOKEN_MISMATCH, err,
			errTokenMismatch.Error()+"; ask again without it", nil)
	case errors.Is(err, ErrDraining):
		return newStatus(codes.Unavailable, zermelov1.ErrorReason_ERROR_REASON_SERVER_DRAINING, err, ErrDraining.Error(),
			withLastSequence(err, map[string]string{}))
	case errors.As(err, &timeLimit): // before the deadline that it also is
		return newStatus(codes.ResourceExhausted, zermelov1.ErrorReason_ERROR_REASON_TIME_LIMIT, err, timeLimit.Error(),
			withLastSequence(err, map[string]string{"time_limit": timeLimit.Limit.String()}))
	case errors.Is(err, context.DeadlineExceeded) || sendFailed(err, codes.DeadlineExceeded):
		return newStatus(codes.DeadlineExceeded, zermelov1.ErrorReason_ERROR_REASON_DEADLINE_EXCEEDED, err,
			"the deadline of the call passed before the answer was found", nil)
	case errors.Is(err, context.Canceled) || sendFailed(err, codes.Canceled, codes.Unavailable):
		return newStatus(codes.Canceled, zermelov1.ErrorReason_ERROR_REASON_CANCELLED, err, "the call was cancelled", nil)
	default:
		return internal(ctx, err)
	}
}

// sendFailed reports whether an error is a status, with one of these codes, that the transport gave to a handler that
// sent something. It can be a moment ahead of the context of the call, which ends for the same reason.
func sendFailed(err error, among ...codes.Code) bool {
	var transport interface{ GRPCStatus() *status.Status }
	return errors.As(err, &transport) && slices.Contains(among, transport.GRPCStatus().Code())
}

// withLastSequence adds the last event that was sent to the metadata of a stream's error.
func withLastSequence(err error, metadata map[string]string) map[string]string {
	var stream *streamError
	if errors.As(err, &stream) {
		metadata["last_sequence"] = strconv.FormatInt(stream.lastSequence, 10)
	}
	return metadata
}

// causedError is an error that comes from the end of a context. It wraps the cause of that end, too.
type causedError struct {
	error
	cause, ended error
}

func (e *causedError) Unwrap() []error { return []error{e.error, e.cause, e.ended} }

// InternalError is the status of a fault of the server: a fixed text and the request's id, by which its log is searched.
func InternalError(ctx context.Context) error {
	return internal(ctx, errors.New("internal error"))
}

func internal(ctx context.Context, cause error) error {
	return newStatus(codes.Internal, zermelov1.ErrorReason_ERROR_REASON_INTERNAL, cause,
		"internal error; the server's log has the cause under the request id",
		map[string]string{"request_id": call.RequestID(ctx)})
}

func requestStatus(err *catalog.RequestError) error {
	bad := &errdetails.BadRequest{}
	for _, v := range err.Violations {
		bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{
			Field: v.Field, Description: v.Description, Reason: ReasonName(err.Reason),
		})
	}
	metadata := map[string]string{"field": err.Violations[0].Field}
	if b := err.Budget; b != nil {
		metadata["asked"], metadata["limit"] = strconv.FormatUint(b.Asked, 10), strconv.FormatUint(b.Limit, 10)
		metadata["setting"] = b.Setting
	}
	return newStatus(codes.InvalidArgument, err.Reason, err, err.Error(), metadata, bad)
}

func newStatus(
	code codes.Code, reason zermelov1.ErrorReason, cause error, message string, metadata map[string]string,
	details ...protoadapt.MessageV1,
) error {
	info := &errdetails.ErrorInfo{Reason: ReasonName(reason), Domain: ErrorDomain, Metadata: metadata}
	st, err := status.New(code, message).WithDetails(append([]protoadapt.MessageV1{info}, details...)...)
	if err != nil { // only for code OK, or details that cannot be encoded
		st = status.New(code, message)
	}
	return &statusError{status: st, reason: reason, cause: cause}
}

// ReasonOf is the reason of an error that a call ended with. It is unspecified for nil, and for statuses that are not of
// this service, as the transport and other services have.
func ReasonOf(err error) zermelov1.ErrorReason {
	if err == nil {
		return zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED
	}
	if ours := (*statusError)(nil); errors.As(err, &ours) {
		return ours.reason
	}
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == ErrorDomain {
			return zermelov1.ErrorReason(zermelov1.ErrorReason_value[reasonPrefix+info.GetReason()])
		}
	}
	return zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED
}

const reasonPrefix = "ERROR_REASON_"

// ReasonName is how a reason is written in an ErrorInfo.
func ReasonName(reason zermelov1.ErrorReason) string {
	return strings.TrimPrefix(reason.String(), reasonPrefix)
}
