package client

import (
	"maps"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	// errorDomain is the domain of every reason that the service gives.
	errorDomain = "zermelo"
	// reasonPrefix is what a reason on the wire leaves out of its name in the enum.
	reasonPrefix = "ERROR_REASON_"
)

// Reason is why a call failed, as the service says. ERROR_REASON_UNSPECIFIED when err is nil, was not returned by the
// service (a lost connection, a deadline that passed on this side: see its code), or has a reason that this version
// does not know. Errors that wrap one of a call are looked through.
func Reason(err error) zermelov1.ErrorReason {
	info := errorInfo(err)
	if info == nil {
		return zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED
	}
	return zermelov1.ErrorReason(zermelov1.ErrorReason_value[reasonPrefix+info.GetReason()])
}

// Metadata holds the variables of an error's message, such as `request_id` or `budget_bytes`; which they are is said
// at each [zermelov1.ErrorReason]. The caller may change it; nil when there are none.
func Metadata(err error) map[string]string {
	return maps.Clone(errorInfo(err).GetMetadata())
}

// Violation is a field of the request that was wrong.
type Violation struct {
	// Field is the path of the field in the request: `position.can_i_win.chosen[2]`.
	Field string
	// Description says, in a sentence for people, what was wrong with it.
	Description string
}

// Violations are the fields of the request that were wrong, in the order given by the service; nil when err does not
// speak of any. Errors that wrap one of a call are looked through.
func Violations(err error) []Violation {
	var violations []Violation
	for _, request := range details[*errdetails.BadRequest](err) {
		for _, field := range request.GetFieldViolations() {
			violations = append(violations, Violation{Field: field.GetField(), Description: field.GetDescription()})
		}
	}
	return violations
}

// BatchError is the error of one position in the results of [Client.BatchSolve] as a Solve of that position alone would
// return it: a status of the same code and message, of which [Reason], [Metadata] and [Violations] tell as of any other.
// Only the fields are named as they are in the request of the batch: `positions[17].nim.convention`. nil when e is nil,
// as it is for a position that was solved.
func BatchError(e *zermelov1.PositionError) error {
	if e == nil {
		return nil
	}
	code := codes.Code(e.GetCode())
	if code == codes.OK {
		code = codes.Unknown // no error at all would be a solution
	}
	answer := status.New(code, e.GetMessage())
	details := []protoadapt.MessageV1{&errdetails.ErrorInfo{
		Domain:   errorDomain,
		Reason:   e.GetReason(),
		Metadata: maps.Clone(e.GetMetadata()),
	}}
	if fields := e.GetFieldViolations(); len(fields) > 0 {
		bad := &errdetails.BadRequest{}
		for _, field := range fields {
			bad.FieldViolations = append(bad.FieldViolations, &errdetails.BadRequest_FieldViolation{
				Field: field.GetField(), Description: field.GetDescription(),
			})
		}
		details = append(details, bad)
	}
	detailed, err := answer.WithDetails(details...)
	if err != nil {
		return answer.Err() // a text that is not UTF-8, which no message of protobuf holds
	}
	return detailed.Err()
}

// errorInfo is what the service says about an error, nil when it says nothing. Proxies may add an ErrorInfo of their
// own: the domain tells them apart.
func errorInfo(err error) *errdetails.ErrorInfo {
	for _, info := range details[*errdetails.ErrorInfo](err) {
		if info.GetDomain() == errorDomain {
			return info
		}
	}
	return nil
}

// details are the details of one kind that a status carries.
func details[T any](err error) []T {
	answer, ok := status.FromError(err)
	if !ok {
		return nil
	}
	var found []T
	for _, detail := range answer.Details() {
		if detail, ok := detail.(T); ok {
			found = append(found, detail)
		}
	}
	return found
}
